use groma_model::GroupId;
use groma_wire::messages::{LeaveGroupRequest, LeaveGroupResponse, MemberIdentity, MemberResponse};

use super::error::{verdict, verdict_code};
use super::text::{instance_id, instance_text, member_id, member_text, reason_text};
use crate::protocol::{GroupError, LeaveReply, LeaveRequest, Leaver};

/// Reads a leave; before version 3 it names one member.
pub fn leave_request(message: LeaveGroupRequest, version: i16) -> LeaveRequest {
    if version < 3 {
        let leaver = Leaver { member: member_id(message.member_id), instance: None, reason: None };
        return LeaveRequest { leavers: vec![leaver] };
    }
    let leaver = |m: MemberIdentity| Leaver {
        member: member_id(m.member_id),
        instance: instance_id(m.group_instance_id),
        reason: m.reason,
    };
    LeaveRequest { leavers: message.members.into_iter().map(leaver).collect() }
}

/// Writes a leave in the given version; before version 3 only the first leaver.
pub fn write_leave_request(group: &GroupId, request: &LeaveRequest, version: i16) -> LeaveGroupRequest {
    if version < 3 {
        let first = request.leavers.first().and_then(|l| l.member.as_ref());
        return LeaveGroupRequest {
            group_id: group.0.clone(),
            member_id: member_text(first),
            ..LeaveGroupRequest::default()
        };
    }
    let identity = |l: &Leaver| MemberIdentity {
        member_id: member_text(l.member.as_ref()),
        group_instance_id: instance_text(l.instance.as_ref()),
        reason: reason_text(l.reason.as_deref()).filter(|_| version >= 5),
    };
    LeaveGroupRequest {
        group_id: group.0.clone(),
        members: request.leavers.iter().map(identity).collect(),
        ..LeaveGroupRequest::default()
    }
}

/// Reads the answer to a leave.
pub fn leave_reply(message: LeaveGroupResponse) -> LeaveReply {
    let result = |m: MemberResponse| {
        let leaver =
            Leaver { member: member_id(m.member_id), instance: instance_id(m.group_instance_id), reason: None };
        (leaver, verdict(m.error_code))
    };
    LeaveReply { results: verdict(message.error_code).map(|()| message.members.into_iter().map(result).collect()) }
}

/// Writes the answer to a leave; before version 3 the one leaver's result is the whole answer.
pub fn write_leave_reply(reply: LeaveReply, version: i16) -> LeaveGroupResponse {
    let results = match reply.results {
        Ok(results) => results,
        error => return LeaveGroupResponse { error_code: verdict_code(&error), ..LeaveGroupResponse::default() },
    };
    if version < 3 {
        let error_code = results.first().map_or(0, |(_, result)| verdict_code(result));
        return LeaveGroupResponse { error_code, ..LeaveGroupResponse::default() };
    }
    let member = |(leaver, result): (Leaver, Result<(), GroupError>)| MemberResponse {
        member_id: member_text(leaver.member.as_ref()),
        group_instance_id: instance_text(leaver.instance.as_ref()),
        error_code: verdict_code(&result),
    };
    LeaveGroupResponse { members: results.into_iter().map(member).collect(), ..LeaveGroupResponse::default() }
}
