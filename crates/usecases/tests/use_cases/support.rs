use std::io::Read;

use bytes::Bytes;
use groma_dataflow::{BatchView, Destination, FlushId, Outbox, Task};
use groma_model::{Generation, Offset};
use groma_usecases::household::{Reading, rows};
use groma_wire::records::{BatchBuilder, BatchMeta, FetchedBatch, Scratch};

/// A month of a real household, in order of time.
pub(crate) fn household() -> Vec<Reading> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/household_2007-02.csv.gz");
    let file = std::fs::File::open(path).expect("the sample is committed");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("the sample is gzip");
    rows(&text).map(|reading| reading.expect("the sample is well formed")).collect()
}

pub(crate) fn fetched(offset: usize, readings: &[Reading]) -> FetchedBatch {
    let (mut builder, mut value) = (BatchBuilder::new(), Vec::new());
    for reading in readings {
        value.clear();
        reading.as_record().encode(&mut value);
        builder.append(reading.timestamp, Some(reading.identifier.as_bytes()), Some(&value));
    }
    open(builder.finish(BatchMeta { base_offset: Offset(offset as i64), ..BatchMeta::default() }))
}

pub(crate) fn open(mut bytes: Bytes) -> FetchedBatch {
    FetchedBatch::split_off(&mut bytes, &mut Scratch::default()).expect("valid").expect("whole")
}

/// Feeds all readings in batches, flushes after each, and returns the output values in order.
pub(crate) fn run(task: &mut dyn Task, readings: &[Reading], batch: usize) -> Vec<Vec<u8>> {
    let mut out = Outbox::new(3, 64 << 10);
    let mut values = Vec::new();
    for (i, piece) in readings.chunks(batch).enumerate() {
        task.step(BatchView::new(&fetched(i * batch, piece), usize::MAX), &mut out).expect("well formed");
        task.flush(FlushId { generation: Generation(1), number: i as u64 + 1 }, &mut out);
        outputs(&mut out, &mut values);
    }
    task.end_of_input();
    task.flush(FlushId { generation: Generation(1), number: u64::MAX }, &mut out);
    outputs(&mut out, &mut values);
    values
}

fn outputs(out: &mut Outbox, values: &mut Vec<Vec<u8>>) {
    while let Some(mut parcel) = out.take() {
        if matches!(parcel.destination, Destination::Output(_)) {
            let batch = open(parcel.batch.finish(BatchMeta::default()));
            values.extend(batch.records().map(|record| record.expect("valid").value.unwrap_or_default().to_vec()));
        }
        out.recycle(parcel.batch);
    }
}
