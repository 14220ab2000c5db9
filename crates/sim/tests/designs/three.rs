//! Design III.

use groma_model::Span;
use groma_rebalance::policy::{PolicyName, PolicySettings};
use groma_sim::Cluster;

use crate::scene::{self, Scene};
use crate::table::{by, expect, settings};

/// Two moves a round, a second apart.
fn incremental() -> PolicySettings {
    PolicySettings { moves_per_round: Some(2), ..by(PolicyName::Incremental) }
}

fn played(scene: &Scene) -> Cluster {
    scene.played(settings(&incremental()))
}

#[test]
fn join() {
    let mut cluster = played(&scene::SCALE_UP);
    expect(
        &mut cluster,
        1,
        "
        2 C joined: A =T0 =T2 =T4 -T6 -T8 | B =T1 =T3 =T5 =T7 | C
        3 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 =T7 | C +T6 +T8
        4 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C =T6 =T8
        5 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
    ",
    );
}

#[test]
fn one_at_a_time() {
    let policy = PolicySettings { moves_per_round: None, ..incremental() };
    let mut cluster = scene::SCALE_UP.played(settings(&policy));
    expect(
        &mut cluster,
        1,
        "
        2 C joined: A =T0 =T2 =T4 =T8 -T6 | B =T1 =T3 =T5 =T7 | C
        3 B rejoined: A =T0 =T2 =T4 =T8 | B =T1 =T3 =T5 =T7 | C +T6
        4 leader A rejoined: A =T0 =T2 =T4 -T8 | B =T1 =T3 =T5 =T7 | C =T6
        5 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 =T7 | C =T6 +T8
        6 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C =T6 =T8
        7 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
    ",
    );
}

#[test]
fn without_an_interval_each_round_grants_a_batch_and_begins_the_next() {
    let policy = PolicySettings { interval: Span::ZERO, ..incremental() };
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
fn another_joins_between_two_batches() {
    let mut cluster = played(&scene::SCALE_UP_TWICE);
    expect(
        &mut cluster,
        1,
        "
        2 C joined: A =T0 =T2 =T4 -T6 -T8 | B =T1 =T3 =T5 =T7 | C
        3 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 =T7 | C +T6 +T8
        4 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C =T6 =T8
        5 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
        6 D joined: A =T0 =T2 =T4 | B =T1 =T3 -T5 | C =T6 =T7 -T8 | D
        7 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 | C =T6 =T7 | D +T5 +T8
    ",
    );
}

#[test]
fn what_is_nearly_even_stays() {
    let policy = PolicySettings { tolerance: 50, ..incremental() };
    let cluster = scene::JOIN.played(settings(&policy));
    assert_eq!(cluster.rounds().lines().last(), Some("2 D joined: A =T0 =T3 | B =T1 | C =T2 | D"));
    let cluster = scene::SCALE_UP.played(settings(&policy));
    let last = "5 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7";
    assert_eq!(cluster.rounds().lines().last(), Some(last), "begun moves go on to the target");
}

#[test]
fn tasks_of_a_connector_scaled_down() {
    let mut cluster = played(&scene::SCALE_DOWN_TASKS);
    expect(
        &mut cluster,
        1,
        "
        2 B joined: A =T0 =T1 =T2 =T3 =T6 =T7 =U0 -T4 -T5 | B
        3 B rejoined: A =T0 =T1 =T2 =T3 =T6 =T7 =U0 | B +T4 +T5
        4 leader A rejoined: A =T0 =T1 =T2 =T3 =U0 -T6 -T7 | B =T4 =T5
        5 B rejoined: A =T0 =T1 =T2 =T3 =U0 | B =T4 =T5 +T6 +T7
        6 leader A rejoined: A =T0 =T1 =U0 -T2 -T3 | B =T4 -T5 -T6 -T7
        7 leader A rejoined: A =T0 =T1 =U0 | B =T4 +T2 +T3
    ",
    );
}

#[test]
fn the_leader_leaves_between_two_batches() {
    let mut cluster = played(&scene::SCALE_UP_NEW_LEADER);
    expect(
        &mut cluster,
        1,
        "
        2 C joined: A =T0 =T2 =T4 =T6 =T10 -T8 | B =T1 =T3 =T5 =T7 =T11 -T9 | C
        3 C rejoined: A =T0 =T2 =T4 =T6 =T10 | B =T1 =T3 =T5 =T7 =T11 | C +T8 +T9
        4 A left: B =T1 =T3 =T5 =T7 =T11 +T0 | C =T8 =T9 +T2 +T4 +T6 +T10
    ",
    );
}

#[test]
fn leave() {
    let mut cluster = played(&scene::LEAVE);
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 +T3 | B =T1 | C =T2
    ",
    );
}

