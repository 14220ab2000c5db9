//! Logs over files in memory: waiting for records, idempotence, retention, limits, failures, restarts.

use crate::desk::{Answer, CLIENT, Desk, batch};
use bytes::Bytes;
use groma_model::{Span, Time};
use groma_node::{ConnectionId, Input, Notice, RetireCause, Settings};
use groma_wire::ErrorCode;
use groma_wire::Records;
use groma_wire::messages::*;
use groma_wire::records::{ProducerStamp, batches};

fn create(desk: &mut Desk, name: &str, configs: &[(&str, &str)]) {
    let config =
        |(name, value): &(&str, &str)| CreatableTopicConfig { name: name.to_string(), value: Some(value.to_string()) };
    let topic = CreatableTopic {
        name: name.to_owned(),
        num_partitions: 2,
        replication_factor: 1,
        configs: configs.iter().map(config).collect(),
        ..Default::default()
    };
    let response = desk.call(7, &CreateTopicsRequest { topics: vec![topic], ..Default::default() });
    assert_eq!(response.topics[0].error_code, 0, "{:?}", response.topics[0].error_message);
}

fn delete(desk: &mut Desk, name: &str) {
    let request = DeleteTopicsRequest { topic_names: vec![name.to_owned()], ..Default::default() };
    assert_eq!(desk.call(4, &request).responses[0].error_code, 0);
}

fn produce_from(desk: &mut Desk, connection: ConnectionId, records: Bytes) -> PartitionProduceResponse {
    let data = PartitionProduceData { index: 0, records: Some(Records::Bytes(records)) };
    let topic = TopicProduceData { name: "t".to_owned(), partition_data: vec![data], ..Default::default() };
    let request = ProduceRequest { acks: -1, topic_data: vec![topic], ..Default::default() };
    desk.send(connection, 9, &request);
    let mut response: ProduceResponse = desk.response(connection, 9).unwrap();
    response.responses.remove(0).partition_responses.remove(0)
}

fn produce(desk: &mut Desk, records: Bytes) -> Result<i64, ErrorCode> {
    let response = produce_from(desk, CLIENT, records);
    ErrorCode::check(response.error_code).map(|()| response.base_offset)
}

fn fetch(offset: i64, min_bytes: i32, max_wait_ms: i32) -> FetchRequest {
    let partition = |partition| FetchPartition {
        partition,
        fetch_offset: if partition == 0 { offset } else { 0 },
        partition_max_bytes: 1 << 20,
        ..Default::default()
    };
    let topic =
        FetchTopic { topic: "t".to_owned(), partitions: vec![partition(0), partition(1)], ..Default::default() };
    FetchRequest { max_bytes: 1 << 20, min_bytes, max_wait_ms, topics: vec![topic], ..Default::default() }
}

fn offsets(response: &FetchResponse) -> Vec<i64> {
    let records = response.responses[0].partitions[0].records.as_ref().unwrap().bytes().unwrap();
    batches(records).map(|batch| batch.unwrap().header.base_offset.0).collect()
}

fn other(desk: &mut Desk, id: u64) -> ConnectionId {
    let connection = ConnectionId(id);
    desk.give(Input::Connected { connection, host: "/127.0.0.1".to_owned() });
    connection
}

#[test]
fn a_fetch_waits_for_records_and_no_longer_than_it_said() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[]);
    let reader = other(&mut desk, 2);
    desk.send(reader, 11, &fetch(0, 1, 500));
    assert!(desk.answer(reader).is_none());
    produce(&mut desk, batch(0, &["a"], None)).unwrap();
    assert_eq!(offsets(&desk.response(reader, 11).unwrap()), [0]);

    desk.send(reader, 11, &fetch(1, 1, 500));
    desk.pass(Span::from_millis(499));
    assert!(desk.answer(reader).is_none());
    desk.pass(Span::from_millis(1));
    assert!(offsets(&desk.response(reader, 11).unwrap()).is_empty());
}

