//! Primitive types, headers and frames, by hand.

use bytes::{BufMut, Bytes};
use groma_wire::messages::*;
use groma_wire::{
    ApiKey, Form, FrameDecoder, FrameError, Message, Reader, Records, RequestHeader, ResponseHeader, SHARED_FROM,
    Segment, WireError, Writer, frame_request, frame_response, open_response,
};

fn written(write: impl FnOnce(&mut Writer)) -> Bytes {
    let mut w = Writer::new();
    write(&mut w);
    w.into_bytes().expect("in memory")
}

#[test]
fn varints_are_those_of_protocol_buffers() {
    let cases: [(u32, &[u8]); 6] = [
        (0, &[0]),
        (127, &[0x7f]),
        (128, &[0x80, 1]),
        (300, &[0xac, 2]),
        (16_384, &[0x80, 0x80, 1]),
        (u32::MAX, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
    ];
    for (value, bytes) in cases {
        assert_eq!(written(|w| w.uvarint(value)), bytes);
        assert_eq!(Reader::new(Bytes::from_static(bytes)).uvarint(), Ok(value));
    }
}

#[test]
fn signed_varints_zigzag() {
    let zigzag: [(i32, &[u8]); 5] = [(0, &[0]), (-1, &[1]), (1, &[2]), (-2, &[3]), (64, &[0x80, 1])];
    for (value, bytes) in zigzag {
        assert_eq!(written(|w| w.varint(value)), bytes);
        assert_eq!(written(|w| w.varlong(value.into())), bytes);
    }
    for value in [i32::MIN, -65, 63, i32::MAX] {
        assert_eq!(Reader::new(written(|w| w.varint(value))).varint(), Ok(value));
    }
    for value in [i64::MIN, i64::from(i32::MIN) - 1, 1 << 40, i64::MAX] {
        assert_eq!(Reader::new(written(|w| w.varlong(value))).varlong(), Ok(value));
    }
}

#[test]
fn varints_that_are_too_long_are_refused() {
    let six = Bytes::from_static(&[0x80, 0x80, 0x80, 0x80, 0x80, 1]);
    assert_eq!(Reader::new(six).uvarint(), Err(WireError::BadVarint { at: 0 }));
    let above = Bytes::from_static(&[0xff, 0xff, 0xff, 0xff, 0x1f]);
    assert_eq!(Reader::new(above).uvarint(), Err(WireError::BadVarint { at: 0 }));
    assert_eq!(Reader::new(Bytes::from(vec![0xff; 11])).varlong(), Err(WireError::BadVarint { at: 0 }));
    let cut = Bytes::from_static(&[0x80]);
    assert_eq!(Reader::new(cut).uvarint(), Err(WireError::Truncated { at: 1, needed: 1, left: 0 }));
}

#[test]
fn errors_say_where() {
    let mut r = Reader::new(Bytes::from_static(&[0, 5, b'a']));
    assert_eq!(r.string(Form::Fixed), Err(WireError::Truncated { at: 2, needed: 5, left: 1 }));
    let mut r = Reader::new(Bytes::from_static(&[3, 0xc3, 0x28]));
    assert_eq!(r.string(Form::Compact), Err(WireError::BadUtf8 { at: 1 }));
    let mut r = Reader::new(Bytes::from_static(&[0xff, 0xff]));
    assert_eq!(r.string(Form::Fixed), Err(WireError::UnexpectedNull { at: 0 }));
    let mut r = Reader::new(Bytes::from_static(&[0xff, 0xfe]));
    assert_eq!(r.nullable_string(Form::Fixed), Err(WireError::BadLength { at: 2, length: -2 }));
    let mut r = Reader::new(Bytes::from_static(&[0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1]));
    assert_eq!(r.array::<i32>(Form::Fixed, 0), Err(WireError::BadLength { at: 4, length: i64::from(i32::MAX) }));
    assert_eq!(Reader::new(Bytes::from_static(&[1, 2])).finish(), Err(WireError::TrailingBytes { at: 0, count: 2 }));
}

#[test]
fn a_tagged_field_must_fill_its_size() {
    let mut r = Reader::new(Bytes::from_static(&[1, 0, 3, 9, 9, 9]));
    let outcome = r.tags(Form::Compact, |tag, r| {
        assert_eq!(tag, 0);
        r.i16().map(|_| true)
    });
    assert_eq!(outcome, Err(WireError::TrailingBytes { at: 5, count: 1 }));
    let mut r = Reader::new(Bytes::from_static(&[1, 0, 1, 9, 9, 9]));
    let outcome = r.tags(Form::Compact, |_, r| r.i16().map(|_| true));
    assert_eq!(outcome, Err(WireError::Truncated { at: 3, needed: 2, left: 1 }));
}

#[test]
fn what_a_version_cannot_carry_is_refused_and_not_dropped() {
    let mut w = Writer::new();
    let joined = JoinGroupRequest { group_instance_id: Some("i".to_owned()), ..JoinGroupRequest::default() };
    let refused = WireError::Unsupported { field: "JoinGroupRequest.group_instance_id", version: 4 };
    assert_eq!(joined.encode(&mut w, 4), Err(refused));
    let every_topic = MetadataRequest { topics: None, ..MetadataRequest::default() };
    assert_eq!(every_topic.encode(&mut w, 0), Err(WireError::Missing { field: "MetadataRequest.topics" }));
    let unknown = WireError::UnknownVersion { name: "HeartbeatRequest", version: 5 };
    assert_eq!(HeartbeatRequest::default().encode(&mut w, 5), Err(unknown));
    let long = HeartbeatRequest { group_id: "g".repeat(40_000), ..HeartbeatRequest::default() };
    assert_eq!(long.encode(&mut w, 3), Err(WireError::TooLong { length: 40_000 }));
    assert_eq!(long.encode(&mut w, 4), Ok(()));
}

fn fetched(records: Vec<Option<Records>>) -> FetchResponse {
    let partitions = records.into_iter().map(|records| PartitionData { records, ..PartitionData::default() });
    FetchResponse {
        responses: vec![FetchableTopicResponse {
            partitions: partitions.collect(),
            ..FetchableTopicResponse::default()
        }],
        ..FetchResponse::default()
    }
}

#[test]
fn large_and_external_payloads_are_not_copied() {
    let large = Bytes::from(vec![7; SHARED_FROM]);
    let small = Bytes::from(vec![8; SHARED_FROM - 1]);
    let response = fetched(vec![
        Some(Records::Bytes(large.clone())),
        Some(Records::Bytes(small)),
        Some(Records::External { len: 10_000, token: 42 }),
        None,
    ]);
    let frame = frame_response(5, 16, &response).expect("it can be written");
    let length = frame.len();
    let parts = frame.clone().into_parts();
    assert!(matches!(&parts[1], Segment::Shared(bytes) if bytes.as_ptr() == large.as_ptr()));
    assert_eq!(parts[3], Segment::External { len: 10_000, token: 42 });
    assert_eq!(parts.len(), 5);
    assert_eq!(parts.iter().map(Segment::len).sum::<usize>(), length);
    let Segment::Inline(first) = &parts[0] else { panic!("it begins with what was written") };
    assert_eq!(first[..8], [&(length as u32 - 4).to_be_bytes()[..], &[0, 0, 0, 5]].concat());
    assert_eq!(frame.into_bytes(), Err(WireError::NotInMemory));
}

#[test]
fn records_are_slices_of_the_frame() {
    let response = fetched(vec![Some(Records::Bytes(Bytes::from(vec![7; 9000])))]);
    for version in FetchResponse::VERSIONS {
        let frame = frame_response(5, version, &response).and_then(Writer::into_bytes).expect("in memory").slice(4..);
        let (header, read) = open_response::<FetchResponse>(frame.clone(), version).expect("it can be read");
        assert_eq!((header.correlation_id, &read), (5, &response));
        let records = read.responses[0].partitions[0].records.as_ref().and_then(Records::bytes).expect("bytes");
        assert!(frame.as_ptr_range().contains(&records.as_ptr()));
    }
}

#[test]
fn headers_follow_the_version_of_the_request() {
    let header = |api_key, api_version| RequestHeader {
        api_key,
        api_version,
        correlation_id: 9,
        client_id: Some("me".to_owned()),
    };
    let classic: &[u8] = &[0, 12, 0, 3, 0, 0, 0, 9, 0, 2, b'm', b'e'];
    let flexible: &[u8] = &[0, 12, 0, 4, 0, 0, 0, 9, 0, 2, b'm', b'e', 0];
    for (expected, header) in [(classic, header(12, 3)), (flexible, header(12, 4))] {
        let bytes = written(|w| header.encode(w).expect("a short client id"));
        assert_eq!(bytes, expected);
        let mut r = Reader::new(bytes);
        assert_eq!(RequestHeader::decode(&mut r), Ok(header));
        assert_eq!(r.finish(), Ok(()));
    }
    let unknown = RequestHeader { client_id: None, ..header(999, 77) };
    let bytes = written(|w| unknown.encode(w).expect("no client id"));
    assert_eq!(RequestHeader::decode(&mut Reader::new(bytes)), Ok(unknown));
}

#[test]
fn the_answer_to_api_versions_has_the_oldest_header() {
    let header = |key, version| written(|w| ResponseHeader { correlation_id: 9 }.encode(w, key, version));
    assert_eq!(header(ApiKey::ApiVersions, 4), [0, 0, 0, 9][..]);
    assert_eq!(header(ApiKey::Heartbeat, 3), [0, 0, 0, 9][..]);
    assert_eq!(header(ApiKey::Heartbeat, 4), [0, 0, 0, 9, 0][..]);
    assert_eq!(ResponseHeader::correlation_id(&[0, 0, 0, 9, 0]), Ok(9));
    assert!(ResponseHeader::correlation_id(&[0, 0, 9]).is_err());
}

#[test]
fn keys_and_messages_agree() {
    assert_eq!(ApiKey::ALL.len(), 24);
    for key in ApiKey::ALL {
        assert_eq!(ApiKey::from_i16(key.code()), Some(*key));
    }
    assert_eq!(ApiKey::from_i16(7), None);
    assert_eq!(ApiKey::Produce.versions(), 3..=13);
    assert_eq!(ApiKey::OffsetDelete.flexible_since(), i16::MAX);
    assert_eq!(HeartbeatRequest::KEY.name(), "Heartbeat");
}

#[test]
fn frames_are_cut_wherever_the_bytes_are_split() {
    let header = RequestHeader { api_key: 12, api_version: 4, correlation_id: 1, client_id: None };
    let frame = frame_request(&header, &HeartbeatRequest::default()).and_then(Writer::into_bytes).expect("in memory");
    let stream = frame.repeat(3);
    for step in 1..=stream.len() {
        let (mut decoder, mut frames) = (FrameDecoder::new(1000), vec![]);
        for part in stream.chunks(step) {
            decoder.buffer().put_slice(part);
            while let Some(frame) = decoder.next_frame().expect("sizes are right") {
                frames.push(frame);
            }
        }
        assert_eq!(frames, vec![frame.slice(4..); 3]);
        assert_eq!(decoder.buffered(), 0);
    }
}

#[test]
fn frames_above_the_limit_are_refused_before_room_is_made() {
    let mut decoder = FrameDecoder::new(1000);
    decoder.buffer().put_slice(&1001_i32.to_be_bytes());
    assert_eq!(decoder.next_frame(), Err(FrameError::TooLarge { size: 1001, limit: 1000 }));
    let mut decoder = FrameDecoder::new(usize::MAX);
    decoder.buffer().put_slice(b"GET / HTTP/1.1");
    assert_eq!(decoder.next_frame(), Ok(None));
    assert!(decoder.buffer().capacity() < 100_000);
    let mut decoder = FrameDecoder::new(1000);
    decoder.buffer().put_slice(&(-1_i32).to_be_bytes());
    assert_eq!(decoder.next_frame(), Err(FrameError::Negative { size: -1 }));
}
