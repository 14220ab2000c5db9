use groma_model::{Generation, GroupId, MemberId};
use groma_wire::messages::{HeartbeatRequest as Message, HeartbeatResponse};

use super::error::{verdict, verdict_code};
use super::text::{instance_id, instance_text};
use crate::protocol::{GroupError, HeartbeatRequest};

/// Reads a heartbeat.
pub fn heartbeat_request(message: Message) -> HeartbeatRequest {
    HeartbeatRequest {
        member: MemberId(message.member_id),
        instance: instance_id(message.group_instance_id),
        generation: Generation(message.generation_id),
    }
}

/// Writes a heartbeat.
pub fn write_heartbeat_request(group: &GroupId, request: &HeartbeatRequest) -> Message {
    Message {
        group_id: group.0.clone(),
        generation_id: request.generation.0,
        member_id: request.member.0.clone(),
        group_instance_id: instance_text(request.instance.as_ref()),
    }
}

/// Reads the answer to a heartbeat.
///
/// # Errors
/// The coordinator's refusal.
pub fn heartbeat_reply(message: &HeartbeatResponse) -> Result<(), GroupError> {
    verdict(message.error_code)
}

/// Writes the answer to a heartbeat.
pub fn write_heartbeat_reply(reply: &Result<(), GroupError>) -> HeartbeatResponse {
    HeartbeatResponse { error_code: verdict_code(reply), ..HeartbeatResponse::default() }
}
