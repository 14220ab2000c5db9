use groma_model::Generation;

use crate::embedded::EmbeddedError;

const WHAT: &str = "a subscription";

/// A report as it lies in the bytes of a join: a leader reads thousands of them, most of which name the same topics.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawReport<'a> {
    /// The list of topics: its count and names.
    pub(super) topics: &'a [u8],
    pub(super) user_data: Option<&'a [u8]>,
    /// The list of partitions held: its count, topics and numbers; empty before version 1.
    pub(super) owned: &'a [u8],
    pub(super) generation: Option<Generation>,
}

impl<'a> RawReport<'a> {
    /// Reads a report; if its list of topics is that of another one, which is given, it is not read again.
    pub(super) fn read(payload: &'a [u8], like: Option<&[u8]>) -> Result<Self, EmbeddedError> {
        let mut cursor = Cursor { rest: payload, length: payload.len() };
        let version = cursor.i16()?;
        if version < 0 {
            return Err(EmbeddedError::Length { what: WHAT });
        }
        let topics = match like.filter(|l| cursor.rest.starts_with(l)) {
            Some(like) => cursor.take(like.len())?,
            None => cursor.section(Cursor::skip_name)?,
        };
        let user_data = cursor.nullable_bytes()?;
        let mut report = Self { topics, user_data, owned: &[], generation: None };
        if version >= 1 && !cursor.rest.is_empty() {
            report.owned = cursor.section(Cursor::skip_partitions)?;
        }
        if version >= 2 && !cursor.rest.is_empty() {
            report.generation = Some(cursor.i32()?).filter(|g| *g >= 0).map(Generation);
        }
        Ok(report)
    }

    /// The names in a list of topics.
    pub(super) fn names(topics: &'a [u8]) -> Result<Vec<&'a str>, EmbeddedError> {
        let mut cursor = Cursor { rest: topics, length: topics.len() };
        let count = cursor.i32()?.max(0);
        let name = |_| std::str::from_utf8(cursor.name()?).map_err(|_| EmbeddedError::Utf8 { what: WHAT });
        (0..count).map(name).collect()
    }
}

/// Calls back with each topic and its partitions (big-endian numbers); stops where the bytes make no sense.
pub(super) fn each_claim<'a>(owned: &'a [u8], mut claim: impl FnMut(&'a [u8], &'a [u8])) {
    let mut cursor = Cursor { rest: owned, length: owned.len() };
    let count = cursor.i32().unwrap_or(0);
    for _ in 0..count {
        let (Ok(topic), Ok(numbers)) = (cursor.name(), cursor.numbers()) else { return };
        claim(topic, numbers);
    }
}

/// The length of a list of claims within longer bytes; none if they make no sense.
pub(super) fn claims_section(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut cursor = Cursor { rest: bytes, length: bytes.len() };
    let section = cursor.section(Cursor::skip_partitions).ok()?;
    Some((section, cursor.rest))
}

struct Cursor<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], EmbeddedError> {
        let truncated = EmbeddedError::Truncated { what: WHAT, length: self.length };
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    fn i16(&mut self) -> Result<i16, EmbeddedError> {
        self.take(2).map(|b| i16::from_be_bytes([b[0], b[1]]))
    }

    fn i32(&mut self) -> Result<i32, EmbeddedError> {
        self.take(4).map(|b| i32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }

    fn length<T: TryInto<usize>>(length: T) -> Result<usize, EmbeddedError> {
        length.try_into().map_err(|_| EmbeddedError::Length { what: WHAT })
    }

    fn name(&mut self) -> Result<&'a [u8], EmbeddedError> {
        let length = Self::length(self.i16()?)?;
        self.take(length)
    }

    fn numbers(&mut self) -> Result<&'a [u8], EmbeddedError> {
        let count = self.i32()?;
        self.take(Self::length(count.max(0))?.saturating_mul(4))
    }

    fn nullable_bytes(&mut self) -> Result<Option<&'a [u8]>, EmbeddedError> {
        let length = self.i32()?;
        if length == -1 { Ok(None) } else { self.take(Self::length(length)?).map(Some) }
    }

    fn skip_name(&mut self) -> Result<(), EmbeddedError> {
        self.name().map(|_| ())
    }

    fn skip_partitions(&mut self) -> Result<(), EmbeddedError> {
        self.name()?;
        self.numbers().map(|_| ())
    }

    /// A whole list, skipped over element by element.
    fn section(&mut self, skip: impl Fn(&mut Self) -> Result<(), EmbeddedError>) -> Result<&'a [u8], EmbeddedError> {
        let before = self.rest;
        let count = self.i32()?;
        if count < -1 {
            return Err(EmbeddedError::Length { what: WHAT });
        }
        for _ in 0..count {
            skip(self)?;
        }
        Ok(&before[..before.len() - self.rest.len()])
    }
}
