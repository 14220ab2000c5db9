use std::sync::Arc;

use bytes::Bytes;
use groma_model::{Generation, MemberId, Span, TopicPartition};

use super::bytes::put_nullable_bytes;
use super::change::Told;
use super::deal::Deal;
use super::layout::Layout;
use super::lead::{Lead, Seat};
use super::memory::{PlanMemory, key};
use super::note::encode_note;
use super::pack::WaitTime;
use super::past::Lookback;
use super::streak::{Bounded, Streak};
use super::{Assignment, Consumer};
use crate::assignor;
use crate::embedded::{Council, Decision, EmbeddedError, HeldBack, Mode, Note, Owner, PolicyUsed, Rounds, Waiting};
use crate::member::{Move, Step};
use crate::policy::{self, Abilities, Policy, TwoRound};
use crate::share::{
    Continuity, DenseMove, FollowUp, Former, Granted, Loss, NOBODY, Owners, Past, Plan, Situation, Wait,
};

/// More moves than these are not named in a decision.
const MOVES_NAMED_MAX: usize = 10_000;

impl<'a> Lead<'a> {
    /// # Errors
    /// `BadTarget` where the assignor breaks its contract, `BadPlan` where the policy does.
    pub(super) fn decide(
        &self,
        council: &Council<'_, Consumer>,
        layout: Layout,
    ) -> Result<Decision<Consumer>, EmbeddedError> {
        let (policy, used) = self.policy();
        let mode = policy.mode();
        let mut lookback = Lookback::new(self);
        let stamp = Consumer::stamp_of(self.topics().iter().copied());
        let (situation, claimed) = self.situation();
        let past = match mode {
            Mode::Cooperative => lookback.past(&situation, council, stamp),
            Mode::Eager => Past::default(),
        };
        let situation = situation.with_past(past);
        let target = self.target(&situation, &policy)?;
        let latest = council.memory.last().map(|(_, plan)| plan);
        let Bounded { plan, streak, offence } = self.bounded(&policy, (&situation, target), latest);
        let bad = |fault| EmbeddedError::BadPlan { policy: policy.name().to_owned(), fault };
        if policy.is_checked() {
            policy::check(&situation, &plan, mode).map_err(bad)?;
        }
        let waits = self.waits(&situation, &plan, (council.generation, &lookback.gone));
        let rounds = rounds(&situation, &plan, lookback.last_plan(council));
        let (members, catalog, gathers) = (Some(self.seats.len() as u32), stamp, plan.formation);
        let note = Note { rounds, catalog, members, waits: waits.clone(), pace: plan.pace, formation: plan.formation };
        let (note, alarm) = write_note(&plan, policy.as_ref(), &note);
        let named = plan.moves(&situation).take(MOVES_NAMED_MAX);
        Ok(Decision {
            moves: named.map(|m| self.name_move(&situation, m)).collect(),
            moved: plan.moved(&situation),
            assignments: match layout {
                Layout::Kafka => self.assignments((&situation, &plan), claimed, &note),
                Layout::Proposed(shape) => self.changes(&situation, &plan, (shape, &Told { alarm, note: &note })),
            },
            waits,
            held_back: held_back(&plan),
            gathers,
            broken: self.seats.iter().filter(|s| !s.is_readable()).map(|s| s.member.clone()).collect(),
            offences: lookback.offences.into_iter().chain(offence).collect(),
            policy: used,
            memory: (mode == Mode::Cooperative || !streak.is_none()).then(|| self.memory(plan.owner, mode, streak)),
        })
    }

    fn target(&self, situation: &Situation, policy: &Arc<dyn Policy>) -> Result<Owners, EmbeddedError> {
        let assignor = &self.strategy.assignor;
        let target = assignor.assign(&policy.outlook(situation));
        let bad = |fault| EmbeddedError::BadTarget { assignor: assignor.name().to_owned(), fault };
        assignor::check(situation, &target).map_err(bad)?;
        Ok(target)
    }

    /// The policy that all members support, and why it is not the configured one.
    fn policy(&self) -> (Arc<dyn Policy>, PolicyUsed) {
        let policy = &self.strategy.policy;
        let lacks = |seat: &&Seat<'_>| !seat.abilities().cover(policy.needs());
        let Some(first) = self.seats.iter().find(lacks) else {
            return (Arc::clone(policy), PolicyUsed::Configured);
        };
        let common = self.seats.iter().fold(Abilities::ALL, |common, seat| common.common(seat.abilities()));
        let lesser = policy.within(common).unwrap_or_else(|| Arc::new(TwoRound));
        let used = PolicyUsed::Reduced { to: lesser.name().to_owned(), by: first.member.clone() };
        (lesser, used)
    }

