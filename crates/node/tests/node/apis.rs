//! Every API in every version, over files in memory.

use crate::desk::{Answer, CLIENT, Desk, batch};
use groma_model::Span;
use groma_node::{ConnectionId, Input, Offence, Settings};
use groma_wire::messages::*;
use groma_wire::{ApiKey, ErrorCode, Message, Records, Request};

fn create(desk: &mut Desk, name: &str, partitions: i32) -> CreatableTopicResult {
    create_with(desk, name, partitions, &[])
}

fn create_with(desk: &mut Desk, name: &str, partitions: i32, configs: &[(&str, &str)]) -> CreatableTopicResult {
    let config =
        |(name, value): &(&str, &str)| CreatableTopicConfig { name: name.to_string(), value: Some(value.to_string()) };
    let topic = CreatableTopic {
        name: name.to_owned(),
        num_partitions: partitions,
        replication_factor: 1,
        configs: configs.iter().map(config).collect(),
        ..Default::default()
    };
    desk.call(7, &CreateTopicsRequest { topics: vec![topic], ..Default::default() }).topics.remove(0)
}

fn produce_request(topic: &str, partition: i32, records: bytes::Bytes) -> ProduceRequest {
    let data = PartitionProduceData { index: partition, records: Some(Records::Bytes(records)) };
    let topic = TopicProduceData { name: topic.to_owned(), partition_data: vec![data], ..Default::default() };
    ProduceRequest { acks: -1, timeout_ms: 1000, topic_data: vec![topic], ..Default::default() }
}

fn produce(desk: &mut Desk, topic: &str, records: bytes::Bytes) -> PartitionProduceResponse {
    let mut response = desk.call(9, &produce_request(topic, 0, records));
    response.responses.remove(0).partition_responses.remove(0)
}

fn join(group: &str) -> JoinGroupRequest {
    JoinGroupRequest {
        group_id: group.to_owned(),
        session_timeout_ms: 10_000,
        rebalance_timeout_ms: 10_000,
        protocol_type: "consumer".to_owned(),
        protocols: vec![JoinGroupRequestProtocol { name: "range".to_owned(), ..Default::default() }],
        ..Default::default()
    }
}

/// Sends `make(version)` in every version of its API and hands each response to `check`.
fn in_every_version<R: Request>(desk: &mut Desk, make: impl Fn(i16) -> R, check: impl Fn(i16, &R::Response)) {
    for version in R::VERSIONS {
        let connection = ConnectionId(1000 + i64::from(version) as u64);
        desk.give(Input::Connected { connection, host: "/10.0.0.1".to_owned() });
        desk.send(connection, version, &make(version));
        desk.pass(Span::from_secs(1));
        let response = desk.response::<R::Response>(connection, version);
        check(version, &response.unwrap_or_else(|| panic!("{} {version} is not answered", R::NAME)));
        desk.give(Input::Disconnected(connection));
    }
}

#[test]
fn every_version_of_reading_and_writing_is_answered() {
    let mut desk = Desk::new();
    let id = create(&mut desk, "t", 1).topic_id;
    in_every_version::<ProduceRequest>(
        &mut desk,
        |version| {
            let mut request = produce_request("t", 0, batch(5, &["a", "b"], None));
            if version >= 13 {
                request.topic_data[0].name.clear();
                request.topic_data[0].topic_id = id;
            }
            request
        },
        |version, response| {
            let partition = &response.responses[0].partition_responses[0];
            assert_eq!((partition.error_code, partition.base_offset), (0, i64::from(version - 3) * 2));
        },
    );
    in_every_version::<FetchRequest>(
        &mut desk,
        |version| {
            let partition = FetchPartition { fetch_offset: 1, partition_max_bytes: 1 << 20, ..Default::default() };
            let mut topic = FetchTopic { topic: "t".to_owned(), partitions: vec![partition], ..Default::default() };
            if version >= 13 {
                topic.topic.clear();
                topic.topic_id = id;
            }
            FetchRequest { max_bytes: 1 << 20, min_bytes: 1, topics: vec![topic], ..Default::default() }
        },
        |_, response| {
            let partition = &response.responses[0].partitions[0];
            assert_eq!((partition.error_code, partition.high_watermark), (0, 22));
            assert!(!partition.records.as_ref().unwrap().is_empty());
        },
    );
    in_every_version::<ListOffsetsRequest>(
        &mut desk,
        |_| {
            let asked = |timestamp| ListOffsetsPartition { timestamp, ..Default::default() };
            let partitions = [-1, -2, 5, 6, 7].into_iter().map(asked).collect();
            let topic = ListOffsetsTopic { name: "t".to_owned(), partitions };
            ListOffsetsRequest { replica_id: -1, topics: vec![topic], ..Default::default() }
        },
        |_, response| {
            let found: Vec<i64> = response.topics[0].partitions.iter().map(|partition| partition.offset).collect();
            assert_eq!(found, [22, 0, 0, 1, -1]);
        },
    );
}

