use std::collections::BTreeSet;

use bytes::Bytes;
use groma_model::{Generation, MemberId, Span, Time};

use super::state::{Leadership, Leading, Sight, State, Tenure};
use super::{Event, FollowUps, LostCause, Member, MemberFailure, Output, RejoinCause, RevokeCause};
use crate::embedded::{Council, Decision, Embedded, Grant, GrantChange, Mode, Note, PolicyUsed, Report, Rounds};
use crate::policy::Abilities;
use crate::protocol::{JoinDialect, JoinRequest, Joined, LeaderDuty, MemberReport, Request, Role, SyncRequest, Synced};

impl<E: Embedded> Member<E> {
    pub(super) fn send_join(&mut self, now: Time, cause: RejoinCause) {
        let Some(interest) = &self.interest else { return };
        let trail = self.carried.trail(now);
        let report = Report {
            interest,
            held: &self.held,
            generation: self.settled,
            previous: self.previous.as_ref().map(|(set, generation)| (set, *generation)),
            trail: &trail,
        };
        let request = JoinRequest {
            member: self.identity.clone(),
            instance: self.config.instance.clone(),
            session_timeout: self.config.session_timeout,
            rebalance_timeout: Some(self.config.rebalance_timeout),
            protocol_type: self.embedded.protocol_type().to_owned(),
            protocols: self.embedded.protocols(&report),
            reason: Some(cause.sentence().to_owned()),
            dialect: JoinDialect::SkipAssignment,
        };
        self.wish = None;
        self.alarm_at = None;
        self.carried.join_sent(now);
        self.event(Event::Joining(cause));
        self.beat_at = now + self.config.heartbeat_interval;
        self.lease.join_sent();
        self.state = State::Joining(self.send(Request::Join(request)));
    }

    pub(super) fn joined(&mut self, now: Time, joined: Joined) {
        if let Some(failure) = self.mismatch(&joined) {
            return self.fail(failure, LostCause::Failed);
        }
        let (member, generation, leader) = (joined.member.clone(), joined.generation, joined.leader);
        self.leader = Some(leader.clone());
        self.event(Event::Joined { member, generation, leader });
        self.identity = Some(joined.member);
        self.joined = Some(joined.generation);
        self.protocol = Some(joined.protocol);
        self.beat_at = now + self.config.heartbeat_interval;
        match joined.role {
            Role::Follower => {
                self.carried.remember(joined.generation, None);
                self.leadership = None;
                self.send_sync(now, Vec::new(), None);
            }
            Role::Leader { members, duty: LeaderDuty::Skip } => {
                let interest = self.embedded.wanted(&members);
                if !self.embedded.knows(&self.catalog, &interest) {
                    self.outputs.push_back(Output::Resolve(interest.clone()));
                }
                let tenure = self.tenure();
                self.leadership = Some(Leadership { interest, decided: None, sight: Sight::Blind, tenure });
                self.send_sync(now, Vec::new(), None);
            }
            Role::Leader { members, duty: LeaderDuty::Assign } => self.begin_leading(now, members),
        }
    }

    /// A leader that leads again has not ceased to.
    fn tenure(&self) -> Tenure {
        self.leadership.as_ref().map_or(Tenure::Ahead, |leadership| leadership.tenure)
    }

    fn mismatch(&self, joined: &Joined) -> Option<MemberFailure> {
        let said = joined.protocol_type.as_deref().filter(|t| *t != self.embedded.protocol_type());
        let said = said.or_else(|| Some(joined.protocol.as_str()).filter(|p| !self.embedded.speaks(p)));
        said.map(|said| MemberFailure::ProtocolMismatch { said: said.to_owned() })
    }

    fn begin_leading(&mut self, now: Time, members: Vec<MemberReport>) {
        let wanted = self.embedded.wanted(&members);
        let known = self.embedded.knows(&self.catalog, &wanted);
        self.state = State::Resolving(Leading { members, asked: now, gathers: None });
        if known {
            self.lead(now);
        } else {
            self.ask_catalog(now);
        }
    }

    pub(super) fn ask_catalog(&mut self, now: Time) {
        if let State::Resolving(leading) = &mut self.state {
            leading.asked = now;
            let wanted = self.embedded.wanted(&leading.members);
            self.outputs.push_back(Output::Resolve(wanted));
        }
    }

