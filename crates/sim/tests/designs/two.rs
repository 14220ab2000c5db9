//! Design II.

use groma_model::Span;
use groma_rebalance::policy::{DelaySource, PolicyName, PolicySettings, Returner};
use groma_sim::Cluster;

use crate::scene::{self, Scene};
use crate::table::{by, expect, settings, waits};

fn deferred() -> PolicySettings {
    by(PolicyName::Deferred)
}

fn played(scene: &Scene) -> Cluster {
    scene.played(settings(&deferred()))
}

#[test]
fn join() {
    let mut cluster = played(&scene::JOIN);
    expect(
        &mut cluster,
        1,
        "
        2 D joined: A =T0 -T3 | B =T1 | C =T2 | D
        3 B rejoined: A =T0 | B =T1 | C =T2 | D +T3
    ",
    );
}

#[test]
fn the_proposals_trace_leave() {
    let mut cluster = played(&scene::LEAVE);
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 | B =T1 | C =T2
        3 leader A rejoined: A =T0 +T3 | B =T1 | C =T2
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
        2 D expired: A =T0 | B =T1 | C =T2
        3 leader A rejoined: A =T0 +T3 | B =T1 | C =T2
    ",
    );
}

#[test]
fn the_proposals_trace_bounce() {
    let mut cluster = played(&scene::BOUNCE);
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 | B =T1 | C =T2
        3 D joined: A =T0 | B =T1 | C =T2 | D +T3
    ",
    );
}

#[test]
fn a_quick_bounce_is_one_round() {
    let mut cluster = played(&scene::QUICK_BOUNCE);
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 | B =T1 | C =T2 | D +T3
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
        2 A left: B =T1 | C =T2
        3 leader B rejoined: B =T1 +T0 | C =T2 +T3
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
        2 B left: A =T0 +T4 | C =T2 +T3 +T5
        3 leader A rejoined: A =T0 =T4 +T1 | C =T2 =T3 =T5
    ",
    );
}

#[test]
fn a_new_leader_goes_on_where_the_old_one_stopped() {
    let mut cluster = played(&scene::NEW_LEADER);
    expect(
        &mut cluster,
        1,
        "
        2 C joined: A =T0 =T2 | B =T1 -T3 | C
        4 A expired: B =T1 | C +T3
        5 leader B rejoined: B =T1 +T0 | C =T3 +T2
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
        2 A left: B =T1 | C =T2
        3 A joined: A +T0 +T3 | B =T1 | C =T2
    ",
    );
}

#[test]
fn leaders_change_inside_the_wait() {
    let mut cluster = played(&scene::LEADERS_CHANGE);
    assert_eq!(
        waits(&cluster),
        [
            "A: T3 wait 60000ms for D",
            "B: T3 wait 50001ms for D, T0 wait 60000ms for somebody",
            "C: T3 wait 39997ms for D, T0 wait 50001ms for somebody, T1 wait 60000ms for somebody",
            "C: T0 wait 10002ms for somebody, T1 wait 20004ms for somebody",
            "C: T1 wait 9999ms for somebody"
        ]
    );
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 | B =T1 | C =T2 | E =T4
        3 A left: B =T1 | C =T2 | E =T4
        4 B left: C =T2 | E =T4
        5 leader C rejoined: C =T2 +T3 | E =T4
        6 leader C rejoined: C =T2 =T3 | E =T4 +T0
        7 leader C rejoined: C =T2 =T3 +T1 | E =T0 =T4
    ",
    );
}

#[test]
fn the_leader_leaves_inside_the_wait_as_another_comes() {
    let mut cluster = played(&scene::LEADER_REPLACED);
    assert_eq!(waits(&cluster), ["B: T0 T3 wait 60000ms for SD", "C: T0 T3 wait 40001ms for SD"]);
    expect(
        &mut cluster,
        1,
        "
        2 SD expired: B =T1 =T4 | C =T2 =T5
        3 A joined: C =T2 =T5 | A +T1 +T4
        4 leader C rejoined: C =T2 =T5 +T3 | A =T1 =T4 +T0
    ",
    );
}

#[test]
fn a_static_member_gets_exactly_its_own() {
    let mut cluster = played(&scene::STATIC_RETURNS);
    expect(
        &mut cluster,
        1,
        "
        2 SB expired: A =T1 =T4 | C =T2 =T5
        3 E joined: A =T1 =T4 | C =T2 =T5 | E
        4 SB joined: A =T1 =T4 | SB +T0 +T3 | C =T2 -T5 | E
        5 leader A rejoined: A =T1 =T4 | SB =T0 =T3 | C =T2 | E +T5
    ",
    );
}

