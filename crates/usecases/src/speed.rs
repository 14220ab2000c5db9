//! The work behind `groma speed step-uc1` and `step-uc2`: record-batch bytes in, outbox bytes out, without the clock.

use bytes::Bytes;
use groma_dataflow::{BatchView, FlushId, Outbox, StepError, Task};
use groma_model::{Generation, Offset, Partition, Timestamp};
use groma_wire::records::{BatchBuilder, BatchMeta, FetchedBatch, Scratch};

use crate::load::Sensors;
use crate::{Settings, UseCase};

const SENSORS: u32 = 10_000;
const RECORDS_PER_BATCH: u32 = 1_000;
/// Rounds of all sensors prepared, each a second later than the one before.
const ROUNDS: u32 = 60;
const OUTPUT_PARTITIONS: usize = 4;
const BATCH_BYTES: usize = 256 << 10;
/// Batches between flushes: half a million records, ten times as often as a commit every second at the bar.
const BATCHES_PER_FLUSH: u64 = 500;

/// One task fed round after round of readings: 10,000 sensors in turn, a second of event time a round, 60 s windows.
pub struct StepWork {
    task: Box<dyn Task>,
    out: Outbox,
    batches: Vec<Bytes>,
    scratch: Scratch,
    fed: u64,
}

impl StepWork {
    /// The work of one task of `use_case`, its input prepared: 600,000 records, 40 MB.
    pub fn new(use_case: UseCase) -> Self {
        let per_round = SENSORS / RECORDS_PER_BATCH;
        Self {
            task: use_case.task(Partition(0), &Settings::default()),
            out: Outbox::new(OUTPUT_PARTITIONS, BATCH_BYTES),
            batches: (0..ROUNDS * per_round).map(|index| batch(index / per_round, index % per_round)).collect(),
            scratch: Scratch::default(),
            fed: 0,
        }
    }

    /// Steps through one batch of 1,000 records, and flushes where it is due; returns the number of records.
    ///
    /// # Errors
    /// None, unless this crate is broken.
    pub fn step(&mut self) -> Result<usize, StepError> {
        let mut bytes = self.batches[(self.fed % self.batches.len() as u64) as usize].clone();
        let Some(mut batch) = FetchedBatch::split_off(&mut bytes, &mut self.scratch)? else { return Ok(0) };
        self.place(&mut batch);
        let stepped = self.task.step(BatchView::new(&batch, usize::MAX), &mut self.out)?;
        self.fed += 1;
        if self.fed.is_multiple_of(BATCHES_PER_FLUSH) {
            self.task.flush(FlushId { generation: Generation(1), number: self.fed }, &mut self.out);
            self.send_all();
        }
        while let Some(parcel) = self.out.take_full() {
            self.out.recycle(parcel.batch);
        }
        Ok(stepped.records)
    }

    /// Moves a prepared batch on to where this lap has come: offsets and times go on from lap to lap.
    fn place(&self, batch: &mut FetchedBatch) {
        let lap = (self.fed / self.batches.len() as u64) as i64;
        batch.header.base_offset = Offset(self.fed as i64 * i64::from(RECORDS_PER_BATCH));
        batch.header.base_timestamp.0 += lap * i64::from(ROUNDS) * 1_000;
    }

    fn send_all(&mut self) {
        while let Some(parcel) = self.out.take() {
            self.out.recycle(parcel.batch);
        }
    }
}

impl std::fmt::Debug for StepWork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StepWork").field("fed", &self.fed).finish_non_exhaustive()
    }
}

fn batch(round: u32, part: u32) -> Bytes {
    let sensors = Sensors::new(SENSORS);
    let time = Timestamp(1_600_000_020_000 + i64::from(round) * 1_000);
    let (mut builder, mut value) = (BatchBuilder::new(), Vec::new());
    for number in part * RECORDS_PER_BATCH..(part + 1) * RECORDS_PER_BATCH {
        value.clear();
        let key = sensors.reading(number, time, &mut value);
        builder.append(time, Some(key.as_bytes()), Some(&value));
    }
    builder.finish(BatchMeta::default())
}
