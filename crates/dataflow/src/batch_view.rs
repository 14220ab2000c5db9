use groma_model::Offset;
use groma_wire::records::{BatchKind, FetchedBatch, RecordCursor, RecordIter};

/// Records lent to a task out of a fetched batch: all that are left of it, or as many as fit one turn.
#[derive(Clone, Debug)]
pub struct BatchView<'a> {
    pub(crate) records: RecordIter<'a>,
    pub(crate) limit: usize,
    pub(crate) next_offset: Offset,
    control: bool,
}

/// How far a step came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stepped {
    /// Where in the batch the next step goes on; to be given to [`FetchedBatch::advance`].
    pub cursor: RecordCursor,
    /// Records read.
    pub records: usize,
    /// Whether the batch is used up.
    pub done: bool,
}

impl<'a> BatchView<'a> {
    /// At most `limit` of the records left in `batch`. A control batch shows none.
    pub fn new(batch: &'a FetchedBatch, limit: usize) -> Self {
        Self {
            records: batch.records(),
            limit,
            next_offset: batch.header.next_offset(),
            control: batch.header.kind == BatchKind::Control,
        }
    }

    /// Whether the batch holds no records for applications.
    pub(crate) const fn is_control(&self) -> bool {
        self.control
    }
}
