//! What may as well happen later, earlier, or in another order, and so is not followed. Each rule leaves out orders only
//! of which another one that is followed reaches the same world, with the same that can be seen on the way.
//!
//! **Urgent answers.** What an answer does at a process and whatever happens elsewhere are the same in either order. If it
//! stops nothing that runs, it hides no property that would be broken before it arrives. So it arrives before all else, or
//! not before the clock has moved (then it is held). If it may not wait, or a heartbeat under way there may not, it arrives,
//! or the process is killed first. A held answer before a heartbeat's would keep the clock from ever moving.
//!
//! **Heartbeats in a round.** While members are joining, the coordinator answers a heartbeat the same whatever else happens
//! in this tick: the round ends in it only by the joins of all, and then an answer to a heartbeat sent before is ignored by
//! a member whose join is parked. So it arrives before all else, or is lost with its process.
//!
//! **Overdue joins.** A join that has to arrive in this tick, of a member on the book, changes nothing for others while
//! members are joining, unless it completes the round: seats stay, and any other order in which the round is completed can
//! be had with this join first. So it arrives before all else, or is lost. A newcomer's is not treated so: its seat is
//! given in the order of arrival.
//!
//! **Idle heartbeats.** While no member is joining, a heartbeat that is all that is under way at its place, and would be
//! answered that all is well, moves one session and one lease that nothing else touches in this tick. Only a join of one
//! that has an identity can change the answer. So any of these heartbeats arrive right before such a join, or all right
//! before the clock moves, and at no other time. The world between these heartbeats and the clock is checked.
//!
//! **Chains.** A world in which only one thing can happen, other than that time passes, is checked but not kept.
//!
//! **Names.** Worlds that differ in nothing but what identities (by their order) and generations (by their age) are called
//! have the same future, and one that was looked into with more generations and kills to go is not looked into again.
//! Members and resources are not exchanged for each other: assignors break ties by their order, so that the exchanged group
//! would not do the same.

use groma_rebalance::coordinator::GroupState;

use super::act::{Act, Mail};
use super::facts::{Trait, Urgency};
use super::outline::Outline;
use super::parts::Parts;
use super::scope::{Reduction, Rules, Scope};

/// Something that may happen next, and heartbeats that arrive before it.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) before: Vec<Act>,
    pub(super) act: Act,
}

/// All that may happen next, but for what makes no difference.
pub(super) fn steps(world: &Outline, parts: &Parts, (scope, rules): (&Scope, &Rules)) -> Vec<Step> {
    let acts = world.acts(parts, scope.crashes);
    if scope.reduction == Reduction::Off {
        return alone(acts);
    }
    if let Some(acts) = urgent_answer(world, parts, (&acts, rules)) {
        return alone(acts);
    }
    if world.state(parts) == GroupState::PreparingRebalance {
        let first = beat_in_round(world, parts).or_else(|| overdue_join(world, parts, rules));
        return alone(first.map_or_else(|| acts.clone(), |at| arrives_or_is_lost(at, &acts)));
    }
    let idle: Vec<usize> = (0..world.members()).filter(|at| beat_is_idle(world, *at, parts, rules)).collect();
    around_beats(world, &idle, parts, (acts, rules))
}

fn alone(acts: Vec<Act>) -> Vec<Step> {
    acts.into_iter().map(|act| Step { before: Vec::new(), act }).collect()
}

/// The next answer to a process comes first, or not in this tick.
fn urgent_answer(world: &Outline, parts: &Parts, (acts, rules): (&[Act], &Rules)) -> Option<Vec<Act>> {
    let (at, urgency) = world.urgent(parts)?;
    let mut next = *world;
    next.take(Act::Reply(at), parts, rules);
    if !next.runs_on(at, world, parts) {
        return None;
    }
    if urgency == Urgency::NowOrLater && !world.place(at, parts).has(Trait::BeatUnderWay) {
        return Some(vec![Act::Reply(at), Act::Hold(at)]);
    }
    let here = |act: &&Act| matches!(act, Act::Reply(a) | Act::Kill(a, _) if *a == at);
    Some(acts.iter().filter(here).copied().collect())
}

/// While members are joining, a heartbeat arrives at once.
fn beat_in_round(world: &Outline, parts: &Parts) -> Option<usize> {
    (0..world.members()).find(|at| world.place(*at, parts).has(Trait::BeatNext))
}

/// So does a join that may not be any later, of a member on the book, unless it completes the round.
fn overdue_join(world: &Outline, parts: &Parts, rules: &Rules) -> Option<usize> {
    (0..world.members()).find(|at| {
        let mut next = *world;
        world.place(*at, parts).has(Trait::JoinsNow) && {
            next.take(Act::Request(*at), parts, rules);
            next.state(parts) == GroupState::PreparingRebalance
                && next.members_of_group(parts) == world.members_of_group(parts)
                && next.place(*at, parts).down == 0
        }
    })
}

fn arrives_or_is_lost(at: usize, acts: &[Act]) -> Vec<Act> {
    let here = |act: &&Act| **act == Act::Request(at) || **act == Act::Kill(at, Mail::IsLost);
    acts.iter().filter(here).copied().collect()
}

/// Whether all that is under way at a place is a heartbeat to which the answer would be that all is well.
fn beat_is_idle(world: &Outline, at: usize, parts: &Parts, rules: &Rules) -> bool {
    if !world.place(at, parts).has(Trait::BeatAlone) {
        return false;
    }
    let mut next = *world;
    next.take(Act::Request(at), parts, rules);
    let after = next.place(at, parts);
    after.process.is_none() || after.has(Trait::BeatAnsweredWell)
}

/// Heartbeats that tell nothing arrive before a request that may open a round, any of them, or else last in their tick.
fn around_beats(world: &Outline, idle: &[usize], parts: &Parts, (acts, rules): (Vec<Act>, &Rules)) -> Vec<Step> {
    if idle.is_empty() {
        return alone(acts);
    }
    let mut steps = Vec::new();
    for act in acts {
        match act {
            Act::Request(at) if idle.contains(&at) => {}
            Act::Request(at) if world.may_open_round(at, parts) => {
                let subsets = (0..1_u32 << idle.len()).map(|subset| {
                    let chosen = idle.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1);
                    beats(world, chosen.map(|(_, at)| *at), parts)
                });
                steps.extend(subsets.map(|before| Step { before, act }));
            }
            _ => steps.push(Step { before: Vec::new(), act }),
        }
    }
    let before = beats(world, idle.iter().copied(), parts);
    let mut last = *world;
    before.iter().for_each(|act| _ = last.take(*act, parts, rules));
    if last.next_time(parts).is_some() {
        steps.push(Step { before, act: Act::Clock });
    }
    steps
}

/// Heartbeats of these places arrive and are answered.
fn beats(world: &Outline, places: impl Iterator<Item = usize>, parts: &Parts) -> Vec<Act> {
    let answer = |at| world.place(at, parts).process.as_ref().map(|_| Act::Reply(at));
    places.flat_map(|at| [Some(Act::Request(at)), answer(at)]).flatten().collect()
}