    pub(super) fn learn_catalog(&mut self, now: Time, catalog: E::Catalog) {
        self.catalog = catalog;
        if matches!(self.state, State::Resolving(_)) {
            return self.lead(now);
        }
        self.compare_catalog();
    }

    /// As leader: whether what exists is still what was shared out.
    fn compare_catalog(&mut self) {
        let Some(leadership) = &mut self.leadership else { return };
        if leadership.sight == Sight::Blind && !self.embedded.knows(&self.catalog, &leadership.interest) {
            return;
        }
        leadership.sight = Sight::Seeing;
        if leadership.decided.is_none() && self.state != State::Stable {
            return;
        }
        let stamp = self.embedded.stamp(&leadership.interest, &self.catalog);
        if *leadership.decided.get_or_insert(stamp) != stamp {
            self.wish(RejoinCause::Catalog);
        }
    }

    /// From everybody's report to everybody's assignment.
    pub(super) fn lead(&mut self, now: Time) {
        let State::Resolving(leading) = std::mem::replace(&mut self.state, State::Stable) else { return };
        let interest = self.embedded.wanted(&leading.members);
        let stamp = self.embedded.stamp(&interest, &self.catalog);
        let tenure = self.tenure();
        self.leadership = Some(Leadership { interest, decided: Some(stamp), sight: Sight::Seeing, tenure });
        let protocol = self.protocol.clone().unwrap_or_default();
        let (generation, trail) = (self.joined.unwrap_or_default(), self.carried.trail(now));
        let council = Council {
            protocol: &protocol,
            generation,
            members: &leading.members,
            catalog: &self.catalog,
            gathered: self.carried.gathered(now),
            trail: &trail,
            memory: self.carried.memory(),
        };
        match self.embedded.lead(&council) {
            Ok(decision) if leading.members.len() == 1 && self.is_short(decision.gathers) => {
                let end = now + decision.gathers.unwrap_or_default();
                self.carried.gather(end);
                self.state = State::Resolving(Leading { gathers: Some(end), ..leading });
            }
            Ok(decision) => {
                let assignments = self.announce(generation, decision);
                let reports = leading.members.iter().map(|member| member.metadata.len());
                let shared = reports.chain(assignments.iter().map(|(_, given)| given.len())).sum();
                self.send_sync(now, assignments, Some(shared));
            }
            Err(error) => self.break_down(now, MemberFailure::Unreadable(error)),
        }
    }

    /// Whether a group can wait so long in the middle of a round. Who is alone in it settles nothing meanwhile: those who
    /// come are in the same round when it has joined again, which then is the first that anybody sees.
    fn is_short(&self, gathers: Option<Span>) -> bool {
        gathers.is_some_and(|left| left.times(2) <= self.config.rebalance_timeout)
    }

    fn announce(&mut self, generation: Generation, decision: Decision<E>) -> Vec<(MemberId, Bytes)> {
        self.carried.remember(generation, decision.memory);
        decision.broken.into_iter().for_each(|member| self.event(Event::BrokenReport(member)));
        decision.offences.into_iter().for_each(|offence| self.event(Event::Offence(offence)));
        if decision.policy != PolicyUsed::Configured {
            self.event(Event::Policy(decision.policy));
        }
        if !decision.waits.is_empty() {
            self.event(Event::Waits(decision.waits));
        }
        if let Some(held_back) = decision.held_back {
            self.event(Event::HeldBack(held_back));
        }
        self.event(Event::Planned { generation, moves: decision.moves, moved: decision.moved });
        decision.assignments
    }

    fn send_sync(&mut self, now: Time, assignments: Vec<(MemberId, Bytes)>, shared: Option<usize>) {
        let (Some(member), Some(generation)) = (self.identity.clone(), self.joined) else { return };
        let request = self.send(Request::Sync(SyncRequest {
            member,
            instance: self.config.instance.clone(),
            generation,
            protocol_type: Some(self.embedded.protocol_type().to_owned()),
            protocol: self.protocol.clone(),
            assignments,
        }));
        self.state = State::Syncing { request, sent: now, shared };
    }

