use groma_streams::FaultPoint;
use rustix::process::Signal;

use crate::child::InstanceProcess;
use crate::cluster::{Cluster, household, wait_until};

const CHUNKS: usize = 5;

/// Two instances, one of which dies at the second passage of `point` and is started again; the input comes bit by bit.
fn dies_at(policy: &str, point: FaultPoint) {
    let mut cluster = Cluster::start(&format!("{policy}-{}", point.name()));
    let policy = format!("rebalance.policy={policy}");
    let fault = format!("fault={}:2", point.name());
    let mut doomed = cluster.instance("uc2", &[&policy, &fault]);
    let mut steady = cluster.instance("uc2", &[&policy]);
    let mut deaths = 0;
    wait_until("each has its share, or one has died over it", || {
        cluster.shares() == [2, 2] || doomed.ended().is_some()
    });
    let readings = household(4_000);
    for chunk in readings.chunks(readings.len() / CHUNKS) {
        cluster.send(chunk);
        cluster.wait_until_done(|| {
            assert!(steady.ended().is_none(), "{:?}", steady.said());
            if let Some(status) = doomed.ended() {
                assert!(status.code().is_none(), "{status}: {:?}", doomed.said());
                deaths += 1;
                doomed = cluster.instance("uc2", &[&policy]);
            }
        });
    }
    assert_eq!(deaths, 1, "the fault came to pass");
    doomed.wait_for("ready");
    cluster.assert_results_equal_the_reference();
    for instance in [doomed, steady] {
        instance.stop();
    }
    cluster.assert_results_equal_the_reference();
}

#[test]
fn a_kill_at_any_step_of_a_flush_counts_nothing_twice_under_two_rounds() {
    FaultPoint::ALL.into_iter().for_each(|point| dies_at("two-round", point));
}

#[test]
fn a_kill_at_any_step_of_a_flush_counts_nothing_twice_under_the_eager_policy() {
    FaultPoint::ALL.into_iter().for_each(|point| dies_at("eager", point));
}

/// Three instances, one after the other of which is killed in the middle of the work and started again.
fn survives_kill_after_kill(name: &str, readings: usize, policy: &[&str]) {
    let mut cluster = Cluster::start(name);
    let mut instances: Vec<InstanceProcess> = (0..3).map(|_| cluster.instance("uc2", policy)).collect();
    let readings = household(readings);
    for (i, chunk) in readings.chunks(readings.len() / 6).enumerate() {
        let before = cluster.sent.len() as i64;
        cluster.send(chunk);
        wait_until("some of the chunk is committed", || cluster.committed() > before);
        let victim = i % instances.len();
        instances[victim].kill();
        instances[victim] = cluster.instance("uc2", policy);
        cluster.wait_until_done(|| {});
    }
    cluster.assert_results_equal_the_reference();
}

#[test]
fn a_month_survives_kill_after_kill() {
    survives_kill_after_kill("month", usize::MAX, &["rebalance.policy=two-round"]);
}

#[test]
fn kill_after_kill_under_deferred_resolution() {
    let policy = ["rebalance.policy=deferred", "rebalance.max-delay=20s", "rebalance.formation=0s"];
    survives_kill_after_kill("deferred", 12_000, &policy);
}

#[test]
fn kill_after_kill_under_incremental_resolution() {
    survives_kill_after_kill("incremental", 12_000, &["rebalance.policy=incremental", "rebalance.interval=100ms"]);
}

#[test]
fn kill_after_kill_under_both() {
    let policy = ["rebalance.policy=deferred+incremental", "rebalance.max-delay=20s", "rebalance.formation=0s"];
    survives_kill_after_kill("both", 12_000, &policy);
}

#[test]
fn what_a_zombie_still_writes_does_not_count() {
    let mut cluster = Cluster::start("zombie");
    let mut sleeper = cluster.instance("uc2", &[]);
    sleeper.wait_for("ready");
    let mut other = cluster.instance("uc2", &[]);
    other.wait_for("ready");
    wait_until("the tasks are shared out", || cluster.shares() == [2, 2]);
    let readings = household(4_000);
    for (i, chunk) in readings.chunks(readings.len() / CHUNKS).enumerate() {
        cluster.send(chunk);
        if i == 1 {
            sleeper.signal(Signal::STOP);
        }
        cluster.wait_until_done(|| {});
        if i == 2 {
            sleeper.signal(Signal::CONT);
            sleeper.wait_for("lost tasks");
        }
    }
    wait_until("the sleeper has tasks again", || cluster.shares() == [2, 2]);
    cluster.assert_results_equal_the_reference();
}
