//! Every schedule of a small group keeps every property; broken rules are caught, by a schedule that can be read.

use groma_sim::{Mutation, Policy, Property, Scope, Search, Verdict};

fn small(policy: Policy) -> Scope {
    Scope { members: 2, resources: 2, crashes: 1, generations: 4, delay: 0, ..Scope::new(policy) }
}

fn assert_holds(scope: Scope) {
    let (tally, verdict) = Search::new(scope).run();
    assert_eq!(verdict, Verdict::Holds, "{scope:?}");
    assert!(tally.states > 500, "{scope:?} is too tame: {tally:?}");
}

#[test]
fn every_small_schedule_keeps_every_property_under_each_policy() {
    Policy::ALL.iter().for_each(|(_, policy)| assert_holds(small(*policy)));
}

#[test]
fn timers_that_overtake_messages_break_nothing() {
    assert_holds(Scope { delay: 1, generations: 2, ..small(Policy::Deferred) });
}

#[test]
fn the_same_scope_gives_the_same_figures() {
    let scope = Scope { crashes: 0, ..small(Policy::TwoRound) };
    assert_eq!(Search::new(scope).run(), Search::new(scope).run());
}

fn broken(mutation: Mutation) -> (Property, Vec<String>) {
    match Search::new(Scope { mutation, ..small(Policy::TwoRound) }).run().1 {
        Verdict::Broken { property, timeline, .. } => (property, timeline),
        other => panic!("{mutation:?} is not noticed: {other:?}"),
    }
}

#[test]
fn granting_what_is_still_held_is_noticed() {
    let (property, timeline) = broken(Mutation::NoWithholding);
    assert_eq!(property, Property::GrantedFree);
    assert!(timeline.len() < 100, "{}", timeline.join("\n"));
    let is_debug_text = |line: &&String| ["(\"", " {", "::"].iter().any(|mark| line.contains(mark));
    assert_eq!(timeline.iter().find(is_debug_text), None, "sentences for people");
}

#[test]
fn resources_that_nobody_is_ever_given_are_noticed() {
    assert_eq!(broken(Mutation::ForgetsFree).0, Property::AllRun);
}
