use groma_dataflow::Reject;

/// The schema id that we write; any is read.
const SCHEMA_ID: u32 = 1;

/// Takes Avro fields off the front of bytes, borrowing text.
pub(super) struct AvroReader<'a>(&'a [u8]);

impl<'a> AvroReader<'a> {
    /// Opens a value in Confluent framing.
    #[inline]
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Reject> {
        match bytes.split_first_chunk::<5>() {
            Some(([0, ..], fields)) => Ok(Self(fields)),
            _ => Err(Reject::Malformed("not framed with a zero byte and a schema id")),
        }
    }

    #[inline]
    pub(super) fn long(&mut self) -> Result<i64, Reject> {
        let mut value = 0_u64;
        for (i, byte) in self.0.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * i);
            if *byte < 0x80 {
                self.0 = &self.0[i + 1..];
                return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
            }
        }
        Err(Reject::Malformed("a number is cut off or too long"))
    }

    #[inline]
    pub(super) fn string(&mut self) -> Result<&'a str, Reject> {
        let len = usize::try_from(self.long()?).map_err(|_| Reject::Malformed("a text has a negative length"))?;
        let (text, rest) = self.0.split_at_checked(len).ok_or(Reject::Malformed("a text is cut off"))?;
        self.0 = rest;
        std::str::from_utf8(text).map_err(|_| Reject::Malformed("a text is not UTF-8"))
    }

    #[inline]
    pub(super) fn double(&mut self) -> Result<f64, Reject> {
        let (bytes, rest) = self.0.split_first_chunk::<8>().ok_or(Reject::Malformed("a double is cut off"))?;
        self.0 = rest;
        Ok(f64::from_le_bytes(*bytes))
    }

    #[inline]
    pub(super) fn finish(self) -> Result<(), Reject> {
        if self.0.is_empty() { Ok(()) } else { Err(Reject::Malformed("bytes follow the last field")) }
    }
}

/// Starts a value in Confluent framing.
#[inline]
pub(super) fn put_frame(into: &mut Vec<u8>) {
    let [a, b, c, d] = SCHEMA_ID.to_be_bytes();
    into.extend_from_slice(&[0, a, b, c, d]);
}

#[inline]
pub(super) fn put_long(into: &mut Vec<u8>, value: i64) {
    let mut bytes = [0; 10];
    let mut rest = ((value << 1) ^ (value >> 63)) as u64;
    let mut len = 0;
    while rest >= 0x80 {
        bytes[len] = rest as u8 | 0x80;
        rest >>= 7;
        len += 1;
    }
    bytes[len] = rest as u8;
    into.extend_from_slice(&bytes[..=len]);
}

#[inline]
pub(super) fn put_string(into: &mut Vec<u8>, text: &[u8]) {
    put_long(into, text.len() as i64);
    into.extend_from_slice(text);
}

#[inline]
pub(super) fn put_double(into: &mut Vec<u8>, value: f64) {
    into.extend_from_slice(&value.to_le_bytes());
}
