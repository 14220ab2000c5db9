use bytes::Bytes;
use groma_model::{Offset, Timestamp};

use super::codec::{Compression, Compressor};
use super::header::{AT_CRC, BatchHeader, BatchKind, CRC_START, HEADER_LEN, ProducerStamp, TimestampType};
use super::varint;

/// Writes records into a batch as they come, without an allocation per record, and is used again after each batch.
///
/// It does not bound itself: finish a batch before it exceeds what the broker takes (1 MiB by default).
#[derive(Debug, Default)]
pub struct BatchBuilder {
    buffer: Vec<u8>,
    count: i32,
    base_timestamp: Timestamp,
    max_timestamp: Timestamp,
    compressor: Compressor,
}

/// What [`BatchBuilder::finish`] writes into the header beside what it knows itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchMeta {
    /// Offset of the first record; the broker sets it anew.
    pub base_offset: Offset,
    /// Epoch of the leader; the broker sets it anew.
    pub leader_epoch: Option<i32>,
    /// The idempotent producer, if there is one.
    pub producer: Option<ProducerStamp>,
    /// How to compress the records; a batch that does not get smaller is left uncompressed.
    pub compression: Compression,
    /// Plain, transactional or control.
    pub kind: BatchKind,
}

/// Most bytes of a record besides key, value and headers: six varints and the attributes.
const RECORD_OVERHEAD: usize = 36;

impl BatchBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty builder whose buffer has room for `bytes`.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { buffer: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// Adds a record and returns the batch's size in bytes now, before compression.
    #[inline]
    pub fn append(&mut self, timestamp: Timestamp, key: Option<&[u8]>, value: Option<&[u8]>) -> usize {
        self.begin(timestamp, key, value, 1);
        self.buffer.push(0);
        self.count += 1;
        self.buffer.len()
    }

    /// As [`Self::append`], with headers of name and value.
    pub fn append_with_headers(
        &mut self,
        timestamp: Timestamp,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
        headers: &[(&str, Option<&[u8]>)],
    ) -> usize {
        let count = headers.len() as i64;
        let fields: usize =
            headers.iter().map(|(name, value)| field_len(Some(name.as_bytes())) + field_len(*value)).sum();
        self.begin(timestamp, key, value, varint::len(count) + fields);
        self.varint(count);
        for (name, value) in headers {
            self.field(Some(name.as_bytes()));
            self.field(*value);
        }
        self.count += 1;
        self.buffer.len()
    }

    /// Number of records.
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there is no record.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Size in bytes now, header included, before compression.
    pub fn bytes(&self) -> usize {
        self.buffer.len().max(HEADER_LEN)
    }

    /// Largest timestamp so far; meaningless while empty.
    pub const fn max_timestamp(&self) -> Timestamp {
        self.max_timestamp
    }

    /// Forgets the records and keeps the memory.
    pub fn clear(&mut self) {
        self.buffer.clear();
        self.count = 0;
    }

    /// Closes the batch and hands it out; the builder is empty again, with room for another of the same size.
    ///
    /// An empty builder gives a valid batch without records.
    pub fn finish(&mut self, meta: BatchMeta) -> Bytes {
        if self.buffer.is_empty() {
            self.start(Timestamp(0), 0);
        }
        let compressed = self.compressor.compress(meta.compression, &self.buffer);
        let compression = if compressed.is_some() { meta.compression } else { Compression::None };
        let mut bytes = compressed.unwrap_or_else(|| self.take());
        self.seal(&mut bytes, BatchMeta { compression, ..meta });
        self.clear();
        Bytes::from(bytes)
    }

    fn take(&mut self) -> Vec<u8> {
        let capacity = self.buffer.capacity();
        std::mem::replace(&mut self.buffer, Vec::with_capacity(capacity))
    }

    fn seal(&self, bytes: &mut [u8], meta: BatchMeta) {
        let total_len = bytes.len();
        let Some(fixed) = bytes.first_chunk_mut::<HEADER_LEN>() else { return };
        BatchHeader {
            base_offset: meta.base_offset,
            total_len,
            leader_epoch: meta.leader_epoch,
            crc: 0,
            compression: meta.compression,
            timestamp_type: TimestampType::Create,
            kind: meta.kind,
            last_offset_delta: (self.count - 1).max(0),
            base_timestamp: self.base_timestamp,
            max_timestamp: self.max_timestamp,
            producer: meta.producer,
            count: self.count,
        }
        .write(fixed);
        let crc = crc32c::crc32c(&bytes[CRC_START..]);
        bytes[AT_CRC..CRC_START].copy_from_slice(&crc.to_be_bytes());
    }

    fn start(&mut self, timestamp: Timestamp, room: usize) {
        self.buffer.reserve(HEADER_LEN + room);
        self.buffer.resize(HEADER_LEN, 0);
        self.base_timestamp = timestamp;
        self.max_timestamp = timestamp;
    }

    /// Writes a record up to its headers, of which `headers_len` bytes are to follow.
    #[inline]
    fn begin(&mut self, timestamp: Timestamp, key: Option<&[u8]>, value: Option<&[u8]>, headers_len: usize) {
        let data = key.map_or(0, <[u8]>::len) + value.map_or(0, <[u8]>::len) + headers_len;
        if self.count == 0 {
            self.buffer.clear();
            self.start(timestamp, RECORD_OVERHEAD + data);
        }
        self.buffer.reserve(RECORD_OVERHEAD + data);
        self.max_timestamp = self.max_timestamp.max(timestamp);
        let timestamp_delta = timestamp.0.wrapping_sub(self.base_timestamp.0);
        let offset_delta = i64::from(self.count);
        let body = 1
            + varint::len(timestamp_delta)
            + varint::len(offset_delta)
            + field_len(key)
            + field_len(value)
            + headers_len;
        let mut head = [0; 4 * varint::MAX_LEN + 1];
        let mut at = varint::write(&mut head, 0, body as i64) + 1;
        at = varint::write(&mut head, at, timestamp_delta);
        at = varint::write(&mut head, at, offset_delta);
        at = varint::write(&mut head, at, key.map_or(-1, |key| key.len() as i64));
        self.buffer.extend_from_slice(&head[..at]);
        self.buffer.extend_from_slice(key.unwrap_or_default());
        self.field(value);
    }

    #[inline]
    fn field(&mut self, field: Option<&[u8]>) {
        self.varint(field.map_or(-1, |bytes| bytes.len() as i64));
        self.buffer.extend_from_slice(field.unwrap_or_default());
    }

    #[inline]
    fn varint(&mut self, value: i64) {
        let mut bytes = [0; varint::MAX_LEN];
        let len = varint::write(&mut bytes, 0, value);
        self.buffer.extend_from_slice(&bytes[..len]);
    }
}

/// Bytes of a field with its length before it.
#[inline]
fn field_len(field: Option<&[u8]>) -> usize {
    field.map_or(1, |bytes| varint::len(bytes.len() as i64) + bytes.len())
}
