use std::collections::BTreeMap;

use groma_model::{GroupId, TopicId};
use groma_wire::ErrorCode;
use groma_wire::messages::{
    OffsetFetchRequest, OffsetFetchRequestGroup, OffsetFetchRequestTopics, OffsetFetchResponse,
    OffsetFetchResponseGroup, OffsetFetchResponsePartition, OffsetFetchResponsePartitions, OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
};

use crate::call::Call;
use crate::groups::{CommittedOffset, Position};
use crate::node::Node;

/// The first version that asks for several groups at once.
const SEVERAL: i16 = 8;
/// The first version that names topics by id.
const BY_ID: i16 = 10;

impl Node {
    pub(super) fn offset_fetch(&mut self, call: Call, request: OffsetFetchRequest) {
        let response = if call.version >= SEVERAL {
            let groups = request.groups.into_iter().map(|group| self.fetched_offsets(&call, group)).collect();
            OffsetFetchResponse { groups, ..Default::default() }
        } else {
            let named = |topic: groma_wire::messages::OffsetFetchRequestTopic| OffsetFetchRequestTopics {
                name: topic.name,
                partition_indexes: topic.partition_indexes,
                ..Default::default()
            };
            let topics = request.topics.map(|topics| topics.into_iter().map(named).collect());
            let group = OffsetFetchRequestGroup { group_id: request.group_id, topics, ..Default::default() };
            single(self.fetched_offsets(&call, group))
        };
        self.answer(call, &response);
    }

    fn fetched_offsets(&self, call: &Call, asked: OffsetFetchRequestGroup) -> OffsetFetchResponseGroup {
        let id = GroupId(asked.group_id);
        let topics = match asked.topics {
            None => self.all_offsets(call, &id),
            Some(topics) => topics.into_iter().map(|topic| self.offsets_in(call, &id, topic)).collect(),
        };
        let error = if id.0.is_empty() { ErrorCode::InvalidGroupId } else { ErrorCode::None };
        OffsetFetchResponseGroup { group_id: id.0, topics, error_code: error.code() }
    }

    fn offsets_in(&self, call: &Call, id: &GroupId, asked: OffsetFetchRequestTopics) -> OffsetFetchResponseTopics {
        let topic = match call.version {
            BY_ID.. => self.topics.get(asked.topic_id).map(|topic| topic.id),
            _ => self.topics.id(&asked.name),
        };
        let unknown = call.version >= BY_ID && topic.is_none();
        let partition = |index: i32| {
            let position = topic.map(|topic| Position { topic, partition: index });
            let committed = position.and_then(|position| self.groups.get(id)?.offsets.get(&position));
            let mut found = fetched(index, committed);
            if unknown {
                found.error_code = ErrorCode::UnknownTopicId.code();
            }
            found
        };
        OffsetFetchResponseTopics {
            partitions: asked.partition_indexes.into_iter().map(partition).collect(),
            name: asked.name,
            topic_id: asked.topic_id,
        }
    }

    fn all_offsets(&self, call: &Call, id: &GroupId) -> Vec<OffsetFetchResponseTopics> {
        let Some(group) = self.groups.get(id) else { return Vec::new() };
        let mut by_topic: BTreeMap<TopicId, Vec<OffsetFetchResponsePartitions>> = BTreeMap::new();
        for (position, committed) in &group.offsets {
            by_topic.entry(position.topic).or_default().push(fetched(position.partition, Some(committed)));
        }
        let named = |(topic, partitions)| {
            let known = self.topics.get(topic)?;
            let by_id = call.version >= BY_ID;
            let name = if by_id { String::new() } else { known.name.clone() };
            let topic_id = if by_id { topic } else { TopicId::NONE };
            Some(OffsetFetchResponseTopics { name, topic_id, partitions })
        };
        by_topic.into_iter().filter_map(named).collect()
    }
}

fn fetched(partition_index: i32, committed: Option<&CommittedOffset>) -> OffsetFetchResponsePartitions {
    OffsetFetchResponsePartitions {
        partition_index,
        committed_offset: committed.map_or(-1, |committed| committed.offset.0),
        committed_leader_epoch: committed.and_then(|committed| committed.leader_epoch).unwrap_or(-1),
        metadata: Some(committed.map_or_else(String::new, |committed| committed.metadata.clone())),
        error_code: ErrorCode::None.code(),
    }
}

/// The answer of the versions that ask for one group.
fn single(group: OffsetFetchResponseGroup) -> OffsetFetchResponse {
    let partition = |partition: OffsetFetchResponsePartitions| OffsetFetchResponsePartition {
        partition_index: partition.partition_index,
        committed_offset: partition.committed_offset,
        committed_leader_epoch: partition.committed_leader_epoch,
        metadata: partition.metadata,
        error_code: partition.error_code,
    };
    let topic = |topic: OffsetFetchResponseTopics| OffsetFetchResponseTopic {
        name: topic.name,
        partitions: topic.partitions.into_iter().map(partition).collect(),
    };
    OffsetFetchResponse {
        topics: group.topics.into_iter().map(topic).collect(),
        error_code: group.error_code,
        ..Default::default()
    }
}