#[test]
fn death() {
    let mut cluster = played(&scene::DEATH);
    expect(
        &mut cluster,
        1,
        "
        2 D expired: A =T0 +T3 | B =T1 | C =T2
    ",
    );
}

#[test]
fn bounce() {
    let mut cluster = played(&scene::BOUNCE);
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 +T3 | B =T1 | C =T2
        3 D joined: A =T0 -T3 | B =T1 | C =T2 | D
        4 B rejoined: A =T0 | B =T1 | C =T2 | D +T3
    ",
    );
}

#[test]
fn leader_leaves() {
    let mut cluster = played(&scene::LEADER_LEAVES);
    expect(
        &mut cluster,
        1,
        "
        2 A left: B =T1 +T0 | C =T2 +T3
    ",
    );
}

#[test]
fn leader_bounces() {
    let mut cluster = played(&scene::LEADER_BOUNCES);
    expect(
        &mut cluster,
        1,
        "
        2 A left: B =T1 +T0 | C =T2 +T3
        3 A joined: A | B =T0 =T1 | C =T2 -T3
        4 leader B rejoined: A +T3 | B =T0 =T1 | C =T2
    ",
    );
}

#[test]
fn leaders_change() {
    let mut cluster = played(&scene::LEADERS_CHANGE);
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 +T3 | B =T1 | C =T2 | E =T4
        3 A left: B =T1 +T0 | C =T2 +T3 | E =T4
        4 B left: C =T2 =T3 +T1 | E =T4 +T0
    ",
    );
}

#[test]
fn the_leader_leaves_as_another_comes() {
    let mut cluster = played(&scene::LEADER_REPLACED);
    expect(
        &mut cluster,
        1,
        "
        2 SD expired: B =T1 =T4 +T0 | C =T2 =T5 +T3
        3 A joined: C =T2 =T3 =T5 | A +T0 +T1 +T4
    ",
    );
}

#[test]
fn subscription_change() {
    let mut cluster = played(&scene::OTHER_TOPICS);
    expect(
        &mut cluster,
        1,
        "
        2 B rejoined: A =T0 -U0 +T1 | B =U1 -T1
        3 B rejoined: A =T0 =T1 | B =U1 +U0
    ",
    );
}

#[test]
fn partitions_added() {
    let mut cluster = played(&scene::PARTITIONS_ADDED);
    expect(
        &mut cluster,
        1,
        "
        2 leader A rejoined: A =T0 +T2 +T4 | B =T1 +T3
    ",
    );
}

#[test]
fn topic_deleted() {
    let mut cluster = played(&scene::TOPIC_DELETED);
    expect(
        &mut cluster,
        1,
        "
        2 leader A rejoined: A =T0 -U0 | B =T1 -U1
        3 leader A rejoined: A =T0 | B =T1
    ",
    );
}

#[test]
fn two_join_at_once() {
    let mut cluster = played(&scene::TWO_JOIN);
    expect(
        &mut cluster,
        1,
        "
        2 C joined: A =T0 -T2 | B =T1 -T3 | C | D
        3 C rejoined: A =T0 | B =T1 | C +T2 | D +T3
    ",
    );
}

#[test]
fn one_leaves_as_another_joins() {
    let mut cluster = played(&scene::LEAVE_AND_JOIN);
    expect(
        &mut cluster,
        1,
        "
        2 D joined: A =T0 | B =T1 | D +T2
    ",
    );
}

#[test]
fn partitions_added_as_one_leaves() {
    let mut cluster = played(&scene::LEAVE_AND_PARTITIONS);
    expect(
        &mut cluster,
        1,
        "
        2 B left: A =T0 +T1 +T4 | C =T2 +T3 +T5
    ",
    );
}
