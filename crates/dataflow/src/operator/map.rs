use super::chain::pass_on_state;
use crate::{Event, Operator, Outbox, Reject};

/// Turns each value into another, or rejects it.
#[derive(Clone, Copy, Debug)]
pub struct Map<F, N> {
    map: F,
    next: N,
}

impl<F, N> Map<F, N> {
    /// Applies `map`, then hands on to `next`.
    pub const fn new(map: F, next: N) -> Self {
        Self { map, next }
    }

    /// The link after this one.
    pub const fn next(&self) -> &N {
        &self.next
    }
}

impl<I, O, F, N> Operator<I> for Map<F, N>
where
    F: FnMut(&I) -> Result<O, Reject>,
    N: Operator<O>,
{
    #[inline]
    fn push(&mut self, event: Event<'_, I>, out: &mut Outbox) -> Result<(), Reject> {
        let value = (self.map)(&event.value)?;
        self.next.push(event.with(value), out)
    }
}

pass_on_state!(Map<F, N>);
