use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use groma_model::Span;
use groma_rebalance::assignor::Assignor;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::embedded::custom::{Catalog, Custom, Interest, Resource};
use groma_rebalance::embedded::{Embedded, Mode, Shape};
use groma_rebalance::member::{Input, MemberFailure};
use groma_rebalance::policy::{Deferred, Incremental, Limit, Policy};
use groma_rebalance::share::{NOBODY, Owners, Plan, Situation};
use proptest::prelude::*;
use proptest::strategy::Strategy as Generate;

use crate::band::{Band, Step};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Camera {
    number: u16,
}

impl Resource for Camera {
    fn name(&self) -> Cow<'_, str> {
        Cow::Owned(format!("camera {}", self.number))
    }

    fn from_name(name: &str) -> Option<Self> {
        Some(Self { number: name.strip_prefix("camera ")?.parse().ok()? })
    }

    fn kind(&self) -> Cow<'_, str> {
        Cow::Borrowed(if self.number < 100 { "indoor" } else { "outdoor" })
    }

    fn cost(&self) -> u32 {
        if self.number < 100 { 1 } else { 5 }
    }
}

fn cameras(numbers: impl IntoIterator<Item = u16>) -> Catalog<Camera> {
    Catalog::new(numbers.into_iter().map(|number| Camera { number })).expect("a catalog")
}

fn watcher(strategy: Strategy, shape: Shape) -> Custom<Camera> {
    Custom::new("cameras", vec![strategy], shape)
}

fn two_round(shape: Shape) -> Custom<Camera> {
    watcher(Strategy::cooperative_sticky(), shape)
}

const SHAPES: [Shape; 2] = [Shape::Full, Shape::Delta];
const ROUND: Span = Span::from_secs(10);
const SESSION: Span = Span::from_secs(60);

/// Each of these many cameras is run by exactly one member, and shares differ by at most one.
fn assert_shared(band: &Band<Custom<Camera>>, count: usize) {
    let holders = band.holders();
    assert_eq!(holders.len(), count, "{holders:?}");
    assert!(holders.values().all(|numbers| numbers.len() == 1), "{holders:?}");
    let shares: Vec<usize> = band.numbers().iter().map(|number| band.held(*number).len()).collect();
    assert!(shares.iter().max().zip(shares.iter().min()).is_some_and(|(most, least)| most - least <= 1), "{shares:?}");
}

#[test]
fn cameras_are_shared_out_and_only_what_moves_is_told() {
    for shape in SHAPES {
        let mut band = Band::new();
        for number in 1..=3 {
            band.join(number, two_round(shape), (Interest::Everything, cameras(0..8)));
            band.wait(ROUND);
            assert_shared(&band, 8);
        }
        let starts = band.steps.iter().filter(|(_, step)| matches!(step, Step::Start(_))).count();
        assert_eq!(starts, 8 + 4 + 2, "{shape:?}: eight at first, then what the newcomers need");
    }
}

#[test]
fn what_a_killed_member_ran_goes_to_the_others_who_stop_nothing() {
    for shape in SHAPES {
        let mut band = Band::new();
        (1..=3).for_each(|number| band.join(number, two_round(shape), (Interest::Everything, cameras(0..9))));
        band.wait(ROUND);
        for (victim, heir) in [(1, 4), (2, 5), (3, 6)] {
            let before: Vec<(u64, usize)> = band.numbers().iter().map(|n| (*n, band.moved_by(*n))).collect();
            band.kill(victim);
            band.wait(SESSION);
            assert_shared(&band, 9);
            for (number, moved) in before.into_iter().filter(|(number, _)| *number != victim) {
                assert_eq!(band.moved_by(number), moved, "{number} stopped something when {victim} died");
            }
            band.join(heir, two_round(shape), (Interest::Everything, cameras(0..9)));
            band.wait(ROUND);
            assert_shared(&band, 9);
        }
    }
}

