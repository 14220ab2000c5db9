//! A policy and an assignor from outside this workspace go through the seeded schedules as ours do.

use std::sync::Arc;

use groma_model::Span;
use groma_rebalance::assignor::{Assignor, RoundRobin};
use groma_rebalance::embedded::Mode;
use groma_rebalance::embedded::consumer::{Memory, Strategy};
use groma_rebalance::policy::{Policy, TwoRound};
use groma_rebalance::share::{NOBODY, Owners, Plan, Situation};
use groma_sim::{Bounds, Contender, Policy as Ours, Property, Schedule};

const SEEDS: std::ops::Range<u64> = 0..400;

/// Longer than a member with a slow link needs to hear of a round: with less it could be overtaken for ever.
const BETWEEN_GRANTS: Span = Span::from_secs(5);

/// A policy that an application might bring: whatever moves is given up at once, and only one member is given anything in
/// a round, the one that has least.
#[derive(Debug)]
struct OneByOne;

impl Policy for OneByOne {
    fn name(&self) -> &str {
        "one-by-one"
    }

    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        let mut plan = TwoRound.plan(situation, target);
        let granted = |(owner, holder): (&u32, &u32)| (*owner != NOBODY && *holder != *owner).then_some(*owner);
        let first = plan.owner.iter().zip(situation.holder()).filter_map(granted).min();
        for (owner, holder) in plan.owner.iter_mut().zip(situation.holder()) {
            if *owner != *holder && Some(*owner) != first {
                if *owner != NOBODY {
                    plan.alarm = Some(BETWEEN_GRANTS);
                }
                *owner = NOBODY;
            }
        }
        plan
    }
}

/// An assignor that an application might bring: whoever holds a resource keeps it, the rest goes to whoever has least, the
/// last of them first; then whoever has most gives to whoever has least.
#[derive(Debug)]
struct LastFirst;

impl Assignor for LastFirst {
    fn name(&self) -> &str {
        "last-first"
    }

    fn assign(&self, situation: &Situation) -> Owners {
        let mut owner = situation.rightful_holder();
        let mut load = vec![0_usize; situation.members()];
        owner.iter().filter(|member| **member != NOBODY).for_each(|member| load[*member as usize] += 1);
        let asked = situation.askers();
        let places = || situation.kinds().iter().zip(asked.iter());
        for (kind, askers) in places() {
            for resource in kind.range().map(|r| r as usize).filter(|r| owner[*r] == NOBODY).collect::<Vec<_>>() {
                let Some(member) = askers.iter().rev().min_by_key(|m| load[**m as usize]) else { continue };
                owner[resource] = *member;
                load[*member as usize] += 1;
            }
        }
        for _ in 0..situation.resources() {
            for (kind, askers) in places() {
                let by_load = || askers.iter().rev().map(|member| (load[*member as usize], *member));
                let (Some((most, from)), Some((least, to))) = (by_load().max(), by_load().min()) else { continue };
                let mut resources = kind.range().map(|r| r as usize);
                if most > least + 1
                    && let Some(resource) = resources.find(|r| owner[*r] == from)
                {
                    owner[resource] = to;
                    load[from as usize] -= 1;
                    load[to as usize] += 1;
                }
            }
        }
        owner
    }
}

fn assert_kept(contender: &Contender) {
    let mut rounds = 0;
    for seed in SEEDS {
        let outcome = Schedule::new(seed, 5, Ours::TwoRound).run_with(contender);
        let story = || outcome.timeline.join("\n");
        assert_eq!(outcome.violations, [], "seed {seed}:\n{}", story());
        assert!(outcome.faults >= 5 && outcome.membership_changes() >= 2, "seed {seed} is too tame:\n{}", story());
        rounds += outcome.rounds;
    }
    assert!(rounds > 2 * SEEDS.end, "schedules are too tame");
}

#[test]
fn a_policy_from_outside_keeps_every_property_under_faults() {
    let strategy = Strategy::cooperative_sticky().with_policy(Arc::new(OneByOne));
    assert_kept(&Contender::new(vec![strategy], Bounds::default()));
}

#[test]
fn an_assignor_from_outside_keeps_every_property_under_faults() {
    let strategy = Strategy { assignor: Arc::new(LastFirst), policy: Arc::new(TwoRound), memory: Memory::Owned };
    assert_kept(&Contender::new(vec![strategy], Bounds::default()));
}

/// A policy that grants what is still held: its leaders refuse its plans and leave, so that no resource runs twice.
#[test]
fn a_policy_from_outside_that_breaks_a_rule_is_refused() {
    #[derive(Debug)]
    struct AtOnce;

    impl Policy for AtOnce {
        fn mode(&self) -> Mode {
            Mode::Cooperative
        }

        fn plan(&self, _situation: &Situation, target: Owners) -> Plan {
            Plan::new(target.clone(), target)
        }
    }

    let strategy = Strategy::cooperative_sticky().with_policy(Arc::new(AtOnce));
    let contender = Contender::new(vec![strategy], Bounds::default());
    let mut refused = 0;
    for seed in 0..50 {
        let outcome = Schedule::new(seed, 5, Ours::TwoRound).run_with(&contender);
        let twice = [Property::GrantedFree, Property::OneRunner];
        assert!(
            !outcome.violations.iter().any(|v| twice.contains(&v.property)),
            "seed {seed}: {:?}",
            outcome.violations
        );
        refused += outcome.timeline.iter().filter(|line| line.contains("broke its contract")).count();
    }
    assert!(refused > 0);
}

/// Kafka's `roundrobin` for members that keep what they hold: it takes more from them than a balance needs.
#[test]
fn an_assignor_from_outside_that_moves_too_much_is_caught() {
    let strategy = Strategy { assignor: Arc::new(RoundRobin), policy: Arc::new(TwoRound), memory: Memory::Owned };
    let contender = Contender::new(vec![strategy], Bounds::default());
    let caught = |seed| Schedule::new(seed, 5, Ours::TwoRound).run_with(&contender).violations;
    assert!((0..50).flat_map(caught).any(|violation| violation.property == Property::Sticky));
}