    /// The leader has decided, the coordinator has stored it: this is ours.
    pub(super) fn settle(&mut self, now: Time, synced: &Synced) {
        let protocol = self.protocol.clone().unwrap_or_default();
        match self.embedded.grant(&protocol, &synced.assignment) {
            Ok(grant) if self.fits(&grant) => {
                if !synced.assignment.is_empty() {
                    self.notice_leader(&protocol, grant.note.as_ref());
                }
                self.take_grant(now, grant);
            }
            Ok(_) => self.retry(now, RejoinCause::Misfit),
            Err(error) => {
                self.fail(MemberFailure::Unreadable(error), LostCause::Failed);
            }
        }
    }

    /// Says once of each leader that it does not know the configured policy.
    fn notice_leader(&mut self, protocol: &str, note: Option<&Note<E::Resource>>) {
        if note.is_some() || self.embedded.needs(protocol) == Abilities::NONE {
            self.foreign = None;
        } else if self.foreign != self.leader {
            self.foreign.clone_from(&self.leader);
            if let Some(leader) = self.leader.clone() {
                self.event(Event::Policy(PolicyUsed::Foreign { leader }));
            }
        }
    }

    /// An assignment for something no longer asked for is ignored as a whole (KAFKA-7961).
    fn fits(&self, grant: &Grant<E::Resource>) -> bool {
        let given = match &grant.change {
            GrantChange::Full(all) => all,
            GrantChange::Delta { start, .. } => start,
        };
        self.interest.as_ref().is_some_and(|i| given.iter().all(|r| self.embedded.covers(i, r)))
    }

    fn take_grant(&mut self, now: Time, grant: Grant<E::Resource>) {
        let generation = self.joined.unwrap_or_default();
        let (start, stop) = self.delta(grant.change);
        let hands_over = stop.iter().any(|r| self.embedded.is_exclusive(r));
        if !hands_over {
            self.follow_up(grant.note.as_ref());
        }
        self.settled = self.joined;
        self.leadership.iter_mut().for_each(|leadership| leadership.tenure = Tenure::Begun);
        self.attempts = 0;
        self.state = State::Stable;
        self.held.extend(start.iter().cloned());
        if self.mode() == Mode::Eager {
            self.previous = Some((self.held.clone(), generation));
        }
        self.carried.told(now, grant.note.as_ref());
        let soonest = now + self.config.backoff;
        let end = self.carried.first_end().map(|end| end.max(soonest));
        let alarm = grant.alarm.map(|wait| now + wait).into_iter().chain(end).min();
        self.alarm_at = alarm.filter(|_| !hands_over);
        self.revoke(now, stop, RevokeCause::Plan);
        if !start.is_empty() {
            self.outputs.push_back(Output::Assign { resources: start.into_iter().collect(), generation });
        }
        self.event(Event::Stable(generation));
    }

    /// Nothing is to be released here, but maybe elsewhere: joining again at once spares the coordinator from telling
    /// us. A member without history may have taken the place of a static one: what that one was about to do is its to
    /// do (KAFKA-9821), and as leader it cannot know whether what exists has changed meanwhile.
    fn follow_up(&mut self, note: Option<&Note<E::Resource>>) {
        let least = match (self.settled, self.config.follow_ups) {
            (None, _) => Rounds::Later,
            (Some(_), FollowUps::AtOnce) => Rounds::Due,
            (Some(_), FollowUps::WhenTold) => return,
        };
        if note.is_some_and(|n| n.rounds >= least) {
            self.wish(RejoinCause::FollowUp);
        }
        if self.settled.is_some() {
            return;
        }
        let Some(leadership) = self.leadership.as_mut().filter(|l| l.decided.is_none()) else { return };
        leadership.decided = note.map(|n| n.catalog);
        match note {
            Some(_) => self.compare_catalog(),
            None if self.mode() == Mode::Cooperative => self.wish(RejoinCause::Catalog),
            None => {}
        }
    }

    fn delta(&self, change: GrantChange<E::Resource>) -> (BTreeSet<E::Resource>, BTreeSet<E::Resource>) {
        match change {
            GrantChange::Full(all) => {
                let stop = self.held.difference(&all).cloned().collect();
                (all.into_iter().filter(|r| !self.held.contains(r)).collect(), stop)
            }
            GrantChange::Delta { start, stop } => {
                let stop = stop.into_iter().filter(|r| self.held.contains(r)).collect();
                (start.into_iter().filter(|r| !self.held.contains(r)).collect(), stop)
            }
        }
    }
}