#[test]
fn members_get_only_kinds_they_ask_for() {
    let mut band = Band::new();
    let all = || cameras([1, 2, 101, 102, 103, 104]);
    band.join(1, two_round(Shape::Full), (Interest::kinds(["indoor"]), all()));
    band.join(2, two_round(Shape::Full), (Interest::kinds(["outdoor"]), all()));
    band.wait(ROUND);
    let numbers = |held: Vec<Camera>| held.iter().map(|camera| camera.number).collect::<Vec<_>>();
    assert_eq!((numbers(band.held(1)), numbers(band.held(2))), (vec![1, 2], vec![101, 102, 103, 104]));
    band.put(1, Input::Subscribe(Interest::Everything));
    band.wait(ROUND);
    assert_eq!(band.holders().len(), 6);
    assert_eq!(band.held(1).len(), 3);
}

#[test]
fn what_the_leader_says_exists_is_shared_out() {
    for shape in SHAPES {
        let mut band = Band::new();
        (1..=2).for_each(|number| band.join(number, two_round(shape), (Interest::Everything, cameras(0..4))));
        band.wait(ROUND);
        let leader = band.leaders()[0];
        band.put(leader, Input::Catalog(cameras(2..8)));
        band.wait(ROUND);
        assert_shared(&band, 6);
        let stopped: BTreeSet<u16> = band
            .steps
            .iter()
            .filter_map(|(_, step)| match step {
                Step::Stop(camera) => Some(camera.number),
                Step::Start(_) | Step::Lose(_) => None,
            })
            .filter(|number| *number < 2)
            .collect();
        assert_eq!(stopped, BTreeSet::from([0, 1]), "{shape:?}: what is gone is stopped");
    }
}

#[test]
fn lost_cameras_wait_for_their_worker_and_nobody_else_moves() {
    for shape in SHAPES {
        let deferred = Deferred { max_delay: Span::from_secs(120), formation: Span::ZERO, ..Deferred::default() };
        let strategy = Strategy { policy: Arc::new(deferred), ..Strategy::cooperative_sticky() };
        let worker = || watcher(strategy.clone(), shape);
        let mut band = Band::new();
        (1..=3).for_each(|number| band.join(number, worker(), (Interest::Everything, cameras(0..9))));
        band.wait(ROUND);
        let lost = band.held(2);
        let kept = (band.held(1), band.held(3));
        let steps = band.steps.len();
        band.kill(2);
        band.wait(SESSION);
        assert_eq!((band.held(1), band.held(3)), kept, "{shape:?}: they wait");
        band.join(4, worker(), (Interest::Everything, cameras(0..9)));
        band.wait(ROUND);
        assert_eq!(band.held(4), lost, "{shape:?}: the replacement has its work back");
        assert!(band.steps[steps..].iter().all(|(number, _)| *number == 4), "{:?}", &band.steps[steps..]);
    }
}

#[test]
fn a_few_cameras_move_at_a_time() {
    let paced = Incremental { interval: Span::from_secs(30), ..Incremental::default() };
    let strategy = Strategy { policy: Arc::new(paced), ..Strategy::cooperative_sticky() };
    let mut band = Band::new();
    band.join(1, watcher(strategy.clone(), Shape::Full), (Interest::Everything, cameras(0..8)));
    band.wait(ROUND);
    band.join(2, watcher(strategy, Shape::Full), (Interest::Everything, cameras(0..8)));
    band.wait(ROUND);
    assert_eq!(band.held(2).len(), 1);
    band.wait(Span::from_secs(200));
    assert_shared(&band, 8);
}

