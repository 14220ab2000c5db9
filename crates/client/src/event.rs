use bytes::Bytes;
use groma_model::{Generation, Offset, TopicPartition};
use groma_wire::records::{
    Batch, BatchKind, Batches, Compression, RecordCursor, RecordIter, RecordsError, Scratch, batches,
};

use crate::ClientError;
use crate::consumer::Release;

/// A step of a member in a round, with its cause.
pub type RoundStep = groma_rebalance::member::Event<TopicPartition>;

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
    /// A step of this member in a round, for those who explain rebalances; told where `GroupConfig::detail` asks for it.
    Step(RoundStep),
    /// Something went wrong; the consumer goes on where it can.
    Error(ClientError),
}

/// Partitions to be given up.
#[derive(Debug)]
pub struct Revoked {
    partitions: Vec<TopicPartition>,
    release: Release,
}

impl Revoked {
    pub(crate) const fn new(partitions: Vec<TopicPartition>, release: Release) -> Self {
        Self { partitions, release }
    }

    /// The partitions to be given up.
    pub fn partitions(&self) -> &[TopicPartition] {
        &self.partitions
    }

    /// Tells the group that nothing of these partitions runs any more. Dropping does the same.
    pub fn done(self) {
        drop(self.release);
    }
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

/// The records of a [`Fetched`], from its position on; control records are left out.
#[derive(Debug)]
pub struct FetchedRecords<'a> {
    fetched: &'a Fetched,
    batches: Batches<'a>,
    batch: Option<Batch<'a>>,
    cursor: RecordCursor,
    /// The records of `batch` where they were compressed.
    unpacked: Vec<u8>,
    scratch: Scratch,
}

impl Fetched {
    /// Reads the records from `from` on, checked, and decompressed where needed.
    pub fn records(&self) -> FetchedRecords<'_> {
        FetchedRecords {
            fetched: self,
            batches: batches(&self.batches),
            batch: None,
            cursor: RecordCursor::default(),
            unpacked: Vec::new(),
            scratch: Scratch::default(),
        }
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
    #[inline]
    pub fn next(&mut self) -> Result<Option<FetchedRecord<'_>>, ClientError> {
        while !self.has_record()? {
            if !self.open_batch()? {
                return Ok(None);
            }
        }
        let fetched = self.fetched;
        let Some(mut records) = reading(self.batch.as_ref(), &self.unpacked, self.cursor) else { return Ok(None) };
        let record = records.next().transpose();
        self.cursor = records.cursor();
        let Some(record) = record.map_err(|error| damaged(fetched, error))? else { return Ok(None) };
        Ok(Some(FetchedRecord {
            offset: record.offset,
            timestamp_ms: record.timestamp.0,
            key: record.key,
            value: record.value,
        }))
    }

    /// Passes the records before the position; whether one is left in this batch.
    #[inline]
    fn has_record(&mut self) -> Result<bool, ClientError> {
        let Some(mut records) = reading(self.batch.as_ref(), &self.unpacked, self.cursor) else { return Ok(false) };
        let whole = self.batch.is_some_and(|batch| batch.header.base_offset >= self.fetched.from);
        if whole || records.remaining() == 0 {
            return Ok(records.remaining() > 0);
        }
        while let Some(record) = records.next() {
            if record.map_err(|error| damaged(self.fetched, error))?.offset >= self.fetched.from {
                return Ok(true);
            }
            self.cursor = records.cursor();
        }
        Ok(false)
    }

    fn open_batch(&mut self) -> Result<bool, ClientError> {
        self.cursor = RecordCursor::default();
        self.batch = self.batches.next().transpose().map_err(|error| damaged(self.fetched, error))?;
        let Some(batch) = self.batch else { return Ok(false) };
        if batch.header.kind == BatchKind::Control {
            self.batch = None;
            return Ok(true);
        }
        self.unpack(batch).map_err(|error| damaged(self.fetched, error))?;
        Ok(true)
    }

    fn unpack(&mut self, batch: Batch<'_>) -> Result<(), RecordsError> {
        self.unpacked.clear();
        batch.verify()?;
        if batch.header.compression != Compression::None {
            let limit = self.scratch.limit();
            self.unpacked.extend_from_slice(batch.decompress(&mut self.scratch, limit)?);
        }
        Ok(())
    }
}

#[inline]
fn reading<'s>(batch: Option<&'s Batch<'_>>, unpacked: &'s [u8], cursor: RecordCursor) -> Option<RecordIter<'s>> {
    let batch = batch?;
    let payload = if batch.header.compression == Compression::None { batch.payload() } else { unpacked };
    Some(RecordIter::resume(&batch.header, payload, cursor))
}

fn damaged(fetched: &Fetched, error: RecordsError) -> ClientError {
    ClientError::Records { partition: fetched.partition.clone(), offence: error.to_string() }
}
