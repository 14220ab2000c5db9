use bytes::{Buf, BufMut, Bytes};

use crate::embedded::EmbeddedError;

/// Reads Kafka's non-flexible primitives; `what` names the payload in errors.
pub(super) struct Source {
    pub(super) rest: Bytes,
    what: &'static str,
    length: usize,
}

impl Source {
    pub(super) fn new(what: &'static str, payload: &Bytes) -> Self {
        Self { rest: payload.clone(), what, length: payload.len() }
    }

    pub(super) fn has_more(&self) -> bool {
        self.rest.has_remaining()
    }

    pub(super) fn i16(&mut self) -> Result<i16, EmbeddedError> {
        self.rest.try_get_i16().map_err(|_| self.truncated())
    }

    /// The version in front of a payload; newer ones are read as far as known.
    pub(super) fn version(&mut self) -> Result<i16, EmbeddedError> {
        let version = self.i16()?;
        if version < 0 { Err(EmbeddedError::Length { what: self.what }) } else { Ok(version) }
    }

    pub(super) fn i32(&mut self) -> Result<i32, EmbeddedError> {
        self.rest.try_get_i32().map_err(|_| self.truncated())
    }

    pub(super) fn string(&mut self) -> Result<String, EmbeddedError> {
        self.nullable_string()?.ok_or(EmbeddedError::Length { what: self.what })
    }

    pub(super) fn nullable_string(&mut self) -> Result<Option<String>, EmbeddedError> {
        let length = self.i16()?;
        if length == -1 {
            return Ok(None);
        }
        let raw = self.slice(i32::from(length))?;
        String::from_utf8(raw.to_vec()).map(Some).map_err(|_| EmbeddedError::Utf8 { what: self.what })
    }

    pub(super) fn nullable_bytes(&mut self) -> Result<Option<Bytes>, EmbeddedError> {
        let length = self.i32()?;
        if length == -1 { Ok(None) } else { self.slice(length).map(Some) }
    }

    /// An array whose elements take at least `size_min` bytes each; null counts as empty.
    pub(super) fn array<T>(
        &mut self,
        size_min: usize,
        mut element: impl FnMut(&mut Self) -> Result<T, EmbeddedError>,
    ) -> Result<Vec<T>, EmbeddedError> {
        let count = self.i32()?;
        if count == -1 {
            return Ok(Vec::new());
        }
        let count = usize::try_from(count).map_err(|_| EmbeddedError::Length { what: self.what })?;
        if count > self.rest.remaining() / size_min {
            return Err(self.truncated());
        }
        (0..count).map(|_| element(self)).collect()
    }

    fn slice(&mut self, length: i32) -> Result<Bytes, EmbeddedError> {
        let length = usize::try_from(length).map_err(|_| EmbeddedError::Length { what: self.what })?;
        if length > self.rest.remaining() {
            return Err(self.truncated());
        }
        Ok(self.rest.split_to(length))
    }

    const fn truncated(&self) -> EmbeddedError {
        EmbeddedError::Truncated { what: self.what, length: self.length }
    }
}

/// Writes a string of at most 32,767 bytes; a longer one is cut at a character.
pub(super) fn put_string(out: &mut Vec<u8>, text: &str) {
    let mut end = text.len().min(i16::MAX as usize);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out.put_i16(end as i16);
    out.put_slice(&text.as_bytes()[..end]);
}

pub(super) fn put_nullable_bytes(out: &mut Vec<u8>, bytes: Option<&Bytes>) {
    match bytes {
        None => out.put_i32(-1),
        Some(bytes) => {
            out.put_i32(bytes.len() as i32);
            out.put_slice(bytes);
        }
    }
}
