use std::collections::VecDeque;

use groma_model::{Offset, Time, TopicId};
use groma_wire::records::{BatchBuilder, BatchMeta, Compression, ProducerStamp};

use super::ProduceError;
use super::batch::{Batch, Doubt, Phase, advance};

/// A partition as a producer knows it: a small number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotId(pub u32);

/// A record's place in the order of its partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket {
    /// Where the record went.
    pub partition: SlotId,
    /// Records handed to that partition before this one.
    pub number: u64,
}

/// How far a partition's records have got, counted in records since the producer began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Progress {
    /// Handed to the producer.
    pub appended: u64,
    /// Decided: every record before this one is acknowledged or failed.
    pub settled: u64,
    /// Failed among the settled.
    pub failed: u64,
}

/// Everything a producer holds of one partition.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) topic: String,
    pub(super) topic_id: TopicId,
    pub(super) partition: i32,
    pub(super) open: BatchBuilder,
    /// Whether the open batch is to go out although it is not full.
    pub(super) due: bool,
    pub(super) queue: VecDeque<Batch>,
    pub(super) progress: Progress,
    pub(super) not_before: Time,
    pub(super) failures: u32,
    lineage: Option<(i64, i16)>,
    next_sequence: i32,
    order: Order,
    history: VecDeque<Outcome>,
}

/// Whether batches may be sent one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// They may.
    Kept,
    /// One failed: wait for all in flight, then send the oldest alone.
    Broken,
    /// A sequence is lost: wait for all in flight, then begin at 0 in a new epoch.
    Lost,
}

#[derive(Clone, Debug)]
struct Outcome {
    first: u64,
    count: u32,
    result: Result<Option<Offset>, ProduceError>,
}

impl Slot {
    pub(super) fn new(topic: &str, topic_id: TopicId, partition: i32) -> Self {
        Self {
            topic: topic.to_owned(),
            topic_id,
            partition,
            open: BatchBuilder::new(),
            due: false,
            queue: VecDeque::new(),
            progress: Progress::default(),
            not_before: Time::ZERO,
            failures: 0,
            lineage: None,
            next_sequence: 0,
            order: Order::Kept,
            history: VecDeque::new(),
        }
    }

    /// The number of the open batch's first record.
    pub(super) fn open_first(&self) -> u64 {
        self.progress.appended - self.open.len() as u64
    }

    /// Closes the open batch, if it has records; returns by how much the memory held changes.
    pub(super) fn close(&mut self, compression: Compression) -> isize {
        self.due = false;
        if self.open.is_empty() {
            return 0;
        }
        let (first, count, before) = (self.open_first(), self.open.len() as u32, self.open.bytes());
        let bytes = self.open.finish(BatchMeta { compression, ..BatchMeta::default() });
        let change = bytes.len() as isize - before as isize;
        self.queue.push_back(Batch { bytes, count, first, stamp: None, phase: Phase::Ready, doubt: Doubt::Absent });
        change
    }

    pub(super) fn has_unsent(&self) -> bool {
        self.due || self.queue.iter().any(|b| b.phase == Phase::Ready)
    }

    pub(super) fn in_flight(&self) -> usize {
        self.queue.iter().filter(|b| b.phase == Phase::Sent).count()
    }

    /// The batch to send next, marked as sent and stamped; none while order forbids or nothing is ready.
    pub(super) fn take_next(&mut self, now: Time, identity: Option<(i64, i16)>) -> Option<&Batch> {
        if now < self.not_before || (self.order != Order::Kept && self.in_flight() > 0) {
            return None;
        }
        self.adopt(identity);
        if self.order == Order::Lost && identity.is_some() {
            return None;
        }
        let batch = self.queue.iter_mut().find(|b| b.phase == Phase::Ready)?;
        if let (None, Some((id, epoch))) = (batch.stamp, self.lineage) {
            batch.stamp(ProducerStamp { id, epoch, base_sequence: self.next_sequence });
            self.next_sequence = advance(self.next_sequence, batch.count);
        }
        batch.phase = Phase::Sent;
        Some(batch)
    }

    /// Takes on an identity, or a new epoch where a sequence was lost.
    fn adopt(&mut self, identity: Option<(i64, i16)>) {
        let Some((id, epoch)) = identity else { return };
        let fresh = match self.lineage {
            None => Some((id, epoch)),
            Some((old, _)) if old != id && self.in_flight() == 0 => Some((id, epoch)),
            Some((old, epoch)) if self.order == Order::Lost && epoch < LAST_EPOCH => Some((old, epoch + 1)),
            Some(_) => None,
        };
        if let Some(lineage) = fresh {
            self.lineage = Some(lineage);
            self.next_sequence = 0;
            self.order = Order::Kept;
            for batch in self.queue.iter_mut().filter(|b| b.phase == Phase::Ready) {
                batch.stamp = None;
            }
        }
    }

