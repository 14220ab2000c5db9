//! What the tests of tasks share: a small topology over plain numbers, and batches for it.

use bytes::Bytes;
use groma_dataflow::*;
use groma_model::{Generation, Offset, Partition, Timestamp};
use groma_wire::records::{BatchBuilder, BatchMeta, FetchedBatch, Scratch, batches};

/// Reads 8 bytes as a little-endian float.
pub(crate) struct Floats;

impl<'a> Decoder<'a> for Floats {
    type Value = f64;

    fn decode(bytes: &'a [u8]) -> Result<f64, Reject> {
        bytes.try_into().map(f64::from_le_bytes).map_err(|_| Reject::Malformed("not 8 bytes"))
    }
}

/// Writes window start, count and sum, 8 bytes each.
pub(crate) struct Plain;

impl WindowEncoder<Stats> for Plain {
    fn encode(&self, _key: &[u8], window: Window, state: &Stats, into: &mut Vec<u8>) {
        into.extend_from_slice(&window.start.0.to_le_bytes());
        into.extend_from_slice(&state.count().to_le_bytes());
        into.extend_from_slice(&state.sum().to_le_bytes());
    }
}

pub(crate) type Summing = Pipeline<Decode<Floats, Windowed<StatsAggregate, Plain>>>;

pub(crate) fn task(size_ms: i64, grace_ms: i64, emission: Emission) -> Summing {
    with_policy(size_ms, grace_ms, emission, Policy::Skip)
}

pub(crate) fn with_policy(size_ms: i64, grace_ms: i64, emission: Emission, policy: Policy) -> Summing {
    let windows = Tumbling::new(size_ms, grace_ms).unwrap();
    Pipeline::new(Partition(0), policy, Decode::new(Windowed::new(windows, emission, StatsAggregate, Plain)))
}

pub(crate) type Input<'a> = (i64, Option<&'a str>, Option<f64>);

/// A fetched batch of `records` from `offset` on.
pub(crate) fn fetched(offset: i64, records: &[Input<'_>]) -> FetchedBatch {
    let mut builder = BatchBuilder::new();
    for (time, key, value) in records {
        let bytes = value.map(f64::to_le_bytes);
        builder.append(Timestamp(*time), key.map(str::as_bytes), bytes.as_ref().map(<[u8; 8]>::as_slice));
    }
    open(builder.finish(BatchMeta { base_offset: Offset(offset), ..BatchMeta::default() }))
}

pub(crate) fn open(mut bytes: Bytes) -> FetchedBatch {
    FetchedBatch::split_off(&mut bytes, &mut Scratch::default()).unwrap().unwrap()
}

pub(crate) fn feed(task: &mut dyn Task, offset: i64, records: &[Input<'_>], out: &mut Outbox) {
    let batch = fetched(offset, records);
    let stepped = task.step(BatchView::new(&batch, usize::MAX), out).unwrap();
    assert!(stepped.done);
}

pub(crate) fn flush_id(generation: i32, number: u64) -> FlushId {
    FlushId { generation: Generation(generation), number }
}

/// A record's key and value.
pub(crate) type Written = (Vec<u8>, Vec<u8>);

/// Empties `out`: output records and changelog records, in order.
pub(crate) fn drain(out: &mut Outbox) -> (Vec<Written>, Vec<Written>) {
    let (mut outputs, mut changelog) = (Vec::new(), Vec::new());
    while let Some(mut parcel) = out.take() {
        let bytes = parcel.batch.finish(BatchMeta::default());
        let records = match parcel.destination {
            Destination::Changelog(_) => &mut changelog,
            _ => &mut outputs,
        };
        for batch in batches(&bytes) {
            for record in batch.unwrap().records(&mut Scratch::default()).unwrap() {
                let record = record.unwrap();
                records.push((record.key.unwrap_or_default().to_vec(), record.value.unwrap().to_vec()));
            }
        }
        out.recycle(parcel.batch);
    }
    (outputs, changelog)
}

/// Key, window start, count and sum of a result.
pub(crate) type Outcome = (String, i64, u64, f64);

/// What `outputs` say.
pub(crate) fn results(outputs: &[Written]) -> Vec<Outcome> {
    let word = |value: &[u8], at: usize| -> [u8; 8] { value[at..at + 8].try_into().unwrap() };
    outputs
        .iter()
        .map(|(key, value)| {
            let key = String::from_utf8(key.clone()).unwrap();
            let start = i64::from_le_bytes(word(value, 0));
            (key, start, u64::from_le_bytes(word(value, 8)), f64::from_le_bytes(word(value, 16)))
        })
        .collect()
}

/// Flushes and returns (results, changelog records with the marker).
pub(crate) fn flush(task: &mut dyn Task, id: FlushId, out: &mut Outbox) -> (Vec<Outcome>, Vec<Written>) {
    let marker = task.flush(id, out).unwrap();
    let (outputs, mut changelog) = drain(out);
    changelog.push(marker_record(&marker));
    (results(&outputs), changelog)
}

pub(crate) fn marker_record(marker: &Marker) -> Written {
    let mut builder = BatchBuilder::new();
    append_marker(&mut builder, marker);
    single(builder)
}

pub(crate) fn fence_record(generation: i32) -> Written {
    let mut builder = BatchBuilder::new();
    append_fence(&mut builder, Generation(generation));
    single(builder)
}

fn single(mut builder: BatchBuilder) -> Written {
    let batch = open(builder.finish(BatchMeta::default()));
    let record = batch.records().next().unwrap().unwrap();
    (record.key.unwrap().to_vec(), record.value.unwrap().to_vec())
}
