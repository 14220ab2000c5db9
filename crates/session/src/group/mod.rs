//! Membership of groups: what carries a member's requests, and a group that shares out an application's own resources.

mod driver;
mod event;
mod resources;
mod tag;

pub(crate) use driver::{Departure, Driver, Wish};
pub use event::ResourceEvent;
pub use groma_rebalance::embedded::custom::{Catalog, CatalogError, Custom, Interest, Resource};
pub use groma_rebalance::member::{MemberFailure, ReleaseId};
pub use resources::ResourceGroup;
pub(crate) use tag::GroupTag;
