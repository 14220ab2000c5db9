use super::chain::pass_on_state;
use crate::{Event, Operator, Outbox, Reject};

/// Hands on the events that a predicate holds for; the others end here.
#[derive(Clone, Copy, Debug)]
pub struct Filter<F, N> {
    keep: F,
    next: N,
}

impl<F, N> Filter<F, N> {
    /// Keeps what `keep` says yes to, for `next`.
    pub const fn new(keep: F, next: N) -> Self {
        Self { keep, next }
    }
}

impl<I, F, N> Operator<I> for Filter<F, N>
where
    F: FnMut(&I) -> bool,
    N: Operator<I>,
{
    #[inline]
    fn push(&mut self, event: Event<'_, I>, out: &mut Outbox) -> Result<(), Reject> {
        if (self.keep)(&event.value) { self.next.push(event, out) } else { Ok(()) }
    }
}

pass_on_state!(Filter<F, N>);
