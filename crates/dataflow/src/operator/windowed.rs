use groma_model::{Partition, Timestamp};

use super::chain::{Chain, Operator, Stateful};
use crate::changelog;
use crate::{
    Aggregate, ChangelogError, Emission, Entry, Event, FlushId, Outbox, Reject, Tumbling, Window, WindowEncoder,
    WindowStore,
};

/// Groups by the record's key and aggregates over tumbling windows; results leave with each flush.
#[derive(Debug)]
pub struct Windowed<A: Aggregate, E> {
    aggregate: A,
    encoder: E,
    emission: Emission,
    store: WindowStore<A::State>,
    entry: Vec<u8>,
}

impl<A: Aggregate, E> Windowed<A, E> {
    /// Aggregates by `aggregate` over `windows`, and writes results by `encoder` when `emission` says.
    pub fn new(windows: Tumbling, emission: Emission, aggregate: A, encoder: E) -> Self {
        Self { aggregate, encoder, emission, store: WindowStore::new(windows), entry: Vec::new() }
    }

    /// The open windows.
    pub const fn store(&self) -> &WindowStore<A::State> {
        &self.store
    }
}

impl<A: Aggregate, E> Operator<A::Input> for Windowed<A, E> {
    #[inline]
    fn push(&mut self, event: Event<'_, A::Input>, _out: &mut Outbox) -> Result<(), Reject> {
        let key = event.key.ok_or(Reject::NullKey)?;
        self.aggregate.admit(&event.value)?;
        let cell = self.store.cell(key, event.timestamp).ok_or(Reject::Late)?;
        self.aggregate.add(cell, event.value);
        Ok(())
    }
}

impl<A: Aggregate, E: WindowEncoder<A::State>> Chain for Windowed<A, E> {
    fn state(&mut self) -> Option<&mut dyn Stateful> {
        Some(self)
    }

    fn state_ref(&self) -> Option<&dyn Stateful> {
        Some(self)
    }
}

impl<A: Aggregate, E: WindowEncoder<A::State>> Stateful for Windowed<A, E> {
    fn flush(&mut self, id: FlushId, partition: Partition, out: &mut Outbox) -> u64 {
        let Self { aggregate, encoder, emission, store, entry } = self;
        let mut entries = 0;
        let mut log = |key: &[u8], window: Window, state: &A::State, out: &mut Outbox| {
            entry.clear();
            aggregate.encode(state, entry);
            changelog::append_entry(out, partition, id, &Entry { key, window: window.start, state: entry });
            entries += 1;
        };
        store.drain_dirty(|key, window, state, closed| {
            if *emission == Emission::Updates {
                result(encoder, out, key, window, state);
            }
            if !closed {
                log(key, window, state, out);
            }
        });
        store.drain_closed(|key, window, state| {
            if *emission == Emission::Final {
                result(encoder, out, key, window, state);
            }
        });
        entries
    }

    fn restore(&mut self, entry: &Entry<'_>) -> Result<(), ChangelogError> {
        let state = self.aggregate.decode(entry.state).ok_or(ChangelogError::Malformed("entry"))?;
        self.store.put(entry.key, entry.window, state);
        Ok(())
    }

    fn advance(&mut self, time: Timestamp) {
        self.store.advance(time);
        self.store.drain_closed(|_, _, _| {});
    }

    fn end_of_input(&mut self) {
        self.store.end_of_input();
    }

    fn stream_time(&self) -> Option<Timestamp> {
        self.store.stream_time()
    }

    fn dirty(&self) -> usize {
        self.store.dirty()
    }
}

/// Writes the result of one key and window, at the window's last millisecond.
fn result<S, E: WindowEncoder<S>>(encoder: &E, out: &mut Outbox, key: &[u8], window: Window, state: &S) {
    let time = Timestamp(window.end.0.saturating_sub(1));
    out.write(time, Some(key), |into| encoder.encode(key, window, state, into));
}
