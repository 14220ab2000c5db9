//! What reading and writing record batches allocates, counted.

use std::hint::black_box;

use allocation_counter::measure;
use groma_model::Timestamp;
use groma_wire::records::*;

fn fill(builder: &mut BatchBuilder, records: usize) {
    for i in 0..records {
        builder.append(Timestamp(i as i64), Some(b"s_12345"), Some(&[7; 50]));
    }
}

#[test]
fn writing_allocates_once_a_batch() {
    let mut builder = BatchBuilder::new();
    fill(&mut builder, 1_000);
    builder.finish(BatchMeta::default());
    let info = measure(|| {
        fill(&mut builder, 1_000);
        black_box(builder.finish(BatchMeta::default()));
    });
    assert!(info.count_total <= 3, "{info:?}");
}

#[test]
fn reading_allocates_nothing() {
    let mut builder = BatchBuilder::new();
    fill(&mut builder, 1_000);
    let bytes = builder.finish(BatchMeta::default());
    let mut scratch = Scratch::default();
    let info = measure(|| {
        for batch in batches(&bytes) {
            let records = batch.expect("whole").records(&mut scratch).expect("valid");
            assert_eq!(records.filter(|record| black_box(record).is_ok()).count(), 1_000);
        }
    });
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn hostile_bytes_allocate_no_more_than_they_justify() {
    for compression in Compression::ALL {
        let mut builder = BatchBuilder::new();
        fill(&mut builder, 100);
        let bytes = builder.finish(BatchMeta { compression, ..BatchMeta::default() });
        for at in HEADER_LEN..bytes.len() {
            for byte in [0, 0x7f, 0x80, 0xff] {
                let mut bytes = bytes.to_vec();
                bytes[at] = byte;
                set_append_time(&mut bytes, Timestamp(0));
                let info = measure(|| {
                    let mut scratch = Scratch::default();
                    if let Ok(records) = batches(&bytes).next().expect("one").expect("parsed").records(&mut scratch) {
                        black_box(records.filter(Result::is_ok).count());
                    }
                });
                let most = allowance(compression, bytes.len() as u64);
                assert!(info.bytes_max <= most, "{compression} at {at}: {info:?}");
            }
        }
    }
}

/// The codec's own state and what its format allows to come out of `len` bytes.
fn allowance(compression: Compression, len: u64) -> u64 {
    match compression {
        Compression::None => 0,
        Compression::Gzip => 100_000 + 1_032 * len,
        Compression::Snappy => 1_000 + 64 * len,
        Compression::Lz4 => 1_000 + 256 * len,
        Compression::Zstd => 200_000 + 3 * (128 << 10) * (len / 100),
    }
}
