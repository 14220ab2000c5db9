//! Reaching the cluster, or saying within bounds why not.

use groma_model::{Span, Time};
use groma_session::cluster::Contact;
use groma_session::net::{Address, Ending};
use groma_session::producer::Producer;
use groma_session::{ClientSettings, ProducerSettings};

use crate::world::World;

fn seeking(bootstrap: &str) -> World<Producer> {
    let mut world = World::new(Producer::new(&ClientSettings::new(bootstrap), ProducerSettings::default()), 1);
    world.machine.start(Time::ZERO);
    world
}

fn decided(world: &mut World<Producer>, patience: Span) -> Contact {
    let over = |world: &mut World<Producer>| matches!(world.machine.contact(), Contact::Made | Contact::Failed { .. });
    assert!(world.run_until(patience, over), "neither reached nor given up");
    world.machine.contact().clone()
}

fn reached(world: &mut World<Producer>, patience: Span) {
    assert_eq!(decided(world, patience), Contact::Made);
}

/// How the last attempt at each address ended.
fn given_up(world: &mut World<Producer>, patience: Span) -> Vec<(u16, Ending)> {
    let Contact::Failed { unreached } = decided(world, patience) else { panic!("reached") };
    unreached.into_iter().map(|unreached| (unreached.address.port, unreached.ending)).collect()
}

fn attempts(world: &World<Producer>, port: u16) -> usize {
    world.opened.iter().filter(|peer| peer.address.port == port).count()
}

#[test]
fn a_refused_connection_is_given_up_soon_with_its_cause() {
    let mut world = seeking("broker:9092");
    world.broker.refused.insert(9092);
    let endings = given_up(&mut world, SOON);
    assert_eq!(endings, [(9092, Ending::Unopened("connection refused".to_owned()))]);
    assert_eq!(attempts(&world, 9092), 4, "it tried again and did not hammer");
}

#[test]
fn a_port_that_closes_or_speaks_otherwise_is_given_up_soon_with_its_cause() {
    let mut world = seeking("closing:1,web:2");
    world.broker.closing.insert(1);
    world.broker.foreign.insert(2);
    let endings = given_up(&mut world, SOON);
    let (closed, foreign) = ("connection reset".to_owned(), "not a frame".to_owned());
    assert_eq!(endings, [(1, Ending::Closed(closed)), (2, Ending::Foreign(foreign))]);
}

#[test]
fn a_broker_that_just_starts_is_reached() {
    let mut world = seeking("broker:9092");
    world.broker.refused.insert(9092);
    world.run(Span::from_millis(400));
    world.broker.refused.clear();
    reached(&mut world, SOON);
}

#[test]
fn every_address_is_asked_four_times_before_nobody_is_said_to_be_there() {
    let mut world = seeking("a:1,b:2,c:3");
    world.broker.refused.extend([1, 2, 3]);
    assert_eq!(given_up(&mut world, Span::from_secs(2)).len(), 3);
    for port in [1, 2, 3] {
        assert_eq!(attempts(&world, port), 4, "port {port}");
    }
}

#[test]
fn a_port_that_accepts_and_says_nothing_is_given_up_in_time_and_said_so() {
    let mut world = seeking("broker:9092");
    world.broker.silent.insert(9092);
    assert_eq!(given_up(&mut world, PATIENCE), [(9092, Ending::Silent { after: Span::from_secs(5) })]);
    assert_eq!(world.now, Time::ZERO + PATIENCE);
}

/// The patience may end before the first attempt does.
#[test]
fn an_attempt_under_way_is_told_by_how_far_it_has_come() {
    for (silent, hole) in [(1, 2), (2, 1)] {
        let settings = ClientSettings { bootstrap_timeout: Span::from_secs(2), ..ClientSettings::new("a:1,b:2") };
        let mut world = World::new(Producer::new(&settings, ProducerSettings::default()), 1);
        world.machine.start(Time::ZERO);
        world.broker.silent.insert(silent);
        world.broker.holes.insert(hole);
        let endings = given_up(&mut world, Span::from_secs(2));
        for (port, ending) in endings {
            match ending {
                Ending::Silent { after } if port == silent => assert!(after <= Span::from_secs(2)),
                Ending::Unreached { after } if port == hole => assert!(after <= Span::from_secs(2)),
                other => panic!("port {port}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_black_hole_is_given_up_in_time_and_said_so() {
    let mut world = seeking("broker:9092");
    world.broker.holes.insert(9092);
    assert_eq!(given_up(&mut world, PATIENCE), [(9092, Ending::Unreached { after: Span::from_secs(5) })]);
}

#[test]
fn a_silent_address_beside_one_that_refuses_gets_its_time() {
    let mut world = seeking("silent:1,b:2");
    world.broker.silent.insert(1);
    world.broker.refused.insert(2);
    assert_eq!(given_up(&mut world, PATIENCE).len(), 2);
    assert_eq!(world.now, Time::ZERO + PATIENCE);
    assert!(attempts(&world, 2) < 30, "it did not hammer: {} attempts", attempts(&world, 2));
}

#[test]
fn one_address_that_answers_is_reached_soon_whatever_the_others_do() {
    let mut world = seeking("silent:1,hole:2,refused:3,web:4,closing:5,broker:9092");
    world.broker.silent.insert(1);
    world.broker.holes.insert(2);
    world.broker.refused.insert(3);
    world.broker.foreign.insert(4);
    world.broker.closing.insert(5);
    reached(&mut world, SOON);
}

/// The question that another one overtook is answered after contact was made, or never.
#[test]
fn a_late_answer_does_no_harm() {
    let mut world = seeking("slow:1,broker:9092");
    world.broker.silent.insert(1);
    reached(&mut world, SOON);
    world.run(Span::from_secs(60));
    assert_eq!(*world.machine.contact(), Contact::Made);
    assert!(world.broker.requests["Metadata"] < 4, "{:?}", world.broker.requests);
}

#[test]
fn nothing_to_ask_is_a_failure_and_not_a_wait() {
    let mut world = seeking("");
    assert_eq!(given_up(&mut world, Span::from_millis(1)), []);
    assert_eq!(Address::parse("[::1]:9092").map(|a| a.to_string()).as_deref(), Some("[::1]:9092"));
}

const SOON: Span = Span::from_secs(1);
/// The default of `bootstrap_timeout`.
const PATIENCE: Span = Span::from_secs(10);
