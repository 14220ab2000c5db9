use groma_model::TopicId;
use groma_wire::messages::*;

use super::{ID, check, text};

#[test]
fn offset_commit_requests() {
    let sent = |version| OffsetCommitRequest {
        group_id: "group".to_owned(),
        generation_id_or_member_epoch: 3,
        member_id: "member-1".to_owned(),
        group_instance_id: text("instance").filter(|_| version >= 7),
        retention_time_ms: 1000,
        topics: vec![OffsetCommitRequestTopic {
            name: "topic".to_owned(),
            topic_id: ID,
            partitions: vec![OffsetCommitRequestPartition {
                partition_index: 4,
                committed_offset: 1 << 40,
                committed_leader_epoch: 9,
                committed_metadata: text("note"),
            }],
        }],
    };
    check(sent, |version, mut value| {
        value.retention_time_ms = if version <= 4 { 1000 } else { -1 };
        value.topics[0].partitions[0].committed_leader_epoch = if version >= 6 { 9 } else { -1 };
        let topic = &mut value.topics[0];
        name_or_id(version, &mut topic.name, &mut topic.topic_id);
        value
    });
}

/// Since version 10 the offset APIs carry the id, before it the name.
fn name_or_id(version: i16, name: &mut String, id: &mut TopicId) {
    if version >= 10 { name.clear() } else { *id = TopicId::NONE }
}

#[test]
fn offset_fetch_requests() {
    let old = |version| OffsetFetchRequest {
        group_id: "group".to_owned(),
        topics: Some(vec![OffsetFetchRequestTopic { name: "topic".to_owned(), partition_indexes: vec![0, 1, 2] }]),
        require_stable: version >= 7,
        ..OffsetFetchRequest::default()
    };
    let new = |version| OffsetFetchRequest {
        groups: vec![OffsetFetchRequestGroup {
            group_id: "group".to_owned(),
            member_id: text("member-1").filter(|_| version >= 9),
            member_epoch: if version >= 9 { 3 } else { -1 },
            topics: Some(vec![OffsetFetchRequestTopics {
                name: "topic".to_owned(),
                topic_id: ID,
                partition_indexes: vec![0, 1, 2],
            }]),
        }],
        require_stable: true,
        ..OffsetFetchRequest::default()
    };
    check(
        |version| if version < 8 { old(version) } else { new(version) },
        |version, mut value| {
            for topic in value.groups.iter_mut().flat_map(|group| group.topics.iter_mut().flatten()) {
                name_or_id(version, &mut topic.name, &mut topic.topic_id);
            }
            value
        },
    );
}

#[test]
fn offset_fetch_responses() {
    let expected = |version: i16, mut value: OffsetFetchResponse| {
        value.throttle_time_ms = if version >= 3 { 7 } else { 0 };
        value.error_code = if version >= 2 { value.error_code } else { 0 };
        for partition in value.topics.iter_mut().flat_map(|topic| &mut topic.partitions) {
            partition.committed_leader_epoch = if version >= 5 { 9 } else { -1 };
        }
        for topic in value.groups.iter_mut().flat_map(|group| &mut group.topics) {
            name_or_id(version, &mut topic.name, &mut topic.topic_id);
        }
        value
    };
    check(|version| if version < 8 { old_offsets() } else { new_offsets() }, expected);
}

fn old_offsets() -> OffsetFetchResponse {
    OffsetFetchResponse {
        throttle_time_ms: 7,
        error_code: 16,
        topics: vec![OffsetFetchResponseTopic {
            name: "topic".to_owned(),
            partitions: vec![OffsetFetchResponsePartition {
                partition_index: 4,
                committed_offset: 1 << 40,
                committed_leader_epoch: 9,
                metadata: text("note"),
                error_code: 3,
            }],
        }],
        ..OffsetFetchResponse::default()
    }
}

fn new_offsets() -> OffsetFetchResponse {
    OffsetFetchResponse {
        throttle_time_ms: 7,
        groups: vec![OffsetFetchResponseGroup {
            group_id: "group".to_owned(),
            topics: vec![OffsetFetchResponseTopics {
                name: "topic".to_owned(),
                topic_id: ID,
                partitions: vec![OffsetFetchResponsePartitions {
                    partition_index: 4,
                    committed_offset: 1 << 40,
                    committed_leader_epoch: 9,
                    metadata: None,
                    error_code: 3,
                }],
            }],
            error_code: 16,
        }],
        ..OffsetFetchResponse::default()
    }
}

#[test]
fn find_coordinator_requests() {
    let sent = |version| FindCoordinatorRequest {
        key: if version < 4 { "group".to_owned() } else { String::new() },
        key_type: i8::from(version >= 1),
        coordinator_keys: if version < 4 { vec![] } else { vec!["group".to_owned()] },
    };
    check(sent, |_, value| value);
}

#[test]
fn list_offsets_requests() {
    let sent = |version| ListOffsetsRequest {
        replica_id: -1,
        isolation_level: i8::from(version >= 2),
        topics: vec![ListOffsetsTopic {
            name: "topic".to_owned(),
            partitions: vec![ListOffsetsPartition { partition_index: 4, current_leader_epoch: 9, timestamp: -2 }],
        }],
        timeout_ms: 1500,
    };
    check(sent, |version, mut value| {
        value.topics[0].partitions[0].current_leader_epoch = if version >= 4 { 9 } else { -1 };
        value.timeout_ms = if version >= 10 { 1500 } else { 0 };
        value
    });
}
