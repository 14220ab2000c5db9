use std::collections::{BTreeMap, VecDeque};

use groma_model::{Offset, Span, Time};
use groma_wire::records::ProducerStamp;

use super::BatchExtent;

/// What a partition remembers of its idempotent producers: the last five batches of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Producers {
    known: BTreeMap<i64, Producer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Producer {
    epoch: i16,
    batches: VecDeque<Written>,
    seen: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Written {
    first: i32,
    last: i32,
    base_offset: Offset,
}

/// What a batch's sequence number says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SequenceCheck {
    /// It follows the producer's last one.
    Next,
    /// It was written before, at this offset.
    Duplicate(Offset),
    /// Batches before it are missing.
    OutOfOrder,
    /// A newer epoch of the producer has written already.
    Fenced,
}

const REMEMBERED_BATCHES: usize = 5;

impl Producers {
    /// Whether a batch of `records` records by `stamp` may be appended.
    pub(crate) fn check(&self, stamp: ProducerStamp, records: i32) -> SequenceCheck {
        let Some(producer) = self.known.get(&stamp.id) else { return SequenceCheck::Next };
        if stamp.epoch < producer.epoch {
            return SequenceCheck::Fenced;
        }
        if stamp.epoch > producer.epoch {
            return if stamp.base_sequence == 0 { SequenceCheck::Next } else { SequenceCheck::OutOfOrder };
        }
        let last = last_sequence(stamp.base_sequence, records);
        let same = |written: &&Written| written.first == stamp.base_sequence && written.last == last;
        if let Some(written) = producer.batches.iter().find(same) {
            return SequenceCheck::Duplicate(written.base_offset);
        }
        match producer.batches.back() {
            Some(written) if next_sequence(written.last) != stamp.base_sequence => SequenceCheck::OutOfOrder,
            _ => SequenceCheck::Next,
        }
    }

    /// Notes an appended batch.
    pub(crate) fn apply(&mut self, now: Time, batch: &BatchExtent) {
        let Some(stamp) = batch.producer else { return };
        let records = (batch.last_offset.0 - batch.base_offset.0 + 1) as i32;
        let producer = self.known.entry(stamp.id).or_insert_with(|| Producer {
            epoch: stamp.epoch,
            batches: VecDeque::with_capacity(REMEMBERED_BATCHES),
            seen: now,
        });
        if producer.epoch != stamp.epoch {
            producer.epoch = stamp.epoch;
            producer.batches.clear();
        }
        if producer.batches.len() == REMEMBERED_BATCHES {
            producer.batches.pop_front();
        }
        producer.seen = now;
        producer.batches.push_back(Written {
            first: stamp.base_sequence,
            last: last_sequence(stamp.base_sequence, records),
            base_offset: batch.base_offset,
        });
    }

    /// Forgets producers that were silent for longer than `expiration`.
    pub(crate) fn expire(&mut self, now: Time, expiration: Span) {
        self.known.retain(|_, producer| now.since(producer.seen) <= expiration);
    }
}

/// The sequence number after `sequence`; after the largest comes 0.
fn next_sequence(sequence: i32) -> i32 {
    sequence.checked_add(1).unwrap_or(0)
}

fn last_sequence(first: i32, records: i32) -> i32 {
    let last = i64::from(first) + i64::from(records) - 1;
    (last % (i64::from(i32::MAX) + 1)) as i32
}

#[cfg(test)]
mod tests {
    use groma_model::Timestamp;

    use super::*;

    fn stamp(epoch: i16, base_sequence: i32) -> ProducerStamp {
        ProducerStamp { id: 7, epoch, base_sequence }
    }

    fn batch(epoch: i16, base_sequence: i32, base_offset: i64) -> BatchExtent {
        BatchExtent {
            base_offset: Offset(base_offset),
            last_offset: Offset(base_offset + 9),
            size: 100,
            max_timestamp: Timestamp(0),
            producer: Some(stamp(epoch, base_sequence)),
        }
    }

    fn written(batches: i32) -> Producers {
        let mut producers = Producers::default();
        for n in 0..batches {
            producers.apply(Time::ZERO, &batch(3, n * 10, i64::from(n) * 10));
        }
        producers
    }

    #[test]
    fn the_last_five_batches_are_known_again() {
        let producers = written(7);
        for n in 2..7 {
            let check = producers.check(stamp(3, n * 10), 10);
            assert_eq!(check, SequenceCheck::Duplicate(Offset(i64::from(n) * 10)));
        }
        assert_eq!(producers.check(stamp(3, 10), 10), SequenceCheck::OutOfOrder);
        assert_eq!(producers.check(stamp(3, 70), 10), SequenceCheck::Next);
        assert_eq!(producers.check(stamp(3, 80), 10), SequenceCheck::OutOfOrder);
    }

    #[test]
    fn epochs_fence_and_start_again_at_zero() {
        let mut producers = written(2);
        assert_eq!(producers.check(stamp(2, 20), 10), SequenceCheck::Fenced);
        assert_eq!(producers.check(stamp(4, 20), 10), SequenceCheck::OutOfOrder);
        assert_eq!(producers.check(stamp(4, 0), 10), SequenceCheck::Next);
        producers.apply(Time::ZERO, &batch(4, 0, 20));
        assert_eq!(producers.check(stamp(3, 20), 10), SequenceCheck::Fenced);
    }

    #[test]
    fn sequences_wrap_to_zero() {
        let mut producers = Producers::default();
        producers.apply(Time::ZERO, &batch(0, i32::MAX - 4, 0));
        assert_eq!(producers.check(stamp(0, 5), 10), SequenceCheck::Next);
        assert_eq!(producers.check(stamp(0, i32::MAX - 4), 10), SequenceCheck::Duplicate(Offset(0)));
    }

    #[test]
    fn silent_producers_are_forgotten() {
        let mut producers = written(1);
        producers.expire(Time(50), Span(100));
        assert_eq!(producers.check(stamp(3, 90), 10), SequenceCheck::OutOfOrder);
        producers.expire(Time(101), Span(100));
        assert_eq!(producers.check(stamp(3, 90), 10), SequenceCheck::Next);
    }
}
