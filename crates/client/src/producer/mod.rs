//! Producing: records into batches, batches to the cluster.

mod handle;
mod mind;
#[expect(clippy::module_inception, reason = "one noun per file, and this is the folder's")]
mod producer;

pub use groma_session::producer::{Progress, SlotId as PartitionHandle, Ticket};
pub use handle::{Delivered, TopicHandle};
pub use producer::Producer;
