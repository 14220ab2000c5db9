use bytes::Bytes;
use groma_model::TopicId;

use crate::{Form, Item, Records, SHARED_FROM, Segment, Tags, WireError};

/// Writes the protocol's primitive types.
///
/// What it writes itself lies in one buffer; large or external payloads are kept beside it with their place, so that
/// [`Writer::into_parts`] gives the frame in order and nothing is copied twice.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    inline: Vec<u8>,
    gaps: Vec<Gap>,
    gap_bytes: usize,
}

#[derive(Clone, Debug)]
struct Gap {
    at: usize,
    payload: Records,
}

impl Writer {
    /// An empty writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty writer with room for `capacity` bytes beside the payloads.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { inline: Vec::with_capacity(capacity), ..Self::default() }
    }

    /// How many bytes have been written, payloads included.
    pub fn len(&self) -> usize {
        self.inline.len() + self.gap_bytes
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The frame as stretches to be sent in order; none is empty.
    pub fn into_parts(self) -> Vec<Segment> {
        let inline = Bytes::from(self.inline);
        let mut segments = Vec::with_capacity(2 * self.gaps.len() + 1);
        let mut start = 0;
        for Gap { at, payload } in self.gaps {
            segments.push(Segment::Inline(inline.slice(start..at)));
            segments.push(match payload {
                Records::Bytes(bytes) => Segment::Shared(bytes),
                Records::External { len, token } => Segment::External { len, token },
            });
            start = at;
        }
        segments.push(Segment::Inline(inline.slice(start..)));
        segments.retain(|segment| !segment.is_empty());
        segments
    }

    /// The frame as one piece; copies only when there are payloads beside the buffer.
    ///
    /// # Errors
    /// [`WireError::NotInMemory`] when a payload is external.
    pub fn into_bytes(self) -> Result<Bytes, WireError> {
        if self.gaps.is_empty() {
            return Ok(Bytes::from(self.inline));
        }
        let mut whole = Vec::with_capacity(self.len());
        for segment in self.into_parts() {
            match segment {
                Segment::Inline(bytes) | Segment::Shared(bytes) => whole.extend_from_slice(&bytes),
                Segment::External { .. } => return Err(WireError::NotInMemory),
            }
        }
        Ok(Bytes::from(whole))
    }

    /// One byte.
    #[inline]
    pub fn i8(&mut self, value: i8) {
        self.raw(&value.to_be_bytes());
    }

    /// Two bytes.
    #[inline]
    pub fn i16(&mut self, value: i16) {
        self.raw(&value.to_be_bytes());
    }

    /// Two bytes.
    #[inline]
    pub fn u16(&mut self, value: u16) {
        self.raw(&value.to_be_bytes());
    }

    /// Four bytes.
    #[inline]
    pub fn i32(&mut self, value: i32) {
        self.raw(&value.to_be_bytes());
    }

    /// Eight bytes.
    #[inline]
    pub fn i64(&mut self, value: i64) {
        self.raw(&value.to_be_bytes());
    }

    /// Eight bytes.
    #[inline]
    pub fn f64(&mut self, value: f64) {
        self.raw(&value.to_be_bytes());
    }

    /// Sixteen bytes.
    #[inline]
    pub fn uuid(&mut self, value: TopicId) {
        self.raw(&value.0);
    }

    /// A varint without sign.
    pub fn uvarint(&mut self, value: u32) {
        let (bytes, length) = uvarint(value);
        self.raw(&bytes[..length]);
    }

    /// A zigzag varint of 32 bits.
    pub fn varint(&mut self, value: i32) {
        self.uvarint(((value << 1) ^ (value >> 31)).cast_unsigned());
    }

    /// A zigzag varint of 64 bits.
    pub fn varlong(&mut self, value: i64) {
        let mut rest = ((value << 1) ^ (value >> 63)).cast_unsigned();
        while rest >= 0x80 {
            self.inline.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        self.inline.push(rest as u8);
    }

    /// Bytes as they are, without a length.
    #[inline]
    pub fn raw(&mut self, bytes: &[u8]) {
        self.inline.extend_from_slice(bytes);
    }

    /// A string that cannot be null.
    ///
    /// # Errors
    /// [`WireError::TooLong`] above 32,767 bytes in the fixed form.
    pub fn string(&mut self, form: Form, value: &str) -> Result<(), WireError> {
        match form {
            Form::Compact => self.compact_length(value.len())?,
            Form::Fixed => self.i16(fitting(value.len())?),
        }
        self.raw(value.as_bytes());
        Ok(())
    }

    /// A string, or null.
    ///
    /// # Errors
    /// As [`Writer::string`].
    pub fn nullable_string(&mut self, form: Form, value: Option<&str>) -> Result<(), WireError> {
        match (value, form) {
            (Some(value), _) => self.string(form, value)?,
            (None, Form::Compact) => self.uvarint(0),
            (None, Form::Fixed) => self.i16(-1),
        }
        Ok(())
    }

    /// Bytes that cannot be null.
    ///
    /// # Errors
    /// [`WireError::TooLong`] above 2 GiB.
    pub fn bytes(&mut self, form: Form, value: &[u8]) -> Result<(), WireError> {
        self.length(form, value.len())?;
        self.raw(value);
        Ok(())
    }

    /// Bytes, or null.
    ///
    /// # Errors
    /// As [`Writer::bytes`].
    pub fn nullable_bytes(&mut self, form: Form, value: Option<&[u8]>) -> Result<(), WireError> {
        match value {
            Some(value) => self.bytes(form, value),
            None => {
                self.null(form);
                Ok(())
            }
        }
    }

    /// Record batches, or null. From [`SHARED_FROM`] bytes on they are kept beside the buffer, not copied.
    ///
    /// # Errors
    /// As [`Writer::bytes`].
    pub fn records(&mut self, form: Form, value: Option<&Records>) -> Result<(), WireError> {
        let Some(records) = value else {
            self.null(form);
            return Ok(());
        };
        self.length(form, records.len())?;
        match records {
            Records::Bytes(bytes) if bytes.len() < SHARED_FROM => self.raw(bytes),
            Records::Bytes(_) | Records::External { .. } => {
                self.gap_bytes += records.len();
                self.gaps.push(Gap { at: self.inline.len(), payload: records.clone() });
            }
        }
        Ok(())
    }

    /// An array that cannot be null.
    ///
    /// # Errors
    /// Those of its items.
    pub fn array<T: Item>(&mut self, form: Form, version: i16, items: &[T]) -> Result<(), WireError> {
        self.length(form, items.len())?;
        items.iter().try_for_each(|item| item.write(self, form, version))
    }

    /// An array, or null.
    ///
    /// # Errors
    /// Those of its items.
    pub fn nullable_array<T: Item>(&mut self, form: Form, version: i16, items: Option<&[T]>) -> Result<(), WireError> {
        match items {
            Some(items) => self.array(form, version, items),
            None => {
                self.null(form);
                Ok(())
            }
        }
    }

    /// A struct, or null: a byte in front tells which, 1 or -1.
    ///
    /// # Errors
    /// Those of the struct.
    pub fn nullable_item<T: Item>(&mut self, form: Form, version: i16, item: Option<&T>) -> Result<(), WireError> {
        self.i8(if item.is_some() { 1 } else { -1 });
        item.map_or(Ok(()), |item| item.write(self, form, version))
    }

    /// A struct in a tagged field, or null: a byte in front tells which, 1 or 0.
    ///
    /// # Errors
    /// Those of the struct.
    pub fn nullable_tagged_item<T: Item>(
        &mut self,
        form: Form,
        version: i16,
        item: Option<&T>,
    ) -> Result<(), WireError> {
        self.i8(i8::from(item.is_some()));
        item.map_or(Ok(()), |item| item.write(self, form, version))
    }

    /// Ends a struct without tagged fields.
    pub fn no_tags(&mut self, form: Form) {
        if form == Form::Compact {
            self.inline.push(0);
        }
    }

    /// Begins the tagged fields of a struct in the compact form.
    pub fn tags(&mut self) -> Tags<'_> {
        Tags::new(self)
    }

    pub(crate) fn mark(&self) -> usize {
        self.inline.len()
    }

    /// Puts the length of what was written since `mark` in front of it.
    pub(crate) fn insert_length(&mut self, mark: usize) -> Result<(), WireError> {
        let (bytes, length) = uvarint(fitting(self.inline.len() - mark)?);
        self.inline.splice(mark..mark, bytes[..length].iter().copied());
        Ok(())
    }

    pub(crate) fn patch(&mut self, at: usize, bytes: &[u8]) {
        self.inline[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn length(&mut self, form: Form, length: usize) -> Result<(), WireError> {
        match form {
            Form::Compact => self.compact_length(length),
            Form::Fixed => {
                self.i32(fitting(length)?);
                Ok(())
            }
        }
    }

    fn compact_length(&mut self, length: usize) -> Result<(), WireError> {
        let length: i32 = fitting(length)?;
        self.uvarint(length.cast_unsigned() + 1);
        Ok(())
    }

    fn null(&mut self, form: Form) {
        match form {
            Form::Compact => self.uvarint(0),
            Form::Fixed => self.i32(-1),
        }
    }
}

fn fitting<T: TryFrom<usize>>(length: usize) -> Result<T, WireError> {
    T::try_from(length).map_err(|_| WireError::TooLong { length })
}

fn uvarint(mut value: u32) -> ([u8; 5], usize) {
    let (mut bytes, mut length) = ([0; 5], 0);
    loop {
        let more = value >= 0x80;
        bytes[length] = (value & 0x7f) as u8 | if more { 0x80 } else { 0 };
        length += 1;
        value >>= 7;
        if !more {
            return (bytes, length);
        }
    }
}
