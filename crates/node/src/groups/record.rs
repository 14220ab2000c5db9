use bytes::Bytes;
use groma_model::{GroupId, Timestamp};
use groma_rebalance::coordinator::GroupRecord;
use groma_rebalance::rpc::{GROUP_METADATA_VERSION, write_group_metadata};
use groma_wire::messages::{GroupMetadataKey, OffsetCommitKey, OffsetCommitValue};
use groma_wire::{Data, OffsetsKey};

use super::{CommittedOffset, Position};

/// A record of `__consumer_offsets`; one without a value says that its key is no more.
#[derive(Clone, Debug)]
pub(crate) struct KeptRecord {
    pub(super) key: Bytes,
    pub(super) value: Option<Bytes>,
}

/// The version of offset records that carries the topic's id.
const OFFSET_COMMIT_VERSION: i16 = 4;

/// A group's record; nothing when a name is too long to be written.
pub(super) fn group_record(id: &GroupId, record: &GroupRecord, since: Timestamp) -> Option<KeptRecord> {
    let value = match record {
        GroupRecord::Metadata(metadata) => {
            Some(write_group_metadata(metadata, since).to_bytes(GROUP_METADATA_VERSION).ok()?)
        }
        GroupRecord::Tombstone => None,
    };
    Some(KeptRecord { key: group_key(id)?, value })
}

/// Says that a group is no more.
pub(crate) fn group_tombstone(id: &GroupId) -> Option<KeptRecord> {
    Some(KeptRecord { key: group_key(id)?, value: None })
}

/// A committed offset's record.
pub(crate) fn offset_record(
    id: &GroupId,
    topic: &str,
    position: Position,
    committed: &CommittedOffset,
) -> Option<KeptRecord> {
    let value = OffsetCommitValue {
        offset: committed.offset.0,
        leader_epoch: committed.leader_epoch.unwrap_or(-1),
        metadata: committed.metadata.clone(),
        commit_timestamp: committed.at.0,
        topic_id: position.topic,
        ..Default::default()
    };
    let value = value.to_bytes(OFFSET_COMMIT_VERSION).ok()?;
    Some(KeptRecord { key: offset_key(id, topic, position.partition)?, value: Some(value) })
}

/// Says that a group has no offset of a partition any more.
pub(crate) fn offset_tombstone(id: &GroupId, topic: &str, partition: i32) -> Option<KeptRecord> {
    Some(KeptRecord { key: offset_key(id, topic, partition)?, value: None })
}

fn group_key(id: &GroupId) -> Option<Bytes> {
    OffsetsKey::GroupMetadata(GroupMetadataKey { group: id.0.clone() }).to_bytes().ok()
}

fn offset_key(id: &GroupId, topic: &str, partition: i32) -> Option<Bytes> {
    let key = OffsetCommitKey { group: id.0.clone(), topic: topic.to_owned(), partition };
    OffsetsKey::OffsetCommit(key).to_bytes().ok()
}
