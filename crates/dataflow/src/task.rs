use groma_model::{Offset, Timestamp};
use groma_wire::records::RecordsError;

use crate::{BatchView, ChangelogError, Counted, Counters, Entry, FlushId, Marker, Outbox, Reject, Stepped};

/// A sub-topology over one input partition.
pub trait Task: Send {
    /// Reads the records of `batch` from the task's position on; what they give goes into `out`.
    ///
    /// # Errors
    /// A malformed batch, or a rejected record under [`Policy::Stop`](crate::Policy::Stop): the position then stands
    /// before it.
    fn step(&mut self, batch: BatchView<'_>, out: &mut Outbox) -> Result<Stepped, StepError>;

    /// Writes into `out` the results and, to the changelog, the entries changed since the last flush.
    ///
    /// The marker must be written once all of it is acknowledged. None when the task keeps no state: then the
    /// position of now is to be committed once the outputs are acknowledged.
    fn flush(&mut self, id: FlushId, out: &mut Outbox) -> Option<Marker>;

    /// Closes every open window as if time had passed, so that each gives its final result with the next flush.
    fn end_of_input(&mut self);

    /// Whether the task keeps state, and so has a changelog.
    fn is_stateful(&self) -> bool;

    /// Puts back a state entry. Called before any step.
    ///
    /// # Errors
    /// The entry is not of this task's format.
    fn restore_entry(&mut self, entry: &Entry<'_>) -> Result<(), ChangelogError>;

    /// Puts back position, stream time and counters, and drops windows that had closed by then.
    fn restore_marker(&mut self, marker: &Marker);

    /// Offset of the next record to be read; none when the task has neither read nor restored any.
    fn position(&self) -> Option<Offset>;

    /// Starts the task at `offset`; records before it are passed over.
    fn seek(&mut self, offset: Offset);

    /// The largest timestamp accepted.
    fn stream_time(&self) -> Option<Timestamp>;

    /// Entries that the next flush will write.
    fn dirty(&self) -> usize;

    /// What happened to the records so far.
    fn counters(&self) -> &Counters;

    /// What the task's counting sink has seen, where it has one.
    fn counted(&self) -> Option<Counted>;
}

/// Why a task cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The batch is malformed.
    #[error(transparent)]
    Records(#[from] RecordsError),
    /// A record was rejected and the policy is to stop.
    #[error("the record at offset {offset} {reject}; skip such records with the setting `rejects=skip`")]
    Rejected {
        /// The record.
        offset: Offset,
        /// What is wrong with it.
        reject: Reject,
    },
}
