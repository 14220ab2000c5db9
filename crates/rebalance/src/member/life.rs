use groma_model::{Generation, MemberId, Span, Time};

use super::state::{Beat, Farewell, Leading, Link, Parting, Readiness, State};
use super::trail::Carried;
use super::{Event, Liveness, LostCause, Member, MemberFailure, Output, RejoinCause, RevokeCause};
use crate::embedded::Embedded;
use crate::protocol::{CommitFence, GroupError, HeartbeatRequest, LeaveRequest, Leaver, Request};

impl<E: Embedded> Member<E> {
    pub(super) fn lease_deadline(&self) -> Option<Time> {
        if self.has_stakes() { self.lease.end().map(|(at, _)| at) } else { None }
    }

    /// Whether others could come to do what this member does.
    pub(super) fn has_stakes(&self) -> bool {
        !self.held.is_empty() || self.leads().is_some()
    }

    pub(super) fn beat_deadline(&self) -> Option<Time> {
        let beats = self.beating_as().is_some() && self.link == Link::Known && self.beat.is_none();
        beats.then_some(self.beat_at)
    }

    pub(super) fn retry_deadline(&self) -> Option<Time> {
        let blocked = !self.releases.is_empty() || self.link != Link::Known;
        let join = matches!(self.state, State::Waiting { .. } if !blocked).then_some(self.retry_at);
        let resolve = match &self.state {
            State::Resolving(leading) => Some(leading.gathers.unwrap_or(leading.asked + self.config.backoff_max)),
            _ => None,
        };
        let seek = match self.link {
            Link::Unknown(at) if self.needs_coordinator() => Some(at),
            _ => None,
        };
        [join, resolve, seek].into_iter().flatten().min()
    }

    pub(super) fn liveness_deadline(&self) -> Option<Time> {
        let active = !matches!(self.state, State::Idle | State::Failed | State::Stalled | State::Leaving(_));
        (active && self.config.liveness == Liveness::Polled).then(|| self.polled + self.config.rebalance_timeout)
    }

    pub(super) fn check_deadlines(&mut self, now: Time) {
        if self.lease_deadline().is_some_and(|at| at <= now) {
            let cause = self.lease.end().map_or(LostCause::Isolated, |(_, cause)| cause);
            self.lose_contact(cause);
        }
        if self.liveness_deadline().is_some_and(|at| at <= now) || self.release_by.is_some_and(|at| at <= now) {
            self.stall();
        }
        if self.alarm_at.is_some_and(|at| at <= now) {
            self.alarm_at = None;
            self.carried.ring();
            self.wish(RejoinCause::Alarm);
        }
        match &self.state {
            State::Resolving(Leading { gathers: Some(end), .. }) if *end <= now => self.lead(now),
            State::Resolving(l) if l.gathers.is_none() && l.asked + self.config.backoff_max <= now => {
                self.ask_catalog(now);
            }
            _ => {}
        }
    }

    pub(super) fn pulse_deadline(&self) -> Option<Time> {
        let parked = matches!(self.state, State::Joining(_)) && self.has_stakes();
        parked.then(|| self.driven + self.config.heartbeat_interval)
    }

    /// A process that was frozen while its join was parked may have been answered, and expelled, meanwhile.
    pub(super) fn notice_gap(&mut self, now: Time) {
        if matches!(self.state, State::Joining(_)) && now.since(self.driven) > self.config.detection() {
            self.lease.frozen_since(self.driven);
        }
        self.driven = now;
        if self.lease_deadline().is_some_and(|at| at <= now) && matches!(self.state, State::Joining(_)) {
            self.lose_contact(LostCause::Isolated);
        }
    }

    /// The lease is over: others may run what we hold. Our identity may still be good.
    fn lose_contact(&mut self, cause: LostCause) {
        self.lose_everything(cause);
        self.joined = None;
        self.leadership = None;
        self.beat = None;
        self.rejoin(RejoinCause::IdentityLost);
    }

    /// The application does not react: the group is told, everything is lost.
    fn stall(&mut self) {
        let was_leaving = matches!(self.state, State::Leaving(_));
        self.say_goodbye(Parting::Stuck);
        self.lose_everything(LostCause::Stalled);
        self.release_by = None;
        self.forget_identity();
        self.leadership = None;
        if was_leaving {
            return;
        }
        self.state = match self.config.liveness {
            Liveness::Polled => State::Stalled,
            Liveness::Implied => State::waiting(RejoinCause::IdentityLost),
        };
    }

