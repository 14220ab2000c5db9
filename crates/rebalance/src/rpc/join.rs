use groma_model::{Generation, GroupId, MemberId};
use groma_wire::ErrorCode;
use groma_wire::messages::{JoinGroupRequest, JoinGroupRequestProtocol, JoinGroupResponse, JoinGroupResponseMember};

use super::error::{error_code, verdict};
use super::text::{instance_id, instance_text, member_id, member_text, millis, reason_text, span};
use crate::protocol::{GroupError, JoinDialect, JoinRequest, Joined, LeaderDuty, MemberReport, Protocol, Role};

/// Reads a join of the given version.
pub fn join_request(message: JoinGroupRequest, version: i16) -> JoinRequest {
    let patience = Some(message.rebalance_timeout_ms).filter(|ms| version >= 1 && *ms >= 0);
    let protocols = message.protocols.into_iter().map(|p| Protocol { name: p.name, metadata: p.metadata });
    JoinRequest {
        member: member_id(message.member_id),
        instance: instance_id(message.group_instance_id),
        session_timeout: span(message.session_timeout_ms),
        rebalance_timeout: patience.map(span),
        protocol_type: message.protocol_type,
        protocols: protocols.collect(),
        reason: message.reason,
        dialect: dialect(version),
    }
}

/// Writes a join.
pub fn write_join_request(group: &GroupId, request: &JoinRequest) -> JoinGroupRequest {
    let protocol = |p: &Protocol| JoinGroupRequestProtocol { name: p.name.clone(), metadata: p.metadata.clone() };
    JoinGroupRequest {
        group_id: group.0.clone(),
        session_timeout_ms: millis(request.session_timeout),
        rebalance_timeout_ms: request.rebalance_timeout.map_or(-1, millis),
        member_id: member_text(request.member.as_ref()),
        group_instance_id: instance_text(request.instance.as_ref()),
        protocol_type: request.protocol_type.clone(),
        protocols: request.protocols.iter().map(protocol).collect(),
        reason: reason_text(request.reason.as_deref()),
    }
}

/// Reads the answer to a join.
///
/// # Errors
/// The coordinator's refusal.
pub fn join_reply(message: JoinGroupResponse) -> Result<Joined, GroupError> {
    if ErrorCode::from_i16(message.error_code) == ErrorCode::MemberIdRequired {
        return Err(GroupError::MemberIdRequired(MemberId(message.member_id)));
    }
    verdict(message.error_code)?;
    let duty = if message.skip_assignment { LeaderDuty::Skip } else { LeaderDuty::Assign };
    let members = message.members.into_iter().map(|m| MemberReport {
        member: MemberId(m.member_id),
        instance: instance_id(m.group_instance_id),
        metadata: m.metadata,
    });
    let leads = message.leader == message.member_id;
    Ok(Joined {
        generation: Generation(message.generation_id),
        protocol_type: message.protocol_type,
        protocol: message.protocol_name.unwrap_or_default(),
        role: if leads { Role::Leader { members: members.collect(), duty } } else { Role::Follower },
        leader: MemberId(message.leader),
        member: MemberId(message.member_id),
    })
}

/// Writes the answer to a join in the given version; what an old version has no field for is left out (KAFKA-14422).
pub fn write_join_reply(reply: Result<Joined, GroupError>, version: i16) -> JoinGroupResponse {
    match reply {
        Ok(joined) => write_joined(joined, version),
        Err(error) => JoinGroupResponse {
            error_code: error_code(&error).code(),
            protocol_name: (version < 7).then(String::new),
            member_id: match error {
                GroupError::MemberIdRequired(id) => id.0,
                _ => String::new(),
            },
            ..JoinGroupResponse::default()
        },
    }
}

fn write_joined(joined: Joined, version: i16) -> JoinGroupResponse {
    let (members, duty) = match joined.role {
        Role::Follower => (Vec::new(), LeaderDuty::Assign),
        Role::Leader { members, duty } => (members, duty),
    };
    let member = |m: MemberReport| JoinGroupResponseMember {
        member_id: m.member.0,
        group_instance_id: instance_text(m.instance.as_ref()).filter(|_| version >= 5),
        metadata: m.metadata,
    };
    JoinGroupResponse {
        generation_id: joined.generation.0,
        protocol_type: joined.protocol_type.filter(|_| version >= 7),
        protocol_name: Some(joined.protocol),
        leader: joined.leader.0,
        skip_assignment: duty == LeaderDuty::Skip && version >= 9,
        member_id: joined.member.0,
        members: members.into_iter().map(member).collect(),
        ..JoinGroupResponse::default()
    }
}

const fn dialect(version: i16) -> JoinDialect {
    match version {
        ..4 => JoinDialect::OneStep,
        4 => JoinDialect::TwoStep,
        5..9 => JoinDialect::Instances,
        9.. => JoinDialect::SkipAssignment,
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use groma_wire::{Message, Writer};

    use super::*;

    fn leader_reply() -> Joined {
        Joined {
            member: MemberId::from("a"),
            generation: Generation(1),
            protocol_type: Some("consumer".to_owned()),
            protocol: "range".to_owned(),
            leader: MemberId::from("a"),
            role: Role::Leader {
                members: vec![MemberReport {
                    member: MemberId::from("b"),
                    instance: Some("i".into()),
                    metadata: Bytes::from_static(b"m"),
                }],
                duty: LeaderDuty::Assign,
            },
        }
    }

    #[test]
    fn b44_an_old_leader_gets_an_answer_it_can_read() {
        for version in JoinGroupResponse::VERSIONS {
            let message = write_join_reply(Ok(leader_reply()), version);
            message.encode(&mut Writer::new(), version).unwrap_or_else(|e| panic!("version {version}: {e}"));
        }
    }

    #[test]
    fn every_refusal_can_be_written_in_every_version() {
        for version in JoinGroupResponse::VERSIONS {
            let message = write_join_reply(Err(GroupError::UnknownMember), version);
            message.encode(&mut Writer::new(), version).unwrap_or_else(|e| panic!("version {version}: {e}"));
            assert_eq!(join_reply(message), Err(GroupError::UnknownMember));
        }
    }

    #[test]
    fn an_answer_survives_the_way_there_and_back() {
        assert_eq!(join_reply(write_join_reply(Ok(leader_reply()), 9)), Ok(leader_reply()));
        let required = GroupError::MemberIdRequired(MemberId::from("x"));
        assert_eq!(join_reply(write_join_reply(Err(required.clone()), 4)), Err(required));
    }

    #[test]
    fn b50_a_missing_rebalance_timeout_means_the_session_timeout() {
        let message = JoinGroupRequest { session_timeout_ms: 6000, ..JoinGroupRequest::default() };
        assert_eq!(join_request(message.clone(), 5).round_timeout(), span(6000));
        let message = JoinGroupRequest { rebalance_timeout_ms: 9000, ..message };
        assert_eq!(join_request(message.clone(), 0).round_timeout(), span(6000));
        assert_eq!(join_request(message, 1).round_timeout(), span(9000));
    }

    #[test]
    fn b34_a_long_reason_is_cut() {
        let request = JoinRequest { reason: Some("ü".repeat(300)), ..join_request(JoinGroupRequest::default(), 9) };
        let message = write_join_request(&GroupId::from("g"), &request);
        assert_eq!(message.reason.map(|r| r.chars().count()), Some(255));
    }
}
