use std::collections::{BTreeMap, BTreeSet, VecDeque};

use groma_model::{Generation, MemberId, Span, Time};

use super::lease::Lease;
use super::state::{Beat, Leadership, Link, Readiness, State, Tenure};
use super::trail::Carried;
use super::{
    Event, Input, LostCause, MemberConfig, MemberFailure, Output, Phase, Reason, RejoinCause, ReleaseId, RequestId,
};
use crate::embedded::Embedded;
use crate::protocol::{CommitFence, CommitScope, GroupError, Request};

/// One member of a classic group.
#[derive(Clone, Debug)]
pub struct Member<E: Embedded> {
    pub(super) config: MemberConfig,
    pub(super) embedded: E,
    pub(super) interest: Option<E::Interest>,
    pub(super) catalog: E::Catalog,
    pub(super) identity: Option<MemberId>,
    /// The generation joined last; heartbeats go out under it.
    pub(super) joined: Option<Generation>,
    /// The generation in which the held set was last confirmed.
    pub(super) settled: Option<Generation>,
    pub(super) protocol: Option<String>,
    /// Who leads the generation joined last.
    pub(super) leader: Option<MemberId>,
    /// The leader of another make that was told of last.
    pub(super) foreign: Option<MemberId>,
    pub(super) held: BTreeSet<E::Resource>,
    /// Under eager: what was held in the last settled generation.
    pub(super) previous: Option<(BTreeSet<E::Resource>, Generation)>,
    pub(super) releases: BTreeMap<ReleaseId, BTreeSet<E::Resource>>,
    pub(super) release_by: Option<Time>,
    pub(super) leadership: Option<Leadership<E::Interest>>,
    pub(super) state: State,
    pub(super) link: Link,
    /// A reason to join again as soon as the present generation is settled.
    pub(super) wish: Option<RejoinCause>,
    pub(super) beat: Option<Beat>,
    pub(super) beat_at: Time,
    pub(super) retry_at: Time,
    pub(super) alarm_at: Option<Time>,
    pub(super) polled: Time,
    /// When the member was last driven.
    pub(super) driven: Time,
    pub(super) lease: Lease,
    pub(super) carried: Carried<E>,
    pub(super) attempts: u32,
    ids: u64,
    jitter: u64,
    pub(super) outputs: VecDeque<Output<E>>,
}

impl<E: Embedded> Member<E> {
    /// A member that has not subscribed to anything yet.
    pub fn new(config: MemberConfig, embedded: E) -> Self {
        Self {
            lease: Lease::new(&config),
            jitter: config.seed,
            config,
            embedded,
            interest: None,
            catalog: E::Catalog::default(),
            identity: None,
            joined: None,
            settled: None,
            protocol: None,
            leader: None,
            foreign: None,
            held: BTreeSet::new(),
            previous: None,
            releases: BTreeMap::new(),
            release_by: None,
            leadership: None,
            state: State::Idle,
            link: Link::Unknown(Time::ZERO),
            wish: None,
            beat: None,
            beat_at: Time::ZERO,
            retry_at: Time::ZERO,
            alarm_at: None,
            polled: Time::ZERO,
            driven: Time::ZERO,
            carried: Carried::new(),
            attempts: 0,
            ids: 0,
            outputs: VecDeque::new(),
        }
    }

    /// Takes what happened.
    pub fn handle(&mut self, now: Time, input: Input<E>) {
        self.notice_gap(now);
        match input {
            Input::Subscribe(interest) => self.subscribe(now, interest),
            Input::Catalog(catalog) => self.learn_catalog(now, catalog),
            Input::CoordinatorFound => self.coordinator_found(now),
            Input::CoordinatorUnknown(error) => self.coordinator_unknown(now, error),
            Input::CoordinatorLost => self.lose_link(now),
            Input::Answered { id, result } => self.answered(now, id, result),
            Input::Released(id) => self.released(id),
            Input::Polled => self.poll_seen(now),
            Input::CommitRefused { fence, error } => self.commit_refused(now, &fence, error),
            Input::Rejoin => self.wish(RejoinCause::Asked),
            Input::Leave => self.leave(now),
            Input::Panicked(said) => self.break_down(now, MemberFailure::Panicked { said }),
            Input::Tick => {}
        }
        self.check_deadlines(now);
        self.advance(now);
    }