    pub(super) fn poll_seen(&mut self, now: Time) {
        self.polled = now;
        if matches!(self.state, State::Stalled) {
            self.retry_at = now;
            self.state = State::waiting(RejoinCause::IdentityLost);
        }
    }

    fn needs_coordinator(&self) -> bool {
        !matches!(self.state, State::Idle | State::Failed | State::Stalled)
    }

    pub(super) fn seek(&mut self, now: Time) {
        if let Link::Unknown(at) = self.link
            && at <= now
            && self.needs_coordinator()
        {
            self.link = Link::Seeking;
            self.outputs.push_back(Output::FindCoordinator);
        }
    }

    pub(super) fn coordinator_found(&mut self, now: Time) {
        self.link = Link::Known;
        self.beat_at = now;
    }

    pub(super) fn coordinator_unknown(&mut self, now: Time, error: GroupError) {
        if self.link != Link::Seeking {
            return;
        }
        if error == GroupError::GroupAuthorizationFailed || error == GroupError::InvalidGroupId {
            self.link = Link::Unknown(now);
            return self.fail(MemberFailure::Refused(error), LostCause::Failed);
        }
        self.attempts = self.attempts.saturating_add(1);
        self.link = Link::Unknown(now + self.pause());
    }

    /// The coordinator is not where it was.
    pub(super) fn lose_link(&mut self, now: Time) {
        if self.link == Link::Known {
            self.link = Link::Unknown(now);
        }
        self.beat = None;
    }

    /// Under which identity heartbeats go out; none while the member is not in a group.
    fn beating_as(&self) -> Option<(&MemberId, Generation)> {
        let beats = matches!(
            self.state,
            State::Waiting { readiness: Readiness::Prepared, .. }
                | State::Joining(_)
                | State::Resolving(_)
                | State::Syncing { .. }
                | State::Stable
                | State::Leaving(Farewell::Settled(_))
        );
        beats.then_some(self.identity.as_ref().zip(self.joined)).flatten()
    }

    pub(super) fn beat(&mut self, now: Time) {
        if self.beat_deadline().is_none_or(|at| at > now) {
            return;
        }
        let Some((member, generation)) = self.beating_as().map(|(m, g)| (m.clone(), g)) else { return };
        let instance = self.config.instance.clone();
        let request = self.send(Request::Heartbeat(HeartbeatRequest { member: member.clone(), instance, generation }));
        self.beat = Some(Beat { request, sent: now, member, generation });
        self.beat_at = now + self.config.heartbeat_interval;
    }

    /// While a join is parked, its answer decides; that the coordinator still answers is all a heartbeat tells.
    pub(super) fn beat_answered(&mut self, now: Time, beat: &Beat, result: Result<(), GroupError>) {
        let current = self.identity.as_ref() == Some(&beat.member) && self.joined == Some(beat.generation);
        if !current || matches!(self.state, State::Joining(_)) {
            return;
        }
        match result {
            Ok(()) => {
                self.lease.alive(beat.sent);
                self.lease.calm(beat.sent);
            }
            Err(GroupError::RebalanceInProgress) => {
                self.lease.alive(beat.sent);
                if matches!(self.state, State::Stable) && !self.gathers(now) {
                    self.wish.get_or_insert(RejoinCause::Told);
                }
            }
            Err(error) => self.beat_refused(now, error),
        }
    }

    /// Whether the group that begins is to gather its members first: then the alarm calls, not the first who comes.
    fn gathers(&self, now: Time) -> bool {
        self.held.is_empty() && self.alarm_at.is_some() && self.carried.gathers_until().is_some_and(|end| end > now)
    }

    /// A coordinator that does not answer heartbeats will not answer a parked join either.
    pub(super) fn beat_unanswered(&mut self, now: Time) {
        self.lose_link(now);
        if matches!(self.state, State::Joining(_)) {
            self.lease.join_refused(now);
            self.retry(now, RejoinCause::Retry);
        }
    }

    fn beat_refused(&mut self, now: Time, error: GroupError) {
        match error {
            GroupError::NotCoordinator | GroupError::CoordinatorNotAvailable => self.lose_link(now),
            GroupError::UnknownMember => self.expelled(now, error),
            GroupError::IllegalGeneration if !matches!(self.state, State::Syncing { .. } | State::Resolving(_)) => {
                self.outdated(now, error);
            }
            GroupError::FencedInstance => self.fail(MemberFailure::Refused(error), LostCause::Fenced),
            _ => {
                let pause = self.config.backoff;
                self.beat_at = now + pause.max(Span(self.config.heartbeat_interval.0 / 4));
            }
        }
    }

