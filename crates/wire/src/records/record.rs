use groma_model::{Offset, Timestamp};

use super::error::RecordsError;
use super::header::{BatchHeader, TimestampType};
use super::headers::{Headers, sized};
use super::varint;

/// A record, borrowed from its batch.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Position in the partition.
    pub offset: Offset,
    /// Record time.
    pub timestamp: Timestamp,
    /// The key, if any.
    pub key: Option<&'a [u8]>,
    /// The value; none is a tombstone.
    pub value: Option<&'a [u8]>,
    /// The headers.
    pub headers: Headers<'a>,
}

/// How far a [`RecordIter`] has come, so that another can go on from there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordCursor {
    position: usize,
    index: i32,
}

/// The records of one batch in order; ends after the first error.
#[derive(Clone, Debug)]
pub struct RecordIter<'a> {
    payload: &'a [u8],
    cursor: RecordCursor,
    count: i32,
    base_offset: Offset,
    base_timestamp: Timestamp,
    append_time: Option<Timestamp>,
}

impl<'a> RecordIter<'a> {
    /// The records in `payload`, which is the batch's decompressed part.
    pub fn new(header: &BatchHeader, payload: &'a [u8]) -> Self {
        Self::resume(header, payload, RecordCursor::default())
    }

    /// As [`Self::new`], going on from `cursor`.
    pub fn resume(header: &BatchHeader, payload: &'a [u8], cursor: RecordCursor) -> Self {
        Self {
            payload,
            cursor,
            count: header.count,
            base_offset: header.base_offset,
            base_timestamp: header.base_timestamp,
            append_time: (header.timestamp_type == TimestampType::LogAppend).then_some(header.max_timestamp),
        }
    }

    /// Where this iterator stands.
    pub const fn cursor(&self) -> RecordCursor {
        self.cursor
    }

    /// Records not yet read, by the header's count.
    pub const fn remaining(&self) -> usize {
        (self.count - self.cursor.index) as usize
    }

    #[inline]
    fn read(&mut self) -> Option<Record<'a>> {
        let mut at = self.cursor.position;
        let len = usize::try_from(varint::read(self.payload, &mut at)?).ok()?;
        let end = at.checked_add(len)?;
        let body = self.payload.get(at..end)?;
        self.cursor.position = end;
        self.body(body)
    }

    #[inline]
    fn body(&self, body: &'a [u8]) -> Option<Record<'a>> {
        let mut at = 1;
        let timestamp_delta = varint::read(body, &mut at)?;
        let offset_delta = varint::read(body, &mut at)?;
        let key = sized(body, &mut at)?;
        let value = sized(body, &mut at)?;
        let headers = match varint::read(body, &mut at)? {
            0 if at == body.len() => Headers::default(),
            count => Headers::parse(body.get(at..)?, count)?,
        };
        let timestamp = Timestamp(self.base_timestamp.0.wrapping_add(timestamp_delta));
        Some(Record {
            offset: Offset(self.base_offset.0.wrapping_add(offset_delta)),
            timestamp: self.append_time.unwrap_or(timestamp),
            key,
            value,
            headers,
        })
    }

    fn end(&mut self) -> Option<Result<Record<'a>, RecordsError>> {
        let bytes = self.payload.len() - self.cursor.position;
        self.cursor.position = self.payload.len();
        (bytes > 0).then_some(Err(RecordsError::TrailingBytes { offset: self.base_offset, bytes }))
    }

    fn malformed(&mut self) -> RecordsError {
        let index = self.cursor.index;
        self.cursor = RecordCursor { position: self.payload.len(), index: self.count };
        RecordsError::MalformedRecord { offset: self.base_offset, index }
    }
}

impl<'a> Iterator for RecordIter<'a> {
    type Item = Result<Record<'a>, RecordsError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.cursor.index >= self.count {
            return self.end();
        }
        match self.read() {
            Some(record) => {
                self.cursor.index += 1;
                Some(Ok(record))
            }
            None => Some(Err(self.malformed())),
        }
    }
}
