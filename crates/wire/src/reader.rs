use bytes::Bytes;
use groma_model::TopicId;

use crate::{Form, Item, Records, WireError};

/// Reads the protocol's primitive types from a frame, front to back.
///
/// It never panics, and never allocates for a length whose bytes are not there. Byte fields are slices of the frame.
#[derive(Clone, Debug)]
pub struct Reader {
    bytes: Bytes,
    at: usize,
}

impl Reader {
    /// A reader at the front of `bytes`.
    pub fn new(bytes: Bytes) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes have been read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The bytes not yet read.
    pub fn rest(&self) -> Bytes {
        self.bytes.slice(self.at..)
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`WireError::TrailingBytes`] when something is left.
    pub fn finish(self) -> Result<(), WireError> {
        match self.remaining() {
            0 => Ok(()),
            count => Err(WireError::TrailingBytes { at: self.at, count }),
        }
    }

    /// The next byte, signed.
    #[inline]
    pub fn i8(&mut self) -> Result<i8, WireError> {
        Ok(i8::from_be_bytes(self.chunk()?))
    }

    /// The next byte as a truth value: anything but 0 is true, as in Kafka.
    #[inline]
    pub fn bool(&mut self) -> Result<bool, WireError> {
        Ok(self.i8()? != 0)
    }

    /// The next two bytes, signed.
    #[inline]
    pub fn i16(&mut self) -> Result<i16, WireError> {
        Ok(i16::from_be_bytes(self.chunk()?))
    }

    /// The next two bytes, unsigned.
    #[inline]
    pub fn u16(&mut self) -> Result<u16, WireError> {
        Ok(u16::from_be_bytes(self.chunk()?))
    }

    /// The next four bytes, signed.
    #[inline]
    pub fn i32(&mut self) -> Result<i32, WireError> {
        Ok(i32::from_be_bytes(self.chunk()?))
    }

    /// The next eight bytes, signed.
    #[inline]
    pub fn i64(&mut self) -> Result<i64, WireError> {
        Ok(i64::from_be_bytes(self.chunk()?))
    }

    /// The next eight bytes as a float.
    #[inline]
    pub fn f64(&mut self) -> Result<f64, WireError> {
        Ok(f64::from_be_bytes(self.chunk()?))
    }

    /// The next sixteen bytes as an id.
    #[inline]
    pub fn uuid(&mut self) -> Result<TopicId, WireError> {
        Ok(TopicId(self.chunk()?))
    }

