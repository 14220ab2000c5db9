//! Random schedules keep every property; broken rules are caught; the same seed gives the same bytes.

use std::collections::BTreeSet;

use groma_sim::{Faults, Mutation, Outcome, Policy, Property, Schedule};

const SEEDS: std::ops::Range<u64> = 0..1500;

fn first_violation(outcome: &Outcome) -> Option<Property> {
    outcome.violations.first().map(|v| v.property)
}

fn assert_kept(policy: Policy) {
    let mut rounds = 0;
    for seed in SEEDS {
        let outcome = Schedule::new(seed, 5, policy).run();
        let story = || outcome.timeline.join("\n");
        assert_eq!(first_violation(&outcome), None, "seed {seed} under {policy:?}:\n{}", story());
        assert!(outcome.faults >= 5 && outcome.membership_changes() >= 2, "seed {seed} is too tame:\n{}", story());
        rounds += outcome.rounds;
    }
    assert!(rounds > 2 * SEEDS.end, "schedules are too tame");
}

#[test]
fn two_round_keeps_every_property_under_faults() {
    assert_kept(Policy::TwoRound);
}

#[test]
fn eager_keeps_every_property_under_faults() {
    assert_kept(Policy::Eager);
}

#[test]
fn deferred_keeps_every_property_under_faults() {
    assert_kept(Policy::Deferred);
}

#[test]
fn incremental_keeps_every_property_under_faults() {
    assert_kept(Policy::Incremental);
}

#[test]
fn deferred_and_incremental_keep_every_property_under_faults() {
    assert_kept(Policy::DeferredIncremental);
}

#[test]
fn larger_groups_keep_every_property() {
    for seed in 0..75 {
        let (_, policy) = Policy::ALL[seed as usize % Policy::ALL.len()];
        let outcome = Schedule::new(seed, 30, policy).run();
        assert_eq!(first_violation(&outcome), None, "seed {seed} of {policy:?}:\n{}", outcome.timeline.join("\n"));
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for seed in 0..50 {
        let schedule = Schedule::new(seed, 5, Policy::ALL[seed as usize % Policy::ALL.len()].1);
        assert_eq!(schedule.run().timeline.join("\n"), schedule.run().timeline.join("\n"));
    }
}

/// Neither Rust's notation nor identities that nobody can read.
#[test]
fn timelines_are_sentences() {
    let spoilt =
        [Mutation::None, Mutation::NoWithholding, Mutation::NoGenerations, Mutation::NoCalm, Mutation::Restless];
    for (seed, (_, policy)) in (0..100).zip(Policy::ALL.iter().cycle()) {
        let mutation = spoilt[seed as usize / 5 % spoilt.len()];
        for line in (Schedule { mutation, ..Schedule::new(seed, 6, *policy) }).run().timeline {
            let notation = line.contains(['{', '}', '[', ']', '"', '_', '<']) || line.contains("::");
            let identity = line.split(' ').any(|word| word.len() > 30);
            assert!(!notation && !identity, "seed {seed} of {policy:?}: {line}");
        }
    }
}

#[test]
fn without_faults_nothing_is_lost() {
    for seed in 0..300 {
        let outcome = Schedule { faults: Faults::NONE, ..Schedule::new(seed, 5, Policy::TwoRound) }.run();
        assert_eq!(first_violation(&outcome), None, "seed {seed}:\n{}", outcome.timeline.join("\n"));
        let lost = outcome.timeline.iter().find(|line| line.contains(" loses "));
        assert_eq!(lost, None, "seed {seed}:\n{}", outcome.timeline.join("\n"));
    }
}

fn caught(mutation: Mutation) -> BTreeSet<Property> {
    noticed(mutation, Policy::TwoRound)
}

#[test]
fn granting_what_is_still_held_is_caught() {
    let found = caught(Mutation::NoWithholding);
    assert!(found.contains(&Property::OneRunner) && found.contains(&Property::GrantedFree), "{found:?}");
}

#[test]
fn never_granting_what_is_free_is_caught() {
    assert!(caught(Mutation::ForgetsFree).contains(&Property::AllRun));
}

#[test]
fn taking_every_commit_is_caught() {
    assert!(caught(Mutation::NoCommitFence).contains(&Property::CommitInOrder));
}

#[test]
fn running_on_without_a_coordinator_is_caught() {
    assert!(caught(Mutation::NoLease).contains(&Property::OneRunner));
}

#[test]
fn rounds_without_end_are_caught() {
    assert!(caught(Mutation::Restless).contains(&Property::Quiet));
}

/// A static member asks for other topics, comes back, and the coordinator dies in the round that this opens.
#[test]
fn b42_seed_96838_a_changed_subscription_survives_the_coordinator() {
    let faults = Faults::by_names(["drop", "duplicate", "delay", "storage", "crash", "coordinator"]).expect("known");
    let schedule = Schedule { faults, ..Schedule::new(96838, 4, Policy::Incremental) };
    assert_eq!(schedule.keeping(&[0, 2, 5, 8, 9, 10, 11], Faults::NONE).violations, []);
}

/// A second process with the identity of a member that has not come back yet is refused by a full group: that must not
/// cost the member its seat.
#[test]
fn b39_seed_59257_a_twin_that_is_refused_evicts_nobody() {
    let faults = Faults { peer: Faults::ALL.peer, crowd: Faults::ALL.crowd, ..Faults::NONE };
    let schedule = Schedule::new(59257, 5, Policy::Deferred);
    assert_eq!(schedule.keeping(&[0, 3, 4, 5], faults).violations, []);
}

/// Strangers come while a static member, which keeps its seat, is away.
#[test]
fn b39_seed_36107_seats_that_are_kept_count() {
    let faults = Faults { crash: 0, coordinator: 0, transfer: 0, clock: 0, stuck: 0, twin: 0, rogue: 0, ..Faults::ALL };
    let schedule = Schedule::new(36107, 5, Policy::Deferred);
    assert_eq!(schedule.keeping(&[0, 1, 2, 3, 4, 5], faults).violations, []);
}

/// A process starts what it was granted after another one has taken over its identity and what it has: that has moved
/// nothing.
#[test]
fn s16_seeds_208780_and_532790_who_was_replaced_moves_nothing() {
    let faults = Faults::by_names(["drop", "duplicate", "delay", "storage"]).expect("known");
    let kept = |seed, members, kept: &[usize]| Schedule::new(seed, members, Policy::Eager).keeping(kept, faults);
    assert_eq!(kept(208_780, 5, &[0, 1, 2, 3, 4, 5, 6, 8, 9, 10]).violations, []);
    assert_eq!(kept(532_790, 3, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]).violations, []);
}