    /// Yields what is to be done; drain it before the next `handle`.
    pub fn poll(&mut self) -> Option<Output<E>> {
        self.outputs.pop_front()
    }

    /// When to come back with [`Input::Tick`], and why.
    pub fn deadline(&self) -> Option<(Time, Reason)> {
        let mut deadlines = [
            self.lease_deadline().map(|at| (at, Reason::Lease)),
            self.beat_deadline().map(|at| (at, Reason::Heartbeat)),
            self.retry_deadline().map(|at| (at, Reason::Retry)),
            self.liveness_deadline().map(|at| (at, Reason::Liveness)),
            self.release_by.map(|at| (at, Reason::Release)),
            self.alarm_at.map(|at| (at, Reason::Alarm)),
            self.pulse_deadline().map(|at| (at, Reason::Pulse)),
        ];
        deadlines.sort_unstable();
        deadlines.into_iter().flatten().next()
    }

    /// What the member is doing.
    pub fn phase(&self) -> Phase {
        match &self.state {
            State::Idle => Phase::Idle,
            State::Waiting { .. } if !self.releases.is_empty() => Phase::Releasing,
            State::Waiting { .. } if self.link != Link::Known => Phase::Seeking,
            State::Waiting { .. } | State::Stalled => Phase::Pausing,
            State::Joining(_) => Phase::Joining,
            State::Resolving(_) => Phase::Resolving,
            State::Syncing { .. } => Phase::Syncing,
            State::Stable => Phase::Stable,
            State::Leaving(_) => Phase::Leaving,
            State::Failed => Phase::Failed,
        }
    }

    /// What the member owns: assigned, and not yet released.
    pub const fn held(&self) -> &BTreeSet<E::Resource> {
        &self.held
    }

    /// What exists, as far as this member knows.
    pub const fn catalog(&self) -> &E::Catalog {
        &self.catalog
    }

    /// How it speaks and shares out.
    pub const fn embedded(&self) -> &E {
        &self.embedded
    }

    /// Its identity, once the coordinator gave one.
    pub const fn member(&self) -> Option<&MemberId> {
        self.identity.as_ref()
    }

    /// The generation in which what it holds was last confirmed.
    pub const fn generation(&self) -> Option<Generation> {
        self.settled
    }

    /// Whether it leads the generation it joined last.
    pub const fn is_leader(&self) -> bool {
        self.leadership.is_some()
    }

    /// When the plan calls for another round, if it does.
    pub const fn alarm(&self) -> Option<Time> {
        self.alarm_at
    }

    /// Whether lost resources wait for their owner, as far as this member was told.
    pub fn is_waiting(&self) -> bool {
        self.carried.first_end().is_some()
    }

    /// The generation it leads, once that is settled for it. It ends with a round in which another member leads, and when
    /// the coordinator has been silent for so long that others may lead. Two members may believe in it for as long as
    /// an answer travels, so what must never be done twice is fenced by the generation, or is a resource.
    pub fn leads(&self) -> Option<Generation> {
        let begun = self.leadership.as_ref().is_some_and(|leadership| leadership.tenure == Tenure::Begun);
        self.settled.filter(|_| begun)
    }

    /// Until when what it holds may run, or it may lead, although the coordinator is silent; none if it does neither,
    /// while a join is parked, or under [`super::Isolation::KeepRunning`].
    pub fn lease(&self) -> Option<Time> {
        self.lease_deadline()
    }

    /// The fence to commit offsets under now; an error says why there is none at this moment
    /// ([`GroupError::RebalanceInProgress`]: try after the round; [`GroupError::UnknownMember`]: not in a group).
    ///
    /// While a join is parked commits still go out under the last settled generation; the coordinator refuses them
    /// once the round has closed, which harms nothing.
    pub fn commit_fence(&self) -> Result<CommitFence, GroupError> {
        let (Some(member), Some(generation)) = (&self.identity, self.settled) else {
            return Err(GroupError::UnknownMember);
        };
        match self.state {
            State::Stable | State::Waiting { .. } | State::Joining(_) | State::Leaving(_)
                if self.joined == self.settled =>
            {
                Ok(CommitFence {
                    member: Some(member.clone()),
                    instance: self.config.instance.clone(),
                    generation: Some(generation),
                    scope: CommitScope::Plain,
                })
            }
            State::Idle | State::Stalled | State::Failed => Err(GroupError::UnknownMember),
            _ => Err(GroupError::RebalanceInProgress),
        }
    }