    fn waits(
        &self,
        situation: &Situation,
        plan: &Plan,
        (generation, gone): (Generation, &[Owner]),
    ) -> Vec<Waiting<TopicPartition>> {
        let waiting = |wait: &Wait| {
            let loss = situation.past().losses.get(wait.loss as usize)?;
            Some(Waiting {
                owner: gone.get(loss.owner as usize).cloned().unwrap_or_else(|| stranger(loss, gone)),
                opened: loss.opened.unwrap_or(generation),
                left: wait.left,
                resources: wait.resources.iter().map(|r| self.name(situation, *r)).collect(),
            })
        };
        plan.waits.iter().filter_map(waiting).collect()
    }

    /// Each member's partitions in order, encoded.
    fn assignments(
        &self,
        (situation, plan): (&Situation, &Plan),
        claimed: Vec<Option<&[u8]>>,
        note: &Bytes,
    ) -> Vec<(MemberId, Bytes)> {
        let mut back = Vec::new();
        put_nullable_bytes(&mut back, Some(note));
        let deal = Deal::new((situation, plan), self.topics(), claimed);
        let encoded = deal.parcels(&Assignment::VERSION.to_be_bytes(), &back);
        self.seats.iter().zip(0..).map(|(seat, number)| (seat.member.clone(), encoded.of(number))).collect()
    }

    fn memory(&self, owner: Owners, mode: Mode, streak: Streak) -> PlanMemory {
        PlanMemory {
            topics: self.topics().iter().map(|(topic, count)| ((*topic).to_owned(), *count)).collect(),
            members: self.seats.iter().map(Seat::owner).collect(),
            owner,
            mode,
            streak,
        }
    }

    /// Whether a plan was for these members and topics.
    pub(super) fn is_same_group(&self, then: &PlanMemory) -> bool {
        let topics = then.topics.iter().map(|(topic, count)| (topic.as_str(), *count));
        topics.eq(self.topics().iter().copied()) && self.seats.iter().map(Seat::key).eq(then.members.iter().map(key))
    }

    fn name_move(&self, situation: &Situation, m: DenseMove) -> Move<TopicPartition> {
        let member = |number: u32| self.seats.get(number as usize).map(|s| s.member.clone());
        Move {
            resource: self.name(situation, m.resource),
            from: Some(m.from).filter(|f| *f != NOBODY).and_then(member),
            to: Some(m.to).filter(|t| *t != NOBODY).and_then(member),
            step: if m.granted == Granted::Now { Step::Grant } else { Step::Revoke },
            cause: m.cause,
        }
    }
}

fn held_back(plan: &Plan) -> Option<HeldBack> {
    let next = plan.alarm.or(plan.pace).unwrap_or_default();
    (plan.held_back > 0).then_some(HeldBack { moves: plan.held_back, next })
}

/// Nobody hurries to the next round if the last one came too soon for somebody, or if nothing has come of it.
fn rounds(situation: &Situation, plan: &Plan, last: Option<&PlanMemory>) -> Rounds {
    let futile = last.is_some_and(|last| last.owner == plan.owner);
    match (plan.follow_up(), situation.past().continuity) {
        (FollowUp::Due, Continuity::Whole) if !futile => Rounds::Due,
        (FollowUp::Due, _) => Rounds::Later,
        (FollowUp::None | FollowUp::After(_), _) => Rounds::Done,
    }
}

/// What every member is told about a plan, and when to join again.
fn write_note(plan: &Plan, policy: &dyn Policy, note: &Note<TopicPartition>) -> (Bytes, Option<Span>) {
    let time = if policy.constant_delay().is_some() { WaitTime::Configured } else { WaitTime::Told };
    let alarm = plan.alarm.filter(|_| note.waits.is_empty() || time == WaitTime::Told);
    (encode_note(note, alarm, time), alarm)
}

/// A former owner that nobody remembers; they are numbered behind those that are known to be gone.
fn stranger(loss: &Loss, gone: &[Owner]) -> Owner {
    match loss.former {
        Former::Unknown => Owner::Unknown(0),
        Former::Static | Former::Dynamic => Owner::Unknown(loss.owner.saturating_sub(gone.len() as u32) + 1),
    }
}