/// The member that is to release something has a link on which it hears of a plan after the interval between two batches.
#[test]
fn b53_incremental_seed_487_a_slow_link_is_not_overtaken_for_ever() {
    assert_eq!(Schedule::new(487, 5, Policy::Incremental).run().violations, []);
}

/// A plan is under way while its leader learns that what it took away does exist.
#[test]
fn s16_seed_1671_a_plan_is_judged_by_what_its_leader_knew() {
    for policy in [Policy::TwoRound, Policy::Incremental] {
        assert_eq!(Schedule::new(1671, 5, policy).run().violations, []);
    }
}

/// The member that is to release something is overtaken again and again by those that hurry to the next round.
#[test]
fn b53_seed_448638_a_batch_that_was_not_heard_of_begins_again_at_once() {
    let faults = Faults::by_names(["drop", "duplicate", "delay", "storage", "clock"]).expect("known");
    let schedule = Schedule::new(448_638, 8, Policy::Incremental);
    assert_eq!(schedule.keeping(&[0, 2, 3, 4, 5], faults).violations, []);
}

#[test]
fn a_replay_of_all_steps_is_the_schedule_itself() {
    for seed in 0..20 {
        let schedule = Schedule::new(seed, 5, Policy::TwoRound);
        let outcome = schedule.run();
        assert_eq!(schedule.replay(&outcome.steps, schedule.faults), outcome);
    }
}

#[test]
fn a_failing_schedule_is_made_small_and_still_fails() {
    let schedule = |seed| Schedule { mutation: Mutation::NoWithholding, ..Schedule::new(seed, 5, Policy::TwoRound) };
    let (schedule, shrunk) =
        (0..50).map(schedule).find_map(|s| s.shrink().map(|shrunk| (s, shrunk))).expect("a failure");
    let whole = schedule.run();
    assert!(shrunk.kept.len() <= 4 && shrunk.kept.len() < whole.steps.len(), "{:?}", shrunk.outcome.steps);
    let again = schedule.keeping(&shrunk.kept, shrunk.faults);
    assert_eq!(again, shrunk.outcome);
    assert_eq!(first_violation(&again), first_violation(&whole));
}

/// By which properties a broken rule is noticed under a policy.
fn noticed(mutation: Mutation, policy: Policy) -> BTreeSet<Property> {
    let run = |seed| Schedule { mutation, ..Schedule::new(seed, 5, policy) }.run();
    (0..200).flat_map(|seed| run(seed).violations).map(|violation| violation.property).collect()
}

/// Whatever rule a policy has, breaking it is noticed under that policy.
#[test]
fn every_rule_is_noticed_under_every_policy_that_has_it() {
    for (name, mutation) in Mutation::ALL {
        for (policy_name, policy) in mutation.policies() {
            let breaks =
                |seed| !Schedule { mutation: *mutation, ..Schedule::new(seed, 5, policy) }.run().violations.is_empty();
            assert!((0..400).any(breaks), "{name} under {policy_name}");
        }
    }
}