#[test]
fn no_more_moves_at_a_time_than_cameras_may_cost_and_a_heavy_one_moves_alone() {
    let paced = Incremental { limit: Limit::cost(4), interval: Span::from_secs(30), tolerance: 0 };
    let strategy = Strategy { policy: Arc::new(paced), ..Strategy::cooperative_sticky() };
    let all = || (Interest::Everything, cameras((0..8).chain(100..108)));
    let mut band = Band::new();
    band.join(1, watcher(strategy.clone(), Shape::Full), all());
    band.wait(ROUND);
    band.join(2, watcher(strategy, Shape::Full), all());
    let mut batches: Vec<Vec<u32>> = Vec::new();
    for _ in 0..60 {
        let before = band.steps.len();
        band.wait(ROUND);
        let stopped = |(_, step): &(u64, Step<Camera>)| if let Step::Stop(c) = step { Some(c.cost()) } else { None };
        batches.push(band.steps[before..].iter().filter_map(stopped).collect());
    }
    assert_shared(&band, 16);
    batches.retain(|batch| !batch.is_empty());
    assert_eq!(batches.iter().map(Vec::len).sum::<usize>(), 8, "{batches:?}");
    assert!(batches.iter().all(|batch| batch.len() == 1 || batch.iter().sum::<u32>() <= 4), "{batches:?}");
    assert!(batches.contains(&vec![5]) && batches.iter().any(|batch| batch.len() > 1), "{batches:?}");
}

#[test]
fn a_static_worker_comes_back_to_all_it_had_without_a_round() {
    let mut band = Band::new();
    let all = || (Interest::Everything, cameras(0..6));
    band.join_as(1, Some("one"), two_round(Shape::Full), all());
    band.join_as(2, Some("two"), two_round(Shape::Full), all());
    band.wait(ROUND);
    let (had, others) = (band.held(2), band.held(1));
    let steps = band.steps.len();
    band.kill(2);
    band.join_as(3, Some("two"), two_round(Shape::Full), all());
    band.wait(ROUND);
    assert_eq!((band.held(3), band.held(1)), (had, others));
    assert!(band.steps[steps..].iter().all(|(number, _)| *number == 3));
}

#[test]
fn a_name_that_means_nothing_here_is_the_leaders_offence() {
    let strange: Custom<String> = Custom::new("cameras", vec![Strategy::cooperative_sticky()], Shape::Full);
    let (given, reader) = (Catalog::new(["lamp".to_owned()]).expect("a catalog"), two_round(Shape::Full));
    let mut band = Band::new();
    band.join(1, strange, (Interest::Everything, given));
    band.wait(ROUND);
    let report = groma_rebalance::embedded::consumer::Assignment {
        partitions: [groma_model::TopicPartition::new("lamp", 0)].iter().collect(),
        user_data: None,
    };
    let refused = reader.grant("cooperative-sticky", &report.encode()).expect_err("no camera");
    assert_eq!(
        MemberFailure::Unreadable(refused).to_string(),
        "the leader gave lamp, which is no name of a resource here; let all members have the same kind of resources"
    );
}

#[derive(Clone, Debug)]
enum Act {
    Join,
    Kill(usize),
    Exist(u16),
}

