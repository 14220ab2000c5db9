use groma_model::TopicId;
use groma_wire::messages::*;

use super::{ID, check, text};

#[test]
fn api_versions_requests() {
    let sent = |_| ApiVersionsRequest {
        client_software_name: "groma".to_owned(),
        client_software_version: "1.0".to_owned(),
        ..ApiVersionsRequest::default()
    };
    check(sent, |version, value| if version >= 3 { value } else { ApiVersionsRequest::default() });
}

#[test]
fn api_versions_responses() {
    let sent = |_| ApiVersionsResponse {
        error_code: 35,
        api_keys: vec![
            ApiVersion { api_key: 0, min_version: 0, max_version: 13 },
            ApiVersion { api_key: 18, min_version: 0, max_version: 5 },
        ],
        throttle_time_ms: 7,
        finalized_features_epoch: 21,
        finalized_features: vec![FinalizedFeatureKey {
            name: "group.version".to_owned(),
            min_version_level: 0,
            max_version_level: 1,
        }],
        ..ApiVersionsResponse::default()
    };
    check(sent, |version, mut value| {
        value.throttle_time_ms = if version >= 1 { 7 } else { 0 };
        if version < 3 {
            value.finalized_features_epoch = -1;
            value.finalized_features.clear();
        }
        value
    });
}

#[test]
fn metadata_requests() {
    let sent = |version| MetadataRequest {
        topics: Some(vec![MetadataRequestTopic {
            topic_id: if version >= 10 { ID } else { TopicId::NONE },
            name: text("topic"),
        }]),
        allow_auto_topic_creation: version < 4,
        include_topic_authorized_operations: version >= 8,
        ..MetadataRequest::default()
    };
    check(sent, |_, value| value);
}

#[test]
fn metadata_responses() {
    check(
        |_| metadata_response(),
        |version, mut value| {
            value.throttle_time_ms = if version >= 3 { 7 } else { 0 };
            value.cluster_id = value.cluster_id.filter(|_| version >= 2);
            value.controller_id = if version >= 1 { 1 } else { -1 };
            value.brokers[0].rack = text("rack").filter(|_| version >= 1);
            let topic = &mut value.topics[0];
            topic.topic_id = if version >= 10 { ID } else { TopicId::NONE };
            topic.is_internal = version >= 1;
            topic.partitions[0].leader_epoch = if version >= 7 { 9 } else { -1 };
            topic.partitions[0].offline_replicas = if version >= 5 { vec![2] } else { vec![] };
            value
        },
    );
}

fn metadata_response() -> MetadataResponse {
    MetadataResponse {
        throttle_time_ms: 7,
        brokers: vec![MetadataResponseBroker { node_id: 1, host: "host".to_owned(), port: 9092, rack: text("rack") }],
        cluster_id: text("cluster"),
        controller_id: 1,
        topics: vec![MetadataResponseTopic {
            error_code: 3,
            name: text("topic"),
            topic_id: ID,
            is_internal: true,
            partitions: vec![MetadataResponsePartition {
                error_code: 5,
                partition_index: 4,
                leader_id: 1,
                leader_epoch: 9,
                replica_nodes: vec![1, 2],
                isr_nodes: vec![1],
                offline_replicas: vec![2],
            }],
            ..MetadataResponseTopic::default()
        }],
        ..MetadataResponse::default()
    }
}
