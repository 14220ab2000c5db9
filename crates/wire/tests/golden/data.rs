use groma_model::TopicId;
use groma_wire::messages::*;

use super::{ID, batch, check, text};

#[test]
fn produce_requests() {
    let sent = |version| ProduceRequest {
        transactional_id: text("tx"),
        acks: -1,
        timeout_ms: 30_000,
        topic_data: vec![TopicProduceData {
            name: if version < 13 { "topic".to_owned() } else { String::new() },
            topic_id: if version < 13 { TopicId::NONE } else { ID },
            partition_data: vec![
                PartitionProduceData { index: 4, records: batch() },
                PartitionProduceData { index: 5, records: None },
            ],
        }],
    };
    check(sent, |_, value| value);
}

#[test]
fn produce_responses() {
    check(produce_response, |version, mut value| {
        let topic = &mut value.responses[0];
        name_or_id(version, &mut topic.name, &mut topic.topic_id);
        let partition = &mut topic.partition_responses[0];
        partition.log_start_offset = if version >= 5 { 5 } else { -1 };
        if version < 8 {
            partition.error_message = None;
            partition.record_errors.clear();
        }
        value
    });
}

fn produce_response(version: i16) -> ProduceResponse {
    let leader = ProduceResponseLeaderIdAndEpoch { leader_id: 2, leader_epoch: 9 };
    let node = ProduceResponseNodeEndpoint { node_id: 2, host: "host".to_owned(), port: 9092, rack: text("r") };
    ProduceResponse {
        throttle_time_ms: 7,
        responses: vec![TopicProduceResponse {
            name: "topic".to_owned(),
            topic_id: ID,
            partition_responses: vec![PartitionProduceResponse {
                index: 4,
                error_code: 6,
                base_offset: 77,
                log_append_time_ms: 88,
                log_start_offset: 5,
                record_errors: vec![BatchIndexAndErrorMessage {
                    batch_index: 2,
                    batch_index_error_message: text("bad"),
                }],
                error_message: text("moved"),
                current_leader: if version >= 10 { leader } else { ProduceResponseLeaderIdAndEpoch::default() },
            }],
        }],
        node_endpoints: if version >= 10 { vec![node] } else { vec![] },
    }
}

/// Since version 13 Produce and Fetch carry the id, before it the name.
fn name_or_id(version: i16, name: &mut String, id: &mut TopicId) {
    if version >= 13 { name.clear() } else { *id = TopicId::NONE }
}

#[test]
fn fetch_requests() {
    check(fetch_request, |version, mut value| {
        let partition = &mut value.topics[0].partitions[0];
        partition.current_leader_epoch = if version >= 9 { 9 } else { -1 };
        if version < 7 {
            (value.session_id, value.session_epoch) = (0, -1);
        }
        if version < 11 {
            value.rack_id.clear();
        }
        value
    });
}

fn fetch_request(version: i16) -> FetchRequest {
    let by_name = |name: &str| if version < 13 { name.to_owned() } else { String::new() };
    let topic_id = if version < 13 { TopicId::NONE } else { ID };
    let forgotten = ForgottenTopic { topic: by_name("gone"), topic_id, partitions: vec![1, 2] };
    FetchRequest {
        cluster_id: text("cluster").filter(|_| version >= 12),
        max_wait_ms: 500,
        min_bytes: 1,
        max_bytes: 52_428_800,
        isolation_level: 1,
        session_id: 11,
        session_epoch: 12,
        topics: vec![FetchTopic {
            topic: by_name("topic"),
            topic_id,
            partitions: vec![FetchPartition {
                partition: 4,
                current_leader_epoch: 9,
                fetch_offset: 1 << 40,
                last_fetched_epoch: if version >= 12 { 8 } else { -1 },
                partition_max_bytes: 1_048_576,
                ..FetchPartition::default()
            }],
        }],
        forgotten_topics_data: if version >= 7 { vec![forgotten] } else { vec![] },
        rack_id: "rack".to_owned(),
        ..FetchRequest::default()
    }
}

#[test]
fn fetch_responses() {
    check(fetch_response, |version, mut value| {
        value.error_code = if version >= 7 { 70 } else { 0 };
        let topic = &mut value.responses[0];
        name_or_id(version, &mut topic.topic, &mut topic.topic_id);
        topic.partitions[0].log_start_offset = if version >= 5 { 5 } else { -1 };
        value
    });
}

fn fetch_response(version: i16) -> FetchResponse {
    let mut partition = PartitionData {
        partition_index: 4,
        error_code: 6,
        high_watermark: 100,
        last_stable_offset: 99,
        log_start_offset: 5,
        aborted_transactions: Some(vec![AbortedTransaction { producer_id: 1000, first_offset: 50 }]),
        preferred_read_replica: if version >= 11 { 3 } else { -1 },
        records: batch(),
        ..PartitionData::default()
    };
    if version >= 12 {
        partition.current_leader = FetchResponseLeaderIdAndEpoch { leader_id: 2, leader_epoch: 9 };
        partition.diverging_epoch = EpochEndOffset { epoch: 8, end_offset: 60 };
    }
    FetchResponse {
        throttle_time_ms: 7,
        error_code: 70,
        session_id: if version >= 7 { 11 } else { 0 },
        responses: vec![FetchableTopicResponse {
            topic: "topic".to_owned(),
            topic_id: ID,
            partitions: vec![partition],
        }],
        node_endpoints: vec![],
    }
}
