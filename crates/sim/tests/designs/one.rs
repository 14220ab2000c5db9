//! Design I, and the eager baseline.

use groma_model::Span;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::member::FollowUps;
use groma_sim::{Cluster, Settings};

use crate::scene::{self, Scene};
use crate::table::expect;

/// Under the two-round policy, without faults.
fn played(scene: &Scene) -> Cluster {
    scene.played(calm())
}

fn calm() -> Settings {
    Settings::new(vec![Strategy::cooperative_sticky()])
}

#[test]
fn the_proposals_trace_join() {
    let mut cluster = played(&scene::JOIN);
    expect(
        &mut cluster,
        0,
        "
        1 A joined: A +T0 +T3 | B +T1 | C +T2
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
        2 D left: A =T0 +T3 | B =T1 | C =T2
    ",
    );
}

#[test]
fn death_is_found_by_the_session_timeout() {
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
fn bounce_is_leave_and_join() {
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
    let before = scene::LEADER_LEAVES.opened(calm());
    assert!(before.member("A").is_some_and(|m| m.is_leader()));
    let mut cluster = played(&scene::LEADER_LEAVES);
    assert!(cluster.member("B").is_some_and(|m| m.is_leader()));
    expect(
        &mut cluster,
        1,
        "
        2 A left: B =T1 +T0 | C =T2 +T3
    ",
    );
}

#[test]
fn a_new_leader_goes_on_where_the_old_one_stopped() {
    let before = scene::NEW_LEADER.opened(calm());
    assert!(before.member("A").is_some_and(|m| m.is_leader()));
    let mut cluster = played(&scene::NEW_LEADER);
    assert!(cluster.member("B").is_some_and(|m| m.is_leader()));
    expect(
        &mut cluster,
        1,
        "
        2 C joined: A =T0 =T2 | B =T1 -T3 | C
        4 A expired: B =T1 +T0 | C +T2 +T3
    ",
    );
}

#[test]
fn subscription_change() {
    let mut cluster = played(&scene::OTHER_TOPICS);
    expect(
        &mut cluster,
        0,
        "
        1 A joined: A +T0 +U0 | B +T1 +U1
        2 B rejoined: A =T0 -U0 +T1 | B =U1 -T1
        3 B rejoined: A =T0 =T1 | B =U1 +U0
    ",
    );
}

#[test]
fn partitions_added_are_free_and_granted_at_once() {
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

#[test]
fn eager_stops_everything_in_every_round() {
    let mut cluster = scene::JOIN.played(Settings::new(vec![Strategy::sticky()]));
    expect(
        &mut cluster,
        0,
        "
        1 A joined: A +T0 +T3 | B +T1 | C +T2
        2 D joined: A -T0 -T3 +T0 | B -T1 +T1 | C -T2 +T2 | D +T3
    ",
    );
}

#[test]
fn range_and_round_robin_share_out_as_kafka_does() {
    for strategy in [Strategy::range(), Strategy::round_robin()] {
        let mut cluster = Scene { name: "two", topics: &[("T", 5)], members: &["A", "B"], act: |_| {} }
            .opened(Settings::new(vec![strategy.clone()]));
        let (a, b) = if strategy.name() == "range" { ("T0 T1 T2", "T3 T4") } else { ("T0 T2 T4", "T1 T3") };
        assert_eq!((cluster.runs("A").as_str(), cluster.runs("B").as_str()), (a, b));
        expect(&mut cluster, 1, "");
    }
}

#[test]
fn two_rolling_bounces_move_a_group_from_eager_to_cooperative() {
    let both = vec![Strategy::cooperative_sticky(), Strategy::range()];
    let mut cluster = Scene { name: "three", topics: &[("T", 6)], members: &["A", "B", "C"], act: |_| {} }
        .opened(Settings::new(vec![Strategy::range()]));
    for strategies in [both, vec![Strategy::cooperative_sticky()]] {
        cluster.offer(strategies);
        for name in ["A", "B", "C"] {
            cluster.leave(name);
            cluster.restart_after(name, Span::from_secs(1));
            cluster.drive();
        }
    }
    let protocol = cluster.group().and_then(|g| g.view().protocol);
    assert_eq!(protocol.as_deref(), Some("cooperative-sticky"));
    cluster.check_settled();
    assert_eq!(cluster.violations(), [], "\n{}", cluster.timeline().join("\n"));
}

/// One joins 100 members that have two partitions each; yields rounds, joins and the time until all have settled.
fn scaled_up(follow_ups: FollowUps) -> (usize, usize, Span) {
    let mut settings = calm();
    settings.member.follow_ups = follow_ups;
    settings.member.heartbeat_interval = Span::from_secs(3);
    settings.member.session_timeout = Span::from_secs(45);
    let mut cluster = Cluster::new(settings);
    cluster.topic("T", 200);
    (0..100).for_each(|number| cluster.join(&format!("m{number}")));
    cluster.drive();
    let (began, told, rounds) = (cluster.now(), cluster.timeline().len(), cluster.generations());
    cluster.join("late");
    cluster.drive();
    let joins = cluster.timeline()[told..].iter().filter(|line| line.contains(" joins: ")).count();
    assert_eq!(cluster.violations(), []);
    (cluster.generations() - rounds, joins, cluster.last_start().since(began))
}

/// Every plan says whether another round is due: nobody waits to be told, and nobody joins more often than it must. The
/// example `rounds` does the same with 1,000.
#[test]
fn a_hundred_that_are_told_of_the_next_round_settle_a_heartbeat_earlier_with_no_more_joins() {
    let (told, at_once) = (scaled_up(FollowUps::WhenTold), scaled_up(FollowUps::AtOnce));
    assert_eq!((told.0, at_once.0), (2, 2));
    assert_eq!((told.1, at_once.1), (203, 203), "each once a round, and the newcomer once more for its identity");
    assert!(at_once.2 + Span::from_secs(2) < told.2, "{at_once:?} {told:?}");
}