    /// Goes on as far as nothing holds it up.
    fn advance(&mut self, now: Time) {
        if matches!(self.state, State::Stable)
            && let Some(cause) = self.wish.take()
        {
            self.state = State::waiting(cause);
        }
        if let State::Waiting { cause, readiness } = self.state.clone() {
            if readiness == Readiness::Unprepared {
                self.prepare(now);
                self.state = State::Waiting { cause: cause.clone(), readiness: Readiness::Prepared };
            }
            if self.releases.is_empty() && self.retry_at <= now && self.link == Link::Known {
                self.send_join(now, cause);
            }
        }
        self.advance_leaving();
        self.seek(now);
        self.beat(now);
    }

    pub(super) fn send(&mut self, request: Request) -> RequestId {
        let id = RequestId(self.next_id());
        let patience = match &request {
            Request::Join(_) => self.config.join_patience(),
            Request::Sync(_) => self.config.join_patience(),
            Request::Heartbeat(_) | Request::Leave(_) => self.config.request_timeout,
        };
        self.outputs.push_back(Output::Send { id, request, patience });
        id
    }

    pub(super) const fn next_id(&mut self) -> u64 {
        self.ids += 1;
        self.ids
    }

    pub(super) fn event(&mut self, event: Event<E::Resource>) {
        self.outputs.push_back(Output::Event(event));
    }

    /// Notes a reason to join again, to be acted on as soon as the member is settled.
    pub(super) fn wish(&mut self, cause: RejoinCause) {
        if !matches!(self.state, State::Idle | State::Failed) {
            self.wish.get_or_insert(cause);
        }
    }

    /// Joins again, at once the first time, after a growing pause when it keeps failing.
    pub(super) fn retry(&mut self, now: Time, cause: RejoinCause) {
        if self.attempts > 0 {
            self.retry_at = now + self.pause();
        }
        self.attempts = self.attempts.saturating_add(1);
        self.rejoin(cause);
    }

    /// Joins again after a pause.
    pub(super) fn retry_later(&mut self, now: Time, cause: RejoinCause) {
        self.attempts = self.attempts.saturating_add(1);
        self.retry_at = now + self.pause();
        self.rejoin(cause);
    }

    pub(super) fn rejoin(&mut self, cause: RejoinCause) {
        if !matches!(self.state, State::Leaving(_) | State::Failed | State::Idle | State::Stalled) {
            self.state = State::waiting(cause);
        }
    }

    /// A pause that doubles with each attempt, with 20 % of jitter.
    pub(super) fn pause(&mut self) -> Span {
        let doubled = self.config.backoff.times(1 << self.attempts.saturating_sub(1).min(16));
        let pause = doubled.min(self.config.backoff_max).0;
        self.jitter = self.jitter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.jitter ^ (self.jitter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let per_mille = 800 + (mixed >> 33) % 401;
        Span(pause / 1000 * per_mille)
    }

    pub(super) fn fail(&mut self, failure: MemberFailure, cause: LostCause) {
        self.lose_everything(cause);
        self.forget_identity();
        self.leadership = None;
        self.wish = None;
        self.alarm_at = None;
        self.state = State::Failed;
        self.outputs.push_back(Output::Failed(failure));
    }

    pub(super) fn forget_identity(&mut self) {
        self.identity = None;
        self.joined = None;
        self.settled = None;
    }

    fn subscribe(&mut self, now: Time, interest: E::Interest) {
        let changed = self.interest.as_ref() != Some(&interest);
        self.interest = Some(interest);
        match &mut self.state {
            State::Idle | State::Failed => self.enter(now),
            State::Waiting { readiness, .. } if changed => *readiness = Readiness::Unprepared,
            State::Leaving(_) | State::Stalled => {}
            _ if changed => self.wish(RejoinCause::Subscription),
            _ => {}
        }
    }

    fn enter(&mut self, now: Time) {
        self.polled = now;
        self.attempts = 0;
        self.retry_at = now;
        self.state = State::waiting(RejoinCause::First);
        if self.link != Link::Known && self.link != Link::Seeking {
            self.link = Link::Unknown(now);
        }
    }
}
