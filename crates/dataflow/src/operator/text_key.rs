use super::chain::{Chain, Operator, Stateful};
use crate::{Counted, Event, Outbox, Reject};

/// Hands on records whose key is UTF-8 text; others are malformed, or have no key.
#[derive(Clone, Copy, Debug)]
pub struct TextKey<N> {
    next: N,
}

impl<N> TextKey<N> {
    /// Checks the key, then hands on to `next`.
    pub const fn new(next: N) -> Self {
        Self { next }
    }
}

impl<V, N: Operator<V>> Operator<V> for TextKey<N> {
    #[inline]
    fn push(&mut self, event: Event<'_, V>, out: &mut Outbox) -> Result<(), Reject> {
        let key = event.key.ok_or(Reject::NullKey)?;
        if std::str::from_utf8(key).is_err() {
            return Err(Reject::Malformed("the key is not UTF-8"));
        }
        self.next.push(event, out)
    }
}

impl<N: Chain> Chain for TextKey<N> {
    fn state(&mut self) -> Option<&mut dyn Stateful> {
        self.next.state()
    }

    fn state_ref(&self) -> Option<&dyn Stateful> {
        self.next.state_ref()
    }

    fn counted(&self) -> Option<Counted> {
        self.next.counted()
    }
}
