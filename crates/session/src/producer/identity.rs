use groma_model::Time;

use super::ProduceError;

/// The producer id of an idempotent producer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// None is needed.
    None,
    /// It is to be asked for, not before this time.
    Wanted { not_before: Time, failures: u32 },
    /// It was asked for.
    Asking { failures: u32 },
    /// It is there.
    Known { id: i64, epoch: i16 },
    /// The broker refuses one.
    Refused(ProduceError),
}
