use bytes::Bytes;
use groma_model::TopicId;
use groma_wire::OffsetsKey;
use groma_wire::messages::*;

use super::{ID, check_data, text};

#[test]
fn subscriptions() {
    let value = ConsumerProtocolSubscription {
        topics: vec!["t1".to_owned(), "t2".to_owned()],
        user_data: Some(Bytes::from_static(b"user")),
        owned_partitions: vec![ConsumerProtocolSubscriptionTopicPartition {
            topic: "t1".to_owned(),
            partitions: vec![0, 2],
        }],
        generation_id: 3,
        rack_id: text("rack"),
    };
    check_data(&value, |version| ConsumerProtocolSubscription {
        owned_partitions: if version >= 1 { value.owned_partitions.clone() } else { vec![] },
        generation_id: if version >= 2 { 3 } else { -1 },
        rack_id: text("rack").filter(|_| version >= 3),
        ..value.clone()
    });
}

#[test]
fn assignments() {
    let value = ConsumerProtocolAssignment {
        assigned_partitions: vec![ConsumerProtocolAssignmentTopicPartition {
            topic: "t1".to_owned(),
            partitions: vec![0, 2],
        }],
        user_data: None,
    };
    check_data(&value, |_| value.clone());
}

#[test]
fn groups() {
    let value = GroupMetadataValue {
        protocol_type: "consumer".to_owned(),
        generation: 3,
        protocol: text("range"),
        leader: text("member-1"),
        current_state_timestamp: 1_700_000_000_000,
        members: vec![MemberMetadata {
            member_id: "member-1".to_owned(),
            group_instance_id: text("instance"),
            client_id: "client".to_owned(),
            client_host: "/127.0.0.1".to_owned(),
            rebalance_timeout: 300_000,
            session_timeout: 45_000,
            subscription: Bytes::from_static(b"m1"),
            assignment: Bytes::from_static(b"a1"),
        }],
    };
    check_data(&value, |version| {
        let mut value = value.clone();
        value.current_state_timestamp = if version >= 2 { 1_700_000_000_000 } else { -1 };
        value.members[0].group_instance_id = text("instance").filter(|_| version >= 3);
        value.members[0].rebalance_timeout = if version >= 1 { 300_000 } else { -1 };
        value
    });
}

#[test]
fn offsets() {
    let value = OffsetCommitValue {
        offset: 1 << 40,
        leader_epoch: 9,
        metadata: "note".to_owned(),
        commit_timestamp: 1_700_000_000_000,
        expire_timestamp: 1_700_000_001_000,
        topic_id: ID,
    };
    check_data(&value, |version| OffsetCommitValue {
        leader_epoch: if version >= 3 { 9 } else { -1 },
        expire_timestamp: if version == 1 { 1_700_000_001_000 } else { -1 },
        topic_id: if version >= 4 { ID } else { TopicId::NONE },
        ..value.clone()
    });
}

#[test]
fn keys() {
    let group = GroupMetadataKey { group: "group".to_owned() };
    let offset = OffsetCommitKey { group: "group".to_owned(), topic: "topic".to_owned(), partition: 4 };
    check_data(&group, |_| group.clone());
    check_data(&offset, |_| offset.clone());
    let (group_id, member_id) = ("group".to_owned(), "member".to_owned());
    let epoch = ConsumerGroupMetadataKey { group_id: group_id.clone() };
    let member = ConsumerGroupMemberMetadataKey { group_id: group_id.clone(), member_id: member_id.clone() };
    let decided = ConsumerGroupTargetAssignmentMetadataKey { group_id: group_id.clone() };
    let target = ConsumerGroupTargetAssignmentMemberKey { group_id: group_id.clone(), member_id: member_id.clone() };
    let current = ConsumerGroupCurrentMemberAssignmentKey { group_id, member_id };
    for (kind, key) in [
        (1, OffsetsKey::OffsetCommit(offset)),
        (2, OffsetsKey::GroupMetadata(group)),
        (3, OffsetsKey::EpochOfGroup(epoch)),
        (5, OffsetsKey::Member(member)),
        (6, OffsetsKey::EpochOfTarget(decided)),
        (7, OffsetsKey::TargetOfMember(target)),
        (8, OffsetsKey::CurrentOfMember(current)),
    ] {
        let bytes = key.to_bytes().expect("short names");
        assert_eq!(bytes[..2], [0, kind]);
        assert_eq!(OffsetsKey::from_bytes(bytes), Ok(key));
    }
}