    /// The coordinator does not know us: identity and everything held are gone.
    pub(super) fn expelled(&mut self, now: Time, error: GroupError) {
        self.event(Event::Recovered(error));
        self.lose_everything(LostCause::Expelled);
        self.forget_identity();
        self.leadership = None;
        self.retry(now, RejoinCause::IdentityLost);
    }

    /// Our generation has passed without us: what we hold may be others', our identity is good.
    pub(super) fn outdated(&mut self, now: Time, error: GroupError) {
        self.event(Event::Recovered(error));
        self.lose_everything(LostCause::Expelled);
        self.joined = None;
        self.leadership = None;
        self.retry(now, RejoinCause::IdentityLost);
    }

    pub(super) fn commit_refused(&mut self, now: Time, fence: &CommitFence, error: GroupError) {
        let current = fence.member == self.identity && fence.generation == self.joined;
        if !current || !matches!(self.state, State::Stable | State::Leaving(Farewell::Settled(_))) {
            return;
        }
        match error {
            GroupError::UnknownMember => self.expelled(now, error),
            GroupError::IllegalGeneration => self.outdated(now, error),
            GroupError::FencedInstance => self.fail(MemberFailure::Refused(error), LostCause::Fenced),
            GroupError::RebalanceInProgress => self.wish(RejoinCause::Told),
            GroupError::NotCoordinator | GroupError::CoordinatorNotAvailable => self.lose_link(now),
            _ => {}
        }
    }

    pub(super) fn leave(&mut self, now: Time) {
        match self.state {
            State::Idle | State::Failed => self.outputs.push_back(Output::Left),
            State::Leaving(_) => {}
            _ => self.part(now, Parting::Wished),
        }
    }

    /// The member cannot do its work: it says so, gives everything up in good order, and leaves.
    pub(super) fn break_down(&mut self, now: Time, failure: MemberFailure) {
        self.leadership = None;
        match self.state {
            State::Idle | State::Failed => self.state = State::Failed,
            State::Leaving(_) => {}
            _ => self.part(now, Parting::Broken),
        }
        self.outputs.push_back(Output::Failed(failure));
    }

    fn part(&mut self, now: Time, parting: Parting) {
        self.wish = None;
        self.alarm_at = None;
        self.state = State::Leaving(self.farewell(now, parting));
        self.revoke(now, self.held.clone(), RevokeCause::Leaving);
    }

    fn farewell(&mut self, now: Time, parting: Parting) -> Farewell {
        match self.state {
            State::Joining(_) => {
                self.lease.join_refused(now);
                Farewell::MidRound(parting)
            }
            State::Syncing { .. } | State::Resolving(_) => Farewell::MidRound(parting),
            _ => Farewell::Settled(parting),
        }
    }

    /// Says goodbye once everything is released.
    pub(super) fn advance_leaving(&mut self) {
        let State::Leaving(Farewell::Settled(parting) | Farewell::MidRound(parting)) = self.state else { return };
        if !self.releases.is_empty() {
            return;
        }
        match self.say_goodbye(parting) {
            Some(request) => self.state = State::Leaving(Farewell::Said(request)),
            None => self.left(),
        }
    }

    /// Tells the group, if there is anybody to tell. A static member is silent (KIP-345), unless nobody could lead
    /// meanwhile.
    fn say_goodbye(&mut self, parting: Parting) -> Option<super::RequestId> {
        let instance = self.config.instance.clone();
        let speaks = instance.is_none() || parting == Parting::Broken;
        let member = self.identity.clone().filter(|_| speaks && self.link == Link::Known)?;
        let leaver = Leaver { member: Some(member), instance, reason: Some(parting.reason().to_owned()) };
        Some(self.send(Request::Leave(LeaveRequest { leavers: vec![leaver] })))
    }

    pub(super) fn left(&mut self) {
        self.state = State::Idle;
        self.interest = None;
        self.leadership = None;
        self.lease.clear();
        self.joined = None;
        self.settled = None;
        self.previous = None;
        self.carried = Carried::new();
        if self.config.instance.is_none() {
            self.identity = None;
        }
        self.outputs.push_back(Output::Left);
    }
}
