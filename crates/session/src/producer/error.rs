use groma_model::Span;
use groma_wire::ErrorCode;

/// Why records were not delivered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ProduceError {
    /// The broker refused them.
    #[error("{code}{detail}")]
    Refused {
        /// The error.
        code: ErrorCode,
        /// What the broker adds, beginning with ": ", or nothing.
        detail: String,
    },
    /// They were not acknowledged in time.
    #[error("not acknowledged within {0}")]
    Expired(Span),
    /// They were sent and never answered, and an earlier batch of the partition failed meanwhile: sending them again could
    /// write them twice.
    #[error("in doubt: sent, never answered, and not to be repeated safely")]
    InDoubt,
    /// The broker does not speak a usable version of an API.
    #[error("the broker offers no usable version of {0}")]
    Unsupported(&'static str),
    /// The connection ended before the request was written (acks 0: nothing is repeated once it was).
    #[error("the connection ended: {0}")]
    Disconnected(String),
}

/// Why a record was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AppendError {
    /// The buffer is full; try again when something was settled.
    Full,
    /// The open batch has no room for a record of this size: close it first.
    Unfit,
    /// No batch has room for a record of this size.
    TooLarge {
        /// The record's size.
        bytes: usize,
        /// The largest that is taken.
        limit: usize,
    },
    /// The partition handle is not of this producer.
    UnknownSlot,
    /// The bytes are not exactly one record batch.
    NotABatch,
}