#[test]
fn the_rack_of_the_broker_is_told_with_it() {
    let mut settings = Settings::default();
    settings.set("broker.rack", "r1").unwrap();
    let mut desk = Desk::with(settings, None);
    assert_eq!(desk.call(9, &MetadataRequest::default()).brokers[0].rack.as_deref(), Some("r1"));
    let request = DescribeClusterRequest { endpoint_type: 1, ..Default::default() };
    assert_eq!(desk.call(0, &request).brokers[0].rack.as_deref(), Some("r1"));
}

#[test]
fn every_version_of_administration_is_answered() {
    let mut desk = Desk::new();
    create(&mut desk, "t", 3);
    in_every_version::<ApiVersionsRequest>(
        &mut desk,
        |_| ApiVersionsRequest {
            client_software_name: "x".to_owned(),
            client_software_version: "1".to_owned(),
            ..Default::default()
        },
        |_, response| assert_eq!(response.api_keys.len(), ApiKey::ALL.len()),
    );
    in_every_version::<MetadataRequest>(
        &mut desk,
        |_| MetadataRequest {
            topics: Some(vec![MetadataRequestTopic { name: Some("t".to_owned()), ..Default::default() }]),
            allow_auto_topic_creation: true,
            ..Default::default()
        },
        |_, response| assert_eq!(response.topics[0].partitions.len(), 3),
    );
    in_every_version::<DescribeClusterRequest>(
        &mut desk,
        |_| DescribeClusterRequest { endpoint_type: 1, ..Default::default() },
        |_, response| assert_eq!(response.brokers.len(), 1),
    );
    in_every_version::<DescribeConfigsRequest>(
        &mut desk,
        |_| {
            let resource = |resource_type, name: &str| DescribeConfigsResource {
                resource_type,
                resource_name: name.to_owned(),
                configuration_keys: None,
            };
            DescribeConfigsRequest {
                resources: vec![resource(2, "t"), resource(4, "1"), resource(2, "none")],
                include_synonyms: true,
                ..Default::default()
            }
        },
        |_, response| {
            let errors: Vec<i16> = response.results.iter().map(|result| result.error_code).collect();
            assert_eq!(errors, [0, 0, ErrorCode::UnknownTopicOrPartition.code()]);
            assert!(response.results[0].configs.iter().any(|config| config.name == "retention.ms"));
        },
    );
}

/// Kafka's default is 3 s, which every start of a lone member would wait.
#[test]
fn a_new_group_waits_for_more_members_only_where_it_is_told_to() {
    let waits = |settings: Settings| {
        let mut desk = Desk::with(settings, None);
        let resource =
            DescribeConfigsResource { resource_type: 4, resource_name: "1".to_owned(), configuration_keys: None };
        let request = DescribeConfigsRequest { resources: vec![resource], ..Default::default() };
        let configs = desk.call(4, &request).results.remove(0).configs;
        let delay = configs.into_iter().find(|config| config.name == "group.initial.rebalance.delay.ms").unwrap();
        desk.send(CLIENT, 2, &join("g"));
        let at_once = desk.answer(CLIENT).is_some();
        desk.pass(Span::from_secs(3));
        (delay.value, at_once, at_once || desk.answer(CLIENT).is_some())
    };
    assert_eq!(waits(Settings::default()), (Some("0".to_owned()), true, true));
    let patient = Settings { group_initial_rebalance_delay: Span::from_secs(3), ..Settings::default() };
    assert_eq!(waits(patient), (Some("3000".to_owned()), false, true));
}

