use std::hash::{Hash, Hasher};

use groma_model::{Span, Time};

use super::{Isolation, LostCause, MemberConfig};
use crate::digest::until;

/// Until when held resources may run although the coordinator is silent.
///
/// The coordinator gives resources away when a session ends, when a round closes without a member, or when a member
/// fetches its assignment too late. Each of these moments is bounded from below by what the member knows, and the
/// lease ends before the earliest of them. Not knowing how long a broken connection went unnoticed costs the time of
/// detection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    isolation: Isolation,
    session_timeout: Span,
    round_timeout: Span,
    detection: Span,
    /// No earlier than this does the session end.
    session: Time,
    /// No earlier than this does a round close without us.
    round: Time,
    /// No earlier than this are we dropped for not fetching an assignment.
    fetch: Time,
    /// While a join is parked there is neither session nor round to miss.
    parked: Parking,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parking {
    Open,
    Parked,
}

impl Lease {
    pub(super) fn new(config: &MemberConfig) -> Self {
        Self {
            isolation: config.isolation,
            session_timeout: config.session_timeout,
            round_timeout: config.rebalance_timeout,
            detection: config.detection().min(Span(config.rebalance_timeout.0 / 4)),
            session: Time::NEVER,
            round: Time::NEVER,
            fetch: Time::NEVER,
            parked: Parking::Open,
        }
    }

    pub(super) fn clear(&mut self) {
        (self.session, self.round, self.fetch, self.parked) = (Time::NEVER, Time::NEVER, Time::NEVER, Parking::Open);
    }

    /// The coordinator has confirmed the membership in answer to a request sent at `sent`.
    pub(super) fn alive(&mut self, sent: Time) {
        self.session = later(self.session, sent + self.session_timeout);
    }

    /// No round was open when the request sent at `sent` was answered.
    pub(super) fn calm(&mut self, sent: Time) {
        self.round = later(self.round, earlier_by(sent + self.round_timeout, self.detection));
    }

    pub(super) const fn join_sent(&mut self) {
        self.parked = Parking::Parked;
    }

    /// The process was frozen from then on: an answer may have been on its way already, and the session run since.
    pub(super) fn frozen_since(&mut self, then: Time) {
        self.parked = Parking::Open;
        self.session = earlier_by(then, self.detection) + self.session_timeout;
        self.round = Time::NEVER;
    }

    pub(super) fn join_answered(&mut self, now: Time) {
        let noticed = self.noticed(now);
        self.parked = Parking::Open;
        self.session = noticed + self.session_timeout;
        self.round = Time::NEVER;
        self.fetch = earlier_by(noticed + self.round_timeout, self.detection);
    }

    pub(super) fn join_refused(&mut self, now: Time) {
        let noticed = self.noticed(now);
        self.parked = Parking::Open;
        self.session = noticed + self.session_timeout;
    }

    /// When the coordinator answered at the earliest.
    fn noticed(&self, now: Time) -> Time {
        let usual = earlier_by(now, self.detection);
        if self.parked == Parking::Parked || self.session == Time::NEVER {
            return usual;
        }
        usual.min(Time(self.session.0.saturating_sub(self.session_timeout.0)))
    }

    pub(super) fn fetched(&mut self, sent: Time) {
        self.fetch = Time::NEVER;
        self.alive(sent);
        self.calm(sent);
    }

    /// While a join is parked its answer begins the session anew, whatever it says.
    pub(super) fn digest<H: Hasher>(&self, now: Time, hasher: &mut H) {
        (self.parked == Parking::Parked).hash(hasher);
        if self.parked == Parking::Open {
            until(self.session, now, hasher);
        }
        until(self.round, now, hasher);
        until(self.fetch, now, hasher);
    }

    /// When the lease ends, and what it means.
    pub(super) fn end(&self) -> Option<(Time, LostCause)> {
        if self.isolation == Isolation::KeepRunning || self.parked == Parking::Parked {
            return None;
        }
        let late = self.round.min(self.fetch);
        let end = if self.session <= late { (self.session, LostCause::Isolated) } else { (late, LostCause::Late) };
        (end.0 != Time::NEVER).then_some(end)
    }
}

/// The later of a bound and a new one, where there may have been none.
fn later(bound: Time, new: Time) -> Time {
    if bound == Time::NEVER { new } else { bound.max(new) }
}

const fn earlier_by(time: Time, span: Span) -> Time {
    Time(time.0.saturating_sub(span.0))
}
