//! What the records of a group whose coordinator shares out (KIP-848) say.

use std::collections::BTreeMap;

use bytes::Bytes;
use groma_model::{TopicId, TopicPartition};
use groma_wire::messages::{
    ConsumerGroupCurrentMemberAssignmentValue, ConsumerGroupCurrentMemberAssignmentValueTopicPartitions,
    ConsumerGroupMemberMetadataValue, ConsumerGroupMetadataValue, ConsumerGroupTargetAssignmentMemberValue,
    ConsumerGroupTargetAssignmentMetadataValue,
};
use groma_wire::{Data, OffsetsKey};

use crate::events::Said;
use crate::{Progress, Removal, Seat, What};

/// Topics' names by their ids: these records name topics by ids alone.
pub type TopicNames = BTreeMap<TopicId, String>;

/// What a record says of `group`; nothing where it is of another group, of another kind, or cannot be read.
pub(crate) fn said(group: &str, names: &TopicNames, key: OffsetsKey, value: Option<Bytes>) -> Option<Said> {
    Some(match key {
        OffsetsKey::EpochOfGroup(key) if key.group_id == group => match value {
            None => (None, What::Forgotten),
            Some(value) => (None, What::Epoch { epoch: ConsumerGroupMetadataValue::from_bytes(value).ok()?.epoch }),
        },
        OffsetsKey::Member(key) if key.group_id == group => match value {
            None => (Some(key.member_id), What::Removed { cause: Removal::NotKnown }),
            Some(value) => {
                let value = ConsumerGroupMemberMetadataValue::from_bytes(value).ok()?;
                (Some(key.member_id.clone()), enrolled(key.member_id, value))
            }
        },
        OffsetsKey::EpochOfTarget(key) if key.group_id == group => {
            let value = ConsumerGroupTargetAssignmentMetadataValue::from_bytes(value?).ok()?;
            (None, What::Decided { epoch: value.assignment_epoch })
        }
        OffsetsKey::TargetOfMember(key) if key.group_id == group => {
            let value = ConsumerGroupTargetAssignmentMemberValue::from_bytes(value?).ok()?;
            let parts = value.topic_partitions.iter().map(|part| (part.topic_id, &part.partitions));
            (Some(key.member_id), What::Target { resources: named(names, parts) })
        }
        OffsetsKey::CurrentOfMember(key) if key.group_id == group => {
            let value = ConsumerGroupCurrentMemberAssignmentValue::from_bytes(value?).ok()?;
            (Some(key.member_id), holds(names, &value)?)
        }
        _ => return None,
    })
}

/// The topics that a record names by ids: what [`of_record`](crate::of_record) needs the names of.
pub fn topics_in_record(key: &[u8], value: Option<&[u8]>) -> Vec<TopicId> {
    ids(key, value).unwrap_or_default()
}

fn ids(key: &[u8], value: Option<&[u8]>) -> Option<Vec<TopicId>> {
    let value = Bytes::copy_from_slice(value?);
    Some(match OffsetsKey::from_bytes(Bytes::copy_from_slice(key)).ok()? {
        OffsetsKey::TargetOfMember(_) => {
            let value = ConsumerGroupTargetAssignmentMemberValue::from_bytes(value).ok()?;
            value.topic_partitions.iter().map(|part| part.topic_id).collect()
        }
        OffsetsKey::CurrentOfMember(_) => {
            let value = ConsumerGroupCurrentMemberAssignmentValue::from_bytes(value).ok()?;
            let parts = value.assigned_partitions.iter().chain(&value.partitions_pending_revocation);
            parts.map(|part| part.topic_id).collect()
        }
        _ => Vec::new(),
    })
}

fn enrolled(member: String, value: ConsumerGroupMemberMetadataValue) -> What {
    let classic = value.classic_member_metadata.map(|classic| classic.session_timeout_ms);
    let mut topics = value.subscribed_topic_names;
    let pattern = value.subscribed_topic_regex.filter(|pattern| !pattern.is_empty());
    topics.extend(pattern.map(|pattern| format!("=~{pattern}")));
    let seat = Seat {
        member,
        instance: value.instance_id,
        client: value.client_id,
        host: value.client_host,
        session_timeout_ms: classic.and_then(|ms| u64::try_from(ms).ok()),
        ours: None,
        topics: Some(topics),
        assigned: None,
    };
    What::Enrolled { seat, assignor: value.server_assignor.filter(|name| !name.is_empty()) }
}

fn holds(names: &TopicNames, value: &ConsumerGroupCurrentMemberAssignmentValue) -> Option<What> {
    let progress = match (value.member_epoch, value.state) {
        (STATIC_MEMBER_AWAY, _) => Progress::Away,
        (_, STABLE) => Progress::AtTarget,
        (_, UNREVOKED_PARTITIONS) => Progress::GivingUp,
        (_, UNRELEASED_PARTITIONS) => Progress::Waiting,
        _ => return None,
    };
    let parts = |parts: &[ConsumerGroupCurrentMemberAssignmentValueTopicPartitions]| {
        named(names, parts.iter().map(|part| (part.topic_id, &part.partitions)))
    };
    let (assigned, revoking) = (parts(&value.assigned_partitions), parts(&value.partitions_pending_revocation));
    Some(What::Holds { epoch: value.member_epoch, progress, assigned, revoking })
}

/// Partitions by the names of their topics, in order; those of topics without a known name, such as deleted ones, by the
/// id.
fn named<'a>(names: &TopicNames, parts: impl Iterator<Item = (TopicId, &'a Vec<i32>)>) -> Vec<String> {
    let each = parts.flat_map(|(topic, numbers)| {
        let name = names.get(&topic).cloned().unwrap_or_else(|| topic.to_string());
        numbers.iter().map(move |number| TopicPartition::new(&name, *number))
    });
    let mut partitions: Vec<TopicPartition> = each.collect();
    partitions.sort_unstable();
    partitions.iter().map(ToString::to_string).collect()
}

/// Kafka's `MemberState`.
const STABLE: i8 = 0;
const UNREVOKED_PARTITIONS: i8 = 1;
const UNRELEASED_PARTITIONS: i8 = 2;
/// The epoch of a static member that said goodbye, and whose place is kept.
const STATIC_MEMBER_AWAY: i32 = -2;
