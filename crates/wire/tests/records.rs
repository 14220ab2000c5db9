//! Record batches: round trips, foreign encodings, hostile bytes.

use std::io::Write;

use bytes::Bytes;
use groma_model::{Offset, Timestamp};
use groma_wire::records::*;
use proptest::prelude::*;

type Pair = (i64, Option<Vec<u8>>, Option<Vec<u8>>);

fn build(records: &[Pair], compression: Compression) -> Bytes {
    let mut builder = BatchBuilder::new();
    for (timestamp, key, value) in records {
        builder.append(Timestamp(*timestamp), key.as_deref(), value.as_deref());
    }
    builder.finish(BatchMeta { base_offset: Offset(100), compression, ..BatchMeta::default() })
}

fn read(bytes: &[u8], limit: usize) -> Result<Vec<(i64, Pair)>, RecordsError> {
    let mut scratch = Scratch::with_limit(limit);
    let mut out = Vec::new();
    for batch in batches(bytes) {
        for record in batch?.records(&mut scratch)? {
            let record = record?;
            let pair = (record.timestamp.0, record.key.map(<[u8]>::to_vec), record.value.map(<[u8]>::to_vec));
            out.push((record.offset.0, pair));
        }
    }
    Ok(out)
}

fn numbered(records: &[Pair]) -> Vec<(i64, Pair)> {
    records.iter().enumerate().map(|(i, pair)| (100 + i as i64, pair.clone())).collect()
}

fn sensors(count: usize) -> Vec<Pair> {
    (0..count).map(|i| (1_000 + i as i64, Some(format!("s_{i}").into_bytes()), Some(vec![b'v'; 50]))).collect()
}

/// The batch of `records` with its payload replaced by `payload`, compressed by `compression`, the CRC renewed.
fn with_payload(records: &[Pair], payload: &[u8], compression: Compression) -> Vec<u8> {
    let plain = build(records, Compression::None);
    let mut header = batches(&plain).next().expect("one batch").expect("a valid one").header;
    let mut bytes = plain[..HEADER_LEN].to_vec();
    bytes.extend_from_slice(payload);
    header.compression = compression;
    header.total_len = bytes.len();
    header.write(bytes.first_chunk_mut().expect("a header"));
    let crc = crc32c::crc32c(&bytes[21..]);
    bytes[17..21].copy_from_slice(&crc.to_be_bytes());
    bytes
}

fn plain_payload(records: &[Pair]) -> Vec<u8> {
    build(records, Compression::None)[HEADER_LEN..].to_vec()
}

#[test]
fn every_compression_gives_the_same_records() {
    let records = sensors(3_000);
    for compression in Compression::ALL {
        let bytes = build(&records, compression);
        let header = batches(&bytes).next().unwrap().unwrap().header;
        assert_eq!(header.compression, compression);
        assert_eq!(header.next_offset(), Offset(3_100));
        assert_eq!(read(&bytes, 1 << 20).unwrap(), numbered(&records), "{compression}");
    }
}

#[test]
fn one_topic_may_mix_compressions() {
    let records = sensors(50);
    let bytes: Vec<u8> = Compression::ALL.iter().flat_map(|compression| build(&records, *compression)).collect();
    let all = read(&bytes, 1 << 20).unwrap();
    assert_eq!(all.len(), 250);
    assert!(all.chunks(50).all(|chunk| chunk == numbered(&records)));
}

#[test]
fn snappy_is_read_raw_and_framed_and_written_framed() {
    let records = sensors(2_000);
    let raw = snap::raw::Encoder::new().compress_vec(&plain_payload(&records)).unwrap();
    let bytes = with_payload(&records, &raw, Compression::Snappy);
    assert_eq!(read(&bytes, 1 << 20).unwrap(), numbered(&records));
    let ours = build(&records, Compression::Snappy);
    assert_eq!(&ours[HEADER_LEN..HEADER_LEN + 8], b"\x82SNAPPY\0");
}

#[test]
fn lz4_frames_of_every_shape_are_read() {
    use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};
    let records = sensors(5_000);
    let payload = plain_payload(&records);
    for (mode, sums, size) in [
        (BlockMode::Independent, false, None),
        (BlockMode::Independent, true, None),
        (BlockMode::Linked, false, None),
        (BlockMode::Linked, true, Some(payload.len() as u64)),
    ] {
        let info = FrameInfo::new()
            .block_mode(mode)
            .block_size(BlockSize::Max64KB)
            .block_checksums(sums)
            .content_checksum(sums)
            .content_size(size);
        let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
        encoder.write_all(&payload).unwrap();
        let bytes = with_payload(&records, &encoder.finish().unwrap(), Compression::Lz4);
        assert_eq!(read(&bytes, 1 << 20).unwrap(), numbered(&records));
    }
}