#[test]
fn every_version_of_making_and_deleting_is_answered() {
    let mut desk = Desk::new();
    create(&mut desk, "t", 3);
    in_every_version::<CreateTopicsRequest>(
        &mut desk,
        |version| CreateTopicsRequest {
            topics: vec![CreatableTopic {
                name: format!("made-{version}"),
                num_partitions: 2,
                replication_factor: 1,
                ..Default::default()
            }],
            ..Default::default()
        },
        |_, response| assert_eq!(response.topics[0].error_code, 0),
    );
    in_every_version::<CreatePartitionsRequest>(
        &mut desk,
        |version| CreatePartitionsRequest {
            topics: vec![CreatePartitionsTopic {
                name: "t".to_owned(),
                count: 4 + i32::from(version),
                assignments: None,
            }],
            ..Default::default()
        },
        |_, response| assert_eq!(response.results[0].error_code, 0),
    );
    in_every_version::<DeleteTopicsRequest>(
        &mut desk,
        |version| {
            let name = format!("made-{}", version + 1);
            match version {
                6.. => DeleteTopicsRequest {
                    topics: vec![DeleteTopicState { name: Some(name), ..Default::default() }],
                    ..Default::default()
                },
                _ => DeleteTopicsRequest { topic_names: vec![name], ..Default::default() },
            }
        },
        |_, response| assert_eq!(response.responses[0].error_code, 0),
    );
    in_every_version::<InitProducerIdRequest>(
        &mut desk,
        |_| InitProducerIdRequest { transactional_id: None, ..Default::default() },
        |version, response| assert_eq!((response.error_code, response.producer_id), (0, i64::from(version))),
    );
}

#[test]
fn every_version_of_group_membership_is_answered() {
    let mut desk = Desk::new();
    in_every_version::<JoinGroupRequest>(
        &mut desk,
        |version| join(&format!("join-{version}")),
        |version, response| {
            let expected = if version >= 4 { ErrorCode::MemberIdRequired } else { ErrorCode::None };
            assert_eq!(response.error_code, expected.code());
            assert!(!response.member_id.is_empty());
        },
    );
    let member_of = |version: i16| format!("one-{version}");
    for version in SyncGroupRequest::VERSIONS {
        join_alone(&mut desk, &member_of(version));
    }
    let members: Vec<String> =
        SyncGroupRequest::VERSIONS.map(|version| members_of(&mut desk, &member_of(version))).collect();
    in_every_version::<SyncGroupRequest>(
        &mut desk,
        |version| SyncGroupRequest {
            group_id: member_of(version),
            generation_id: 1,
            member_id: members[version as usize].clone(),
            ..Default::default()
        },
        |_, response| assert_eq!(response.error_code, 0),
    );
    in_every_version::<HeartbeatRequest>(
        &mut desk,
        |version| HeartbeatRequest {
            group_id: member_of(version),
            generation_id: 1,
            member_id: members[version as usize].clone(),
            ..Default::default()
        },
        |_, response| assert_eq!(response.error_code, 0),
    );
    in_every_version::<LeaveGroupRequest>(
        &mut desk,
        |version| {
            let member = members[version as usize].clone();
            match version {
                3.. => LeaveGroupRequest {
                    group_id: member_of(version),
                    members: vec![MemberIdentity { member_id: member, ..Default::default() }],
                    ..Default::default()
                },
                _ => LeaveGroupRequest { group_id: member_of(version), member_id: member, ..Default::default() },
            }
        },
        |_, response| assert_eq!(response.error_code, 0),
    );
}

fn join_alone(desk: &mut Desk, group: &str) {
    assert_eq!(desk.call(2, &join(group)).error_code, 0);
}