#[test]
fn several_newcomers_share_what_was_lost() {
    let mut cluster = played(&scene::TWO_FOR_ONE);
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 =T4 | B =T1 =T5 | C =T2 =T6
        3 E joined: A =T0 =T4 | B =T1 =T5 | C =T2 =T6 | E +T3 | F +T7
    ",
    );
}

#[test]
fn one_comes_back_of_two() {
    let mut cluster = played(&scene::ONE_OF_TWO);
    expect(
        &mut cluster,
        1,
        "
        2 C expired: A =T0 =T4 | B =T1 =T5
        3 E joined: A =T0 =T4 | B =T1 =T5 | E +T2 +T6
        4 leader A rejoined: A =T0 =T4 +T3 | B =T1 =T5 +T7 | E =T2 =T6
    ",
    );
}

#[test]
fn a_brand_new_leader_keeps_the_share_of_whoever_is_still_away() {
    let mut cluster = played(&scene::LEADER_AND_ANOTHER);
    assert_eq!(waits(&cluster), ["C: T1 T5 wait 60000ms for somebody"]);
    expect(
        &mut cluster,
        1,
        "
        2 E joined: C =T2 =T6 | D =T3 =T7 | E +T0 +T4
        3 F joined: C =T2 =T6 | D =T3 =T7 | E =T0 =T4 | F +T1 +T5
    ",
    );
}

#[test]
fn an_idle_member_is_no_returner() {
    let mut cluster = played(&scene::IDLE);
    expect(
        &mut cluster,
        1,
        "
        2 B left: A =T0 | C
        3 leader A rejoined: A =T0 | C +T1
    ",
    );
}

#[test]
fn after_the_delay_as_connect_does() {
    let policy = PolicySettings { returner: Returner::AfterDelay, ..deferred() };
    let mut cluster = scene::BOUNCE.played(settings(&policy));
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 | B =T1 | C =T2
        3 D joined: A =T0 | B =T1 | C =T2 | D
        4 leader A rejoined: A =T0 | B =T1 | C =T2 | D +T3
    ",
    );
}

#[test]
fn the_delay_from_configuration() {
    let policy = PolicySettings { source: DelaySource::Configuration, ..deferred() };
    let mut cluster = scene::LEAVE.played(settings(&policy));
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 | B =T1 | C =T2
        3 leader A rejoined: A =T0 +T3 | B =T1 | C =T2
    ",
    );
}

#[test]
fn b9_no_delay_is_design_one() {
    let policy = PolicySettings { max_delay: Span::ZERO, ..deferred() };
    let mut cluster = scene::LEAVE.played(settings(&policy));
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 +T3 | B =T1 | C =T2
    ",
    );
}

#[test]
fn a_group_that_begins_gathers_its_members_first() {
    let policy = PolicySettings { formation: Span::from_secs(3), ..deferred() };
    let mut settings = settings(&policy);
    settings.coordinator.initial_rebalance_delay = Span::ZERO;
    let mut cluster = scene::JOIN.opened(settings);
    expect(
        &mut cluster,
        0,
        "
        2 B joined: A +T0 +T3 | B +T1 | C +T2
    ",
    );
}

/// 50 members start within a second; yields how many rounds are settled, and how much is stopped.
fn formed(delay: Span) -> (usize, u64) {
    let mut settings = settings(&PolicySettings { formation: Span::from_secs(3), ..deferred() });
    settings.coordinator.initial_rebalance_delay = delay;
    let mut cluster = Cluster::new(settings);
    cluster.topic("T", 500);
    for number in 0..50 {
        cluster.join(&format!("m{number:02}"));
        cluster.run_for(Span::from_millis(20));
    }
    cluster.drive();
    cluster.check_settled();
    assert_eq!(cluster.violations(), [], "\n{}", cluster.timeline().join("\n"));
    (cluster.generations(), cluster.stops())
}

#[test]
fn fifty_that_start_within_a_second_settle_in_one_round_with_and_without_a_delay_of_the_coordinators() {
    assert_eq!(formed(Span::from_secs(3)), (1, 0));
    assert_eq!(formed(Span::ZERO), (1, 0));
}

#[test]
fn what_the_coordinator_has_waited_is_taken_off() {
    let policy = PolicySettings { formation: Span::from_secs(3), ..deferred() };
    let mut settings = settings(&policy);
    settings.coordinator.initial_rebalance_delay = Span::from_secs(3);
    let mut cluster = scene::JOIN.opened(settings);
    expect(
        &mut cluster,
        0,
        "
        1 A joined: A +T0 +T3 | B +T1 | C +T2
    ",
    );
}
