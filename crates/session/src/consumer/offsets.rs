use std::collections::BTreeMap;

use groma_model::{GroupId, Offset, TopicId, TopicPartition};
use groma_rebalance::protocol::CommitFence;
use groma_rebalance::rpc;
use groma_wire::ErrorCode;
use groma_wire::messages::{
    ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic, OffsetCommitRequest, OffsetCommitRequestPartition,
    OffsetCommitRequestTopic, OffsetCommitResponse, OffsetFetchRequest, OffsetFetchRequestGroup,
    OffsetFetchRequestTopics, OffsetFetchResponse,
};

use crate::Reset;
use crate::cluster::Metadata;

/// A partition's committed offset as the coordinator tells it.
pub(super) type CommittedOffset = (TopicPartition, Result<Option<Offset>, ErrorCode>);

pub(super) fn list_request<'a>(asked: impl Iterator<Item = (&'a TopicPartition, Reset)>) -> ListOffsetsRequest {
    let mut topics: BTreeMap<&str, Vec<ListOffsetsPartition>> = BTreeMap::new();
    for (name, reset) in asked {
        let timestamp = if reset == Reset::Latest { LATEST } else { EARLIEST };
        let partition_index = name.partition.0;
        let partition = ListOffsetsPartition { partition_index, timestamp, ..ListOffsetsPartition::default() };
        topics.entry(&name.topic).or_default().push(partition);
    }
    let topic = |(name, partitions): (&str, _)| ListOffsetsTopic { name: name.to_owned(), partitions };
    ListOffsetsRequest {
        replica_id: -1,
        topics: topics.into_iter().map(topic).collect(),
        ..ListOffsetsRequest::default()
    }
}

pub(super) fn fetch_request(group: &GroupId, asked: &[TopicPartition], known: &Metadata) -> OffsetFetchRequest {
    let mut topics: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
    for name in asked {
        topics.entry(&name.topic).or_default().push(name.partition.0);
    }
    let topic = |(name, partition_indexes): (&str, _)| OffsetFetchRequestTopics {
        name: name.to_owned(),
        topic_id: topic_id(known, name),
        partition_indexes,
    };
    let group = OffsetFetchRequestGroup {
        group_id: group.0.clone(),
        topics: Some(topics.into_iter().map(topic).collect()),
        ..OffsetFetchRequestGroup::default()
    };
    OffsetFetchRequest { groups: vec![group], ..OffsetFetchRequest::default() }
}

pub(super) fn fetched(response: OffsetFetchResponse, known: &Metadata) -> Result<Vec<CommittedOffset>, ErrorCode> {
    let mut found = Vec::new();
    for group in response.groups {
        ErrorCode::check(group.error_code)?;
        for topic in group.topics {
            let name = name_of(known, &topic.name, topic.topic_id);
            for partition in topic.partitions {
                let offset = (partition.committed_offset >= 0).then_some(Offset(partition.committed_offset));
                let result = ErrorCode::check(partition.error_code).map(|()| offset);
                found.push((TopicPartition::new(name, partition.partition_index), result));
            }
        }
    }
    Ok(found)
}

pub(super) fn commit_request(
    group: &GroupId,
    fence: &CommitFence,
    offsets: &BTreeMap<TopicPartition, Offset>,
    known: &Metadata,
) -> OffsetCommitRequest {
    let mut topics: BTreeMap<&str, Vec<OffsetCommitRequestPartition>> = BTreeMap::new();
    for (name, offset) in offsets {
        let partition = OffsetCommitRequestPartition {
            partition_index: name.partition.0,
            committed_offset: offset.0,
            ..OffsetCommitRequestPartition::default()
        };
        topics.entry(&name.topic).or_default().push(partition);
    }
    let topic = |(name, partitions): (&str, _)| OffsetCommitRequestTopic {
        name: name.to_owned(),
        topic_id: topic_id(known, name),
        partitions,
    };
    let mut request = OffsetCommitRequest {
        group_id: group.0.clone(),
        topics: topics.into_iter().map(topic).collect(),
        ..OffsetCommitRequest::default()
    };
    rpc::write_commit_fence(fence, &mut request);
    request
}

/// The first error in the answer to a commit, and whose it is.
pub(super) fn commit_error(response: &OffsetCommitResponse, known: &Metadata) -> Option<(TopicPartition, ErrorCode)> {
    response.topics.iter().find_map(|topic| {
        let failed = topic.partitions.iter().find(|p| p.error_code != 0)?;
        let name = name_of(known, &topic.name, topic.topic_id);
        Some((TopicPartition::new(name, failed.partition_index), ErrorCode::from_i16(failed.error_code)))
    })
}

fn topic_id(known: &Metadata, name: &str) -> TopicId {
    known.topic(name).map_or(TopicId::NONE, |topic| topic.id)
}

fn name_of<'a>(known: &'a Metadata, name: &'a str, id: TopicId) -> &'a str {
    if name.is_empty() { known.name(id).unwrap_or_default() } else { name }
}

const LATEST: i64 = -1;
const EARLIEST: i64 = -2;
