use std::fmt;

use zstd::zstd_safe::DCtx;

/// Memory that decompression reuses from batch to batch, and the most it may produce.
pub struct Scratch {
    pub(super) out: Vec<u8>,
    pub(super) zstd: Option<DCtx<'static>>,
    limit: usize,
}

/// The default limit of a [`Scratch`]: 64 MiB, many times the largest batch that brokers accept by default.
const DEFAULT_LIMIT: usize = 64 << 20;

impl Scratch {
    /// Scratch that refuses batches of more than `limit` bytes after decompression.
    pub const fn with_limit(limit: usize) -> Self {
        Self { out: Vec::new(), zstd: None, limit }
    }

    /// The most bytes a batch may decompress to.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// Takes out what was decompressed last.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::with_limit(DEFAULT_LIMIT)
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").field("held", &self.out.capacity()).field("limit", &self.limit).finish()
    }
}
