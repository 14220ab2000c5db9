//! What each policy is for, live, beside what the simulator says of the same event. Times are told and not judged; what is
//! judged is who stopped what, and in which order.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use groma_broker::{Broker, BrokerConfig};
use groma_client::{Handover, PolicyName, PolicySettings, Span};
use groma_sim::{Policy, Scenario};

use crate::band::{Band, Ledger};
use crate::killed::Process;
use crate::place::{Place, fresh, run};

/// How many of these tests may begin: each has up to 50 members with connections of their own.
static FREE: Mutex<usize> = Mutex::new(2);
static FREED: Condvar = Condvar::new();

struct Slot;

impl Slot {
    fn take() -> Self {
        let free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        *FREED.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner) -= 1;
        Self
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *FREE.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        FREED.notify_one();
    }
}

fn on_a_broker(test: impl AsyncFnOnce(&Place)) {
    let _slot = Slot::take();
    let broker = Broker::start(BrokerConfig::ephemeral()).expect("a broker");
    let place = Place::new(&broker.bootstrap(), Some(broker));
    run(test(&place));
}

/// As the simulator's, as far as the policy has such settings, with waits that do not end within a test.
fn live(policy: Policy) -> PolicySettings {
    let quick = policy.settings();
    let mut settings = PolicySettings { moves_per_round: quick.moves_per_round, ..PolicySettings::of(quick.policy) };
    if matches!(quick.policy, PolicyName::Deferred | PolicyName::DeferredIncremental) {
        settings.formation = Span::ZERO;
    }
    if matches!(quick.policy, PolicyName::Incremental | PolicyName::DeferredIncremental) {
        settings.interval = quick.interval.min(Span::from_millis(50));
    }
    settings
}

fn names(members: usize) -> Vec<String> {
    (0..members).map(|number| format!("m{number:02}")).collect()
}

const MEMBERS: usize = 50;
const RESOURCES: usize = 500;
const SESSION: Duration = Duration::from_secs(6);
/// What the dead process and the one that replaces it are called.
const VICTIM: &str = "victim";

/// A process of 50 is killed with SIGKILL; when the group knows, another takes its place.
fn dies_and_is_replaced(policy: Policy) {
    let predicted = Scenario::ProcessDeath.play(policy);
    on_a_broker(async |place| {
        let (group, settings) = (fresh("death"), live(policy));
        let session = SESSION.as_millis().to_string();
        let mut band = Band::new(place, (&group, &settings), RESOURCES);
        names(MEMBERS - 1).iter().for_each(|name| band.start(name));
        band.until(|ledger| ledger.is_even(MEMBERS - 1, RESOURCES)).await;
        let arguments = [&place.bootstrap(), &group, &RESOURCES.to_string(), &session, settings.policy.name()];
        let victim = Process::start("cameras", &arguments);
        let share = RESOURCES / MEMBERS;
        band.until(|ledger| ledger.held.values().all(|held| held.len() == share)).await;
        while victim.runs().len() < share {
            band.pump(Duration::from_millis(20)).await;
        }
        band.until_settled_with(MEMBERS).await;
        let had = victim.runs();
        had.keys().for_each(|resource| _ = band.ledger.last.insert(resource.clone(), VICTIM.to_owned()));
        band.ledger.open();
        let killed = Instant::now();
        victim.kill().await;

        let waits = matches!(policy, Policy::Deferred | Policy::DeferredIncremental);
        let run = if waits { RESOURCES - share } else { RESOURCES };
        band.until_settled_with(MEMBERS - 1).await;
        band.until(|ledger| ledger.running() == run).await;
        let known = killed.elapsed();
        band.start(VICTIM);
        band.until(|ledger| ledger.is_even(MEMBERS, RESOURCES)).await;
        let back = killed.elapsed();

        let ledger = &band.ledger;
        eprintln!(
            "{}: {} stopped, {} moved; replaced after {known:.1?}, its work is back after {back:.1?}",
            settings.policy, ledger.stopped, ledger.moved
        );
        assert_eq!((ledger.stopped, ledger.moved), (predicted.stopped, predicted.moved), "live and predicted");
        if waits {
            assert_eq!((ledger.stopped, ledger.moved), (0, 0));
            let has: BTreeSet<&String> = ledger.held[VICTIM].iter().collect();
            assert_eq!(has, had.keys().collect(), "exactly what the dead one had");
        }
    });
}

#[test]
fn a_death_with_replacement_stops_everything_under_eager() {
    dies_and_is_replaced(Policy::Eager);
}

#[test]
fn a_death_with_replacement_moves_the_share_twice_under_two_round() {
    dies_and_is_replaced(Policy::TwoRound);
}

