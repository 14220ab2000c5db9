use bytes::Bytes;
use groma_model::{Generation, Offset, TopicPartition};
use groma_rebalance::member::{self, ReleaseId};

use super::ConsumeError;

/// What an application is told.
#[derive(Clone, Debug)]
pub enum ConsumerEvent {
    /// Partitions came in addition to those held.
    Assigned(Vec<TopicPartition>),
    /// Partitions are to be given up; hand in `Released` when nothing of them runs any more.
    Revoked(ReleaseId, Vec<TopicPartition>),
    /// Partitions were taken away.
    Lost(Vec<TopicPartition>),
    /// Record batches.
    Records(Chunk),
    /// A round began.
    Rebalancing,
    /// The round ended.
    Stable(Generation),
    /// A step of this member in a round; told on demand ([`crate::Detail::Steps`]).
    Step(member::Event<TopicPartition>),
    /// Something is in the way.
    Error(ConsumeError),
}

/// Record batches of one partition as they were fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Where they come from.
    pub partition: TopicPartition,
    /// Whole batches.
    pub batches: Bytes,
    /// The position asked for; the first batch may begin before it.
    pub from: Offset,
    /// The position after the last batch.
    pub next: Offset,
    /// The end of what can be read, as of this fetch.
    pub high_watermark: Offset,
    /// Which stay of the partition it belongs to.
    pub(super) stay: u64,
}
