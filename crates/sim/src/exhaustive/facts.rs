use groma_model::{MemberId, Span, Time};
use groma_rebalance::coordinator::{Group, GroupState};
use groma_rebalance::member::Phase;
use groma_rebalance::protocol::Reply;

use super::place::{Answer, Asked, Place};
use super::transcript::Written;
use super::world::written;

/// What is asked about a place again and again.
#[derive(Clone, Debug)]
pub(super) struct PlaceFacts {
    pub(super) written: Written,
    /// None where no process runs.
    pub(super) process: Option<ProcessFacts>,
    /// Until the earliest deadline.
    pub(super) deadline: Option<Span>,
    /// How far the clock may go before something must have arrived, or stopped.
    pub(super) bears: Option<Span>,
    pub(super) up: usize,
    pub(super) down: usize,
    /// By when the next answer is to arrive; none if there is none, or it is held.
    pub(super) next_answer: Option<Urgency>,
    pub(super) traits: Traits,
}

/// What is so at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trait {
    /// Nothing is under way to or from here, and nothing is about to stop.
    Still,
    /// The process has requests on their way, which a kill may lose.
    HasSent,
    /// The next request is the join of one that has an identity.
    JoinsNext,
    /// It must arrive before the clock moves, and nothing else can happen here until then, but for a kill.
    JoinsNow,
    /// Heartbeats, or answers to them, are under way.
    BeatUnderWay,
    /// A heartbeat is the next request, and nothing else can happen here before the clock moves, but for a kill.
    BeatNext,
    /// It is the only request.
    BeatAlone,
    /// The next answer is to a heartbeat, and all is well.
    BeatAnsweredWell,
    /// What the process runs is other than what the member owns.
    RunsOther,
    /// The application is about to stop something.
    Stops,
    /// The member waits for the coordinator in the middle of a round.
    Waits,
    /// The member is settled, with no alarm set.
    Calm,
}

/// A set of traits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traits(u16);

impl Traits {
    fn of(place: &Place, now: Time, bearable: Span) -> Self {
        let beat_next = place.up.front().is_some_and(Asked::is_beat) && place.only_asks();
        let beats = place.up.iter().any(Asked::is_beat) || place.down.iter().any(Answer::is_beat);
        let well = place.down.front().is_some_and(|answer| answer.reply == Reply::Heartbeat(Ok(())));
        let of_place = [
            (Trait::Still, place.is_still()),
            (Trait::HasSent, place.has_sent()),
            (Trait::JoinsNext, place.up.front().is_some_and(Asked::is_join_of_known)),
            (Trait::JoinsNow, place.joins_now(now, bearable)),
            (Trait::BeatUnderWay, beats),
            (Trait::BeatNext, beat_next),
            (Trait::BeatAlone, beat_next && place.up.len() == 1),
            (Trait::BeatAnsweredWell, well),
        ];
        let of_process = place.process.as_ref().map(|process| {
            let phase = process.member.phase();
            [
                (Trait::RunsOther, !place.runs_what_it_owns()),
                (Trait::Stops, !process.stopping.is_empty()),
                (Trait::Waits, matches!(phase, Phase::Joining | Phase::Syncing)),
                (Trait::Calm, phase == Phase::Stable && process.member.alarm().is_none()),
            ]
        });
        let all = of_place.into_iter().chain(of_process.into_iter().flatten()).filter(|(_, is)| *is);
        Self(all.fold(0, |bits, (one, _)| bits | 1 << one as u16))
    }

    pub(super) const fn has(self, one: Trait) -> bool {
        self.0 >> one as u16 & 1 == 1
    }
}

#[derive(Clone, Debug)]
pub(super) struct ProcessFacts {
    pub(super) identity: Option<MemberId>,
    /// One bit for each resource that runs.
    pub(super) running: u64,
}

#[derive(Clone, Debug)]
pub(super) struct GroupFacts {
    pub(super) written: Written,
    pub(super) deadline: Option<Span>,
    pub(super) state: GroupState,
    /// Who is on the book, sorted.
    pub(super) members: Vec<MemberId>,
}

/// By when an answer is to arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    /// Before the clock moves on.
    Now,
    /// Before or after that.
    NowOrLater,
}

impl PlaceFacts {
    pub(super) fn of(place: &Place, now: Time, bearable: Span) -> Self {
        let answer = place.down.front().filter(|answer| !answer.held);
        let urgency = |until: Time| if until <= now { Urgency::Now } else { Urgency::NowOrLater };
        Self {
            written: place.transcript(now).written(),
            process: place.process.as_ref().map(|process| ProcessFacts {
                identity: process.member.member().cloned(),
                running: process.running.iter().fold(0, |bits, r| bits | 1_u64 << r.partition.0),
            }),
            deadline: place.process.as_ref().and_then(|p| p.member.deadline()).map(|(at, _)| at.since(now)),
            bears: place.pending_until(bearable).map(|until| until.since(now)),
            up: place.up.len(),
            down: place.down.len(),
            next_answer: answer.map(|answer| urgency(answer.pending_until(bearable))),
            traits: Traits::of(place, now, bearable),
        }
    }

    pub(super) const fn has(&self, one: Trait) -> bool {
        self.traits.has(one)
    }

    pub(super) fn running(&self) -> u64 {
        self.process.as_ref().map_or(0, |process| process.running)
    }
}

impl GroupFacts {
    pub(super) fn of(group: &Group, now: Time) -> Self {
        let view = group.view();
        let mut members: Vec<MemberId> = view.members.into_iter().map(|member| member.member).collect();
        members.sort_unstable();
        Self {
            written: written(group, now).written(),
            deadline: group.deadline().map(|(at, _)| at.since(now)),
            state: view.state,
            members,
        }
    }
}
