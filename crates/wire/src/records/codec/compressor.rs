use std::fmt;

use zstd::zstd_safe::CCtx;

use super::{Compression, gzip, lz4, snappy, zstandard};
use crate::records::HEADER_LEN;

/// The writing half of the codecs, with what they keep from batch to batch.
#[derive(Default)]
pub(in crate::records) struct Compressor {
    pub(super) zstd: Option<CCtx<'static>>,
    pub(super) snappy: Option<snap::raw::Encoder>,
}

impl Compressor {
    /// The batch with everything behind its header compressed; none when that does not make it smaller.
    pub(in crate::records) fn compress(&mut self, compression: Compression, batch: &[u8]) -> Option<Vec<u8>> {
        let (header, payload) = batch.split_at_checked(HEADER_LEN)?;
        if compression == Compression::None || payload.is_empty() {
            return None;
        }
        let mut out = Vec::with_capacity(HEADER_LEN + payload.len() / 2);
        out.extend_from_slice(header);
        match compression {
            Compression::None => return None,
            Compression::Gzip => gzip::compress(payload, &mut out)?,
            Compression::Snappy => {
                snappy::compress(payload, &mut out, self.snappy.get_or_insert_with(snap::raw::Encoder::new))?;
            }
            Compression::Lz4 => lz4::compress(payload, &mut out)?,
            Compression::Zstd => zstandard::compress(payload, &mut out, self)?,
        }
        (out.len() < batch.len()).then_some(out)
    }
}

impl fmt::Debug for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compressor").finish_non_exhaustive()
    }
}