#[test]
fn a_death_with_replacement_touches_nobody_under_deferred() {
    dies_and_is_replaced(Policy::Deferred);
}

#[test]
fn a_death_with_replacement_moves_back_little_by_little_under_incremental() {
    dies_and_is_replaced(Policy::Incremental);
}

#[test]
fn a_death_with_replacement_touches_nobody_under_deferred_and_incremental() {
    dies_and_is_replaced(Policy::DeferredIncremental);
}

/// 4 members share 101 resources, a fifth comes, and one resource that is to be stopped for it takes until its
/// [`Handover`] is done: for as long as this test likes.
fn one_is_heavy(policy: Policy, judge: impl AsyncFnOnce(&mut Band<'_>)) {
    on_a_broker(async |place| {
        let (group, settings) = (fresh("heavy"), live(policy));
        let mut band = Band::new(place, (&group, &settings), 101);
        names(4).iter().for_each(|name| band.start(name));
        band.until(|ledger| ledger.is_even(4, 101)).await;
        band.until_settled_with(4).await;
        band.ledger.open();
        band.start(NEWCOMER);
        judge(&mut band).await;
        band.until(|ledger| ledger.is_even(5, 101)).await;
    });
}

const NEWCOMER: &str = "m04";
/// Long enough to see what should not happen.
const A_WHILE: Duration = Duration::from_millis(300);
/// Long enough for what should.
const PATIENCE: Duration = Duration::from_secs(5);

async fn next_handover(band: &mut Band<'_>) -> Handover<String> {
    loop {
        if let Some((_, handover)) = band.next().await {
            return handover;
        }
    }
}

#[test]
fn light_resources_arrive_while_a_heavy_one_stops_under_incremental() {
    one_is_heavy(Policy::Incremental, async |band| {
        for light in [5, 1, 1, 1, 1, 1, 1] {
            band.ledger.open();
            for _ in 0..light {
                next_handover(band).await.done();
            }
            let heavy = next_handover(band).await;
            assert_eq!(heavy.resources().len(), 1, "one at a time");
            let others_run = |ledger: &Ledger| ledger.running() == 100 && !ledger.held[NEWCOMER].is_empty();
            // A newcomer that is too slow to fetch a plan has what it gives in the next round, which waits for the heavy
            // one: then another one is the heavy one.
            let in_time = tokio::time::timeout(PATIENCE, band.until(others_run)).await.is_ok();
            if in_time {
                band.pump(A_WHILE).await;
                assert_eq!(band.ledger.running(), 100, "all but the heavy one run");
                eprintln!("incremental: light resources were away for {:.1?} at most", band.ledger.longest);
            }
            heavy.done();
            if in_time {
                return;
            }
            band.until(|ledger| ledger.running() == 101).await;
        }
        panic!("light resources wait for a heavy one again and again");
    });
}

#[test]
fn light_resources_wait_for_a_heavy_one_under_two_round() {
    one_is_heavy(Policy::TwoRound, async |band| {
        let heavy = next_handover(band).await;
        band.pump(A_WHILE).await;
        let ledger = &band.ledger;
        assert_eq!((ledger.running(), ledger.held[NEWCOMER].len()), (101 - ledger.stopped as usize, 0));
        heavy.done();
    });
}

#[test]
fn everything_waits_for_a_heavy_resource_under_eager() {
    one_is_heavy(Policy::Eager, async |band| {
        let heavy = next_handover(band).await;
        band.until(|ledger| ledger.stopped == 101).await;
        band.pump(A_WHILE).await;
        assert_eq!(band.ledger.running(), 0);
        heavy.done();
    });
}

#[test]
fn a_rolling_bounce_gives_everybody_what_it_had_under_deferred() {
    const MEMBERS: usize = 20;
    on_a_broker(async |place| {
        let (group, settings) = (fresh("bounce"), live(Policy::Deferred));
        let mut band = Band::new(place, (&group, &settings), 10 * MEMBERS);
        names(MEMBERS).iter().for_each(|name| band.start(name));
        band.until(|ledger| ledger.is_even(MEMBERS, 10 * MEMBERS)).await;
        band.until_settled_with(MEMBERS).await;
        band.ledger.open();
        let had = band.ledger.held.clone();
        for name in names(MEMBERS) {
            band.leave(&name).await;
            band.until_settled_with(MEMBERS - 1).await;
            band.start(&name);
            band.until(|ledger| ledger.running() == 10 * MEMBERS).await;
        }
        assert_eq!(band.ledger.held, had);
        assert_eq!((band.ledger.stopped, band.ledger.moved), (0, 0), "nobody else is touched");
    });
}
