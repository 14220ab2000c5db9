//! The producer's mind: open batches, what is in flight, sequences, retries.

mod batch;
mod error;
mod identity;
mod partitioner;
#[expect(clippy::module_inception, reason = "one noun per file, and this is the folder's")]
mod producer;
mod request;
mod slot;

pub use error::{AppendError, ProduceError};
pub use partitioner::{Sticky, murmur2, partition_of};
pub use producer::{Appended, Producer, ProducerInput, ProducerOutput};
pub use slot::{Progress, SlotId, Ticket};
