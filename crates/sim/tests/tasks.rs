//! Random schedules of groups of tasks with state keep every property, and broken rules are caught.

use std::collections::BTreeSet;

use groma_sim::{TaskProperty, TaskRule, TaskSchedule};

const SEEDS: std::ops::Range<u64> = 0..300;

#[test]
fn tasks_with_state_keep_every_property_under_faults() {
    for seed in SEEDS {
        let outcome = TaskSchedule::new(seed, 2 + seed as usize % 6).run();
        let story = || outcome.timeline.join("\n");
        assert_eq!(outcome.violations.first(), None, "seed {seed}:\n{}", story());
        assert!(outcome.faults >= 5 && outcome.membership_changes >= 2, "seed {seed} is too tame:\n{}", story());
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for seed in 0..10 {
        assert_eq!(TaskSchedule::new(seed, 5).run(), TaskSchedule::new(seed, 5).run());
    }
}

fn noticed(rule: TaskRule) -> BTreeSet<TaskProperty> {
    let run = |seed| TaskSchedule { rule, ..TaskSchedule::new(seed, 5) }.run();
    (0..20).flat_map(|seed| run(seed).violations).map(|violation| violation.property).collect()
}

#[test]
fn each_broken_rule_is_caught_by_its_property() {
    let pairs = [
        (TaskRule::NoWithholding, TaskProperty::OneRunner),
        (TaskRule::NoWithholding, TaskProperty::GrantedFree),
        (TaskRule::ForgetsFree, TaskProperty::AllRun),
        (TaskRule::BlindToState, TaskProperty::GoesToState),
        (TaskRule::NoLimit, TaskProperty::WarmUpsFew),
        (TaskRule::NoStandbys, TaskProperty::AllKept),
        (TaskRule::HeapedStandbys, TaskProperty::AllKept),
        (TaskRule::Restless, TaskProperty::Quiet),
    ];
    for (rule, property) in pairs {
        let noticed = noticed(rule);
        assert!(noticed.contains(&property), "{rule:?} is noticed by {noticed:?}, not by {property:?}");
    }
}