#[test]
fn zstd_without_a_content_size_is_read() {
    let records = sensors(5_000);
    let frame = zstd::stream::encode_all(&plain_payload(&records)[..], 1).unwrap();
    let bytes = with_payload(&records, &frame, Compression::Zstd);
    assert_eq!(read(&bytes, 1 << 20).unwrap(), numbered(&records));
}

#[test]
fn decompression_stops_at_the_limit() {
    let records = vec![(0, None, Some(vec![0; 1 << 20]))];
    for compression in Compression::ALL {
        let bytes = build(&records, compression);
        assert!(matches!(read(&bytes, 1 << 19), Err(RecordsError::TooLarge { .. })), "{compression}");
        assert!(read(&bytes, 1 << 21).is_ok(), "{compression}");
    }
}

#[test]
fn nulls_empties_headers_and_negative_times_survive() {
    let mut builder = BatchBuilder::new();
    builder.append(Timestamp(-5), None, None);
    builder.append(Timestamp(i64::MAX), Some(b""), Some(b""));
    builder.append_with_headers(Timestamp(7), Some(b"k"), None, &[("a", Some(b"1")), ("b", None)]);
    let bytes = builder.finish(BatchMeta::default());
    let mut scratch = Scratch::default();
    let batch = batches(&bytes).next().unwrap().unwrap();
    let records: Vec<Record<'_>> = batch.records(&mut scratch).unwrap().map(Result::unwrap).collect();
    assert_eq!(records.iter().map(|r| r.timestamp.0).collect::<Vec<_>>(), [-5, i64::MAX, 7]);
    assert_eq!((records[0].key, records[0].value), (None, None));
    assert_eq!((records[1].key, records[1].value), (Some(&b""[..]), Some(&b""[..])));
    let headers: Vec<Header<'_>> = records[2].headers.collect();
    assert_eq!(headers, [Header { key: b"a", value: Some(b"1") }, Header { key: b"b", value: None }]);
    assert_eq!(batch.header.max_timestamp, Timestamp(i64::MAX));
}

#[test]
fn a_builder_is_empty_after_finish_and_an_empty_batch_is_valid() {
    let mut builder = BatchBuilder::new();
    builder.append(Timestamp(1), None, Some(b"x"));
    let first = builder.finish(BatchMeta::default());
    assert!(builder.is_empty());
    let empty = builder.finish(BatchMeta::default());
    assert_eq!((empty.len(), read(&empty, 100).unwrap().len()), (HEADER_LEN, 0));
    builder.append(Timestamp(1), None, Some(b"x"));
    assert_eq!(builder.finish(BatchMeta::default()), first);
}

#[test]
fn a_batch_cut_off_at_the_end_is_left_out() {
    let bytes = [build(&sensors(3), Compression::None), build(&sensors(3), Compression::None)].concat();
    let half = bytes.len() / 2;
    for cut in half..bytes.len() {
        let mut iter = batches(&bytes[..cut]);
        assert_eq!((&mut iter).map(Result::unwrap).count(), 1);
        assert_eq!(iter.rest().len(), cut - half);
    }
}

#[test]
fn control_and_transactional_batches_say_so() {
    for kind in [BatchKind::Plain, BatchKind::Transactional, BatchKind::Control] {
        let mut builder = BatchBuilder::new();
        builder.append(Timestamp(1), Some(&ControlRecord::Commit.key()), Some(b""));
        let stamp = ProducerStamp { id: 9, epoch: 2, base_sequence: 5 };
        let bytes = builder.finish(BatchMeta { kind, producer: Some(stamp), ..BatchMeta::default() });
        let header = batches(&bytes).next().unwrap().unwrap().header;
        assert_eq!((header.kind, header.producer), (kind, Some(stamp)));
    }
    assert_eq!(ControlRecord::parse(&[0, 0, 0, 0]), Some(ControlRecord::Abort));
    assert_eq!(ControlRecord::parse(&[0, 0, 0]), None);
}

