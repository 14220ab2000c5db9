use std::collections::VecDeque;

use groma_model::{Offset, Time, Timestamp};

use super::index::Place;
use super::{BatchExtent, Producers, RecoveredSegment, Segment};

/// One partition's log as the node knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct PartitionLog {
    segments: VecDeque<Segment>,
    start: Offset,
    end: Offset,
    bytes: u64,
    /// Where the next append goes; ahead of the segments while appends are under way.
    tail: Tail,
    under_way: u32,
    pub(crate) producers: Producers,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Tail {
    segment: Offset,
    position: u64,
    offset: Offset,
}

/// Where an append goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Berth {
    pub(crate) segment: Offset,
    pub(crate) position: u64,
    pub(crate) base_offset: Offset,
}

/// What a log holds at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Found {
    /// Batches, the first of which holds the offset.
    Batches(Stretch),
    /// Nothing yet: the offset is the next one.
    Nothing,
    /// The offset was never written, or is deleted.
    OutOfRange,
}

/// Bytes of one segment that begin and end with a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stretch {
    pub(crate) segment: Offset,
    pub(crate) position: u64,
    pub(crate) len: u32,
    /// Bytes of its first batch.
    pub(crate) first: u32,
}

/// How long records are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Keep {
    /// Segments whose newest record is older than this go.
    pub(crate) since: Option<Timestamp>,
    /// The oldest segments go while the rest still holds so many bytes.
    pub(crate) bytes: Option<u64>,
}

impl PartitionLog {
    /// The log that the shell found on disk.
    pub(crate) fn recover(segments: Vec<RecoveredSegment>, now: Time) -> Self {
        let mut log = Self::default();
        if let Some(first) = segments.first() {
            log.start = first.base;
            log.end = first.base;
        }
        for found in segments {
            log.end = log.end.max(found.base);
            log.segments.push_back(Segment::new(found.base));
            found.batches.iter().for_each(|batch| log.note(now, batch));
        }
        log.reset_tail();
        log
    }

    /// The first offset held.
    pub(crate) fn start(&self) -> Offset {
        self.start
    }

    /// The offset after the last one written.
    pub(crate) fn end(&self) -> Offset {
        self.end
    }

