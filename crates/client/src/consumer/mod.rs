//! Consuming: partitions by a group or by choice, records as they were fetched.

#[expect(clippy::module_inception, reason = "one noun per file, and this is the folder's")]
mod consumer;
mod mind;
mod release;

pub use consumer::{Assigned, Consumer, Subscribed};
pub(crate) use release::Release;