#[test]
fn waiting_without_end_is_caught() {
    assert!(noticed(Mutation::NoEnd, Policy::Deferred).contains(&Property::WaitBounded));
}

#[test]
fn moving_while_something_waits_is_caught() {
    assert!(noticed(Mutation::NoCalm, Policy::Deferred).contains(&Property::CalmWhileWaiting));
}

#[test]
fn moving_more_than_allowed_is_caught() {
    assert!(noticed(Mutation::NoLimit, Policy::Incremental).contains(&Property::MovesFew));
}

#[test]
fn claims_without_their_generation_are_caught() {
    for (_, policy) in Policy::ALL.iter().filter(|(_, policy)| *policy != Policy::Eager) {
        assert!(noticed(Mutation::NoGenerations, *policy).contains(&Property::ClaimConfirmed), "{policy:?}");
    }
}

#[test]
fn rounds_that_are_not_booked_are_caught() {
    for policy in [Policy::Deferred, Policy::Incremental] {
        assert!(noticed(Mutation::NoFollowUp, policy).contains(&Property::AllRun), "{policy:?}");
    }
}

#[test]
fn taking_more_than_a_balance_needs_is_caught() {
    assert!(noticed(Mutation::NotSticky, Policy::TwoRound).contains(&Property::Sticky));
}

/// Each kind of fault strikes in some schedule; of those that make a schedule what it is, its timeline tells.
#[test]
fn every_kind_of_fault_strikes() {
    let told = [
        ("transfer", "moves to another coordinator"),
        ("clock", "has a clock that jumps"),
        ("twin", "another process has taken its identity"),
        ("crowd", "the group has reached its size limit"),
        ("stuck", "the round has ended without it"),
        ("rogue", "of a make that breaks the rules"),
        ("stale", "asks a broker that is behind"),
        ("cling", "and runs on"),
        ("reuse", "joins with the identity of its former life"),
        ("slow", "has a link on which each message takes"),
    ];
    for (name, words) in told {
        let faults = Faults::by_names(["drop", "crash", name]).expect("known");
        let schedules = (0..400).map(|seed| Schedule { faults, ..Schedule::new(seed, 6, Policy::TwoRound) });
        let struck = schedules.filter(|s| s.run().timeline.iter().any(|line| line.contains(words))).count();
        assert!(struck > 0, "{name}");
    }
}

/// Alone as well: where nothing else goes wrong, it is counted. Those that make a schedule what it is, or are a step of
/// it, are not.
#[test]
fn every_kind_of_fault_is_counted() {
    let uncounted = ["peer", "crowd", "rogue", "twin"];
    for name in Faults::ALL.names().into_iter().filter(|name| !uncounted.contains(name)) {
        // Nobody comes back with a former identity unless somebody was killed.
        let with = if name == "reuse" { "crash" } else { name };
        let schedule = |seed, names| Schedule {
            faults: Faults::by_names(names).expect("known"),
            ..Schedule::new(seed, 6, Policy::Deferred)
        };
        let struck: u64 = (0..40).map(|seed| schedule(seed, [name, with]).run().faults).sum();
        assert!(struck > 0, "{name}");
    }
}

/// Leaders that give away what others hold (B89, S3): each time is named, nobody else is, no resource is run by two of ours
/// for longer than it takes to hear of it and stop, and when they have left every property holds again.
#[test]
fn b89_leaders_that_break_the_rules_are_named_and_the_group_heals() {
    let faults = Faults { rogue: 1, peer: 0, ..Faults::ALL };
    for (name, policy) in Policy::ALL.iter().filter(|(_, policy)| *policy != Policy::Eager) {
        let mut named = 0;
        for seed in 0..300 {
            let outcome = Schedule { faults, ..Schedule::new(seed, 5, *policy) }.run();
            assert_eq!(first_violation(&outcome), None, "seed {seed} of {name}:\n{}", outcome.timeline.join("\n"));
            let told = outcome.timeline.iter().filter(|line| line.contains(" against the rules: ")).count() as u64;
            assert_eq!(told, outcome.breaches, "seed {seed} of {name}");
            named += outcome.breaches;
        }
        assert!(named > 100, "{named} breaches under {name}");
    }
}

/// Members of several makes meet (L7): the group settles on what they have in common, under every policy.
#[test]
fn mixed_groups_keep_every_property() {
    let faults = Faults { peer: 1, ..Faults::ALL };
    for seed in 0..600 {
        let (_, policy) = Policy::ALL[seed as usize % Policy::ALL.len()];
        let outcome = Schedule { faults, ..Schedule::new(seed, 5, policy) }.run();
        assert_eq!(first_violation(&outcome), None, "seed {seed} of {policy:?}:\n{}", outcome.timeline.join("\n"));
    }
}