    /// The offset that the next append gets.
    pub(crate) fn next_offset(&self) -> Offset {
        self.tail.offset
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes room for a batch of `records` records and `size` bytes; a new segment begins where it would grow beyond
    /// `segment_bytes`. To be followed by [`PartitionLog::apply`] or [`PartitionLog::give_up`].
    pub(crate) fn reserve(&mut self, records: i32, size: u32, segment_bytes: u32) -> Berth {
        let full = self.tail.position > 0 && self.tail.position + u64::from(size) > u64::from(segment_bytes);
        let unborn = self.segments.is_empty() && self.under_way == 0;
        if full || unborn {
            self.tail.segment = self.tail.offset;
            self.tail.position = 0;
        }
        let place = Berth { segment: self.tail.segment, position: self.tail.position, base_offset: self.tail.offset };
        self.tail.position += u64::from(size);
        self.tail.offset.0 += i64::from(records);
        self.under_way += 1;
        place
    }

    /// Notes a batch that the shell has written.
    pub(crate) fn apply(&mut self, now: Time, segment: Offset, batch: &BatchExtent) {
        self.under_way -= 1;
        if self.segments.back().is_none_or(|active| active.base != segment) {
            self.segments.push_back(Segment::new(segment));
        }
        self.note(now, batch);
    }

    /// Gives back the room of a batch that could not be written. Those reserved after it fail as well.
    pub(crate) fn give_up(&mut self) {
        self.under_way -= 1;
        if self.under_way == 0 {
            self.reset_tail();
        }
    }

    fn note(&mut self, now: Time, batch: &BatchExtent) {
        if let Some(active) = self.segments.back_mut() {
            active.push(batch);
        }
        self.bytes += u64::from(batch.size);
        self.end = Offset(batch.last_offset.0 + 1);
        self.producers.apply(now, batch);
    }

    fn reset_tail(&mut self) {
        let active = self.segments.back();
        self.tail = Tail {
            segment: active.map_or(self.end, |active| active.base),
            position: active.map_or(0, |active| active.size),
            offset: self.end,
        };
    }

    /// The batches from `offset` on, up to `max_bytes` of them but at least one.
    pub(crate) fn read(&self, offset: Offset, max_bytes: u32) -> Found {
        if offset == self.end {
            return Found::Nothing;
        }
        if offset < self.start || offset > self.end {
            return Found::OutOfRange;
        }
        let after = self.segments.partition_point(|segment| segment.base <= offset);
        let found = after.checked_sub(1).and_then(|at| self.segments.get(at));
        found.and_then(|segment| stretch(segment, offset, max_bytes)).map_or(Found::OutOfRange, Found::Batches)
    }

    /// The first batch with a record of `time` or later.
    pub(crate) fn since(&self, time: Timestamp) -> Option<Stretch> {
        self.segments.iter().find_map(|segment| {
            let place = segment.index.since(time)?;
            Some(one_batch(segment, place))
        })
    }

    /// The first batch that holds the largest record time of all.
    pub(crate) fn newest(&self) -> Option<Stretch> {
        let newest = self.segments.iter().filter_map(Segment::newest).max()?;
        self.since(newest)
    }

    /// Takes out the oldest segments that need not be kept, and says which. The last segment goes only by time; a new
    /// one must then be made at the end, see [`PartitionLog::renew`].
    pub(crate) fn retire(&mut self, keep: Keep) -> Vec<Segment> {
        let mut retired = Vec::new();
        while self.under_way == 0 && self.segments.front().is_some_and(|oldest| self.is_done_with(oldest, keep)) {
            retired.extend(self.segments.pop_front().inspect(|segment| self.bytes -= segment.size));
        }
        if !retired.is_empty() {
            self.start = self.segments.front().map_or(self.end, |oldest| oldest.base);
        }
        retired
    }

    /// Takes out all segments that lie wholly before `offset`.
    pub(crate) fn retire_before(&mut self, offset: Offset) -> Vec<Segment> {
        let mut retired = Vec::new();
        while self.segments.get(1).is_some_and(|next| next.base <= offset) {
            retired.extend(self.segments.pop_front().inspect(|segment| self.bytes -= segment.size));
        }
        if let Some(oldest) = self.segments.front() {
            self.start = self.start.max(oldest.base);
        }
        retired
    }

    /// Begins an empty segment at the end when there is none, and says where.
    pub(crate) fn renew(&mut self) -> Option<Offset> {
        if !self.segments.is_empty() || self.end == Offset(0) {
            return None;
        }
        self.segments.push_back(Segment::new(self.end));
        self.reset_tail();
        Some(self.end)
    }

    /// Makes the next append begin a new segment, unless the active one is empty.
    pub(crate) fn roll(&mut self) {
        if self.tail.position > 0 {
            self.tail.segment = self.tail.offset;
            self.tail.position = 0;
        }
    }

    fn is_done_with(&self, oldest: &Segment, keep: Keep) -> bool {
        let old = keep.since.is_some_and(|since| oldest.newest().is_some_and(|newest| newest < since));
        let beyond = keep.bytes.is_some_and(|bytes| self.segments.len() > 1 && self.bytes - oldest.size >= bytes);
        old || beyond
    }
}

fn stretch(segment: &Segment, offset: Offset, max_bytes: u32) -> Option<Stretch> {
    let place = segment.index.at_offset(offset)?;
    let left = segment.size - place.position;
    let most = u64::from(max_bytes.max(place.size));
    let len =
        if left <= most { left } else { segment.index.at_position(place.position + most)?.position - place.position };
    Some(Stretch { segment: segment.base, position: place.position, len: u32::try_from(len).ok()?, first: place.size })
}

fn one_batch(segment: &Segment, place: Place) -> Stretch {
    Stretch { segment: segment.base, position: place.position, len: place.size, first: place.size }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time::ZERO;

    fn append(log: &mut PartitionLog, records: i32, size: u32, time: i64) -> Berth {
        let place = log.reserve(records, size, 1000);
        let batch = BatchExtent {
            base_offset: place.base_offset,
            last_offset: Offset(place.base_offset.0 + i64::from(records) - 1),
            size,
            max_timestamp: Timestamp(time),
            producer: None,
        };
        log.apply(NOW, place.segment, &batch);
        place
    }

    fn filled() -> PartitionLog {
        let mut log = PartitionLog::default();
        for n in 0..10 {
            append(&mut log, 10, 300, n * 100);
        }
        log
    }

    #[test]
    fn a_full_segment_is_followed_by_another() {
        let log = filled();
        let bases: Vec<i64> = log.segments.iter().map(|segment| segment.base.0).collect();
        assert_eq!(bases, [0, 30, 60, 90]);
        assert_eq!((log.start(), log.end(), log.bytes()), (Offset(0), Offset(100), 3000));
    }

    #[test]
    fn a_read_begins_with_the_batch_of_its_offset_and_ends_with_a_batch() {
        let log = filled();
        let whole = Stretch { segment: Offset(30), position: 300, len: 600, first: 300 };
        assert_eq!(log.read(Offset(45), 10_000), Found::Batches(whole));
        assert_eq!(log.read(Offset(45), 599), Found::Batches(Stretch { len: 300, ..whole }));
        assert_eq!(log.read(Offset(45), 1), Found::Batches(Stretch { len: 300, ..whole }));
        assert_eq!(log.read(Offset(100), 1), Found::Nothing);
        assert_eq!(log.read(Offset(101), 1), Found::OutOfRange);
        assert_eq!(log.read(Offset(-1), 1), Found::OutOfRange);
    }

    #[test]
    fn a_failed_append_leaves_no_trace() {
        let mut log = filled();
        let before = log.clone();
        log.reserve(10, 300, 1000);
        log.reserve(10, 300, 1000);
        log.give_up();
        log.give_up();
        assert_eq!(log, before);
        let mut empty = PartitionLog::default();
        empty.reserve(1, 100, 1000);
        empty.give_up();
        assert_eq!(append(&mut empty, 1, 100, 0), Berth { segment: Offset(0), position: 0, base_offset: Offset(0) });
    }

    #[test]
    fn retention_by_time_takes_old_segments_and_keeps_the_end() {
        let mut log = filled();
        let keep = Keep { since: Some(Timestamp(500)), bytes: None };
        assert_eq!(log.retire(keep).len(), 1);
        assert_eq!(log.start(), Offset(30));
        let keep = Keep { since: Some(Timestamp(10_000)), bytes: None };
        assert_eq!(log.retire(keep).len(), 3);
        assert_eq!(log.renew(), Some(Offset(100)));
        assert_eq!((log.start(), log.end(), log.bytes()), (Offset(100), Offset(100), 0));
        assert_eq!(append(&mut log, 1, 100, 0).base_offset, Offset(100));
        assert_eq!(log.segments.len(), 1);
    }

    #[test]
    fn retention_by_size_keeps_at_least_so_much() {
        let mut log = filled();
        assert_eq!(log.retire(Keep { since: None, bytes: Some(1300) }).len(), 1);
        assert_eq!(log.bytes(), 2100);
        assert_eq!(log.retire(Keep { since: None, bytes: Some(0) }).len(), 2);
        assert_eq!((log.start(), log.bytes()), (Offset(90), 300));
    }

    #[test]
    fn a_recovered_log_equals_the_live_one() {
        let mut live = PartitionLog::default();
        let mut found = Vec::new();
        for n in 0..10 {
            let place = append(&mut live, 10, 300, n * 100);
            if place.position == 0 {
                found.push(RecoveredSegment { base: place.segment, batches: Vec::new() });
            }
            found.last_mut().unwrap().batches.push(BatchExtent {
                base_offset: place.base_offset,
                last_offset: Offset(place.base_offset.0 + 9),
                size: 300,
                max_timestamp: Timestamp(n * 100),
                producer: None,
            });
        }
        assert_eq!(PartitionLog::recover(found, NOW), live);
    }

    #[test]
    fn times_find_their_batch_in_any_segment() {
        let log = filled();
        assert_eq!(
            log.since(Timestamp(450)).unwrap(),
            Stretch { segment: Offset(30), position: 600, len: 300, first: 300 }
        );
        assert_eq!(log.since(Timestamp(901)), None);
        assert_eq!(log.newest().unwrap().segment, Offset(90));
    }
}