#[test]
fn a_fetch_waits_for_as_many_bytes_as_it_wants() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[]);
    let reader = other(&mut desk, 2);
    let size = batch(0, &["a"], None).len() as i32;
    desk.send(reader, 11, &fetch(0, 3 * size, 500));
    for _ in 0..2 {
        produce(&mut desk, batch(0, &["a"], None)).unwrap();
        assert!(desk.answer(reader).is_none());
    }
    produce(&mut desk, batch(0, &["a"], None)).unwrap();
    assert_eq!(offsets(&desk.response(reader, 11).unwrap()), [0, 1, 2]);
}

#[test]
fn a_waiting_fetch_ends_with_its_connection_or_its_topic() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[]);
    let (gone, stays) = (other(&mut desk, 2), other(&mut desk, 3));
    desk.send(gone, 11, &fetch(0, 1, 500));
    desk.send(stays, 11, &fetch(0, 1, 500));
    desk.give(Input::Disconnected(gone));
    delete(&mut desk, "t");
    assert!(desk.answer(gone).is_none());
    let response: FetchResponse = desk.response(stays, 11).unwrap();
    assert_eq!(response.responses[0].partitions[0].error_code, ErrorCode::UnknownTopicOrPartition.code());
    assert!(desk.node.deadline().is_none_or(|(at, _)| at > Time::ZERO + Span::from_secs(1)));
}

#[test]
fn a_stopping_node_answers_who_waits() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[]);
    desk.send(CLIENT, 11, &fetch(0, 1, 60_000));
    desk.give(Input::Stop);
    assert!(offsets(&desk.response(CLIENT, 11).unwrap()).is_empty());
}

#[test]
fn an_idempotent_producer_writes_each_batch_once_even_over_a_restart() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[]);
    let numbered = |epoch, base_sequence| {
        let stamp = ProducerStamp { id: 9, epoch, base_sequence };
        batch(0, &["a", "b"], Some(stamp))
    };
    for n in 0..7 {
        assert_eq!(produce(&mut desk, numbered(0, n * 2)), Ok(i64::from(n) * 2));
    }
    for restarted in [false, true] {
        if restarted {
            desk.restart();
        }
        assert_eq!(produce(&mut desk, numbered(0, 12)), Ok(12));
        assert_eq!(produce(&mut desk, numbered(0, 4)), Ok(4));
        assert_eq!(produce(&mut desk, numbered(0, 2)), Err(ErrorCode::OutOfOrderSequenceNumber));
        assert_eq!(produce(&mut desk, numbered(0, 16)), Err(ErrorCode::OutOfOrderSequenceNumber));
    }
    assert_eq!(produce(&mut desk, numbered(1, 0)), Ok(14));
    assert_eq!(produce(&mut desk, numbered(0, 14)), Err(ErrorCode::InvalidProducerEpoch));
}

#[test]
fn producer_ids_never_repeat_over_restarts() {
    let mut desk = Desk::new();
    let mut given = Vec::new();
    for _ in 0..3 {
        let request = InitProducerIdRequest { transactional_id: None, ..Default::default() };
        given.push(desk.call(4, &request).producer_id);
        given.push(desk.call(4, &request).producer_id);
        desk.restart();
    }
    given.sort_unstable();
    given.dedup();
    assert_eq!(given.len(), 6);
}

#[test]
fn old_record_times_are_kept_unless_a_setting_says_otherwise() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[]);
    produce(&mut desk, batch(1_000, &["four", "decades", "old"], None)).unwrap();
    desk.pass(Span::from_secs(3600));
    assert_eq!(offsets(&desk.call(11, &fetch(0, 1, 0))), [0]);
    assert!(desk.notices.is_empty());
}

