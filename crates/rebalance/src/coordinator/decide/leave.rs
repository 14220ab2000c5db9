use groma_model::{MemberId, Time};

use crate::cause::{RemovalCause, RoundCause};
use crate::coordinator::phase::{Phase, Unsynced};
use crate::coordinator::{Event, Group, GroupRecord, Reason, Token};
use crate::protocol::{GroupError, LeaveReply, LeaveRequest, Leaver, Reply};

impl Group {
    pub(in crate::coordinator) fn leave(&mut self, now: Time, token: Token, request: LeaveRequest) {
        if matches!(self.phase, Phase::Dead) {
            let results = Err(GroupError::CoordinatorNotAvailable);
            return self.reply(token, Reply::Leave(LeaveReply { results }));
        }
        let mut gone = None;
        let mut results = Vec::with_capacity(request.leavers.len());
        for leaver in request.leavers {
            let result = self.let_go(&leaver);
            results.push((leaver, result.as_ref().map(|_| ()).map_err(Clone::clone)));
            gone = gone.or_else(|| result.ok().flatten());
        }
        self.reply(token, Reply::Leave(LeaveReply { results: Ok(results) }));
        match gone {
            Some(id) => self.after_removal(now, RoundCause::MemberLeft(id)),
            None => self.try_close_round(now),
        }
    }

    /// Yields the member that was taken off the book; none if the leaver only had an identity.
    fn let_go(&mut self, leaver: &Leaver) -> Result<Option<MemberId>, GroupError> {
        let id = self.leaving_member(leaver)?;
        if let Some(seat) = self.roster.remove_pending(&id) {
            self.timers.stop(Reason::Pending(seat));
            return Ok(None);
        }
        self.roster.validate(&id, leaver.instance.as_ref())?;
        self.remove(&id, RemovalCause::Left, GroupError::UnknownMember);
        Ok(Some(id))
    }

    fn leaving_member(&self, leaver: &Leaver) -> Result<MemberId, GroupError> {
        match (&leaver.member, &leaver.instance) {
            (Some(id), _) => Ok(id.clone()),
            (None, Some(instance)) => self.roster.by_instance(instance).cloned().ok_or(GroupError::UnknownMember),
            (None, None) => Err(GroupError::UnknownMember),
        }
    }

    /// Takes a member off the book with all its timers; its parked request is refused with `error`.
    pub(super) fn remove(&mut self, id: &MemberId, cause: RemovalCause, error: GroupError) {
        let Some(member) = self.roster.remove(id) else { return };
        self.supersede(member.parked(), &error);
        self.timers.stop(Reason::Session(member.seat));
        if let Some(unsynced) = self.phase.unsynced() {
            unsynced.remove(&member.seat);
        }
        if self.leader.as_ref() == Some(id) {
            self.leader = self.roster.in_order().next().map(|(id, _)| id.clone());
        }
        self.event(Event::Removed { member: id.clone(), cause });
    }

    /// Members that have not fetched their assignment in time are dropped (KAFKA-12890).
    pub(super) fn drop_unsynced(&mut self, now: Time) {
        let late: Unsynced = self.phase.unsynced().map(std::mem::take).unwrap_or_default();
        let late: Vec<MemberId> = late.iter().filter_map(|seat| self.roster.by_seat(*seat).cloned()).collect();
        for id in &late {
            self.remove(id, RemovalCause::SyncMissed, GroupError::UnknownMember);
        }
        if let Some(first) = late.into_iter().next() {
            self.open_or_close(now, RoundCause::SyncMissed(first));
        }
    }

    pub(in crate::coordinator) fn delete(&mut self, now: Time) {
        if self.roster.is_empty() {
            self.persist(GroupRecord::Tombstone);
            self.retire(now);
        }
    }

    pub(in crate::coordinator) fn retire(&mut self, now: Time) {
        let ids: Vec<MemberId> = self.roster.in_order().map(|(id, _)| id.clone()).collect();
        for id in ids {
            if let Some(member) = self.roster.remove(&id) {
                self.supersede(member.parked(), &GroupError::NotCoordinator);
            }
        }
        for withheld in std::mem::take(&mut self.withheld) {
            let reply = crate::coordinator::group::refusal(&withheld.reply, GroupError::NotCoordinator);
            self.reply(withheld.token, reply);
        }
        self.timers.clear();
        self.leader = None;
        self.enter(now, Phase::Dead);
    }
}
