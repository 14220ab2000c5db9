//! What clients cannot make the broker do.

use std::io::Write;
use std::time::Duration;

use groma_broker::{Broker, BrokerConfig};
use groma_wire::messages::*;

use crate::client::{Client, PATIENCE, batch, produce};

fn broker(settings: &[(&str, &str)]) -> Broker {
    let mut config = BrokerConfig::ephemeral();
    for (key, value) in settings {
        config.set(key, value).unwrap();
    }
    Broker::start(config).unwrap()
}

fn is_served(broker: &Broker) -> bool {
    !Client::connect(broker.address()).call(0, &ApiVersionsRequest::default()).api_keys.is_empty()
}

#[test]
fn a_frame_over_the_limit_ends_the_connection() {
    let broker = broker(&[("socket.request.max.bytes", "2000")]);
    let mut client = Client::connect(broker.address());
    client.create("t", &[]);
    assert_eq!(client.produce("t", &["fits"]), (0, 0));
    client.send(9, &produce("t", batch(&[&"x".repeat(3000)])));
    assert!(client.is_closed());
    for size in [i32::MAX, -1, i32::MIN] {
        let mut client = Client::connect(broker.address());
        client.stream.write_all(&size.to_be_bytes()).unwrap();
        assert!(client.is_closed(), "{size}");
    }
    assert!(is_served(&broker));
}

#[test]
fn a_connection_too_many_is_closed_and_room_comes_back() {
    let broker = broker(&[("max.connections", "2")]);
    let mut kept: Vec<Client> = (0..2).map(|_| Client::connect(broker.address())).collect();
    kept.iter_mut().for_each(|client| drop(client.call(0, &ApiVersionsRequest::default())));
    assert!(Client::connect(broker.address()).is_closed());
    kept.pop();
    loop {
        let mut client = Client::connect(broker.address());
        client.send(0, &ApiVersionsRequest::default());
        if client.receive::<ApiVersionsRequest>(0).is_ok() {
            break;
        }
    }
}

#[test]
fn large_requests_wait_for_their_share_of_memory() {
    let broker = broker(&[("queued.max.request.bytes", "1048576"), ("message.max.bytes", "1000000")]);
    let mut client = Client::connect(broker.address());
    client.create("t", &[]);
    let mut hoarder = Client::connect(broker.address());
    hoarder.stream.write_all(&1_048_576_i32.to_be_bytes()).unwrap();
    hoarder.stream.write_all(&[0; 100]).unwrap();
    let mut waiting = Client::connect(broker.address());
    let large = "x".repeat(500_000);
    waiting.send(9, &produce("t", batch(&[&large])));
    assert_eq!(client.produce("t", &["small requests go on"]), (0, 0));
    waiting.stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    assert!(waiting.receive_frame().is_err(), "a request was read over the budget");
    waiting.stream.set_read_timeout(Some(PATIENCE)).unwrap();
    drop(hoarder);
    let response = waiting.receive::<ProduceRequest>(9).unwrap();
    assert_eq!(response.responses[0].partition_responses[0].error_code, 0);
    assert_eq!(client.values("t"), ["small requests go on", &large]);
}

#[test]
fn a_full_broker_refuses_records_and_keeps_what_it_has() {
    let config = BrokerConfig { max_bytes: Some(100_000), ..BrokerConfig::ephemeral() };
    let broker = Broker::start(config).unwrap();
    let mut client = Client::connect(broker.address());
    client.create("t", &[]);
    let value = "x".repeat(10_000);
    let refused = (0..12).map(|_| client.produce("t", &[&value]).0).filter(|code| *code == 56).count();
    assert_eq!(refused, 3);
    assert_eq!(client.values("t").len(), 9);
}

#[test]
fn random_bytes_harm_nobody() {
    let broker = broker(&[("socket.request.max.bytes", "100000")]);
    let mut state = 1_u64;
    for round in 0..300 {
        let mut client = Client::connect(broker.address());
        let bytes: Vec<u8> = (0..200)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            })
            .collect();
        let framed = [&(bytes.len() as i32).to_be_bytes()[..], &bytes].concat();
        let _ = client.stream.write_all(if round % 2 == 0 { &framed } else { &bytes });
    }
    assert!(is_served(&broker));
}
