//! What each design is for, as figures: bills of the scenarios it was made for.

use groma_model::Span;
use groma_sim::{Bill, Policy, Scenario};

fn played(scenario: Scenario, policy: Policy) -> Bill {
    let bill = scenario.play(policy);
    assert_eq!(bill.violations, [], "{scenario:?} under {policy:?}");
    bill
}

#[test]
fn every_scenario_ends_well_under_every_policy() {
    for (_, scenario) in Scenario::ALL {
        for (_, policy) in Policy::ALL {
            let bill = played(*scenario, *policy);
            assert!(bill.rounds > 0, "{scenario:?} under {policy:?}: {bill:?}");
        }
    }
}

#[test]
fn a_process_that_is_replaced_in_time_costs_nobody_else_anything_under_deferred() {
    let eager = played(Scenario::ProcessDeath, Policy::Eager);
    assert!(eager.stopped >= 490, "everything that the survivors run stops: {eager:?}");
    let deferred = played(Scenario::ProcessDeath, Policy::Deferred);
    assert_eq!((deferred.stopped, deferred.moved), (0, 0));
    let (restart, heartbeat) = (Span::from_secs(12), Span::from_secs(1));
    assert!(deferred.gap.1 <= restart + heartbeat + Span::from_secs(1), "{deferred:?}");
}

#[test]
fn a_rolling_bounce_moves_nothing_under_deferred() {
    let deferred = played(Scenario::RollingBounce, Policy::Deferred);
    assert_eq!((deferred.moved, deferred.stopped), (0, 200), "each process stops its own and has it back");
    assert!(played(Scenario::RollingBounce, Policy::TwoRound).moved > 0);
}

#[test]
fn light_resources_do_not_wait_for_a_heavy_one_under_incremental() {
    let incremental = played(Scenario::HeavyResource, Policy::Incremental);
    assert!(incremental.gap.0 < Span::from_secs(1) && incremental.gap.1 < Span::from_secs(1), "{incremental:?}");
    for (policy, light) in [(Policy::Eager, 100), (Policy::TwoRound, 19)] {
        let bill = played(Scenario::HeavyResource, policy);
        assert!(bill.gap.1 < Span::from_secs(30), "nothing waits longer than for the heavy one: {bill:?}");
        assert!(bill.lost > Span::from_millis(29_900).times(light), "{policy:?}: each light one waits: {bill:?}");
    }
}

#[test]
fn tasks_that_are_scaled_down_leave_shares_that_have_to_be_levelled() {
    for (_, policy) in Policy::ALL {
        let bill = played(Scenario::TaskScaleDown, *policy);
        assert!(bill.moved > 0, "{policy:?}: {bill:?}");
    }
}
