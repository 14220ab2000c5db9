use std::collections::BTreeSet;

use groma_model::GroupId;
use groma_rebalance::coordinator::GroupState;
use groma_wire::ErrorCode;
use groma_wire::messages::{
    OffsetDeleteRequest, OffsetDeleteRequestTopic, OffsetDeleteResponse, OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
};

use crate::call::Call;
use crate::groups::{Position, offset_tombstone};
use crate::node::Node;

impl Node {
    pub(super) fn offset_delete(&mut self, call: Call, request: OffsetDeleteRequest) {
        let group = GroupId(request.group_id);
        let response = match self.topics_in_use(&group) {
            Err(error) => OffsetDeleteResponse { error_code: error.code(), ..Default::default() },
            Ok(in_use) => {
                let topics = request.topics.iter().map(|topic| self.delete_offsets(&group, topic, &in_use)).collect();
                OffsetDeleteResponse { topics, ..Default::default() }
            }
        };
        self.answer(call, &response);
    }

    /// The topics whose offsets must stay.
    fn topics_in_use(&self, group: &GroupId) -> Result<BTreeSet<String>, ErrorCode> {
        let known = self.groups.get(group).ok_or(ErrorCode::GroupIdNotFound)?;
        match known.state() {
            GroupState::Empty => Ok(BTreeSet::new()),
            GroupState::Dead => Err(ErrorCode::GroupIdNotFound),
            _ => known.group.subscribed_topics().ok_or(ErrorCode::NonEmptyGroup),
        }
    }

    fn delete_offsets(
        &mut self,
        group: &GroupId,
        asked: &OffsetDeleteRequestTopic,
        in_use: &BTreeSet<String>,
    ) -> OffsetDeleteResponseTopic {
        let topic = self.topics.id(&asked.name);
        let error = match topic {
            None => ErrorCode::UnknownTopicOrPartition,
            Some(_) if in_use.contains(&asked.name) => ErrorCode::GroupSubscribedToTopic,
            Some(_) => ErrorCode::None,
        };
        let indexes = asked.partitions.iter().map(|partition| partition.partition_index);
        if let (ErrorCode::None, Some(topic)) = (error, topic) {
            let mut records = Vec::new();
            for partition in indexes.clone() {
                let known = self.groups.get_mut(group);
                if known.and_then(|known| known.offsets.remove(&Position { topic, partition })).is_some() {
                    records.extend(offset_tombstone(group, &asked.name, partition));
                }
            }
            self.keep_if_possible(group, records);
        }
        let partition = |partition_index| OffsetDeleteResponsePartition { partition_index, error_code: error.code() };
        OffsetDeleteResponseTopic { name: asked.name.clone(), partitions: indexes.map(partition).collect() }
    }
}