#[test]
fn retention_deletes_by_record_time_and_says_so() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[("retention.ms", "60000"), ("segment.bytes", "200")]);
    let wall = desk.identity.wall.0;
    produce(&mut desk, batch(1_000, &[&"x".repeat(200)], None)).unwrap();
    produce(&mut desk, batch(wall, &[&"y".repeat(200)], None)).unwrap();
    desk.pass(desk.identity.settings.retention_check_interval);
    let gone = desk.call(11, &fetch(0, 1, 0));
    assert_eq!(gone.responses[0].partitions[0].error_code, ErrorCode::OffsetOutOfRange.code());
    let expected =
        |notice: &Notice| matches!(notice, Notice::Retired { topic, cause: RetireCause::Age, .. } if topic == "t");
    assert!(desk.notices.iter().all(expected) && !desk.notices.is_empty(), "{:?}", desk.notices);
    for restarted in [false, true] {
        if restarted {
            desk.restart();
        }
        let at = desk.node.log_bytes();
        assert_eq!(produce(&mut desk, batch(wall + 3_600_000, &["z"], None)), Ok(2 + i64::from(restarted)));
        assert!(desk.node.log_bytes() > at);
    }
}

#[test]
fn a_full_broker_refuses_records_until_a_topic_goes() {
    let mut settings = Settings::default();
    settings.set("offsets.topic.num.partitions", "1").unwrap();
    let mut desk = Desk::with(settings, Some(500));
    create(&mut desk, "t", &[]);
    create(&mut desk, "u", &[]);
    assert_eq!(produce(&mut desk, batch(0, &[&"x".repeat(300)], None)), Ok(0));
    for _ in 0..2 {
        assert_eq!(produce(&mut desk, batch(0, &[&"x".repeat(300)], None)), Err(ErrorCode::KafkaStorageError));
    }
    assert_eq!(desk.notices, [Notice::Full { max_bytes: 500 }]);
    assert_eq!(offsets(&desk.call(11, &fetch(0, 1, 0))), [0]);
    delete(&mut desk, "t");
    assert_eq!(desk.node.log_bytes(), 0);
    create(&mut desk, "t", &[]);
    assert_eq!(produce(&mut desk, batch(0, &[&"x".repeat(300)], None)), Ok(0));
}

#[test]
fn a_write_that_fails_leaves_no_gap() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[]);
    assert_eq!(produce(&mut desk, batch(0, &["a"], None)), Ok(0));
    let bytes = desk.node.log_bytes();
    desk.failing = 1;
    assert_eq!(produce(&mut desk, batch(0, &["b"], None)), Err(ErrorCode::KafkaStorageError));
    assert_eq!(desk.node.log_bytes(), bytes);
    assert_eq!(produce(&mut desk, batch(0, &["c"], None)), Ok(1));
    assert_eq!(offsets(&desk.call(11, &fetch(0, 1, 0))), [0, 1]);
}

#[test]
fn the_brokers_clock_stamps_records_where_a_topic_asks_for_it() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[("message.timestamp.type", "LogAppendTime")]);
    desk.pass(Span::from_secs(5));
    let response = produce_from(&mut desk, CLIENT, batch(1_000, &["a"], None));
    assert_eq!(response.log_append_time_ms, desk.identity.wall.0 + 5000);
    let fetched = desk.call(11, &fetch(0, 1, 0));
    let records = fetched.responses[0].partitions[0].records.as_ref().unwrap().bytes().unwrap().clone();
    let batch = batches(&records).next().unwrap().unwrap();
    batch.verify().unwrap();
    assert_eq!(batch.header.max_timestamp.0, response.log_append_time_ms);
}

fn commit(desk: &mut Desk, group: &str, offset: i64) -> i16 {
    let partition = OffsetCommitRequestPartition { committed_offset: offset, ..Default::default() };
    let topic = OffsetCommitRequestTopic { name: "t".to_owned(), partitions: vec![partition], ..Default::default() };
    let request = OffsetCommitRequest { group_id: group.to_owned(), topics: vec![topic], ..Default::default() };
    desk.call(8, &request).topics[0].partitions[0].error_code
}

fn committed(desk: &mut Desk, group: &str) -> i64 {
    let topic = OffsetFetchRequestTopic { name: "t".to_owned(), partition_indexes: vec![0] };
    let request = OffsetFetchRequest { group_id: group.to_owned(), topics: Some(vec![topic]), ..Default::default() };
    desk.call(7, &request).topics[0].partitions[0].committed_offset
}

