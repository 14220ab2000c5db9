use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use groma_model::{MemberId, Time};

use crate::coordinator::phase::Phase;
use crate::coordinator::roster::Parked;
use crate::coordinator::{DurableMember, Event, Group, GroupMetadata, GroupRecord, Reason, Token};
use crate::protocol::{GroupError, Reply, SyncRequest, Synced};

impl Group {
    pub(in crate::coordinator) fn sync(&mut self, now: Time, token: Token, request: SyncRequest) {
        if let Err(error) = self.check_sync(&request) {
            return self.reply(token, Reply::Sync(Err(error)));
        }
        self.count_synced(&request.member);
        self.event(Event::Synced(request.member.clone()));
        match self.phase {
            Phase::Stable(_) => self.answer_stable(now, token, request.member),
            _ => self.park_sync(now, token, request),
        }
    }

    fn check_sync(&self, request: &SyncRequest) -> Result<(), GroupError> {
        if matches!(self.phase, Phase::Dead) {
            return Err(GroupError::CoordinatorNotAvailable);
        }
        self.roster.validate(&request.member, request.instance.as_ref())?;
        if request.generation != self.generation {
            return Err(GroupError::IllegalGeneration);
        }
        let differs = |said: &Option<String>, have: &Option<String>| said.is_some() && said != have;
        if differs(&request.protocol_type, &self.protocol_type) || differs(&request.protocol, &self.protocol) {
            return Err(GroupError::InconsistentProtocol);
        }
        match self.phase {
            Phase::Joining(_) => Err(GroupError::RebalanceInProgress),
            Phase::Empty | Phase::Dead => Err(GroupError::UnknownMember),
            Phase::Syncing(_) | Phase::Stable(_) => Ok(()),
        }
    }

    fn count_synced(&mut self, id: &MemberId) {
        let seat = self.roster.member(id).map(|m| m.seat);
        if let (Some(unsynced), Some(seat)) = (self.phase.unsynced(), seat) {
            unsynced.remove(&seat);
            if unsynced.is_empty() {
                self.timers.stop(Reason::SyncWindow);
            }
        }
    }

    fn answer_stable(&mut self, now: Time, token: Token, id: MemberId) {
        self.sign_of_life(now, &id);
        let reply = Reply::Sync(Ok(self.synced(&id)));
        self.reply_durable(id, token, reply);
    }

    fn park_sync(&mut self, now: Time, token: Token, request: SyncRequest) {
        let id = request.member;
        let before = self.roster.park(&id, Parked::Sync(token));
        self.supersede(before, &GroupError::RebalanceInProgress);
        if let Some(member) = self.roster.member(&id) {
            self.timers.stop(Reason::Session(member.seat));
        }
        if self.leader.as_ref() == Some(&id) {
            self.conclude(now, request.assignments.into_iter().collect());
        }
    }

    /// The leader has decided.
    fn conclude(&mut self, now: Time, mut assignments: BTreeMap<MemberId, Bytes>) {
        let record = self.decided_record(&mut assignments);
        self.persist(record);
        let unsynced = self.phase.unsynced().map(std::mem::take).unwrap_or_default();
        self.enter(now, Phase::Stable(unsynced));
        let ids: Vec<MemberId> = self.roster.in_order().map(|(id, _)| id.clone()).collect();
        for id in ids {
            if let Parked::Sync(token) = self.roster.park(&id, Parked::Nothing) {
                self.arm_session(now, &id);
                let reply = Reply::Sync(Ok(self.synced(&id)));
                self.reply_durable(id, token, reply);
            }
        }
        self.event(Event::Stable(self.generation));
    }

    fn decided_record(&self, assignments: &mut BTreeMap<MemberId, Bytes>) -> GroupRecord {
        let members = self.roster.in_order().filter_map(|(id, _)| {
            let assignment = assignments.remove(id).unwrap_or_default();
            Some((id.clone(), self.durable_member(id, assignment)?))
        });
        GroupRecord::Metadata(Arc::new(GroupMetadata {
            members: members.collect(),
            protocol_type: self.protocol_type.clone(),
            generation: self.generation,
            protocol: self.protocol.clone(),
            leader: self.leader.clone(),
        }))
    }

    pub(super) fn durable_member(&self, id: &MemberId, assignment: Bytes) -> Option<DurableMember> {
        let member = self.roster.member(id)?;
        Some(DurableMember {
            instance: member.instance.clone(),
            client: member.client.clone(),
            rebalance_timeout: member.rebalance_timeout,
            session_timeout: member.session_timeout,
            subscription: member.metadata(self.protocol.as_deref().unwrap_or_default()),
            assignment,
        })
    }

    fn synced(&self, id: &MemberId) -> Synced {
        Synced {
            protocol_type: self.protocol_type.clone(),
            protocol: self.protocol.clone(),
            assignment: self.durable.members.get(id).map(|m| m.assignment.clone()).unwrap_or_default(),
        }
    }
}