    /// Whether this partition has used up the epochs of its producer id.
    pub(super) fn needs_new_id(&self) -> bool {
        self.order == Order::Lost && self.lineage.is_some_and(|(_, epoch)| epoch >= LAST_EPOCH)
    }

    /// Unsent batches that the log may hold already, once they can no longer be told from new ones: sending them in a new
    /// epoch could write them twice.
    pub(super) fn doubtful(&self) -> Vec<u64> {
        if self.order != Order::Lost || self.in_flight() > 0 {
            return Vec::new();
        }
        self.queue.iter().filter(|b| b.phase == Phase::Ready && b.doubt == Doubt::Possible).map(|b| b.first).collect()
    }

    pub(super) fn batch(&mut self, first: u64) -> Option<&mut Batch> {
        self.queue.iter_mut().find(|b| b.first == first)
    }

    /// Whether the batch is the oldest that is not done.
    pub(super) fn is_oldest(&self, first: u64) -> bool {
        self.queue.iter().find(|b| !b.is_done()).is_some_and(|b| b.first == first)
    }

    /// Puts a sent batch back to be sent again.
    pub(super) fn retry(&mut self, first: u64, doubt: Doubt) {
        if let Some(batch) = self.batch(first) {
            batch.phase = Phase::Ready;
            if doubt == Doubt::Possible {
                batch.doubt = doubt;
            }
        }
        if self.order == Order::Kept {
            self.order = Order::Broken;
        }
    }

    /// Has everything unsent begin at sequence 0 in a new epoch, once nothing is in flight.
    pub(super) fn lose_sequence(&mut self) {
        if self.lineage.is_some() {
            self.order = Order::Lost;
        }
    }

    /// Unanswered batches that the log must hold, because it took a later one of the same epoch: it takes them in
    /// sequence only. Asking again could come too late, for a broker remembers but five batches.
    pub(super) fn implied(&self) -> Vec<u64> {
        let accepted = |b: &&Batch| matches!(b.phase, Phase::Done(Ok(_)));
        let Some(last) = self.queue.iter().rfind(accepted) else { return Vec::new() };
        let lineage = |b: &Batch| b.stamp.map(|stamp| (stamp.id, stamp.epoch));
        let implied = |b: &&Batch| {
            b.phase == Phase::Ready && b.doubt == Doubt::Possible && b.stamp.is_some() && lineage(b) == lineage(last)
        };
        self.queue.iter().filter(|b| b.first < last.first).filter(implied).map(|b| b.first).collect()
    }

    /// Notes how a batch ended; returns the bytes set free.
    pub(super) fn finish(&mut self, first: u64, result: Result<Option<Offset>, ProduceError>) -> usize {
        let oldest = self.is_oldest(first);
        let failed = result.is_err();
        let Some(batch) = self.batch(first) else { return 0 };
        let stamped = batch.stamp.is_some();
        batch.phase = Phase::Done(result);
        let bytes = std::mem::take(&mut batch.bytes).len();
        if failed && stamped {
            self.lose_sequence();
        }
        if !failed && oldest && self.order == Order::Broken {
            self.order = Order::Kept;
        }
        if !failed {
            self.failures = 0;
        }
        self.settle();
        bytes
    }

    fn settle(&mut self) {
        while self.queue.front().is_some_and(Batch::is_done) {
            let Some(batch) = self.queue.pop_front() else { return };
            let Phase::Done(result) = batch.phase else { return };
            self.progress.settled = batch.first + u64::from(batch.count);
            if result.is_err() {
                self.progress.failed += u64::from(batch.count);
            }
            if self.history.len() == HISTORY {
                self.history.pop_front();
            }
            self.history.push_back(Outcome { first: batch.first, count: batch.count, result });
        }
    }

    /// How a settled record ended; its offset is known for recent ones only.
    pub(super) fn outcome(&self, number: u64) -> Option<Result<Option<Offset>, ProduceError>> {
        if number >= self.progress.settled {
            return None;
        }
        let found = self.history.iter().find(|o| (o.first..o.first + u64::from(o.count)).contains(&number));
        Some(found.map_or(Ok(None), |outcome| {
            let within = number.saturating_sub(outcome.first).cast_signed();
            outcome.result.clone().map(|base| base.map(|base| Offset(base.0 + within)))
        }))
    }
}

/// Settled batches whose outcome is remembered.
const HISTORY: usize = 64;
/// The last epoch used before a new producer id is asked for.
const LAST_EPOCH: i16 = i16::MAX - 1;
