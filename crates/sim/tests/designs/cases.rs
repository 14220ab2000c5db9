//! Cases of the public record that take a whole group to show, by their numbers.

use groma_model::Span;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::policy::PolicyName;
use groma_sim::{Cluster, Faults, Settings};

use crate::scene::Scene;
use crate::table::{by, offer, settings, waits};

fn group(topics: &'static [(&'static str, u32)], members: &'static [&'static str]) -> Scene {
    Scene { name: "", topics, members, act: |_| {} }
}

fn expect_peace(cluster: &mut Cluster) {
    cluster.check_settled();
    cluster.check_quiet();
    assert_eq!(cluster.violations(), [], "\n{}", cluster.timeline().join("\n"));
}

fn loads(cluster: &Cluster) -> Vec<usize> {
    cluster.up().iter().map(|name| cluster.runs(name).split_whitespace().count()).collect()
}

#[test]
fn b1_members_that_come_between_revoking_and_granting_end_with_even_loads() {
    for policy in [PolicyName::TwoRound, PolicyName::Deferred, PolicyName::Incremental] {
        let mut cluster = group(&[("T", 12)], &["A"]).opened(settings(&by(policy)));
        for name in ["B", "C", "D", "E", "F"] {
            cluster.join(name);
            cluster.up().iter().for_each(|member| cluster.stop_takes(member, Span::from_secs(2)));
            cluster.run_for(Span::from_millis(1_500));
        }
        cluster.drive();
        expect_peace(&mut cluster);
        assert_eq!(loads(&cluster), [2; 6], "{policy:?}");
        assert!(cluster.generations() <= 24, "{policy:?}: {} rounds", cluster.generations());
    }
}

#[test]
fn b3_after_a_zombie_has_come_back_nothing_waits_and_nothing_moves() {
    let mut cluster = group(&[("T", 4)], &["A", "B"]).opened(settings(&by(PolicyName::Deferred)));
    cluster.freeze("B", Span::from_secs(100));
    cluster.run_for(Span::from_secs(120));
    cluster.drive();
    expect_peace(&mut cluster);
    assert_eq!(loads(&cluster), [2, 2]);
    let (rounds, told) = (cluster.generations(), waits(&cluster).len());
    cluster.run_for(Span::from_secs(600));
    assert_eq!((cluster.generations(), waits(&cluster).len()), (rounds, told));
}

#[test]
fn b13_what_a_deleted_topic_sets_off_is_no_departure() {
    let mut cluster = group(&[("T", 3), ("U", 3)], &["A", "B"]).opened(settings(&by(PolicyName::Deferred)));
    cluster.subscribe("B", &["T"]);
    cluster.drive();
    cluster.delete_topic("U");
    cluster.drive();
    expect_peace(&mut cluster);
    assert_eq!(waits(&cluster), [""; 0], "\n{}", cluster.timeline().join("\n"));
}

#[test]
fn b54_a_static_member_that_restarts_between_two_rounds_gets_what_was_meant_for_it() {
    for policy in [PolicyName::TwoRound, PolicyName::Deferred, PolicyName::Incremental] {
        let mut cluster = group(&[("T", 4)], &["A"]).opened(settings(&by(policy)));
        cluster.stop_takes("A", Span::from_secs(2));
        cluster.join_static("SB");
        cluster.run_for(Span::from_millis(1_500));
        cluster.crash("SB");
        cluster.restart("SB");
        cluster.drive();
        expect_peace(&mut cluster);
        assert_eq!(loads(&cluster), [2, 2], "{policy:?}");
    }
}

/// Kafka Streams went round and round where the partitions asked for could not be counted (KAFKA-10689).
#[test]
fn b58_topics_of_which_nobody_knows_any_partition_cause_no_rounds() {
    for policy in PolicyName::ALL.into_iter().filter(|policy| *policy != PolicyName::Eager) {
        let mut cluster = group(&[("T", 4), ("empty", 0)], &["A", "B"]).opened(settings(&by(policy)));
        cluster.subscribe("B", &["T", "empty", "nowhere"]);
        cluster.drive();
        let rounds = cluster.generations();
        assert!(rounds <= 4, "{policy}: {rounds} rounds");
        cluster.run_for(Span::from_secs(600));
        assert_eq!(cluster.generations(), rounds, "{policy}");
        expect_peace(&mut cluster);
        assert_eq!(loads(&cluster), [2, 2], "{policy}");
    }
}

#[test]
fn b66_rolling_upgrades_of_static_members_end_in_every_order() {
    const NAMES: [&str; 3] = ["SA", "SB", "SC"];
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut cluster = group(&[("T", 6)], &NAMES).opened(settings(&by(PolicyName::TwoRound)));
    for (order, policy) in orders.iter().zip([PolicyName::Deferred, PolicyName::TwoRound].into_iter().cycle()) {
        cluster.offer(offer(&by(policy)));
        let before = cluster.generations();
        for place in order {
            cluster.crash(NAMES[*place]);
            cluster.restart_after(NAMES[*place], Span::from_secs(1));
            cluster.drive();
            assert_eq!(loads(&cluster), [2; 3], "{order:?}");
        }
        assert!(cluster.generations() - before <= 6, "{order:?}: {} rounds", cluster.generations() - before);
    }
    expect_peace(&mut cluster);
}

#[test]
fn b77_a_member_that_offers_both_consumes_all_once_the_eager_one_has_left() {
    let mut cluster = group(&[("T", 4)], &["A"]).opened(Settings::new(vec![Strategy::range()]));
    cluster.offer(vec![Strategy::cooperative_sticky(), Strategy::range()]);
    cluster.join("B");
    cluster.drive();
    assert_eq!(loads(&cluster), [2, 2]);
    cluster.leave("A");
    cluster.drive();
    assert_eq!(cluster.runs("B"), "T0 T1 T2 T3");
    expect_peace(&mut cluster);
}

#[test]
fn b80_twenty_members_over_a_lossy_network_become_stable_and_a_slow_one_comes_back() {
    let names: Vec<String> = (0..20).map(|n| format!("M{n}")).collect();
    let mut cluster = Cluster::new(settings(&by(PolicyName::TwoRound)));
    cluster.topic("T", 40);
    cluster.set_faults(Faults { drop: 4, ..Faults::NONE });
    for name in &names {
        cluster.join(name);
        cluster.run_for(Span::from_millis(50));
    }
    cluster.run_for(Span::from_secs(60));
    cluster.set_faults(Faults::NONE);
    cluster.drive();
    assert_eq!(loads(&cluster), [2; 20]);
    let rounds = cluster.generations();
    assert!(rounds <= 60, "{rounds} rounds");
    cluster.stop_takes("M7", Span::from_secs(45));
    (20..40).for_each(|n| cluster.join(&format!("M{n}")));
    cluster.run_for(Span::from_secs(60));
    cluster.drive();
    let lost = cluster.timeline().iter().any(|line| line.contains("M7 loses"));
    assert!(lost, "M7 was not too slow\n{}", cluster.timeline().join("\n"));
    assert!(cluster.generations() - rounds <= 8, "{} rounds", cluster.generations() - rounds);
    expect_peace(&mut cluster);
    assert_eq!(loads(&cluster), [1; 40]);
}
