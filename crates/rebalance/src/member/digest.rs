use std::hash::{Hash, Hasher};

use groma_model::Time;

use super::state::{Beat, Farewell, Leading, Link, State};
use super::{Liveness, Member};
use crate::digest::{Numbers, since, until, until_some};
use crate::embedded::Embedded;

impl<E: Embedded> Member<E>
where
    E::Resource: Hash,
    E::Memory: Hash,
{
    /// Writes all that decides what the member will do from now on: equal bytes, equal future. To be called between
    /// two inputs, when all outputs are drained.
    ///
    /// Left out is what two members of one search have in common (settings, interest, what exists), what only people
    /// are told (causes), the jitter of pauses, which must be of no length, and for how long a join has been parked:
    /// only a policy that lets a new group gather asks for that.
    pub fn digest<H: Hasher>(&self, now: Time, numbers: &mut Numbers, hasher: &mut H) {
        self.identity.hash(hasher);
        (self.joined, self.settled).hash(hasher);
        self.protocol.hash(hasher);
        self.held.hash(hasher);
        self.previous.hash(hasher);
        for (release, resources) in &self.releases {
            (numbers.place(release.0), resources).hash(hasher);
        }
        until_some(self.release_by, now, hasher);
        self.digest_leadership(hasher);
        self.digest_state(now, numbers, hasher);
        self.wish.is_some().hash(hasher);
        self.digest_beat(now, numbers, hasher);
        until(self.retry_at, now, hasher);
        until_some(self.alarm_at, now, hasher);
        if self.config.liveness == Liveness::Polled {
            since(self.polled, now, hasher);
        }
        self.digest_lease(now, hasher);
        self.carried.digest(now, hasher);
    }

    /// Who has nothing to lose has no lease to end: it begins anew with the answer to the next sync, or, if that is under
    /// way, ends no earlier than this answer and those to heartbeats say. How long the member was not driven counts for
    /// nothing else.
    fn digest_lease<H: Hasher>(&self, now: Time, hasher: &mut H) {
        match self.state {
            _ if self.has_stakes() => self.lease.digest(now, hasher),
            State::Syncing { sent, .. } => {
                let mut lease = self.lease.clone();
                lease.fetched(sent);
                lease.digest(now, hasher);
            }
            _ => {}
        }
    }

    fn digest_leadership<H: Hasher>(&self, hasher: &mut H) {
        let leadership = self.leadership.as_ref();
        leadership.map(|l| (l.decided, l.sight as u8, l.tenure as u8)).hash(hasher);
    }

    fn digest_state<H: Hasher>(&self, now: Time, numbers: &mut Numbers, hasher: &mut H) {
        std::mem::discriminant(&self.state).hash(hasher);
        match &self.state {
            State::Idle | State::Stable | State::Stalled | State::Failed => {}
            State::Waiting { readiness, .. } => (*readiness as u8).hash(hasher),
            State::Joining(request) => {
                numbers.place(request.0).hash(hasher);
                if self.has_stakes() {
                    since(self.driven, now, hasher);
                }
            }
            State::Resolving(Leading { members, asked, gathers }) => {
                members.hash(hasher);
                since(*asked, now, hasher);
                until_some(*gathers, now, hasher);
            }
            State::Syncing { request, sent, .. } => {
                numbers.place(request.0).hash(hasher);
                since(*sent, now, hasher);
            }
            State::Leaving(farewell) => match farewell {
                Farewell::Settled(parting) => (0, parting).hash(hasher),
                Farewell::MidRound(parting) => (1, parting).hash(hasher),
                Farewell::Said(request) => (2, numbers.place(request.0)).hash(hasher),
            },
        }
        std::mem::discriminant(&self.link).hash(hasher);
        if let Link::Unknown(at) = self.link {
            until(at, now, hasher);
        }
    }

    fn digest_beat<H: Hasher>(&self, now: Time, numbers: &mut Numbers, hasher: &mut H) {
        until(self.beat_at, now, hasher);
        if let Some(Beat { request, sent, member, generation }) = &self.beat {
            (numbers.place(request.0), member, generation).hash(hasher);
            since(*sent, now, hasher);
        }
    }
}
