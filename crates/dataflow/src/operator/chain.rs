use groma_model::{Partition, Timestamp};

use crate::{ChangelogError, Counted, Entry, Event, FlushId, Outbox, Reject};

/// A link that takes events whose value is an `In`.
pub trait Operator<In> {
    /// Takes one event.
    ///
    /// # Errors
    /// The reason why the event went no further.
    fn push(&mut self, event: Event<'_, In>, out: &mut Outbox) -> Result<(), Reject>;
}

/// What every link has beside its input: perhaps state, in itself or further on.
pub trait Chain {
    /// The state at the chain's end.
    fn state(&mut self) -> Option<&mut dyn Stateful>;

    /// As [`Self::state`], to look at.
    fn state_ref(&self) -> Option<&dyn Stateful>;

    /// What a counting sink at the chain's end has seen.
    fn counted(&self) -> Option<Counted> {
        None
    }
}

/// State that is flushed to a changelog and restored from it.
pub trait Stateful {
    /// Writes results and changed entries, and returns the number of entries written.
    fn flush(&mut self, id: FlushId, partition: Partition, out: &mut Outbox) -> u64;

    /// Puts back one entry.
    ///
    /// # Errors
    /// The entry is not of this state's format.
    fn restore(&mut self, entry: &Entry<'_>) -> Result<(), ChangelogError>;

    /// Moves stream time on to `time` after restoring; windows closed by then are dropped.
    fn advance(&mut self, time: Timestamp);

    /// Moves stream time past every open window.
    fn end_of_input(&mut self);

    /// The largest timestamp accepted.
    fn stream_time(&self) -> Option<Timestamp>;

    /// Entries changed since the last flush.
    fn dirty(&self) -> usize;
}

/// A link without state passes the question on.
macro_rules! pass_on_state {
    ($($link:ident<$own:ident, $next:ident>),*) => {$(
        impl<$own, $next: $crate::Chain> $crate::Chain for $link<$own, $next> {
            fn state(&mut self) -> Option<&mut dyn $crate::Stateful> {
                self.next.state()
            }

            fn state_ref(&self) -> Option<&dyn $crate::Stateful> {
                self.next.state_ref()
            }

            fn counted(&self) -> Option<$crate::Counted> {
                self.next.counted()
            }
        }
    )*};
}

/// A link that ends a chain without state says so.
macro_rules! no_state {
    ($link:ident<$own:ident>) => {
        impl<$own> $crate::Chain for $link<$own> {
            fn state(&mut self) -> Option<&mut dyn $crate::Stateful> {
                None
            }

            fn state_ref(&self) -> Option<&dyn $crate::Stateful> {
                None
            }
        }
    };
}

pub(super) use {no_state, pass_on_state};
