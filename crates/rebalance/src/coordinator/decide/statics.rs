use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use groma_model::{MemberId, Time};

use super::join::{Arrival, take_over};
use crate::cause::RoundCause;
use crate::coordinator::group::refusal;
use crate::coordinator::phase::Phase;
use crate::coordinator::roster::Parked;
use crate::coordinator::{Event, Group, GroupRecord};
use crate::embedded::consumer::Subscription;
use crate::protocol::{GroupError, JoinDialect, LeaderDuty, Reply, Role};

impl Group {
    /// A static member comes back as another process (KIP-345): its old identity is fenced at once, in any state, and
    /// the new one is stored before it is told, so that it survives a restart of the coordinator (KAFKA-10284).
    ///
    /// No round is needed if the process asks for the same as before. (Kafka looks at the chosen protocol only, and
    /// does not notice other topics until the next round.)
    pub(super) fn replace(&mut self, now: Time, old: MemberId, new: MemberId, arrival: Arrival) {
        let before = self.asks_for(&old);
        self.rename(&old, &new, &arrival);
        self.event(Event::Replaced { old: old.clone(), new: new.clone() });
        let stays = self.roster.elect_protocol() == self.protocol && self.asks_for(&new) == before;
        if matches!(self.phase, Phase::Stable(_)) && stays {
            return self.resume(now, (&old, new), &arrival);
        }
        if self.durable.members.contains_key(&old) {
            self.persist_renamed(&old, &new);
        }
        if self.leader.as_ref() == Some(&old) {
            self.leader = Some(new.clone());
        }
        self.park_join(&new, (arrival.token, arrival.request.dialect));
        self.event(Event::Joined { member: new.clone(), reason: arrival.request.reason });
        self.open_or_close(now, RoundCause::InstanceReplaced { old, new });
    }

    fn asks_for(&self, member: &MemberId) -> Option<BTreeSet<String>> {
        let protocol = self.protocol.as_deref().filter(|_| self.protocol_type.as_deref() == Some("consumer"))?;
        let report = self.roster.member(member)?.metadata(protocol);
        Subscription::decode(&report).ok().map(|s| s.topics.iter().map(str::to_owned).collect())
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
        self.persist_instead(old, &new, None);
        self.reply_durable(new, arrival.token, Reply::Join(Ok(joined)));
    }

    /// Stores the new identity with what the old one asked for when the group was assigned: what it asks for now is for
    /// the round that has to follow, also when the coordinator restarts before.
    pub(super) fn persist_renamed(&mut self, old: &MemberId, new: &MemberId) {
        let before = self.durable.members.get(old).map(|member| member.subscription.clone());
        self.persist_instead(old, new, before);
    }

    /// Stores a member in the place of another. The stored state goes into the record and comes back with it, so that it
    /// is not copied: in a large group that restarts member by member, each restart would cost as much as the group is
    /// large.
    fn persist_instead(&mut self, old: &MemberId, new: &MemberId, subscription: Option<Bytes>) {
        let assignment = self.durable.members.get(old).map(|m| m.assignment.clone()).unwrap_or_default();
        let heir = self.durable_member(new, assignment);
        let mut record = std::mem::take(&mut self.durable);
        let metadata = Arc::make_mut(&mut record);
        metadata.members.remove(old);
        if metadata.leader.as_ref() == Some(old) {
            metadata.leader = Some(new.clone());
        }
        if let Some(mut heir) = heir {
            heir.subscription = subscription.unwrap_or(heir.subscription);
            metadata.members.insert(new.clone(), heir);
        }
        self.persist(GroupRecord::Metadata(record));
    }
}