#[test]
fn the_offsets_topic_does_not_grow_for_ever() {
    let mut settings = Settings::default();
    settings.set("offsets.topic.num.partitions", "1").unwrap();
    let mut desk = Desk::with(settings, None);
    create(&mut desk, "t", &[]);
    let mut most = 0;
    for n in 0..300_000 {
        assert_eq!(commit(&mut desk, &format!("g{}", n % 3), n), 0);
        most = most.max(desk.node.log_bytes());
    }
    assert!(most < 20 << 20, "{most}");
    assert!(desk.node.log_bytes() < 18 << 20, "{}", desk.node.log_bytes());
    for _ in 0..2 {
        assert_eq!([0, 1, 2].map(|n| committed(&mut desk, &format!("g{n}"))), [299_997, 299_998, 299_999]);
        desk.restart();
    }
}

#[test]
fn unused_offsets_expire_and_the_group_with_them() {
    let mut settings = Settings::default();
    settings.set("offsets.retention.minutes", "60").unwrap();
    let mut desk = Desk::with(settings, None);
    create(&mut desk, "t", &[]);
    commit(&mut desk, "g", 5);
    desk.pass(Span::from_secs(59 * 60));
    assert_eq!(committed(&mut desk, "g"), 5);
    desk.pass(Span::from_secs(12 * 60));
    assert_eq!(committed(&mut desk, "g"), -1);
    assert_eq!(desk.notices, [Notice::OffsetsExpired { group: "g".to_owned(), offsets: 1 }]);
    assert!(desk.call(4, &ListGroupsRequest::default()).groups.is_empty());
    desk.restart();
    assert_eq!(committed(&mut desk, "g"), -1);
}

#[test]
fn b45_offsets_do_not_expire_while_a_round_is_open() {
    let mut settings = Settings::default();
    settings.set("offsets.retention.minutes", "60").unwrap();
    let mut desk = Desk::with(settings, None);
    create(&mut desk, "t", &[]);
    assert_eq!(commit(&mut desk, "g", 5), 0);
    let join = JoinGroupRequest {
        group_id: "g".to_owned(),
        session_timeout_ms: 1_800_000,
        rebalance_timeout_ms: 10_800_000,
        protocol_type: "consumer".to_owned(),
        protocols: vec![JoinGroupRequestProtocol { name: "range".to_owned(), ..Default::default() }],
        ..Default::default()
    };
    desk.send(CLIENT, 2, &join);
    desk.pass(Span::from_secs(3));
    let joined: JoinGroupResponse = desk.response(CLIENT, 2).expect("joined");
    let other = ConnectionId(2);
    desk.give(Input::Connected { connection: other, host: "/127.0.0.1".to_owned() });
    desk.send(other, 2, &join);
    for _ in 0..8 {
        desk.pass(Span::from_secs(15 * 60));
        let beat = HeartbeatRequest {
            group_id: "g".to_owned(),
            generation_id: joined.generation_id,
            member_id: joined.member_id.clone(),
            ..Default::default()
        };
        assert_eq!(desk.call(3, &beat).error_code, ErrorCode::RebalanceInProgress.code());
    }
    assert_eq!(committed(&mut desk, "g"), 5, "after two hours of an open round");
}