fn members_of(desk: &mut Desk, group: &str) -> String {
    let mut response = desk.call(5, &DescribeGroupsRequest { groups: vec![group.to_owned()], ..Default::default() });
    response.groups.remove(0).members.remove(0).member_id
}

#[test]
fn every_version_of_offsets_is_answered() {
    let mut desk = Desk::new();
    let id = create(&mut desk, "t", 1).topic_id;
    in_every_version::<FindCoordinatorRequest>(
        &mut desk,
        |version| match version {
            4.. => FindCoordinatorRequest { coordinator_keys: vec!["g".to_owned()], ..Default::default() },
            _ => FindCoordinatorRequest { key: "g".to_owned(), ..Default::default() },
        },
        |version, response| {
            let node = if version >= 4 { response.coordinators[0].node_id } else { response.node_id };
            assert_eq!(node, 1);
        },
    );
    in_every_version::<OffsetCommitRequest>(
        &mut desk,
        |version| {
            let partition = OffsetCommitRequestPartition {
                committed_offset: i64::from(version) * 10,
                committed_metadata: Some("m".to_owned()),
                ..Default::default()
            };
            let by_id = version >= 10;
            let topic = OffsetCommitRequestTopic {
                name: if by_id { String::new() } else { "t".to_owned() },
                topic_id: if by_id { id } else { Default::default() },
                partitions: vec![partition],
            };
            OffsetCommitRequest { group_id: "g".to_owned(), topics: vec![topic], ..Default::default() }
        },
        |_, response| assert_eq!(response.topics[0].partitions[0].error_code, 0),
    );
    in_every_version::<OffsetFetchRequest>(
        &mut desk,
        |version| {
            if version < 8 {
                let topic = OffsetFetchRequestTopic { name: "t".to_owned(), partition_indexes: vec![0, 1] };
                return OffsetFetchRequest {
                    group_id: "g".to_owned(),
                    topics: Some(vec![topic]),
                    ..Default::default()
                };
            }
            let by_id = version >= 10;
            let topic = OffsetFetchRequestTopics {
                name: if by_id { String::new() } else { "t".to_owned() },
                topic_id: if by_id { id } else { Default::default() },
                partition_indexes: vec![0, 1],
            };
            let group = |topics| OffsetFetchRequestGroup { group_id: "g".to_owned(), topics, ..Default::default() };
            OffsetFetchRequest { groups: vec![group(Some(vec![topic])), group(None)], ..Default::default() }
        },
        |version, response| {
            let found: Vec<i64> = match version {
                8.. => response
                    .groups
                    .iter()
                    .flat_map(|group| &group.topics[0].partitions)
                    .map(|p| p.committed_offset)
                    .collect(),
                _ => response.topics[0].partitions.iter().map(|partition| partition.committed_offset).collect(),
            };
            assert_eq!(found[..2], [100, -1]);
            assert!(version < 8 || found[2..] == [100]);
        },
    );
}

