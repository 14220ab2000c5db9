use groma_model::{Generation, MemberId, Timestamp};
use groma_wire::messages::{GroupMetadataValue, MemberMetadata};

use super::text::{instance_id, instance_text, member_id, member_text, millis, span};
use crate::coordinator::{Client, DurableMember, GroupMetadata};

/// The version of group records that Kafka writes.
pub const GROUP_METADATA_VERSION: i16 = 3;

/// Reads a group record, and when the group entered its state (unknown in old records).
pub fn group_metadata(message: GroupMetadataValue) -> (GroupMetadata, Option<Timestamp>) {
    let since = Some(message.current_state_timestamp).filter(|t| *t >= 0).map(Timestamp);
    let metadata = GroupMetadata {
        protocol_type: Some(message.protocol_type).filter(|t| !t.is_empty()),
        generation: Generation(message.generation),
        protocol: message.protocol,
        leader: message.leader.and_then(member_id),
        members: message.members.into_iter().map(durable_member).collect(),
    };
    (metadata, since)
}

/// Writes a group record, stamped with the time at which the group entered its state.
pub fn write_group_metadata(metadata: &GroupMetadata, since: Timestamp) -> GroupMetadataValue {
    GroupMetadataValue {
        protocol_type: metadata.protocol_type.clone().unwrap_or_default(),
        generation: metadata.generation.0,
        protocol: metadata.protocol.clone(),
        leader: metadata.leader.as_ref().map(|m| member_text(Some(m))),
        current_state_timestamp: since.0,
        members: metadata.members.iter().map(write_member).collect(),
    }
}

fn durable_member(message: MemberMetadata) -> (MemberId, DurableMember) {
    let session_timeout = span(message.session_timeout);
    let patience = if message.rebalance_timeout < 0 { session_timeout } else { span(message.rebalance_timeout) };
    let member = DurableMember {
        instance: instance_id(message.group_instance_id),
        client: Client { id: message.client_id, host: message.client_host },
        rebalance_timeout: patience,
        session_timeout,
        subscription: message.subscription,
        assignment: message.assignment,
    };
    (MemberId(message.member_id), member)
}

fn write_member((id, member): (&MemberId, &DurableMember)) -> MemberMetadata {
    MemberMetadata {
        member_id: id.0.clone(),
        group_instance_id: instance_text(member.instance.as_ref()),
        client_id: member.client.id.clone(),
        client_host: member.client.host.clone(),
        rebalance_timeout: millis(member.rebalance_timeout),
        session_timeout: millis(member.session_timeout),
        subscription: member.subscription.clone(),
        assignment: member.assignment.clone(),
    }
}