#[test]
fn a_group_comes_back_stable_after_a_restart_and_its_silent_member_is_lost() {
    let mut desk = Desk::new();
    let join = JoinGroupRequest {
        group_id: "g".to_owned(),
        session_timeout_ms: 10_000,
        rebalance_timeout_ms: 10_000,
        protocol_type: "consumer".to_owned(),
        protocols: vec![JoinGroupRequestProtocol { name: "range".to_owned(), ..Default::default() }],
        ..Default::default()
    };
    let joined = desk.call(2, &join);
    let sync = SyncGroupRequest {
        group_id: "g".to_owned(),
        generation_id: joined.generation_id,
        member_id: joined.member_id.clone(),
        assignments: vec![SyncGroupRequestAssignment {
            member_id: joined.member_id.clone(),
            assignment: Bytes::from_static(b"mine"),
        }],
        ..Default::default()
    };
    assert_eq!(desk.call(3, &sync).error_code, 0);
    desk.restart();
    let beat = HeartbeatRequest {
        group_id: "g".to_owned(),
        generation_id: joined.generation_id,
        member_id: joined.member_id.clone(),
        ..Default::default()
    };
    assert_eq!(desk.call(3, &beat).error_code, 0);
    let described = |desk: &mut Desk| {
        let request = DescribeGroupsRequest { groups: vec!["g".to_owned()], ..Default::default() };
        let group = desk.call(5, &request).groups.remove(0);
        (group.group_state, group.members.first().map(|member| member.member_assignment.clone()))
    };
    assert_eq!(described(&mut desk), ("Stable".to_owned(), Some(Bytes::from_static(b"mine"))));
    desk.pass(Span::from_secs(11));
    assert_eq!(described(&mut desk), ("Empty".to_owned(), None));
    assert_eq!(desk.call(3, &beat).error_code, ErrorCode::UnknownMemberId.code());
}

#[test]
fn a_restarted_node_goes_on_where_the_old_one_was() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[("segment.bytes", "400")]);
    for n in 0..50 {
        produce(&mut desk, batch(n * 10, &["a", "b", "c"], None)).unwrap();
        commit(&mut desk, "g", n);
        if n % 7 == 0 {
            desk.restart();
        }
    }
    assert_eq!(committed(&mut desk, "g"), 49);
    let expected: Vec<i64> = (0..50).map(|n| n * 3).collect();
    let mut found = Vec::new();
    while let Some(next) = found.last().map_or(Some(0), |last| (*last < 147).then_some(last + 3)) {
        found.extend(offsets(&desk.call(11, &fetch(next, 1, 0))));
    }
    assert_eq!(found, expected);
}

/// Frames of random bytes, and real frames with bytes changed or cut: never a panic, and the node serves on.
#[test]
fn hostile_frames_do_no_harm() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[]);
    produce(&mut desk, batch(0, &["a"], None)).unwrap();
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..100_000 {
        let api = (random() % 64) as i16;
        let version = (random() % 14) as i16;
        let mut frame = [&api.to_be_bytes()[..], &version.to_be_bytes(), &[0, 0, 0, 77, 0xff, 0xff, 0]].concat();
        for _ in 0..random() % 60 {
            let byte = random();
            frame.push(if byte & 0x100 == 0 { (byte & 3) as u8 } else { byte as u8 });
        }
        frame.truncate((random() as usize % 80).max(1));
        desk.give(Input::Frame { connection: CLIENT, frame: frame.into() });
        while let Some(answer) = desk.answer(CLIENT) {
            drop::<Answer>(answer);
        }
        desk.give(Input::Disconnected(CLIENT));
        desk.give(Input::Connected { connection: CLIENT, host: String::new() });
    }
    assert_eq!(produce(&mut desk, batch(0, &["b"], None)), Ok(1));
}

#[test]
fn a_fetch_that_found_too_little_counts_what_comes() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[]);
    let reader = other(&mut desk, 2);
    let size = batch(0, &["a"], None).len() as i32;
    produce(&mut desk, batch(0, &["a"], None)).unwrap();
    desk.send(reader, 11, &fetch(0, 2 * size, 500));
    assert!(desk.answer(reader).is_none());
    produce(&mut desk, batch(0, &["a"], None)).unwrap();
    assert_eq!(offsets(&desk.response(reader, 11).unwrap()), [0, 1]);
}

#[test]
fn a_deleted_topics_offsets_leave_nothing_behind() {
    let mut desk = Desk::new();
    create(&mut desk, "t", &[]);
    commit(&mut desk, "g", 5);
    delete(&mut desk, "t");
    desk.pass(desk.identity.settings.offsets_retention_check_interval);
    assert!(desk.call(4, &ListGroupsRequest::default()).groups.is_empty());
    assert!(desk.notices.is_empty());
}