    /// A varint without sign, at most 5 bytes for 32 bits.
    pub fn uvarint(&mut self) -> Result<u32, WireError> {
        let (start, mut value) = (self.at, 0_u64);
        for shift in [0, 7, 14, 21, 28] {
            let [byte] = self.chunk()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(value).map_err(|_| WireError::BadVarint { at: start });
            }
        }
        Err(WireError::BadVarint { at: start })
    }

    /// A zigzag varint of 32 bits.
    pub fn varint(&mut self) -> Result<i32, WireError> {
        let raw = self.uvarint()?;
        Ok((raw >> 1).cast_signed() ^ -(raw & 1).cast_signed())
    }

    /// A zigzag varint of 64 bits, at most 10 bytes.
    pub fn varlong(&mut self) -> Result<i64, WireError> {
        let (start, mut raw) = (self.at, 0_u128);
        for index in 0..10 {
            let [byte] = self.chunk()?;
            raw |= u128::from(byte & 0x7f) << (7 * index);
            if byte & 0x80 == 0 {
                let raw = u64::try_from(raw).map_err(|_| WireError::BadVarint { at: start })?;
                return Ok((raw >> 1).cast_signed() ^ -(raw & 1).cast_signed());
            }
        }
        Err(WireError::BadVarint { at: start })
    }

    /// A string that cannot be null.
    pub fn string(&mut self, form: Form) -> Result<String, WireError> {
        let at = self.at;
        self.nullable_string(form)?.ok_or(WireError::UnexpectedNull { at })
    }

    /// A string, or null.
    pub fn nullable_string(&mut self, form: Form) -> Result<Option<String>, WireError> {
        let Some(length) = self.string_length(form)? else { return Ok(None) };
        let at = self.at;
        let text = std::str::from_utf8(self.raw(length)?).map_err(|_| WireError::BadUtf8 { at })?;
        Ok(Some(text.to_owned()))
    }

    /// Bytes that cannot be null: a slice of the frame.
    pub fn bytes(&mut self, form: Form) -> Result<Bytes, WireError> {
        let at = self.at;
        self.nullable_bytes(form)?.ok_or(WireError::UnexpectedNull { at })
    }

    /// Bytes, or null: a slice of the frame.
    pub fn nullable_bytes(&mut self, form: Form) -> Result<Option<Bytes>, WireError> {
        match self.length(form)? {
            Some(length) => self.slice(length).map(Some),
            None => Ok(None),
        }
    }

    /// Record batches, or null: a slice of the frame.
    pub fn records(&mut self, form: Form) -> Result<Option<Records>, WireError> {
        Ok(self.nullable_bytes(form)?.map(Records::Bytes))
    }

    /// An array that cannot be null.
    pub fn array<T: Item>(&mut self, form: Form, version: i16) -> Result<Vec<T>, WireError> {
        let at = self.at;
        self.nullable_array(form, version)?.ok_or(WireError::UnexpectedNull { at })
    }

    /// An array, or null.
    pub fn nullable_array<T: Item>(&mut self, form: Form, version: i16) -> Result<Option<Vec<T>>, WireError> {
        let Some(count) = self.length(form)? else { return Ok(None) };
        if count > self.remaining() / T::MIN_SIZE.max(1) {
            return Err(WireError::BadLength { at: self.at, length: count as i64 });
        }
        let mut items = Vec::with_capacity(count.min(1 + self.remaining() / size_of::<T>().max(1)));
        for _ in 0..count {
            items.push(T::read(self, form, version)?);
        }
        Ok(Some(items))
    }

    /// A struct, or null: a byte in front tells which, below 0 for null.
    pub fn nullable_item<T: Item>(&mut self, form: Form, version: i16) -> Result<Option<T>, WireError> {
        if self.i8()? < 0 { Ok(None) } else { T::read(self, form, version).map(Some) }
    }

    /// A struct in a tagged field, or null: a byte in front tells which, 0 for null.
    pub fn nullable_tagged_item<T: Item>(&mut self, form: Form, version: i16) -> Result<Option<T>, WireError> {
        if self.i8()? == 0 { Ok(None) } else { T::read(self, form, version).map(Some) }
    }

    /// Skips the tagged fields of a struct that knows none.
    pub fn skip_tags(&mut self, form: Form) -> Result<(), WireError> {
        self.tags(form, |_, _| Ok(false))
    }

    /// Reads the tagged fields of a struct; `known` reads the field of a tag and says true, or says false.
    ///
    /// # Errors
    /// Those of `known`, and [`WireError::TrailingBytes`] when it leaves a part of a field unread.
    pub fn tags<F>(&mut self, form: Form, mut known: F) -> Result<(), WireError>
    where
        F: FnMut(u32, &mut Self) -> Result<bool, WireError>,
    {
        if form == Form::Fixed {
            return Ok(());
        }
        for _ in 0..self.uvarint()? {
            let tag = self.uvarint()?;
            let size = self.uvarint()? as usize;
            let end = self.end_of(size)?;
            let mut field = Self { bytes: self.bytes.slice(..end), at: self.at };
            if known(tag, &mut field)? {
                field.finish()?;
            }
            self.at = end;
        }
        Ok(())
    }

    /// The next `length` bytes as a slice of the frame.
    pub fn slice(&mut self, length: usize) -> Result<Bytes, WireError> {
        let (start, end) = (self.at, self.end_of(length)?);
        self.at = end;
        Ok(self.bytes.slice(start..end))
    }

    fn raw(&mut self, length: usize) -> Result<&[u8], WireError> {
        let (start, end) = (self.at, self.end_of(length)?);
        self.at = end;
        Ok(&self.bytes[start..end])
    }

    #[inline]
    fn chunk<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(chunk) => {
                self.at += N;
                Ok(*chunk)
            }
            None => Err(self.truncated(N)),
        }
    }

    fn end_of(&self, length: usize) -> Result<usize, WireError> {
        if length > self.remaining() {
            return Err(self.truncated(length));
        }
        Ok(self.at + length)
    }

    #[cold]
    fn truncated(&self, needed: usize) -> WireError {
        WireError::Truncated { at: self.at, needed, left: self.remaining() }
    }

    fn string_length(&mut self, form: Form) -> Result<Option<usize>, WireError> {
        match form {
            Form::Compact => self.compact_length(),
            Form::Fixed => {
                let length = self.i16()?;
                self.checked_length(i64::from(length))
            }
        }
    }

    fn length(&mut self, form: Form) -> Result<Option<usize>, WireError> {
        match form {
            Form::Compact => self.compact_length(),
            Form::Fixed => {
                let length = self.i32()?;
                self.checked_length(i64::from(length))
            }
        }
    }

    fn compact_length(&mut self) -> Result<Option<usize>, WireError> {
        Ok(self.uvarint()?.checked_sub(1).map(|length| length as usize))
    }

    fn checked_length(&self, length: i64) -> Result<Option<usize>, WireError> {
        match usize::try_from(length) {
            Ok(length) => Ok(Some(length)),
            Err(_) if length == -1 => Ok(None),
            Err(_) => Err(WireError::BadLength { at: self.at, length }),
        }
    }
}
