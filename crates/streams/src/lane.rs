use std::collections::VecDeque;

use bytes::Bytes;
use groma_client::Fetched;
use groma_dataflow::{BatchView, Counters, FlushId, Marker, Outbox, Stepped, Task};
use groma_model::Offset;
use groma_wire::records::{FetchedBatch, Scratch};

use crate::InstanceError;

/// A running task and the fetched batches that wait for it.
pub(crate) struct Lane {
    pub(crate) partition: i32,
    pub(crate) task: Box<dyn Task>,
    /// Number of the last flush.
    pub(crate) flushes: u64,
    /// Whether the task is to be given up: it steps no more, but is flushed.
    pub(crate) stopping: Stopping,
    /// The counters that the task came with.
    restored: Counters,
    queue: VecDeque<Bytes>,
    queued_bytes: usize,
    current: Option<FetchedBatch>,
    /// None before the first flush, so that what was restored is committed though nothing new comes.
    flushed: Option<Flushed>,
}

/// Whether a task is being given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopping {
    No,
    Yes,
}

/// What a task had done at its last flush.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Flushed {
    position: Option<Offset>,
    counters: Counters,
}

/// What one task adds to a flush.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) partition: i32,
    pub(crate) marker: Option<Marker>,
    pub(crate) position: Option<Offset>,
    /// Records left out since the last flush: unusable, late, and the last of them.
    pub(crate) left_out: (u64, u64, Option<Offset>),
}

impl Lane {
    pub(crate) fn new(partition: i32, task: Box<dyn Task>, flushes: u64) -> Self {
        let restored = *task.counters();
        Self {
            partition,
            task,
            restored,
            flushes,
            stopping: Stopping::No,
            queue: VecDeque::new(),
            queued_bytes: 0,
            current: None,
            flushed: None,
        }
    }

    /// Takes fetched batches in.
    pub(crate) fn push(&mut self, input: &str, fetched: Fetched) -> Result<(), InstanceError> {
        match self.task.position() {
            None => self.task.seek(fetched.from),
            Some(position) if fetched.from > position && self.queue.is_empty() && self.current.is_none() => {
                let (from, to) = (position, fetched.from);
                return Err(InstanceError::InputDeleted {
                    input: input.to_owned(),
                    partition: self.partition,
                    from,
                    to,
                });
            }
            Some(_) => {}
        }
        self.queued_bytes += fetched.batches.len();
        self.queue.push_back(fetched.batches);
        Ok(())
    }

    /// Bytes waiting.
    pub(crate) const fn queued_bytes(&self) -> usize {
        self.queued_bytes
    }

    /// Whether there is something to step over.
    pub(crate) fn is_due(&self) -> bool {
        self.stopping == Stopping::No && (self.current.is_some() || !self.queue.is_empty())
    }

    /// Steps over at most `limit` records.
    pub(crate) fn step(
        &mut self,
        input: &str,
        limit: usize,
        scratch: &mut Scratch,
        out: &mut Outbox,
    ) -> Result<usize, InstanceError> {
        let partition = self.partition;
        let fault = |cause| InstanceError::records(input, partition, cause);
        if self.current.is_none() {
            self.current = self.next_batch(scratch).map_err(fault)?;
        }
        let Some(batch) = &mut self.current else { return Ok(0) };
        let Stepped { cursor, records, done } = self
            .task
            .step(BatchView::new(batch, limit), out)
            .map_err(|cause| InstanceError::Step { input: input.to_owned(), partition, cause })?;
        batch.advance(cursor);
        if done {
            self.current = None;
        }
        Ok(records)
    }

    /// Writes what changed since the last flush; none when nothing did.
    pub(crate) fn flush(&mut self, id: FlushId, out: &mut Outbox) -> Option<Share> {
        let now = Flushed { position: self.task.position(), counters: *self.task.counters() };
        if self.flushed == Some(now) || now.position.is_none() {
            return None;
        }
        let before = self.flushed.map_or(self.restored, |flushed| flushed.counters);
        let after = now.counters;
        self.flushed = Some(now);
        self.flushes = id.number;
        let last = after.tallies().into_iter().filter_map(|tally| tally.last).max();
        Some(Share {
            partition: self.partition,
            marker: self.task.flush(id, out),
            position: now.position,
            left_out: (after.rejected() - before.rejected(), after.late.count - before.late.count, last),
        })
    }

    /// Forgets the batches that wait.
    pub(crate) fn stop(&mut self) {
        self.stopping = Stopping::Yes;
        self.queue.clear();
        self.queued_bytes = 0;
        self.current = None;
    }

    fn next_batch(&mut self, scratch: &mut Scratch) -> Result<Option<FetchedBatch>, groma_wire::records::RecordsError> {
        while let Some(bytes) = self.queue.front_mut() {
            let before = bytes.len();
            let batch = FetchedBatch::split_off(bytes, scratch)?;
            self.queued_bytes -= before - bytes.len();
            if bytes.is_empty() {
                self.queue.pop_front();
            }
            if batch.is_some() {
                return Ok(batch);
            }
        }
        Ok(None)
    }
}
