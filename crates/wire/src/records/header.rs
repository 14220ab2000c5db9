use groma_model::{Offset, Timestamp};

use super::codec::Compression;
use super::error::RecordsError;

/// Bytes of a batch before its records.
pub const HEADER_LEN: usize = 61;
/// Bytes of a batch that its length field does not count.
pub(super) const LENGTH_END: usize = 12;
/// Where the part covered by the CRC begins.
pub(super) const CRC_START: usize = 21;

pub(super) const AT_LENGTH: usize = 8;
pub(super) const AT_LEADER_EPOCH: usize = 12;
pub(super) const AT_MAGIC: usize = 16;
pub(super) const AT_CRC: usize = 17;
pub(super) const AT_ATTRIBUTES: usize = 21;
pub(super) const AT_LAST_DELTA: usize = 23;
pub(super) const AT_BASE_TIMESTAMP: usize = 27;
pub(super) const AT_MAX_TIMESTAMP: usize = 35;
pub(super) const AT_PRODUCER_ID: usize = 43;
pub(super) const AT_PRODUCER_EPOCH: usize = 51;
pub(super) const AT_BASE_SEQUENCE: usize = 53;
pub(super) const AT_COUNT: usize = 57;

const COMPRESSION_MASK: i16 = 0x07;
pub(super) const APPEND_TIME_BIT: i16 = 0x08;
const TRANSACTIONAL_BIT: i16 = 0x10;
const CONTROL_BIT: i16 = 0x20;

/// The fixed part of a record batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchHeader {
    /// Offset of the first record that the batch was written with.
    pub base_offset: Offset,
    /// Bytes of the whole batch, its first twelve included.
    pub total_len: usize,
    /// Epoch of the leader that appended the batch; none before that.
    pub leader_epoch: Option<i32>,
    /// CRC32C over everything from the attributes on.
    pub crc: u32,
    /// How the records are compressed.
    pub compression: Compression,
    /// Who set the records' timestamps.
    pub timestamp_type: TimestampType,
    /// Plain, transactional or control.
    pub kind: BatchKind,
    /// Offset of the last record less the base offset; compaction keeps it, so it may exceed `count - 1`.
    pub last_offset_delta: i32,
    /// Timestamp that the records' deltas are relative to.
    pub base_timestamp: Timestamp,
    /// Largest timestamp of the batch, or the append time.
    pub max_timestamp: Timestamp,
    /// The idempotent producer that wrote the batch, if one did.
    pub producer: Option<ProducerStamp>,
    /// Number of records.
    pub count: i32,
}

/// An idempotent producer's mark on a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProducerStamp {
    /// The id given by InitProducerId.
    pub id: i64,
    /// The id's epoch.
    pub epoch: i16,
    /// Sequence number of the first record; -1 in control batches.
    pub base_sequence: i32,
}

/// Who set the timestamps of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimestampType {
    /// The producer, record by record.
    #[default]
    Create,
    /// The broker: the batch's largest timestamp holds for all its records.
    LogAppend,
}

/// What a batch's records are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BatchKind {
    /// Records outside any transaction.
    #[default]
    Plain,
    /// Records of a transaction.
    Transactional,
    /// A marker that ends a transaction; never handed to applications.
    Control,
}

impl BatchHeader {
    /// Reads the header at the start of `bytes`, which must hold at least [`HEADER_LEN`] bytes of a batch.
    ///
    /// # Errors
    /// Names the field that makes the bytes no batch of format 2.
    pub fn parse(bytes: &[u8; HEADER_LEN]) -> Result<Self, RecordsError> {
        let base_offset = Offset(i64::from_be_bytes(field(bytes, 0)));
        let length = i32::from_be_bytes(field(bytes, AT_LENGTH));
        let total_len = checked_len(base_offset, length)?;
        let magic = i8::from_be_bytes(field(bytes, AT_MAGIC));
        if magic != 2 {
            return Err(RecordsError::UnsupportedFormat { offset: base_offset, magic });
        }
        let attributes = i16::from_be_bytes(field(bytes, AT_ATTRIBUTES));
        let code = (attributes & COMPRESSION_MASK) as u8;
        let compression =
            Compression::from_code(code).ok_or(RecordsError::UnknownCompression { offset: base_offset, code })?;
        let count = i32::from_be_bytes(field(bytes, AT_COUNT));
        if count < 0 {
            return Err(RecordsError::NegativeCount { offset: base_offset, count });
        }
        let leader_epoch = i32::from_be_bytes(field(bytes, AT_LEADER_EPOCH));
        Ok(Self {
            base_offset,
            total_len,
            leader_epoch: (leader_epoch >= 0).then_some(leader_epoch),
            crc: u32::from_be_bytes(field(bytes, AT_CRC)),
            compression,
            timestamp_type: TimestampType::of(attributes),
            kind: BatchKind::of(attributes),
            last_offset_delta: i32::from_be_bytes(field(bytes, AT_LAST_DELTA)),
            base_timestamp: Timestamp(i64::from_be_bytes(field(bytes, AT_BASE_TIMESTAMP))),
            max_timestamp: Timestamp(i64::from_be_bytes(field(bytes, AT_MAX_TIMESTAMP))),
            producer: producer(bytes),
            count,
        })
    }