#[test]
fn every_version_of_groups_is_answered() {
    let mut desk = Desk::new();
    create(&mut desk, "t", 1);
    commit(&mut desk, "g", "t", 1);
    in_every_version::<DescribeGroupsRequest>(
        &mut desk,
        |_| DescribeGroupsRequest { groups: vec!["g".to_owned(), "none".to_owned()], ..Default::default() },
        |_, response| {
            let states: Vec<&str> = response.groups.iter().map(|group| group.group_state.as_str()).collect();
            assert_eq!(states, ["Empty", "Dead"]);
        },
    );
    in_every_version::<ListGroupsRequest>(
        &mut desk,
        |_| ListGroupsRequest::default(),
        |_, response| assert_eq!(response.groups[0].group_id, "g"),
    );
    in_every_version::<OffsetDeleteRequest>(
        &mut desk,
        |_| {
            let partitions = vec![OffsetDeleteRequestPartition::default()];
            let topics = vec![OffsetDeleteRequestTopic { name: "t".to_owned(), partitions }];
            OffsetDeleteRequest { group_id: "g".to_owned(), topics }
        },
        |_, response| assert_eq!(response.error_code, 0),
    );
    in_every_version::<ConsumerGroupHeartbeatRequest>(
        &mut desk,
        |_| ConsumerGroupHeartbeatRequest { group_id: "g".to_owned(), ..Default::default() },
        |_, response| assert_eq!(response.error_code, ErrorCode::UnsupportedVersion.code()),
    );
    in_every_version::<ConsumerGroupDescribeRequest>(
        &mut desk,
        |_| ConsumerGroupDescribeRequest { group_ids: vec!["g".to_owned()], ..Default::default() },
        |_, response| {
            assert_eq!(response.groups[0].error_code, ErrorCode::GroupIdNotFound.code(), "g is a classic one")
        },
    );
    for version in DeleteGroupsRequest::VERSIONS {
        commit(&mut desk, &format!("delete-{version}"), "t", 1);
    }
    in_every_version::<DeleteGroupsRequest>(
        &mut desk,
        |version| DeleteGroupsRequest { groups_names: vec![format!("delete-{version}"), "none".to_owned()] },
        |_, response| {
            let errors: Vec<i16> = response.results.iter().map(|result| result.error_code).collect();
            assert_eq!(errors, [0, ErrorCode::GroupIdNotFound.code()]);
        },
    );
}

fn commit(desk: &mut Desk, group: &str, topic: &str, offset: i64) -> i16 {
    let partition = OffsetCommitRequestPartition { committed_offset: offset, ..Default::default() };
    let topic = OffsetCommitRequestTopic { name: topic.to_owned(), partitions: vec![partition], ..Default::default() };
    let request = OffsetCommitRequest { group_id: group.to_owned(), topics: vec![topic], ..Default::default() };
    desk.call(8, &request).topics[0].partitions[0].error_code
}

fn committed(desk: &mut Desk, group: &str, topic: &str) -> i64 {
    let topic = OffsetFetchRequestTopic { name: topic.to_owned(), partition_indexes: vec![0] };
    let request = OffsetFetchRequest { group_id: group.to_owned(), topics: Some(vec![topic]), ..Default::default() };
    desk.call(7, &request).topics[0].partitions[0].committed_offset
}

#[test]
fn an_unknown_version_of_api_versions_is_answered_in_the_oldest_form() {
    let mut desk = Desk::new();
    let frame = [0, 18, 0, 99, 0, 0, 0, 77, 0xff, 0xff, 0, 1, 2, 3];
    desk.give(Input::Frame { connection: CLIENT, frame: bytes::Bytes::copy_from_slice(&frame) });
    let response: ApiVersionsResponse = desk.response(CLIENT, 0).unwrap();
    assert_eq!(response.error_code, ErrorCode::UnsupportedVersion.code());
    assert_eq!(response.api_keys[0].api_key, 18);
}

#[test]
fn what_is_not_served_ends_the_connection_and_says_why() {
    let mut desk = Desk::new();
    for (api, version) in [(0, 2), (0, 99), (71, 0), (999, 0), (-1, -1)] {
        let mut frame = Vec::new();
        frame.extend_from_slice(&i16::to_be_bytes(api));
        frame.extend_from_slice(&i16::to_be_bytes(version));
        frame.extend_from_slice(&[0, 0, 0, 77, 0xff, 0xff, 0]);
        desk.give(Input::Frame { connection: CLIENT, frame: frame.into() });
        match desk.answer(CLIENT) {
            Some(Answer::Closed(Offence::Unsupported { .. })) => {}
            other => panic!("{api} {version}: {other:?}"),
        }
    }
}

#[test]
fn transactions_are_refused_at_once() {
    let mut desk = Desk::new();
    create(&mut desk, "t", 1);
    let refused = ErrorCode::TransactionalIdAuthorizationFailed.code();
    let request = InitProducerIdRequest { transactional_id: Some("x".to_owned()), ..Default::default() };
    assert_eq!(desk.call(4, &request).error_code, refused);
    let request = FindCoordinatorRequest { key: "x".to_owned(), key_type: 1, ..Default::default() };
    let response = desk.call(3, &request);
    assert_eq!(response.error_code, refused);
    assert_eq!(response.error_message.as_deref(), Some("this broker does not serve transactions"));
    let mut request = produce_request("t", 0, batch(0, &["a"], None));
    request.transactional_id = Some("x".to_owned());
    assert_eq!(desk.call(9, &request).responses[0].partition_responses[0].error_code, refused);
}

