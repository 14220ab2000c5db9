use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::sink::Encoder;
use crate::{Chain, Event, Operator, Outbox, Reject, Stateful};

/// Encodes each event and keeps its number and a checksum that does not depend on their order, but writes nothing.
#[derive(Clone, Debug)]
pub struct Counting<E> {
    encoder: E,
    counted: Counted,
    buffer: Vec<u8>,
}

/// What a [`Counting`] sink has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Number of events.
    pub events: u64,
    /// Sum, modulo 2^64, of a hash of each event's encoded value.
    pub checksum: u64,
}

impl<E> Counting<E> {
    /// Counts what `encoder` writes.
    pub fn new(encoder: E) -> Self {
        Self { encoder, counted: Counted::default(), buffer: Vec::new() }
    }

    /// What it has seen so far.
    pub const fn counted(&self) -> Counted {
        self.counted
    }
}

impl Counted {
    /// Counts one encoded value.
    #[inline]
    pub fn add(&mut self, value: &[u8]) {
        let mut hasher = FxHasher::default();
        hasher.write(value);
        self.events += 1;
        self.checksum = self.checksum.wrapping_add(hasher.finish());
    }
}

impl<V, E: Encoder<V>> Operator<V> for Counting<E> {
    #[inline]
    fn push(&mut self, event: Event<'_, V>, _out: &mut Outbox) -> Result<(), Reject> {
        self.buffer.clear();
        self.encoder.encode(&event.value, &mut self.buffer)?;
        self.counted.add(&self.buffer);
        Ok(())
    }
}

impl<E> Chain for Counting<E> {
    fn state(&mut self) -> Option<&mut dyn Stateful> {
        None
    }

    fn state_ref(&self) -> Option<&dyn Stateful> {
        None
    }

    fn counted(&self) -> Option<Counted> {
        Some(self.counted)
    }
}
