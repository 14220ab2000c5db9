use groma_model::{MemberId, Time};

use super::join::{Arrival, take_over};
use crate::cause::RoundCause;
use crate::coordinator::group::refusal;
use crate::coordinator::phase::Phase;
use crate::coordinator::roster::Parked;
use crate::coordinator::{Event, Group, GroupRecord};
use crate::protocol::{GroupError, JoinDialect, LeaderDuty, Reply, Role};

impl Group {
    /// A static member comes back as another process (KIP-345): its old identity is fenced at once, in any state.
    pub(super) fn replace(&mut self, now: Time, old: MemberId, new: MemberId, arrival: Arrival) {
        self.rename(&old, &new, &arrival);
        self.event(Event::Replaced { old: old.clone(), new: new.clone() });
        match self.phase {
            Phase::Stable(_) if self.roster.elect_protocol() == self.protocol => {
                self.resume(now, (&old, new), &arrival);
            }
            _ => {
                self.park_join(&new, (arrival.token, arrival.request.dialect));
                self.open_or_close(now, RoundCause::InstanceReplaced { old, new });
            }
        }
    }

    fn rename(&mut self, old: &MemberId, new: &MemberId, arrival: &Arrival) {
        let parked = self.roster.park(old, Parked::Nothing);
        self.supersede(parked, &GroupError::FencedInstance);
        for withheld in self.withheld.iter_mut().filter(|w| w.member == *old) {
            withheld.reply = refusal(&withheld.reply, GroupError::FencedInstance);
        }
        if let Some(mut member) = self.roster.remove(old) {
            take_over(&mut member, &arrival.request);
            member.client = arrival.client.clone();
            self.roster.insert(new.clone(), member);
        }
    }

    /// No round is needed: the new process takes over the old one's assignment.
    fn resume(&mut self, now: Time, (old, new): (&MemberId, MemberId), arrival: &Arrival) {
        let leader_before = self.leader.clone();
        let leads = leader_before.as_ref() == Some(old);
        if leads {
            self.leader = Some(new.clone());
        }
        self.arm_session(now, &new);
        let skips = arrival.request.dialect >= JoinDialect::SkipAssignment;
        let role = if leads && skips { self.leader_role(LeaderDuty::Skip) } else { Role::Follower };
        let mut joined = self.joined(new.clone(), role);
        if let Some(before) = leader_before.filter(|_| !skips) {
            joined.leader = before;
        }
        let ticket = self.persist(self.replaced_record(old, &new));
        self.withhold(ticket, new, (arrival.token, Reply::Join(Ok(joined))));
    }

    fn replaced_record(&self, old: &MemberId, new: &MemberId) -> GroupRecord {
        let assignment = self.durable.members.get(old).map(|m| m.assignment.clone()).unwrap_or_default();
        let mut metadata = self.durable.clone();
        metadata.members.remove(old);
        metadata.leader.clone_from(&self.leader);
        if let Some(durable) = self.durable_member(new, assignment) {
            metadata.members.insert(new.clone(), durable);
        }
        GroupRecord::Metadata(metadata)
    }
}