#[test]
fn a_produce_without_acknowledgement_is_not_answered() {
    let mut desk = Desk::new();
    create(&mut desk, "t", 1);
    let mut request = produce_request("t", 0, batch(0, &["a"], None));
    request.acks = 0;
    desk.send(CLIENT, 9, &request);
    assert!(matches!(desk.answer(CLIENT), Some(Answer::Silence)));
    request.topic_data[0].name = "none".to_owned();
    desk.send(CLIENT, 9, &request);
    assert!(matches!(desk.answer(CLIENT), Some(Answer::Closed(Offence::UnacknowledgedProduce))));
    request.acks = 5;
    desk.send(CLIENT, 9, &request);
    let response: ProduceResponse = desk.response(CLIENT, 9).unwrap();
    assert_eq!(response.responses[0].partition_responses[0].error_code, ErrorCode::InvalidRequiredAcks.code());
}

#[test]
fn bad_batches_are_refused_with_the_right_code() {
    let mut desk = Desk::new();
    create_with(&mut desk, "t", 1, &[("max.message.bytes", "200")]);
    let good = batch(0, &["a", "b"], None);
    let changed = |at: usize, to: u8| {
        let mut bytes = good.to_vec();
        bytes[at] = to;
        bytes::Bytes::from(bytes)
    };
    let twice = [&good[..], &good[..]].concat();
    let cases: [(&str, bytes::Bytes, ErrorCode); 7] = [
        ("empty", bytes::Bytes::new(), ErrorCode::InvalidRecord),
        ("cut", good.slice(..good.len() - 1), ErrorCode::InvalidRecord),
        ("two batches", twice.into(), ErrorCode::InvalidRecord),
        ("old format", changed(16, 1), ErrorCode::CorruptMessage),
        ("damaged", changed(good.len() - 1, 0xee), ErrorCode::CorruptMessage),
        ("a gap in its numbers", changed(26, 9), ErrorCode::InvalidRecord),
        ("large", batch(0, &[&"x".repeat(300)], None), ErrorCode::MessageTooLarge),
    ];
    for (name, records, expected) in cases {
        let response = produce(&mut desk, "t", records);
        assert_eq!(ErrorCode::from_i16(response.error_code), expected, "{name}");
    }
    assert_eq!(produce(&mut desk, "t", good).base_offset, 0);
}

#[test]
fn a_topic_made_again_is_another_one() {
    let mut desk = Desk::new();
    let old = create(&mut desk, "t", 1).topic_id;
    produce(&mut desk, "t", batch(0, &["a", "b", "c"], None));
    assert_eq!(commit(&mut desk, "g", "t", 3), 0);
    let request =
        DeleteTopicsRequest { topics: vec![DeleteTopicState { topic_id: old, name: None }], ..Default::default() };
    assert_eq!(desk.call(6, &request).responses[0].error_code, 0);
    let new = create(&mut desk, "t", 1).topic_id;
    assert_ne!(new, old);
    for restarted in [false, true] {
        if restarted {
            desk.restart();
        }
        assert_eq!(committed(&mut desk, "g", "t"), -1);
        let fetch = |topic_id| {
            let partition = FetchPartition { fetch_offset: 3, partition_max_bytes: 1000, ..Default::default() };
            let topic = FetchTopic { topic_id, partitions: vec![partition], ..Default::default() };
            FetchRequest { max_bytes: 1000, topics: vec![topic], ..Default::default() }
        };
        let error = |desk: &mut Desk, id| desk.call(13, &fetch(id)).responses[0].partitions[0].error_code;
        assert_eq!(error(&mut desk, old), ErrorCode::UnknownTopicId.code());
        assert_eq!(error(&mut desk, new), ErrorCode::OffsetOutOfRange.code());
    }
}
