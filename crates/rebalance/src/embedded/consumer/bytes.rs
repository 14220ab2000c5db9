use bytes::{BufMut, Bytes};

use crate::embedded::EmbeddedError;

/// Reads Kafka's non-flexible primitives where they lie; `what` names the payload in errors.
pub(in crate::embedded) struct Cursor<'a> {
    rest: &'a [u8],
    what: &'static str,
    length: usize,
}

impl<'a> Cursor<'a> {
    pub(in crate::embedded) const fn new(what: &'static str, bytes: &'a [u8]) -> Self {
        Self { rest: bytes, what, length: bytes.len() }
    }

    pub(in crate::embedded) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(in crate::embedded) fn take(&mut self, count: usize) -> Result<&'a [u8], EmbeddedError> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(EmbeddedError::Truncated { what: self.what, length: self.length });
        };
        self.rest = rest;
        Ok(taken)
    }

    pub(in crate::embedded) fn i16(&mut self) -> Result<i16, EmbeddedError> {
        self.take(2).map(|b| i16::from_be_bytes([b[0], b[1]]))
    }

    pub(in crate::embedded) fn i32(&mut self) -> Result<i32, EmbeddedError> {
        self.take(4).map(|b| i32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }

    /// The version in front of a payload; newer ones are read as far as known.
    pub(in crate::embedded) fn version(&mut self) -> Result<i16, EmbeddedError> {
        let version = self.i16()?;
        if version < 0 { Err(self.impossible()) } else { Ok(version) }
    }

    pub(in crate::embedded) fn name(&mut self) -> Result<&'a [u8], EmbeddedError> {
        let length = usize::try_from(self.i16()?).map_err(|_| self.impossible())?;
        self.take(length)
    }

    pub(in crate::embedded) fn nullable_name(&mut self) -> Result<Option<&'a [u8]>, EmbeddedError> {
        match self.i16()? {
            -1 => Ok(None),
            length => self.take(usize::try_from(length).map_err(|_| self.impossible())?).map(Some),
        }
    }

    pub(in crate::embedded) fn nullable_bytes(&mut self) -> Result<Option<&'a [u8]>, EmbeddedError> {
        match self.i32()? {
            -1 => Ok(None),
            length => self.take(usize::try_from(length).map_err(|_| self.impossible())?).map(Some),
        }
    }

    /// A list of numbers, 4 bytes each; null counts as empty.
    pub(in crate::embedded) fn numbers(&mut self) -> Result<&'a [u8], EmbeddedError> {
        let count = self.count()?;
        self.take(count.saturating_mul(4))
    }

    /// A whole list with its count, skipped over element by element.
    pub(in crate::embedded) fn section(
        &mut self,
        skip: impl Fn(&mut Self) -> Result<&'a [u8], EmbeddedError>,
    ) -> Result<&'a [u8], EmbeddedError> {
        let before = self.rest;
        for _ in 0..self.count()? {
            skip(self)?;
        }
        Ok(&before[..before.len() - self.rest.len()])
    }

    fn count(&mut self) -> Result<usize, EmbeddedError> {
        match self.i32()? {
            -1 => Ok(0),
            count => usize::try_from(count).map_err(|_| self.impossible()),
        }
    }

    const fn impossible(&self) -> EmbeddedError {
        EmbeddedError::Length { what: self.what }
    }
}

/// Writes a string of at most 32,767 bytes; a longer one is cut at a character.
pub(in crate::embedded) fn put_string(out: &mut Vec<u8>, text: &str) {
    let mut end = text.len().min(i16::MAX as usize);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out.put_i16(end as i16);
    out.put_slice(&text.as_bytes()[..end]);
}

pub(in crate::embedded) fn put_nullable_bytes(out: &mut Vec<u8>, bytes: Option<&Bytes>) {
    match bytes {
        None => out.put_i32(-1),
        Some(bytes) => {
            out.put_i32(bytes.len() as i32);
            out.put_slice(bytes);
        }
    }
}
