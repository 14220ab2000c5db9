use groma_model::{Generation, GroupId, MemberId};
use groma_wire::messages::{SyncGroupRequest, SyncGroupRequestAssignment, SyncGroupResponse};

use super::error::{error_code, verdict};
use super::text::{instance_id, instance_text};
use crate::protocol::{GroupError, SyncRequest, Synced};

/// Reads a sync.
pub fn sync_request(message: SyncGroupRequest) -> SyncRequest {
    let assignments = message.assignments.into_iter().map(|a| (MemberId(a.member_id), a.assignment));
    SyncRequest {
        member: MemberId(message.member_id),
        instance: instance_id(message.group_instance_id),
        generation: Generation(message.generation_id),
        protocol_type: message.protocol_type,
        protocol: message.protocol_name,
        assignments: assignments.collect(),
    }
}

/// Writes a sync.
pub fn write_sync_request(group: &GroupId, request: &SyncRequest) -> SyncGroupRequest {
    let assignment = |(member, assignment): &(MemberId, bytes::Bytes)| SyncGroupRequestAssignment {
        member_id: member.0.clone(),
        assignment: assignment.clone(),
    };
    SyncGroupRequest {
        group_id: group.0.clone(),
        generation_id: request.generation.0,
        member_id: request.member.0.clone(),
        group_instance_id: instance_text(request.instance.as_ref()),
        protocol_type: request.protocol_type.clone(),
        protocol_name: request.protocol.clone(),
        assignments: request.assignments.iter().map(assignment).collect(),
    }
}

/// Reads the answer to a sync.
///
/// # Errors
/// The coordinator's refusal.
pub fn sync_reply(message: SyncGroupResponse) -> Result<Synced, GroupError> {
    verdict(message.error_code)?;
    Ok(Synced { protocol_type: message.protocol_type, protocol: message.protocol_name, assignment: message.assignment })
}

/// Writes the answer to a sync in the given version.
pub fn write_sync_reply(reply: Result<Synced, GroupError>, version: i16) -> SyncGroupResponse {
    match reply {
        Ok(synced) => SyncGroupResponse {
            protocol_type: synced.protocol_type.filter(|_| version >= 5),
            protocol_name: synced.protocol.filter(|_| version >= 5),
            assignment: synced.assignment,
            ..SyncGroupResponse::default()
        },
        Err(error) => SyncGroupResponse { error_code: error_code(&error).code(), ..SyncGroupResponse::default() },
    }
}
