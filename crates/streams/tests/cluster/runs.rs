use groma_usecases::uc1;

use crate::cluster::{Cluster, household, wait_until};

#[test]
fn uc1_writes_every_document_once_when_nothing_dies() {
    let mut cluster = Cluster::start("documents");
    let mut instance = cluster.instance("uc1", &["session.timeout=60s"]);
    cluster.send(&household(4_000));
    cluster.wait_until_done(|| assert!(instance.ended().is_none(), "{:?}", instance.said()));
    let mut documents: Vec<String> =
        cluster.values("output").into_iter().map(|value| String::from_utf8(value).unwrap()).collect();
    documents.sort();
    assert!(documents == uc1::reference(&cluster.sent));
    let said = instance.stop();
    assert!(said.iter().any(|line| line.contains("records: 4000")), "{said:?}");
}

#[test]
fn tasks_go_to_who_comes_and_back_from_who_leaves() {
    for policy in ["rebalance.policy=eager", "rebalance.policy=two-round"] {
        let mut cluster = Cluster::start("scaling");
        let mut first = cluster.instance("uc2", &[policy]);
        first.wait_for("ready");
        let readings = household(3_000);
        cluster.send(&readings[..1_000]);
        cluster.wait_until_done(|| {});
        let mut second = cluster.instance("uc2", &[policy]);
        second.wait_for("ready");
        wait_until("the tasks are shared out", || cluster.shares() == [2, 2]);
        cluster.send(&readings[1_000..2_000]);
        cluster.wait_until_done(|| {});
        first.stop();
        cluster.send(&readings[2_000..]);
        cluster.wait_until_done(|| {});
        wait_until("only one is left", || cluster.shares() == [4]);
        cluster.assert_results_equal_the_reference();
    }
}

#[test]
fn b83_more_instances_than_tasks_are_ready_without_any() {
    let cluster = Cluster::start("crowd");
    let mut instances: Vec<_> = (0..5).map(|_| cluster.instance("uc2", &[])).collect();
    instances.iter_mut().for_each(|instance| instance.wait_for("ready"));
    wait_until("one is left over", || {
        let mut shares = cluster.shares();
        shares.sort_unstable();
        shares == [0, 1, 1, 1, 1]
    });
}

#[test]
fn a_missing_input_topic_is_one_sentence() {
    let cluster = Cluster::start("nothing");
    let mut instance = cluster.instance("uc2", &["input=nowhere"]);
    instance.wait_for("failed input topic `nowhere` does not exist; create it with `groma topic create nowhere");
}
