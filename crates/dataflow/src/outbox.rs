use std::collections::VecDeque;

use groma_model::{Partition, Timestamp};
use groma_wire::records::{BatchBuilder, Header, Record};

use crate::Reject;
use crate::partitioner::partition_of;

/// Where tasks write: each record once, in record-batch layout, into the batch of its partition.
///
/// A batch that is large enough is put aside as a [`Parcel`] for the shell to send; its memory comes back by
/// [`Outbox::recycle`], so that after a while nothing is allocated.
#[derive(Debug)]
pub struct Outbox {
    outputs: Vec<BatchBuilder>,
    changelog: Vec<BatchBuilder>,
    dead_letters: Vec<BatchBuilder>,
    full: VecDeque<Parcel>,
    spare: Vec<BatchBuilder>,
    value: Vec<u8>,
    batch_bytes: usize,
    keyless: usize,
}

/// The partition of one of the topics that a task writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Destination {
    /// Of the output topic.
    Output(Partition),
    /// Of the changelog topic.
    Changelog(Partition),
    /// Of the dead-letter topic.
    DeadLetter(Partition),
}

/// Records on their way to one partition.
#[derive(Debug)]
pub struct Parcel {
    /// Where to.
    pub destination: Destination,
    /// The records, never none.
    pub batch: BatchBuilder,
}

/// Builders kept for later.
const SPARE_BATCHES: usize = 64;

impl Outbox {
    /// An outbox for an output topic of `partitions` partitions (at least 1) that closes batches at `batch_bytes`.
    pub fn new(partitions: usize, batch_bytes: usize) -> Self {
        Self {
            outputs: fresh(partitions.max(1)),
            changelog: Vec::new(),
            dead_letters: Vec::new(),
            full: VecDeque::new(),
            spare: Vec::new(),
            value: Vec::new(),
            batch_bytes,
            keyless: 0,
        }
    }

    /// Writes an output record whose value `encode` appends, unless it refuses to.
    ///
    /// The key decides on the partition as in Kafka's Java client; records without one take turns batch by batch.
    ///
    /// # Errors
    /// What `encode` says.
    #[inline]
    pub fn emit(
        &mut self,
        timestamp: Timestamp,
        key: Option<&[u8]>,
        encode: impl FnOnce(&mut Vec<u8>) -> Result<(), Reject>,
    ) -> Result<(), Reject> {
        self.value.clear();
        encode(&mut self.value)?;
        let index = match key {
            Some(key) if self.outputs.len() > 1 => partition_of(key, self.outputs.len() as i32).0 as usize,
            _ => self.keyless,
        };
        let size = self.outputs[index].append(timestamp, key, Some(&self.value));
        if size >= self.batch_bytes {
            self.put_aside(Destination::Output(Partition(index as i32)));
            self.keyless = (self.keyless + 1) % self.outputs.len();
        }
        Ok(())
    }

    /// As [`Self::emit`], for a value that can always be written.
    #[inline]
    pub fn write(&mut self, timestamp: Timestamp, key: Option<&[u8]>, encode: impl FnOnce(&mut Vec<u8>)) {
        let written = self.emit(timestamp, key, |into| {
            encode(into);
            Ok(())
        });
        debug_assert!(written.is_ok());
    }

    /// Writes a record to `partition` of the changelog.
    pub fn log(&mut self, partition: Partition, timestamp: Timestamp, key: &[u8], value: &[u8]) {
        let size = lane(&mut self.changelog, partition).append(timestamp, Some(key), Some(value));
        if size >= self.batch_bytes {
            self.put_aside(Destination::Changelog(partition));
        }
    }

    /// Writes a rejected record as it came to `partition` of the dead-letter topic.
    pub fn dead_letter(&mut self, partition: Partition, record: &Record<'_>) {
        let headers: Vec<Header<'_>> = record.headers.collect();
        let named: Vec<(&str, Option<&[u8]>)> =
            headers.iter().filter_map(|header| Some((std::str::from_utf8(header.key).ok()?, header.value))).collect();
        let lane = lane(&mut self.dead_letters, partition);
        if lane.append_with_headers(record.timestamp, record.key, record.value, &named) >= self.batch_bytes {
            self.put_aside(Destination::DeadLetter(partition));
        }
    }

    /// A batch that is full, if there is one; those of one partition come in order.
    pub fn take_full(&mut self) -> Option<Parcel> {
        self.full.pop_front()
    }

    /// Any batch with records in it, full ones first; none when the outbox is empty.
    pub fn take(&mut self) -> Option<Parcel> {
        if self.full.is_empty() {
            self.put_all_aside();
        }
        self.full.pop_front()
    }

    /// Gives a sent batch's memory back.
    pub fn recycle(&mut self, mut batch: BatchBuilder) {
        if self.spare.len() < SPARE_BATCHES {
            batch.clear();
            self.spare.push(batch);
        }
    }

    /// Bytes waiting, before compression.
    pub fn bytes(&self) -> usize {
        let lanes = self.outputs.iter().chain(&self.changelog).chain(&self.dead_letters);
        let waiting = lanes.chain(self.full.iter().map(|parcel| &parcel.batch));
        waiting.filter(|batch| !batch.is_empty()).map(BatchBuilder::bytes).sum()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    fn put_all_aside(&mut self) {
        type Name = fn(Partition) -> Destination;
        let names: [Name; 3] = [Destination::Output, Destination::Changelog, Destination::DeadLetter];
        let lens = [self.outputs.len(), self.changelog.len(), self.dead_letters.len()];
        for (name, len) in names.into_iter().zip(lens) {
            for partition in 0..len {
                self.put_aside(name(Partition(partition as i32)));
            }
        }
    }

    fn put_aside(&mut self, destination: Destination) {
        let fresh = self.spare.pop().unwrap_or_default();
        let batch = match destination {
            Destination::Output(partition) => lane(&mut self.outputs, partition),
            Destination::Changelog(partition) => lane(&mut self.changelog, partition),
            Destination::DeadLetter(partition) => lane(&mut self.dead_letters, partition),
        };
        if batch.is_empty() {
            self.spare.push(fresh);
            return;
        }
        let batch = std::mem::replace(batch, fresh);
        self.full.push_back(Parcel { destination, batch });
    }
}

fn lane(lanes: &mut Vec<BatchBuilder>, partition: Partition) -> &mut BatchBuilder {
    let index = usize::try_from(partition.0).unwrap_or(0);
    if index >= lanes.len() {
        lanes.resize_with(index + 1, BatchBuilder::new);
    }
    &mut lanes[index]
}

fn fresh(count: usize) -> Vec<BatchBuilder> {
    std::iter::repeat_with(BatchBuilder::new).take(count).collect()
}
