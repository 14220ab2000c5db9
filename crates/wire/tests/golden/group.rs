use bytes::Bytes;
use groma_wire::messages::*;

use super::{check, text};

#[test]
fn join_group_requests() {
    let sent = |version| JoinGroupRequest {
        group_id: "group".to_owned(),
        session_timeout_ms: 45_000,
        rebalance_timeout_ms: 300_000,
        member_id: "member-1".to_owned(),
        group_instance_id: text("instance").filter(|_| version >= 5),
        protocol_type: "consumer".to_owned(),
        protocols: vec![protocol("range", b"m1"), protocol("cooperative-sticky", b"m2")],
        reason: text("why"),
    };
    check(sent, |version, mut value| {
        value.rebalance_timeout_ms = if version >= 1 { 300_000 } else { -1 };
        value.reason = value.reason.filter(|_| version >= 8);
        value
    });
}

fn protocol(name: &str, metadata: &'static [u8]) -> JoinGroupRequestProtocol {
    JoinGroupRequestProtocol { name: name.to_owned(), metadata: Bytes::from_static(metadata) }
}

#[test]
fn join_group_responses() {
    let sent = |version| JoinGroupResponse {
        throttle_time_ms: 7,
        error_code: 27,
        generation_id: 3,
        protocol_type: text("consumer"),
        protocol_name: text("range"),
        leader: "member-1".to_owned(),
        skip_assignment: version >= 9,
        member_id: "member-2".to_owned(),
        members: vec![JoinGroupResponseMember {
            member_id: "member-1".to_owned(),
            group_instance_id: text("instance").filter(|_| version >= 5),
            metadata: Bytes::from_static(b"m1"),
        }],
    };
    check(sent, |version, mut value| {
        value.throttle_time_ms = if version >= 2 { 7 } else { 0 };
        value.protocol_type = value.protocol_type.filter(|_| version >= 7);
        value
    });
}

#[test]
fn sync_group_requests() {
    let assignment = |member: &str, bytes: &'static [u8]| SyncGroupRequestAssignment {
        member_id: member.to_owned(),
        assignment: Bytes::from_static(bytes),
    };
    let sent = |version| SyncGroupRequest {
        group_id: "group".to_owned(),
        generation_id: 3,
        member_id: "member-1".to_owned(),
        group_instance_id: text("instance").filter(|_| version >= 3),
        protocol_type: text("consumer"),
        protocol_name: text("range"),
        assignments: vec![assignment("member-1", b"a1"), assignment("member-2", b"")],
    };
    check(sent, |version, mut value| {
        value.protocol_type = value.protocol_type.filter(|_| version >= 5);
        value.protocol_name = value.protocol_name.filter(|_| version >= 5);
        value
    });
}

#[test]
fn sync_group_responses() {
    let sent = |_| SyncGroupResponse {
        throttle_time_ms: 7,
        error_code: 22,
        protocol_type: text("consumer"),
        protocol_name: text("range"),
        assignment: Bytes::from_static(b"a1"),
    };
    check(sent, |version, mut value| {
        value.throttle_time_ms = if version >= 1 { 7 } else { 0 };
        value.protocol_type = value.protocol_type.filter(|_| version >= 5);
        value.protocol_name = value.protocol_name.filter(|_| version >= 5);
        value
    });
}

#[test]
fn heartbeats() {
    let sent = |version| HeartbeatRequest {
        group_id: "group".to_owned(),
        generation_id: 3,
        member_id: "member-1".to_owned(),
        group_instance_id: text("instance").filter(|_| version >= 3),
    };
    check(sent, |_, value| value);
    check(
        |_| HeartbeatResponse { throttle_time_ms: 7, error_code: 27 },
        |version, value| HeartbeatResponse { throttle_time_ms: if version >= 1 { 7 } else { 0 }, ..value },
    );
}

#[test]
fn leave_group_requests() {
    let sent = |version| match version {
        0..3 => LeaveGroupRequest {
            group_id: "group".to_owned(),
            member_id: "member-1".to_owned(),
            ..LeaveGroupRequest::default()
        },
        _ => LeaveGroupRequest {
            group_id: "group".to_owned(),
            members: vec![MemberIdentity {
                member_id: "member-1".to_owned(),
                group_instance_id: text("instance"),
                reason: text("bye"),
            }],
            ..LeaveGroupRequest::default()
        },
    };
    check(sent, |version, mut value| {
        for member in &mut value.members {
            member.reason = text("bye").filter(|_| version >= 5);
        }
        value
    });
}

#[test]
fn leave_group_responses() {
    let member =
        MemberResponse { member_id: "member-1".to_owned(), group_instance_id: text("instance"), error_code: 82 };
    let sent = |version| LeaveGroupResponse {
        throttle_time_ms: 7,
        error_code: 25,
        members: if version >= 3 { vec![member.clone()] } else { vec![] },
    };
    check(sent, |version, value| LeaveGroupResponse { throttle_time_ms: if version >= 1 { 7 } else { 0 }, ..value });
}

#[test]
fn describe_groups_responses() {
    let sent = |version| DescribeGroupsResponse {
        throttle_time_ms: 7,
        groups: vec![DescribeGroupsResponseDescribedGroup {
            error_code: 0,
            error_message: text("fine").filter(|_| version >= 6),
            group_id: "group".to_owned(),
            group_state: "Stable".to_owned(),
            protocol_type: "consumer".to_owned(),
            protocol_data: "range".to_owned(),
            members: vec![DescribedGroupMember {
                member_id: "member-1".to_owned(),
                group_instance_id: text("instance").filter(|_| version >= 4),
                client_id: "client".to_owned(),
                client_host: "/127.0.0.1".to_owned(),
                member_metadata: Bytes::from_static(b"m1"),
                member_assignment: Bytes::from_static(b"a1"),
            }],
            authorized_operations: if version >= 3 { 5 } else { i32::MIN },
        }],
    };
    check(sent, |version, value| DescribeGroupsResponse {
        throttle_time_ms: if version >= 1 { 7 } else { 0 },
        ..value
    });
}
