//! Reaching the cluster, or saying within bounds why not.

use groma_model::{Span, Time};
use groma_session::cluster::Contact;
use groma_session::net::Address;
use groma_session::producer::Producer;
use groma_session::{ClientSettings, ProducerSettings};

use crate::world::World;

fn seeking(bootstrap: &str) -> World<Producer> {
    let client = ClientSettings { bootstrap_timeout: Span::from_secs(4), ..ClientSettings::new(bootstrap) };
    let mut world = World::new(Producer::new(&client, ProducerSettings::default()), 1);
    world.machine.start(Time::ZERO);
    world
}

fn decided(world: &mut World<Producer>, patience: Span) -> Contact {
    let over = |world: &mut World<Producer>| matches!(world.machine.contact(), Contact::Made | Contact::Failed { .. });
    assert!(world.run_until(patience, over), "neither reached nor given up");
    world.machine.contact().clone()
}

#[test]
fn a_refused_connection_is_given_up_soon_with_its_cause() {
    let mut world = seeking("broker:9092");
    world.broker.refused.insert(9092);
    let Contact::Failed { cause } = decided(&mut world, Span::from_secs(1)) else { panic!("reached") };
    assert_eq!(cause, "connection refused");
    assert_eq!(world.opened.len(), 4, "it tried again and did not hammer");
}

#[test]
fn a_broker_that_just_starts_is_reached() {
    let mut world = seeking("broker:9092");
    world.broker.refused.insert(9092);
    world.run(Span::from_millis(400));
    world.broker.refused.clear();
    assert_eq!(decided(&mut world, Span::from_secs(4)), Contact::Made);
}

#[test]
fn every_address_is_asked_twice_before_nobody_is_said_to_be_there() {
    let mut world = seeking("a:1,b:2,c:3");
    world.broker.refused.extend([1, 2, 3]);
    assert!(matches!(decided(&mut world, Span::from_secs(4)), Contact::Failed { .. }));
    for port in [1, 2, 3] {
        assert_eq!(world.opened.iter().filter(|peer| peer.address.port == port).count(), 2, "port {port}");
    }
    assert!(world.now < Time::ZERO + Span::from_millis(3900), "before the patience ends: {}", world.now);
}

#[test]
fn a_silent_address_beside_one_that_refuses_gets_its_time() {
    let mut world = seeking("hole:1,b:2");
    world.broker.silent.insert(1);
    world.broker.refused.insert(2);
    assert!(matches!(decided(&mut world, Span::from_secs(5)), Contact::Failed { .. }));
    assert_eq!(world.now, Time::ZERO + Span::from_secs(4));
}

#[test]
fn a_black_hole_is_given_up_in_time() {
    let mut world = seeking("broker:9092");
    world.broker.silent.insert(9092);
    assert!(matches!(decided(&mut world, Span::from_secs(5)), Contact::Failed { .. }));
}

#[test]
fn the_second_address_is_reached_behind_a_black_hole() {
    let mut world = seeking("hole:1,broker:9092");
    world.broker.silent.insert(1);
    assert_eq!(decided(&mut world, Span::from_secs(4)), Contact::Made);
}

#[test]
fn one_address_that_answers_is_enough() {
    let mut world = seeking("a:1,b:2,broker:9092");
    world.broker.refused.extend([1, 2]);
    assert_eq!(decided(&mut world, Span::from_secs(4)), Contact::Made);
}

#[test]
fn nothing_to_ask_is_a_failure_and_not_a_wait() {
    let mut world = seeking("");
    assert!(matches!(decided(&mut world, Span::from_millis(1)), Contact::Failed { .. }));
    assert_eq!(Address::parse("[::1]:9092").map(|a| a.to_string()).as_deref(), Some("[::1]:9092"));
}
