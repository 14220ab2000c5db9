//! Any resource an application can name, under a protocol type of the application's own.
//!
//! What exists is the application's to say: each member has a [`Catalog`], and that of the leader counts. A member asks
//! for resources of every kind or of some, see [`Interest`]; a resource is known to all by its name, see [`Resource`].
//! All assignors and policies work as for topic partitions: a resource counts as a topic with one partition, and the
//! bytes are those of [`super::consumer`] for [`super::Shape::Full`], those of [`super::proposed`] for
//! [`super::Shape::Delta`].
//!
//! A group without resources is a way to elect a leader: an empty catalog and [`crate::member::Member::leads`].

mod catalog;
mod interest;
mod names;
mod protocol;
mod resource;

pub use catalog::{Catalog, CatalogError};
pub use interest::Interest;
pub use protocol::{Custom, given, shape, waits};
pub use resource::Resource;
