//! Policies and assignors that an application might bring and that never come to an end: the group does.

use std::sync::Arc;

use groma_model::Span;
use groma_rebalance::assignor::Assignor;
use groma_rebalance::embedded::Mode;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::policy::{Policy, TwoRound};
use groma_rebalance::share::{NOBODY, Owners, Plan, Situation};
use groma_sim::{Cluster, Property, Settings};

/// Its plans are those of two rounds, and after each it wants another one.
#[derive(Debug)]
struct Alarmist;

impl Policy for Alarmist {
    fn name(&self) -> &str {
        "alarmist"
    }

    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        Plan { alarm: Some(Span::from_millis(10)), ..TwoRound.plan(situation, target) }
    }
}

/// The same where everything stops in each round.
#[derive(Debug)]
struct EagerAlarmist;

impl Policy for EagerAlarmist {
    fn name(&self) -> &str {
        "eager-alarmist"
    }

    fn mode(&self) -> Mode {
        Mode::Eager
    }

    fn plan(&self, _situation: &Situation, target: Owners) -> Plan {
        Plan { alarm: Some(Span::from_millis(10)), ..Plan::new(target.clone(), target) }
    }
}

/// It waits for more members, and goes on waiting.
#[derive(Debug)]
struct Gatherer;

impl Policy for Gatherer {
    fn name(&self) -> &str {
        "gatherer"
    }

    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn plan(&self, situation: &Situation, _target: Owners) -> Plan {
        let nobody = vec![NOBODY; situation.resources()];
        Plan { alarm: Some(Span::from_millis(100)), ..Plan::new(nobody.clone(), nobody) }
    }
}

/// What is held is to be elsewhere as soon as something else has been given up.
#[derive(Debug)]
struct Wanderer;

impl Assignor for Wanderer {
    fn name(&self) -> &str {
        "wanderer"
    }

    fn assign(&self, situation: &Situation) -> Owners {
        let members = situation.members() as u32;
        let is_calm = !situation.holder().contains(&NOBODY);
        let next = |(resource, holder): (u32, &u32)| match *holder {
            NOBODY => resource % members,
            holder if is_calm && resource > 0 => holder,
            holder => (holder + 1) % members,
        };
        (0_u32..).zip(situation.holder()).map(next).collect()
    }
}

fn by(policy: impl Policy + 'static) -> Strategy {
    Strategy::cooperative_sticky().with_policy(Arc::new(policy))
}

const RESOURCES: u32 = 4;
/// Two in which members come; 16 and three for each resource; then one that finishes.
const ROUNDS_MAX: usize = 2 + 16 + 3 * RESOURCES as usize + 1;

/// The group comes to rest, with all running, and so it does after a join; so often it is stopped on the way.
fn assert_stopped(strategy: Strategy, times: usize) {
    let mut cluster = Cluster::new(Settings::new(vec![strategy]));
    cluster.topic("T", RESOURCES);
    ["A", "B"].iter().for_each(|name| cluster.join(name));
    let rest = |cluster: &mut Cluster| {
        cluster.drive();
        assert!(cluster.idle().is_empty(), "{}", cluster.timeline().join("\n"));
        cluster.generations()
    };
    let formed = rest(&mut cluster);
    cluster.join("C");
    let grown = rest(&mut cluster);
    cluster.check_quiet();
    let named = |what: &str| what.contains("without end");
    assert_eq!(cluster.violations().len(), times, "{:?}", cluster.violations());
    assert!(cluster.violations().iter().all(|v| v.property == Property::Quiet && named(&v.what)));
    assert!(formed <= ROUNDS_MAX && grown - formed <= ROUNDS_MAX, "{formed}, then {} rounds", grown - formed);
}

#[test]
fn a_policy_that_asks_for_another_round_again_and_again_is_stopped_and_named() {
    [by(Alarmist), by(Gatherer), by(EagerAlarmist)].into_iter().for_each(|strategy| assert_stopped(strategy, 2));
}

#[test]
fn an_assignor_that_never_leaves_anything_where_it_is_is_stopped() {
    assert_stopped(Strategy { assignor: Arc::new(Wanderer), ..Strategy::cooperative_sticky() }, 1);
}
