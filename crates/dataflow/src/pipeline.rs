use groma_model::{Offset, Partition, Timestamp};
use groma_wire::records::Record;

use crate::{
    BatchView, Chain, ChangelogError, Counted, Counters, Entry, Event, FlushId, Marker, Operator, Outbox, Policy,
    Reject, StepError, Stepped, Task,
};

/// A task made of operators nested in each other, compiled into one piece of code for the whole record path.
#[derive(Debug)]
pub struct Pipeline<C> {
    chain: C,
    partition: Partition,
    policy: Policy,
    position: Option<Offset>,
    counters: Counters,
}

impl<C> Pipeline<C> {
    /// A task that reads `partition` through `chain`; rejected records are treated by `policy`.
    pub fn new(partition: Partition, policy: Policy, chain: C) -> Self {
        Self { chain, partition, policy, position: None, counters: Counters::default() }
    }

    /// The operators.
    pub const fn chain(&self) -> &C {
        &self.chain
    }

    fn rejected(&mut self, record: &Record<'_>, reject: Reject, out: &mut Outbox) -> Result<(), StepError> {
        if reject != Reject::Late {
            match self.policy {
                Policy::Skip => {}
                Policy::Stop => return Err(StepError::Rejected { offset: record.offset, reject }),
                Policy::DeadLetter => out.dead_letter(self.partition, record),
            }
        }
        self.counters.reject(reject, record.offset);
        Ok(())
    }
}

impl<C> Pipeline<C>
where
    C: for<'a> Operator<Option<&'a [u8]>>,
{
    #[inline]
    fn read(&mut self, record: &Record<'_>, out: &mut Outbox) -> Result<(), StepError> {
        let event = Event { offset: record.offset, timestamp: record.timestamp, key: record.key, value: record.value };
        if let Err(reject) = self.chain.push(event, out) {
            self.rejected(record, reject, out)?;
        }
        self.counters.records += 1;
        self.position = Some(Offset(record.offset.0.wrapping_add(1)));
        Ok(())
    }
}

impl<C> Task for Pipeline<C>
where
    C: Chain + Send + for<'a> Operator<Option<&'a [u8]>>,
{
    fn step(&mut self, mut batch: BatchView<'_>, out: &mut Outbox) -> Result<Stepped, StepError> {
        let before = self.counters.records;
        let from = self.position.unwrap_or(Offset(i64::MIN));
        if !batch.is_control() {
            for record in batch.records.by_ref().take(batch.limit) {
                let record = record?;
                if record.offset >= from {
                    self.read(&record, out)?;
                }
            }
        }
        let done = batch.is_control() || batch.records.remaining() == 0;
        if done {
            self.position = Some(from.max(batch.next_offset));
        }
        let records = (self.counters.records - before) as usize;
        Ok(Stepped { cursor: batch.records.cursor(), records, done })
    }

    fn flush(&mut self, id: FlushId, out: &mut Outbox) -> Option<Marker> {
        let state = self.chain.state()?;
        let entries = state.flush(id, self.partition, out);
        Some(Marker { id, entries, position: self.position, stream_time: state.stream_time(), counters: self.counters })
    }

    fn end_of_input(&mut self) {
        if let Some(state) = self.chain.state() {
            state.end_of_input();
        }
    }

    fn is_stateful(&self) -> bool {
        self.chain.state_ref().is_some()
    }

    fn restore_entry(&mut self, entry: &Entry<'_>) -> Result<(), ChangelogError> {
        match self.chain.state() {
            Some(state) => state.restore(entry),
            None => Err(ChangelogError::Stateless),
        }
    }

    fn restore_marker(&mut self, marker: &Marker) {
        self.position = marker.position;
        self.counters = marker.counters;
        if let (Some(state), Some(time)) = (self.chain.state(), marker.stream_time) {
            state.advance(time);
        }
    }

    fn position(&self) -> Option<Offset> {
        self.position
    }

    fn seek(&mut self, offset: Offset) {
        self.position = Some(offset);
    }

    fn stream_time(&self) -> Option<Timestamp> {
        self.chain.state_ref().and_then(|state| state.stream_time())
    }

    fn dirty(&self) -> usize {
        self.chain.state_ref().map_or(0, |state| state.dirty())
    }

    fn counters(&self) -> &Counters {
        &self.counters
    }

    fn counted(&self) -> Option<Counted> {
        self.chain.counted()
    }
}
