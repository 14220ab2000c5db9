use super::chain::no_state;
use crate::{Event, Operator, Outbox, Reject};

/// Writes a value as the bytes of an output record.
pub trait Encoder<V> {
    /// Appends the encoded value to `into`.
    ///
    /// # Errors
    /// The value cannot be said in the output's format.
    fn encode(&self, value: &V, into: &mut Vec<u8>) -> Result<(), Reject>;
}

/// Writes each event to the output topic, key and timestamp kept.
#[derive(Clone, Copy, Debug)]
pub struct Sink<E> {
    encoder: E,
}

impl<E> Sink<E> {
    /// Writes by `encoder`.
    pub const fn new(encoder: E) -> Self {
        Self { encoder }
    }
}

impl<V, E: Encoder<V>> Operator<V> for Sink<E> {
    #[inline]
    fn push(&mut self, event: Event<'_, V>, out: &mut Outbox) -> Result<(), Reject> {
        out.emit(event.timestamp, event.key, |into| self.encoder.encode(&event.value, into))
    }
}

no_state!(Sink<E>);