    /// Offset of the batch's last record.
    pub const fn last_offset(&self) -> Offset {
        Offset(self.base_offset.0.wrapping_add(self.last_offset_delta as i64))
    }

    /// Offset of the record after the batch.
    pub const fn next_offset(&self) -> Offset {
        Offset(self.last_offset().0.wrapping_add(1))
    }

    /// Writes the header over the first [`HEADER_LEN`] bytes of a batch whose CRC is [`Self::crc`].
    pub fn write(&self, bytes: &mut [u8; HEADER_LEN]) {
        let attributes = self.compression.code() as i16 | self.timestamp_type.bits() | self.kind.bits();
        let stamp = self.producer.unwrap_or(ProducerStamp { id: -1, epoch: -1, base_sequence: -1 });
        put(bytes, 0, self.base_offset.0.to_be_bytes());
        put(bytes, AT_LENGTH, ((self.total_len.saturating_sub(LENGTH_END)) as i32).to_be_bytes());
        put(bytes, AT_LEADER_EPOCH, self.leader_epoch.unwrap_or(-1).to_be_bytes());
        put(bytes, AT_MAGIC, [2]);
        put(bytes, AT_CRC, self.crc.to_be_bytes());
        put(bytes, AT_ATTRIBUTES, attributes.to_be_bytes());
        put(bytes, AT_LAST_DELTA, self.last_offset_delta.to_be_bytes());
        put(bytes, AT_BASE_TIMESTAMP, self.base_timestamp.0.to_be_bytes());
        put(bytes, AT_MAX_TIMESTAMP, self.max_timestamp.0.to_be_bytes());
        put(bytes, AT_PRODUCER_ID, stamp.id.to_be_bytes());
        put(bytes, AT_PRODUCER_EPOCH, stamp.epoch.to_be_bytes());
        put(bytes, AT_BASE_SEQUENCE, stamp.base_sequence.to_be_bytes());
        put(bytes, AT_COUNT, self.count.to_be_bytes());
    }
}

impl TimestampType {
    const fn of(attributes: i16) -> Self {
        if attributes & APPEND_TIME_BIT == 0 { Self::Create } else { Self::LogAppend }
    }

    const fn bits(self) -> i16 {
        match self {
            Self::Create => 0,
            Self::LogAppend => APPEND_TIME_BIT,
        }
    }
}

impl BatchKind {
    const fn of(attributes: i16) -> Self {
        if attributes & CONTROL_BIT != 0 {
            Self::Control
        } else if attributes & TRANSACTIONAL_BIT != 0 {
            Self::Transactional
        } else {
            Self::Plain
        }
    }

    const fn bits(self) -> i16 {
        match self {
            Self::Plain => 0,
            Self::Transactional => TRANSACTIONAL_BIT,
            Self::Control => TRANSACTIONAL_BIT | CONTROL_BIT,
        }
    }
}

/// The batch's whole length by its length field.
pub(super) fn checked_len(offset: Offset, length: i32) -> Result<usize, RecordsError> {
    match usize::try_from(length) {
        Ok(len) if len >= HEADER_LEN - LENGTH_END => Ok(len + LENGTH_END),
        _ => Err(RecordsError::BatchTooShort { offset, length }),
    }
}

fn producer(bytes: &[u8; HEADER_LEN]) -> Option<ProducerStamp> {
    let id = i64::from_be_bytes(field(bytes, AT_PRODUCER_ID));
    (id >= 0).then(|| ProducerStamp {
        id,
        epoch: i16::from_be_bytes(field(bytes, AT_PRODUCER_EPOCH)),
        base_sequence: i32::from_be_bytes(field(bytes, AT_BASE_SEQUENCE)),
    })
}

fn field<const N: usize>(bytes: &[u8; HEADER_LEN], at: usize) -> [u8; N] {
    let mut value = [0; N];
    value.copy_from_slice(&bytes[at..at + N]);
    value
}

fn put<const N: usize>(bytes: &mut [u8; HEADER_LEN], at: usize, value: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&value);
}
