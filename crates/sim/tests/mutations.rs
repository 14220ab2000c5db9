//! Which property notices which broken rule under which policy: all of `mutations.md`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use groma_sim::{Faults, Mutation, Policy, Property, Schedule};

const SEEDS: u64 = 400;

/// The table is what the schedules say; `mutations.md` is to be what this prints.
#[test]
fn the_table_of_what_notices_which_broken_rule_is_true() {
    let table = table();
    let written = include_str!("mutations.md");
    assert!(written.contains(&table), "the table has changed to:\n{table}");
}

/// Every rule is noticed by some property under every policy that has it, and no property is there for nothing.
fn table() -> String {
    let mut table = String::from("| broken rule | under | noticed by |\n|---|---|---|\n");
    for (name, mutation) in Mutation::ALL {
        for (policy_name, policy) in mutation.policies() {
            let noticed: Vec<String> = noticed(*mutation, policy).iter().map(|p| format!("`{p:?}`")).collect();
            assert!(!noticed.is_empty(), "{name} under {policy_name} is not noticed");
            let _ = writeln!(table, "| `{name}` | `{policy_name}` | {} |", noticed.join(", "));
        }
    }
    table
}

fn noticed(mutation: Mutation, policy: Policy) -> BTreeSet<Property> {
    let run = |seed| Schedule { mutation, ..Schedule::new(seed, 5, policy) }.run();
    (0..SEEDS).flat_map(|seed| run(seed).violations).map(|violation| violation.property).collect()
}

/// Under two rounds no plan has to book the next one: who has given something up joins again by itself, which calls the
/// others. Without any booking every property holds.
#[test]
fn two_rounds_need_no_booking() {
    let faults = Faults { peer: 0, ..Faults::ALL };
    for seed in 0..400 {
        let schedule = Schedule { mutation: Mutation::NoFollowUp, faults, ..Schedule::new(seed, 5, Policy::TwoRound) };
        assert_eq!(schedule.run().violations, [], "seed {seed}");
    }
}
