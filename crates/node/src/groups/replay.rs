use bytes::Bytes;
use groma_model::{GroupId, Offset, Timestamp};
use groma_rebalance::coordinator::Group;
use groma_rebalance::rpc::group_metadata;
use groma_wire::messages::{GroupMetadataValue, OffsetCommitKey, OffsetCommitValue};
use groma_wire::records::{Scratch, batches};
use groma_wire::{Data, OffsetsKey};

use super::{CommittedOffset, Position};
use crate::node::Node;

impl Node {
    /// Reads records of `__consumer_offsets` as they were written. What is not understood is passed over, as in Kafka.
    pub(crate) fn replay(&mut self, bytes: &[u8]) {
        let mut scratch = Scratch::default();
        for batch in batches(bytes) {
            let Ok(batch) = batch else { return };
            let Ok(records) = batch.records(&mut scratch) else { continue };
            for record in records.flatten() {
                let key = record.key.map(Bytes::copy_from_slice).and_then(|key| OffsetsKey::from_bytes(key).ok());
                let value = record.value.map(Bytes::copy_from_slice);
                match key {
                    Some(OffsetsKey::OffsetCommit(key)) => self.replay_offset(key, value),
                    Some(OffsetsKey::GroupMetadata(key)) => self.replay_group(GroupId(key.group), value),
                    _ => {}
                }
            }
        }
    }

    /// Brings the groups read to life: those with members are stable, and each member must show life within its session.
    pub(crate) fn restore_groups(&mut self) {
        let (now, config) = (self.now, self.coordinator_config());
        for (id, metadata) in std::mem::take(&mut self.groups.replayed) {
            if let Some(metadata) = metadata {
                self.open_group(&id).group = Group::restore(config.clone(), now, metadata);
            }
        }
        for id in self.groups.ids() {
            self.drive(&id);
        }
    }

    fn replay_offset(&mut self, key: OffsetCommitKey, value: Option<Bytes>) {
        let group = GroupId(key.group);
        let value = value.and_then(|value| OffsetCommitValue::from_bytes(value).ok());
        let topic = match &value {
            Some(value) if value.topic_id.is_some() => self.topics.get(value.topic_id),
            _ => self.topics.named(&key.topic),
        };
        let Some(topic) = topic else { return };
        let position = Position { topic: topic.id, partition: key.partition };
        match value {
            None => {
                if let Some(known) = self.groups.get_mut(&group) {
                    known.offsets.remove(&position);
                }
            }
            Some(value) => {
                let committed = CommittedOffset {
                    offset: Offset(value.offset),
                    leader_epoch: Some(value.leader_epoch).filter(|epoch| *epoch >= 0),
                    metadata: value.metadata,
                    at: Timestamp(value.commit_timestamp),
                };
                self.open_group(&group).offsets.insert(position, committed);
            }
        }
    }

    fn replay_group(&mut self, id: GroupId, value: Option<Bytes>) {
        let value = value.and_then(|value| GroupMetadataValue::from_bytes(value).ok());
        self.groups.replayed.insert(id, value.map(|value| group_metadata(value).0));
    }
}
