use std::sync::Arc;

use super::lead::Lead;
use super::memory::PlanMemory;
use crate::embedded::{Mode, Offence};
use crate::policy::{Eager, Policy, TwoRound};
use crate::share::{FollowUp, Owners, Plan, Situation};

/// How many plans in a row have asked for another round while nothing they depend on has changed: no member, no topic,
/// and, once it has gone on for a while, no interest and no cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Streak {
    rounds: usize,
    inputs: Option<Inputs>,
}

/// What a target depends on beside members, topics and claims.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inputs {
    subscriptions: Vec<Vec<u32>>,
    subscribed: Vec<u32>,
    costs: Vec<u32>,
}

/// So many rounds are due to whatever may disturb a group; from then on it counts whether somebody asks for something
/// else.
const GRACE: usize = 16;

/// A resource that moves takes two rounds where each moves alone; whoever needs more does not come nearer to an end.
const ROUNDS_PER_RESOURCE: usize = 3;

impl Streak {
    /// With one more plan; the last streak is none where the plan before did not ask for more, or was for another group.
    fn longer(last: Option<&Self>, situation: &Situation) -> Self {
        let rounds = last.map_or(0, |last| last.rounds) + 1;
        let inputs = (rounds > GRACE).then(|| Inputs::of(situation));
        match last.and_then(|last| last.inputs.as_ref()) {
            Some(before) if inputs.as_ref() != Some(before) => Self { rounds: 1, inputs: None },
            _ => Self { rounds: rounds.min(Self::end(situation) + 1), inputs },
        }
    }

    fn end(situation: &Situation) -> usize {
        GRACE + ROUNDS_PER_RESOURCE * situation.resources()
    }

    pub(super) const fn is_none(&self) -> bool {
        self.rounds == 0
    }
}

impl Inputs {
    fn of(situation: &Situation) -> Self {
        Self {
            subscriptions: situation.subscriptions().to_vec(),
            subscribed: situation.subscribed().to_vec(),
            costs: situation.costs().to_vec(),
        }
    }
}

/// The plan of a policy, or what takes its place, with how long the policy has gone on.
pub(super) struct Bounded<R> {
    pub(super) plan: Plan,
    pub(super) streak: Streak,
    pub(super) offence: Option<Offence<R>>,
}

impl Lead<'_> {
    /// The policy's plan for this target, as long as its plans come to an end. If they do not, what is held stays, what
    /// is free is granted, and that is all until something changes.
    pub(super) fn bounded<R>(
        &self,
        policy: &Arc<dyn Policy>,
        (situation, target): (&Situation, Owners),
        last: Option<&PlanMemory>,
    ) -> Bounded<R> {
        let last = last.filter(|last| !last.streak.is_none() && self.is_same_group(last)).map(|last| &last.streak);
        let is_over = last.is_some_and(|last| last.rounds >= Streak::end(situation));
        let fallback = if is_over { target.clone() } else { Owners::new() };
        let plan = policy.plan(situation, target);
        if plan.follow_up() == FollowUp::None {
            return Bounded { plan, streak: Streak::default(), offence: None };
        }
        let streak = Streak::longer(last, situation);
        if streak.rounds <= Streak::end(situation) {
            return Bounded { plan, streak, offence: None };
        }
        let plan = match policy.mode() {
            Mode::Eager => Eager.plan(situation, fallback),
            Mode::Cooperative => TwoRound.plan(situation, situation.at_rest(fallback)),
        };
        let offence = Offence::Endless { policy: policy.name().to_owned(), rounds: streak.rounds - 1 };
        Bounded { plan, streak, offence: Some(offence) }
    }
}
