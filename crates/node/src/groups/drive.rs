use groma_model::GroupId;
use groma_rebalance::coordinator::{CoordinatorConfig, GroupRecord, Input, Output, Ticket, Token};
use groma_rebalance::protocol::Reply;
use groma_rebalance::rpc;

use super::book::coordinator_config;
use super::record::group_record;
use super::{AfterStore, Coordinated, StoredGroup};
use crate::call::Call;
use crate::node::Node;

impl Node {
    /// The group of this name, made if there is none.
    pub(crate) fn open_group(&mut self, id: &GroupId) -> &mut Coordinated {
        let config = self.coordinator_config();
        self.groups.open(id, config)
    }

    pub(crate) fn coordinator_config(&self) -> CoordinatorConfig {
        coordinator_config(&self.identity.settings)
    }

    /// Hands a request to a group, if the group is there, and does what follows.
    pub(crate) fn ask_group(&mut self, id: &GroupId, call: Call, input: impl FnOnce(Token) -> Input) {
        let token = self.groups.park(call);
        let now = self.now;
        if let Some(group) = self.groups.get_mut(id) {
            group.group.handle(now, input(token));
        }
        self.drive(id);
    }

    /// Does what a group wants done.
    pub(crate) fn drive(&mut self, id: &GroupId) {
        let mut refused = Vec::new();
        while let Some(output) = self.groups.get_mut(id).and_then(|group| group.group.poll()) {
            match output {
                Output::Reply { token, reply } => self.answer_group(token, reply),
                Output::Persist { ticket, record } => {
                    if !self.keep_group(id, ticket, &record) {
                        refused.push(ticket);
                    }
                }
                Output::Event(event) => self.note_event(id, &event),
            }
        }
        for ticket in refused {
            self.settle_group(id, Input::PersistFailed(ticket));
        }
        self.write_told();
        self.groups.refresh(id);
    }

    fn keep_group(&mut self, id: &GroupId, ticket: Ticket, record: &GroupRecord) -> bool {
        let Some(record) = group_record(id, record, self.wall()) else { return false };
        self.keep(id, vec![record], AfterStore::Group(StoredGroup { id: id.clone(), ticket })).is_ok()
    }

    /// Tells a group how its record fared.
    pub(super) fn settle_group(&mut self, id: &GroupId, input: Input) {
        let now = self.now;
        if let Some(group) = self.groups.get_mut(id) {
            group.group.handle(now, input);
            self.drive(id);
        }
    }

    pub(crate) fn tick_groups(&mut self) {
        while let Some(id) = self.groups.due(self.now) {
            let now = self.now;
            if let Some(group) = self.groups.get_mut(&id) {
                group.group.handle(now, Input::Tick);
            }
            self.drive(&id);
        }
    }

    fn answer_group(&mut self, token: Token, reply: Reply) {
        let Some(call) = self.groups.unpark(token) else { return };
        let version = call.version;
        match reply {
            Reply::Join(reply) => self.answer(call, &rpc::write_join_reply(reply, version)),
            Reply::Sync(reply) => self.answer(call, &rpc::write_sync_reply(reply, version)),
            Reply::Heartbeat(reply) => self.answer(call, &rpc::write_heartbeat_reply(&reply)),
            Reply::Leave(reply) => self.answer(call, &rpc::write_leave_reply(reply, version)),
        }
    }
}
