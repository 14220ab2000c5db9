//! Membership of groups: what carries a member's requests, and groups that share out something else than topic
//! partitions: an application's own resources, or tasks with state.

mod driver;
mod event;
mod membership;
mod resources;
mod tag;
mod tasks;

pub(crate) use driver::{Departure, Driver, Wish};
pub use event::ResourceEvent;
pub use groma_rebalance::embedded::Embedded;
pub use groma_rebalance::embedded::custom::{Catalog, CatalogError, Custom, Interest, Resource};
pub use groma_rebalance::embedded::tasks::{Job, Role, TaskList, Tasks, Workplace};
pub use groma_rebalance::member::{MemberFailure, ReleaseId};
pub use membership::Membership;
pub use resources::ResourceGroup;
pub(crate) use tag::GroupTag;
pub use tasks::TaskGroup;
