use groma_model::{Offset, Timestamp};

use super::{BatchExtent, Index};

/// One segment file of a log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Segment {
    /// The first offset it may hold; it names the file.
    pub(crate) base: Offset,
    /// Bytes in it.
    pub(crate) size: u64,
    pub(crate) index: Index,
}

impl Segment {
    pub(crate) fn new(base: Offset) -> Self {
        Self { base, size: 0, index: Index::default() }
    }

    pub(crate) fn push(&mut self, batch: &BatchExtent) {
        self.index.push(batch);
        self.size += u64::from(batch.size);
    }

    /// The largest record time in it.
    pub(crate) fn newest(&self) -> Option<Timestamp> {
        self.index.newest().map(Timestamp)
    }
}