fn acts() -> impl Generate<Value = Vec<Act>> {
    let act = prop_oneof![
        3 => Just(Act::Join),
        2 => (0_usize..8).prop_map(Act::Kill),
        1 => (0_u16..20).prop_map(Act::Exist),
    ];
    proptest::collection::vec(act, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_and_goes_each_camera_ends_at_one_worker(acts in acts(), delta in any::<bool>()) {
        let shape = if delta { Shape::Delta } else { Shape::Full };
        let mut band = Band::new();
        let (mut next, mut exist) = (0, 7);
        for act in acts {
            match act {
                Act::Join => {
                    next += 1;
                    band.join(next, two_round(shape), (Interest::Everything, cameras(0..exist)));
                }
                Act::Kill(place) if band.numbers().len() > 1 => {
                    let numbers = band.numbers();
                    band.kill(numbers[place % numbers.len()]);
                }
                Act::Kill(_) => {}
                Act::Exist(count) => {
                    exist = count;
                    for number in band.numbers() {
                        band.put(number, Input::Catalog(cameras(0..exist)));
                    }
                }
            }
            band.wait(Span::from_secs(2));
        }
        band.wait(Span::from_secs(150));
        if !band.numbers().is_empty() {
            assert_shared(&band, exist as usize);
        }
    }
}

/// Gives everything to a member that is not there, once it is not alone.
#[derive(Debug)]
struct Wild;

impl Assignor for Wild {
    fn name(&self) -> &str {
        "cooperative-sticky"
    }

    fn assign(&self, situation: &Situation) -> Owners {
        vec![if situation.members() > 1 { 9 } else { 0 }; situation.resources()]
    }
}

/// Makes each plan by a rule of its own, once its member is not alone.
#[derive(Debug)]
struct Careless(Rule);

type Rule = fn(&Situation) -> Plan;

impl Policy for Careless {
    fn name(&self) -> &str {
        "careless"
    }

    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        if situation.members() > 1 { self.0(situation) } else { Plan::new(target.clone(), target) }
    }
}

fn to(situation: &Situation, member: u32) -> Plan {
    let all = vec![member; situation.resources()];
    Plan::new(all.clone(), all)
}

fn to_others(situation: &Situation) -> Plan {
    to(situation, situation.holder().first().map_or(0, |holder| 1 - holder))
}

/// A broken plan leaves the leader, and no camera is ever watched by two.
fn assert_leaves((strategy, shape, instance): (Strategy, Shape, Option<&str>), words: &str) {
    let mut band = Band::new();
    band.join_as(1, instance, watcher(strategy, shape), (Interest::Everything, cameras(0..4)));
    band.wait(ROUND);
    band.join(2, two_round(shape), (Interest::Everything, cameras(0..4)));
    band.wait(ROUND);
    let (_, failure) = band.failures.pop().expect("a failure");
    assert!(failure.to_string().starts_with(words), "{failure} is not {words}");
    assert!(!band.steps.iter().any(|(_, step)| matches!(step, Step::Lose(_))), "{:?}", band.steps);
    let stopped = band.steps.iter().position(|step| *step == (1, Step::Stop(Camera { number: 3 })));
    let started = band.steps.iter().position(|step| *step == (2, Step::Start(Camera { number: 3 })));
    assert!(stopped < started && stopped.is_some(), "{:?}", band.steps);
    assert_eq!((band.held(1).len(), band.held(2).len()), (0, 4), "{shape:?} {instance:?}");
}

#[test]
fn a_leader_whose_assignor_breaks_its_contract_stops_in_good_order_and_leaves() {
    for shape in SHAPES {
        for instance in [None, Some("one")] {
            let wild = Strategy { assignor: Arc::new(Wild), ..Strategy::cooperative_sticky() };
            assert_leaves(
                (wild, shape, instance),
                "the assignor cooperative-sticky broke its contract: it gave resource 0 to member 9 of 2; members are \
                 numbered from 0",
            );
        }
    }
}

#[test]
fn s1_a_leader_whose_policy_gives_away_what_another_holds_leaves_before_anybody_is_given_it() {
    let table: [(Rule, &str); 4] = [
        (to_others, "resource 0 to member"),
        (
            |situation| to(situation, 9),
            "resource 0 to member 9 of 2; only those that have joined can be given anything",
        ),
        (|situation| to(situation, NOBODY), "resource 0 to nobody, although some member asks for it, and no further"),
        (|_| Plan::default(), "0 owners and 0 targets for 4 resources; give one each, in order of their numbers"),
    ];
    for (plan, fault) in table {
        for shape in SHAPES {
            let careless = Strategy::cooperative_sticky().with_policy(Arc::new(Careless(plan)));
            assert_leaves(
                (careless, shape, None),
                &format!("the policy careless broke its contract: its plan has {fault}"),
            );
        }
    }
}
