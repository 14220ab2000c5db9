use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use groma_client::Fetched;
use groma_dataflow::{FlushId, Outbox};
use groma_model::Generation;
use groma_wire::records::Scratch;

use crate::InstanceError;
use crate::lane::{Lane, Share};

/// The running tasks of an instance, stepped in turn.
pub(crate) struct Worker {
    pub(crate) lanes: BTreeMap<i32, Lane>,
    pub(crate) out: Outbox,
    input: String,
    scratch: Scratch,
    /// The partition whose turn is next.
    turn: i32,
}

/// Work in one turn, so that heartbeats and fetches go on.
const TURN: Duration = Duration::from_millis(1);
/// Records between two looks at the clock: about a fifth of a millisecond.
const RECORDS_PER_LOOK: usize = 1_000;
/// Bytes at which a batch is sent.
const BATCH_BYTES: usize = 256 << 10;
/// Batches waiting for the tasks, in bytes, above which none are taken from the client.
const QUEUED_BYTES: usize = 1 << 20;
/// Changed entries above which a flush comes early.
const DIRTY: usize = 1 << 20;

impl Worker {
    pub(crate) fn new(input: &str, output_partitions: usize) -> Self {
        Self {
            lanes: BTreeMap::new(),
            out: Outbox::new(output_partitions, BATCH_BYTES),
            input: input.to_owned(),
            scratch: Scratch::default(),
            turn: 0,
        }
    }

    /// Takes fetched batches in; those of tasks that do not run are dropped.
    pub(crate) fn push(&mut self, fetched: Fetched) -> Result<(), InstanceError> {
        match self.lanes.get_mut(&fetched.partition.partition.0) {
            Some(lane) => lane.push(&self.input, fetched),
            None => Ok(()),
        }
    }

    /// Whether more fetched batches may come.
    pub(crate) fn has_room(&self) -> bool {
        self.lanes.values().map(Lane::queued_bytes).sum::<usize>() < QUEUED_BYTES
    }

    /// Whether a task has something to do.
    pub(crate) fn is_due(&self) -> bool {
        self.lanes.values().any(Lane::is_due)
    }

    /// Whether so much has changed that the next flush should not wait.
    pub(crate) fn is_heavy(&self) -> bool {
        self.lanes.values().map(|lane| lane.task.dirty()).sum::<usize>() >= DIRTY
    }

    /// Steps tasks in turn until there is nothing to do, or a turn's time is over.
    pub(crate) fn step(&mut self) -> Result<(), InstanceError> {
        let start = Instant::now();
        while let Some(partition) = self.next_due() {
            if let Some(lane) = self.lanes.get_mut(&partition) {
                lane.step(&self.input, RECORDS_PER_LOOK, &mut self.scratch, &mut self.out)?;
            }
            self.turn = partition.wrapping_add(1);
            if start.elapsed() >= TURN {
                break;
            }
        }
        Ok(())
    }

    /// Lets every task write what changed.
    pub(crate) fn flush(&mut self, generation: Generation) -> Vec<Share> {
        let out = &mut self.out;
        let flush = |lane: &mut Lane| lane.flush(FlushId { generation, number: lane.flushes + 1 }, out);
        self.lanes.values_mut().filter_map(flush).collect()
    }

    fn next_due(&self) -> Option<i32> {
        let due = |(partition, lane): (&i32, &Lane)| lane.is_due().then_some(*partition);
        let mut after = self.lanes.range(self.turn..).filter_map(due);
        after.next().or_else(|| self.lanes.range(..self.turn).find_map(due))
    }
}
