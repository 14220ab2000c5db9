//! Design III.

use groma_model::Span;
use groma_rebalance::policy::PolicySettings;

use crate::design::Design::{Both, Incremental};
use crate::scene;
use crate::table::{expect, settings};

#[test]
fn one_at_a_time_if_nothing_is_said() {
    let policy = PolicySettings { moves_per_round: None, ..Incremental.policy() };
    let mut cluster = scene::SCALE_UP.played(settings(&policy));
    let table = scene::SCALE_UP.played(Both.settings()).rounds();
    expect(&mut cluster, 0, &table);
}

#[test]
fn without_an_interval_each_round_grants_a_batch_and_begins_the_next() {
    let policy = PolicySettings { interval: Span::ZERO, ..Incremental.policy() };
    let mut cluster = scene::SCALE_UP.played(settings(&policy));
    expect(
        &mut cluster,
        1,
        "
        2 C joined: A =T0 =T2 =T4 -T6 -T8 | B =T1 =T3 =T5 =T7 | C
        3 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C +T6 +T8
        4 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
    ",
    );
}

#[test]
fn what_is_nearly_even_stays() {
    let policy = PolicySettings { tolerance: 50, ..Incremental.policy() };
    let cluster = scene::JOIN.played(settings(&policy));
    assert_eq!(cluster.rounds().lines().last(), Some("2 D joined: A =T0 =T3 | B =T1 | C =T2 | D"));
    let cluster = scene::SCALE_UP.played(settings(&policy));
    let last = "5 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7";
    assert_eq!(cluster.rounds().lines().last(), Some(last), "begun moves go on to the target");
}

#[test]
fn the_leader_says_what_it_leaves_for_later_rounds() {
    let policy = PolicySettings { moves_per_round: None, ..Incremental.policy() };
    let cluster = scene::SCALE_UP.played(settings(&policy));
    let left = |line: &String| line.split_once(" leaves ").map(|(_, rest)| rest.to_owned());
    let said: Vec<String> = cluster.timeline().iter().filter_map(left).collect();
    let moves: Vec<&str> = said.iter().filter_map(|text| text.split(' ').next()).collect();
    assert_eq!(moves, ["2", "2", "1", "1"], "two rounds a batch, and none is left after the last: {said:?}");
    assert_eq!(said[0], "2 moves for later, the next in 1000ms");
}