#[test]
fn patches_keep_the_batch_valid() {
    let mut bytes = build(&sensors(3), Compression::None).to_vec();
    set_base_offset(&mut bytes, Offset(7_000));
    set_leader_epoch(&mut bytes, 4);
    set_producer(&mut bytes, ProducerStamp { id: 1, epoch: 0, base_sequence: 30 });
    set_append_time(&mut bytes, Timestamp(55));
    let header = batches(&bytes).next().unwrap().unwrap().header;
    assert_eq!((header.leader_epoch, header.last_offset()), (Some(4), Offset(7_002)));
    let records = read(&bytes, 1 << 20).unwrap();
    assert_eq!(
        records.iter().map(|(offset, pair)| (*offset, pair.0)).collect::<Vec<_>>(),
        [(7_000, 55), (7_001, 55), (7_002, 55)]
    );
}

#[test]
fn a_fetched_batch_is_read_in_turns() {
    let records = sensors(10);
    for compression in Compression::ALL {
        let mut fetched = Bytes::from([build(&records, compression), build(&records, compression)].concat());
        let mut scratch = Scratch::default();
        let mut seen = Vec::new();
        while let Some(mut batch) = FetchedBatch::split_off(&mut fetched, &mut scratch).unwrap() {
            while batch.records().remaining() > 0 {
                let mut turn = batch.records();
                seen.extend(turn.by_ref().take(3).map(|record| record.unwrap().offset.0));
                batch.advance(turn.cursor());
            }
            assert!(batch.records().next().is_none());
        }
        assert_eq!(seen, (100..110).chain(100..110).collect::<Vec<_>>());
    }
}

#[test]
fn faults_are_named() {
    let good = build(&sensors(2), Compression::None).to_vec();
    let fault = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        read(&bytes, 1 << 20).unwrap_err()
    };
    assert!(matches!(fault(70, 0), RecordsError::Checksum { offset: Offset(100), .. }));
    assert!(matches!(fault(16, 1), RecordsError::UnsupportedFormat { magic: 1, .. }));
    assert!(matches!(fault(8, 0xff), RecordsError::BatchTooShort { .. }));
    assert!(matches!(fault(22, 7), RecordsError::UnknownCompression { code: 7, .. }));
    assert!(matches!(fault(57, 0x80), RecordsError::NegativeCount { .. }));
}

#[test]
fn a_count_that_lies_is_found_out() {
    let records = sensors(2);
    for (count, malformed) in [(i32::MAX, true), (1, false)] {
        let mut bytes = build(&records, Compression::None).to_vec();
        bytes[57..61].copy_from_slice(&count.to_be_bytes());
        set_append_time(&mut bytes, Timestamp(0));
        let error = read(&bytes, 1 << 20).unwrap_err();
        assert_eq!(matches!(error, RecordsError::MalformedRecord { index: 2, .. }), malformed, "{error}");
        assert_eq!(matches!(error, RecordsError::TrailingBytes { .. }), !malformed, "{error}");
    }
}

fn pairs() -> impl Strategy<Value = Vec<Pair>> {
    let field = || proptest::option::of(proptest::collection::vec(any::<u8>(), 0..40));
    proptest::collection::vec((any::<i64>(), field(), field()), 0..40)
}

fn compressions() -> impl Strategy<Value = Compression> {
    (0..5_u8).prop_map(|code| Compression::from_code(code).expect("a code"))
}

proptest! {
    #[test]
    fn what_is_written_is_read(records in pairs(), compression in compressions()) {
        prop_assert_eq!(read(&build(&records, compression), 1 << 20).unwrap(), numbered(&records));
    }

    #[test]
    fn a_changed_byte_never_passes_unseen(records in pairs(), at in 12_usize..5_000, flip in 1_u8..) {
        let mut bytes = build(&records, Compression::None).to_vec();
        let at = at % bytes.len();
        prop_assume!(at >= 16);
        bytes[at] ^= flip;
        prop_assert!(read(&bytes, 1 << 20).is_err());
    }

    #[test]
    fn random_payloads_give_typed_errors(
        payload in proptest::collection::vec(any::<u8>(), 0..400),
        compression in compressions(),
    ) {
        let _ = read(&with_payload(&sensors(3), &payload, compression), 1 << 20);
    }

    #[test]
    fn damaged_payloads_give_typed_errors(
        compression in compressions(),
        cut in 0_usize..4_000,
        hits in proptest::collection::vec((any::<usize>(), any::<u8>()), 0..4),
    ) {
        let records = sensors(60);
        let mut payload = build(&records, compression)[HEADER_LEN..].to_vec();
        payload.truncate(cut.max(1));
        for (at, byte) in hits {
            let at = at % payload.len();
            payload[at] = byte;
        }
        let _ = read(&with_payload(&records, &payload, compression), 1 << 20);
    }

    #[test]
    fn random_bytes_are_no_batches(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&bytes, 1 << 20);
    }
}
