//! Parts that need nothing but this thread.

use super::Figure;
use super::measure::{rate, try_rate};
use crate::exit::Failure;
use groma_model::Timestamp;
use groma_usecases::UseCase;
use groma_usecases::speed::StepWork;
use groma_wire::records::{BatchBuilder, BatchMeta, Scratch, batches};
use std::hint::black_box;

/// Records of a batch in `batch-read` and `batch-write`.
const RECORDS: u64 = 1000;
/// Bytes of a value there.
const VALUE: [u8; 50] = [7; 50];

/// Records read from uncompressed batches of 1,000, checksum included.
pub(super) fn batch_read() -> Figure {
    let bytes = filled(&mut BatchBuilder::new());
    let mut scratch = Scratch::default();
    rate("batch-read", || {
        let mut read = 0;
        for batch in batches(&bytes).flatten() {
            read += batch.records(&mut scratch).map_or(0, |records| records.flatten().map(black_box).count() as u64);
        }
        read
    })
}

/// Records written into uncompressed batches of 1,000, checksum included.
pub(super) fn batch_write() -> Figure {
    let mut builder = BatchBuilder::new();
    rate("batch-write", || {
        black_box(filled(&mut builder));
        RECORDS
    })
}

/// Records that one task of `use_case` takes from batch bytes to outbox bytes.
pub(super) fn step(name: &str, use_case: UseCase) -> Result<Figure, Failure> {
    let mut work = StepWork::new(use_case);
    Ok(try_rate(name, || work.step().map(|records| records as u64))?)
}

fn filled(builder: &mut BatchBuilder) -> bytes::Bytes {
    for index in 0..RECORDS {
        builder.append(Timestamp(1_700_000_000_000 + index as i64), None, Some(&VALUE));
    }
    builder.finish(BatchMeta::default())
}
