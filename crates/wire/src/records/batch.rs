use groma_model::Offset;

use super::codec::Compression;
use super::error::RecordsError;
use super::header::{AT_LENGTH, AT_MAGIC, BatchHeader, CRC_START, HEADER_LEN, LENGTH_END, checked_len};
use super::record::RecordIter;
use super::scratch::Scratch;

/// The batches in `bytes`, one behind the other, as Fetch returns them and Produce sends them.
///
/// A batch cut off at the end is left out without an error, since Fetch may cut one; [`Batches::rest`] has its bytes.
/// After an error the iterator ends.
pub const fn batches(bytes: &[u8]) -> Batches<'_> {
    Batches { bytes }
}

/// See [`batches`].
#[derive(Clone, Debug)]
pub struct Batches<'a> {
    bytes: &'a [u8],
}

/// One record batch, borrowed; its records may still be compressed.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The fixed part.
    pub header: BatchHeader,
    /// The whole batch, header included.
    pub bytes: &'a [u8],
}

impl<'a> Batches<'a> {
    /// The bytes not yet read: after the last item, those of a batch that was cut off.
    pub const fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    fn read(&mut self) -> Result<Option<Batch<'a>>, RecordsError> {
        let bytes = self.bytes;
        let Some(start) = bytes.first_chunk::<{ AT_MAGIC + 1 }>() else { return Ok(None) };
        let offset = Offset(i64::from_be_bytes(take(start, 0)));
        let magic = start[AT_MAGIC] as i8;
        if magic != 2 {
            return Err(RecordsError::UnsupportedFormat { offset, magic });
        }
        let len = checked_len(offset, i32::from_be_bytes(take(start, AT_LENGTH)))?;
        let (Some(whole), Some(fixed)) = (bytes.get(..len), bytes.first_chunk::<HEADER_LEN>()) else {
            return Ok(None);
        };
        let header = BatchHeader::parse(fixed)?;
        self.bytes = &bytes[len..];
        Ok(Some(Batch { header, bytes: whole }))
    }
}

impl<'a> Iterator for Batches<'a> {
    type Item = Result<Batch<'a>, RecordsError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.read() {
            Ok(batch) => batch.map(Ok),
            Err(error) => {
                self.bytes = &[];
                Some(Err(error))
            }
        }
    }
}

impl<'a> Batch<'a> {
    /// The records as they were sent, perhaps compressed.
    pub fn payload(&self) -> &'a [u8] {
        &self.bytes[HEADER_LEN..]
    }

    /// Checks the CRC32C: about 3 ns for a record of 50 bytes.
    ///
    /// # Errors
    /// [`RecordsError::Checksum`] when the bytes are not those written.
    pub fn verify(&self) -> Result<(), RecordsError> {
        let computed = crc32c::crc32c(&self.bytes[CRC_START..]);
        if computed == self.header.crc {
            return Ok(());
        }
        Err(RecordsError::Checksum { offset: self.header.base_offset, stored: self.header.crc, computed })
    }

    /// The records' bytes: the payload itself, or what it decompresses to, in `scratch`.
    ///
    /// # Errors
    /// [`RecordsError::Decompress`] for bytes the codec refuses, [`RecordsError::TooLarge`] over `limit` bytes.
    pub fn decompress<'s>(&self, scratch: &'s mut Scratch, limit: usize) -> Result<&'s [u8], RecordsError>
    where
        'a: 's,
    {
        let payload = self.payload();
        match self.header.compression {
            Compression::None if payload.len() <= limit => Ok(payload),
            Compression::None => Err(RecordsError::TooLarge { offset: self.header.base_offset, limit }),
            codec => codec.decompress(payload, scratch, limit).map_err(|fault| fault.at(&self.header, limit)),
        }
    }

    /// The records, after the checksum and, where compressed, decompression within the limit of `scratch`.
    ///
    /// # Errors
    /// As [`Self::verify`] and [`Self::decompress`]; the iterator's own are about single records.
    pub fn records<'s>(&self, scratch: &'s mut Scratch) -> Result<RecordIter<'s>, RecordsError>
    where
        'a: 's,
    {
        self.verify()?;
        let limit = scratch.limit();
        Ok(RecordIter::new(&self.header, self.decompress(scratch, limit)?))
    }
}

fn take<const N: usize>(bytes: &[u8; AT_MAGIC + 1], at: usize) -> [u8; N] {
    let mut value = [0; N];
    value.copy_from_slice(&bytes[at..at + N]);
    value
}

const _: () = assert!(LENGTH_END < AT_MAGIC);
