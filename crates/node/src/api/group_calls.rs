use bytes::Bytes;
use groma_model::GroupId;
use groma_rebalance::coordinator::{Client, Input};
use groma_rebalance::protocol::{GroupError, LeaveReply};
use groma_rebalance::rpc;
use groma_wire::messages::{HeartbeatRequest, JoinGroupRequest, LeaveGroupRequest, SyncGroupRequest};

use crate::call::Call;
use crate::node::Node;

impl Node {
    /// Answered when the round is complete.
    pub(super) fn join_group(&mut self, call: Call, mut request: JoinGroupRequest) {
        request.protocols.iter_mut().for_each(|protocol| own(&mut protocol.metadata));
        let group = GroupId(request.group_id.clone());
        let version = call.version;
        let known = self.groups.get(&group).is_some();
        if let Err(error) = named(&group) {
            return self.answer(call, &rpc::write_join_reply(Err(error), version));
        }
        if !known && !request.member_id.is_empty() {
            return self.answer(call, &rpc::write_join_reply(Err(GroupError::UnknownMember), version));
        }
        let client = Client {
            id: call.client_id.clone().unwrap_or_default(),
            host: self.connections.get(&call.connection).cloned().unwrap_or_default(),
        };
        let entropy = self.entropy.bits();
        self.open_group(&group);
        let request = rpc::join_request(request, version);
        self.ask_group(&group, call, |token| Input::Join { token, request, client, entropy });
    }

    /// Answered when the leader's assignments are there.
    pub(super) fn sync_group(&mut self, call: Call, mut request: SyncGroupRequest) {
        request.assignments.iter_mut().for_each(|assigned| own(&mut assigned.assignment));
        let group = GroupId(request.group_id.clone());
        let version = call.version;
        match self.present(&group) {
            Err(error) => self.answer(call, &rpc::write_sync_reply(Err(error), version)),
            Ok(()) => {
                let request = rpc::sync_request(request);
                self.ask_group(&group, call, |token| Input::Sync { token, request });
            }
        }
    }

    pub(super) fn heartbeat(&mut self, call: Call, request: HeartbeatRequest) {
        let group = GroupId(request.group_id.clone());
        match self.present(&group) {
            Err(error) => self.answer(call, &rpc::write_heartbeat_reply(&Err(error))),
            Ok(()) => {
                let request = rpc::heartbeat_request(request);
                self.ask_group(&group, call, |token| Input::Heartbeat { token, request });
            }
        }
    }

    pub(super) fn leave_group(&mut self, call: Call, request: LeaveGroupRequest) {
        let group = GroupId(request.group_id.clone());
        let version = call.version;
        let request = rpc::leave_request(request, version);
        match self.present(&group) {
            Err(GroupError::UnknownMember) => {
                let unknown = |leaver| (leaver, Err(GroupError::UnknownMember));
                let results = Ok(request.leavers.into_iter().map(unknown).collect());
                self.answer(call, &rpc::write_leave_reply(LeaveReply { results }, version));
            }
            Err(error) => self.answer(call, &rpc::write_leave_reply(LeaveReply { results: Err(error) }, version)),
            Ok(()) => self.ask_group(&group, call, |token| Input::Leave { token, request }),
        }
    }

    fn present(&self, group: &GroupId) -> Result<(), GroupError> {
        named(group)?;
        if self.groups.get(group).is_some() { Ok(()) } else { Err(GroupError::UnknownMember) }
    }
}

/// A group keeps these bytes for long: they must not keep the buffer alive that they were received in.
fn own(bytes: &mut Bytes) {
    *bytes = Bytes::copy_from_slice(bytes);
}

fn named(group: &GroupId) -> Result<(), GroupError> {
    if group.0.is_empty() { Err(GroupError::InvalidGroupId) } else { Ok(()) }
}
