//! Design I, and the eager baseline.

use groma_model::Span;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::member::FollowUps;
use groma_sim::{Cluster, Settings};

use crate::design::Design::TwoRound;
use crate::scene::{self, Scene};
use crate::table::{expect, formed};

#[test]
fn whoever_is_there_longest_leads_next() {
    for scene in [scene::LEADER_LEAVES, scene::NEW_LEADER] {
        let leads = |cluster: &Cluster, name| cluster.member(name).is_some_and(|m| m.is_leader());
        assert!(leads(&scene.opened(TwoRound.settings()), "A"), "{}", scene.name);
        assert!(leads(&scene.played(TwoRound.settings()), "B"), "{}", scene.name);
    }
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

/// One joins 100 members that have two partitions each; yields rounds, joins and the time until all have settled.
fn scaled_up(follow_ups: FollowUps) -> (usize, usize, Span) {
    let mut settings = TwoRound.settings();
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

/// Design I cannot wait: those that come first have all, and give up most of it to those that come a moment later. An
/// initial delay of the coordinator spares that.
#[test]
fn fifty_that_start_within_a_second_settle_in_three_rounds_and_in_one_with_a_delay_of_the_coordinators() {
    assert_eq!(formed(TwoRound.settings(), Span::ZERO), (3, 450));
    assert_eq!(formed(TwoRound.settings(), Span::from_secs(3)), (1, 0));
}
