use groma_model::{Offset, Timestamp, TopicId};
use groma_wire::records::ProducerStamp;

/// One partition's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogId {
    /// The topic.
    pub topic: TopicId,
    /// The partition's number.
    pub partition: i32,
}

/// A run of bytes in one segment file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileRange {
    /// The log.
    pub log: LogId,
    /// The segment, by the first offset it may hold; it names the file.
    pub segment: Offset,
    /// The first byte.
    pub position: u64,
    /// How many bytes.
    pub len: u32,
}

/// What the node keeps of one record batch: read from its header when it arrives, or from the file on recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchExtent {
    /// Offset of its first record.
    pub base_offset: Offset,
    /// Offset of its last record.
    pub last_offset: Offset,
    /// Bytes of the whole batch, its header included.
    pub size: u32,
    /// The largest record time in it.
    pub max_timestamp: Timestamp,
    /// The idempotent producer that wrote it.
    pub producer: Option<ProducerStamp>,
}

/// A segment file as the shell found it at start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveredSegment {
    /// The first offset it may hold.
    pub base: Offset,
    /// Its batches in file order, without gaps between them.
    pub batches: Vec<BatchExtent>,
}
