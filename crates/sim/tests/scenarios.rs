//! What each design is for, as figures: bills of the seed's scenarios.

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
            println!("{scenario:?} {policy:?} {bill:?}");
            assert!(bill.rounds > 0, "{scenario:?} under {policy:?}: {bill:?}");
        }
    }
}
