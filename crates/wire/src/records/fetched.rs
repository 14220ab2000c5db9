use bytes::Bytes;

use super::batch::batches;
use super::codec::Compression;
use super::error::RecordsError;
use super::header::{BatchHeader, HEADER_LEN};
use super::record::{RecordCursor, RecordIter};
use super::scratch::Scratch;

/// A checked and decompressed batch that owns a share of its bytes, to be read in several turns.
#[derive(Clone, Debug)]
pub struct FetchedBatch {
    /// The fixed part.
    pub header: BatchHeader,
    payload: Bytes,
    cursor: RecordCursor,
}

impl FetchedBatch {
    /// Cuts the first batch off `fetched`, checks and decompresses it; none when no whole batch is left.
    ///
    /// An uncompressed batch is not copied. On an error `fetched` is emptied.
    ///
    /// # Errors
    /// As [`Batch::records`](super::Batch::records).
    pub fn split_off(fetched: &mut Bytes, scratch: &mut Scratch) -> Result<Option<Self>, RecordsError> {
        let whole = std::mem::take(fetched);
        let Some(batch) = batches(&whole).next().transpose()? else { return Ok(None) };
        batch.verify()?;
        let header = batch.header;
        let payload = match header.compression {
            Compression::None => whole.slice(HEADER_LEN..header.total_len),
            _ => {
                let limit = scratch.limit();
                batch.decompress(scratch, limit)?;
                Bytes::from(scratch.take())
            }
        };
        *fetched = whole.slice(header.total_len..);
        Ok(Some(Self { header, payload, cursor: RecordCursor::default() }))
    }

    /// The records not yet passed.
    pub fn records(&self) -> RecordIter<'_> {
        RecordIter::resume(&self.header, &self.payload, self.cursor)
    }

    /// Passes the records before `cursor`.
    pub const fn advance(&mut self, cursor: RecordCursor) {
        self.cursor = cursor;
    }
}
