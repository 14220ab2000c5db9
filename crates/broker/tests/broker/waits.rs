//! Requests that wait, order of answers, large answers.

use std::io::Write;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use groma_broker::{Broker, BrokerConfig};
use groma_wire::messages::*;

use crate::client::{Client, PATIENCE, batch, fetch, produce, read};

#[test]
fn a_waiting_fetch_is_woken_by_a_record() {
    let broker = Broker::start(BrokerConfig::ephemeral()).unwrap();
    let mut writer = Client::connect(broker.address());
    writer.create("t", &[]);
    let mut reader = Client::connect(broker.address());
    reader.send(11, &fetch("t", 0, i32::MAX));
    let (woken, wakes) = mpsc::channel();
    let thread = thread::spawn(move || woken.send(reader.receive::<FetchRequest>(11).unwrap()).unwrap());
    assert!(wakes.recv_timeout(Duration::from_millis(50)).is_err());
    writer.produce("t", &["wake"]);
    let response = wakes.recv_timeout(PATIENCE).unwrap();
    let mut values = Vec::new();
    read(response.responses[0].partitions[0].records.as_ref().unwrap().bytes().unwrap(), &mut values);
    assert_eq!(values, ["wake"]);
    thread.join().unwrap();
}

#[test]
fn a_waiting_fetch_is_answered_when_its_time_is_over() {
    let broker = Broker::start(BrokerConfig::ephemeral()).unwrap();
    let mut client = Client::connect(broker.address());
    client.create("t", &[]);
    let began = Instant::now();
    let response = client.call(11, &fetch("t", 0, 100));
    assert!(began.elapsed() >= Duration::from_millis(99), "{:?}", began.elapsed());
    assert_eq!(response.responses[0].partitions[0].high_watermark, 0);
}

#[test]
fn requests_sent_ahead_are_answered_in_order() {
    let broker = Broker::start(BrokerConfig::ephemeral()).unwrap();
    let mut client = Client::connect(broker.address());
    client.create("t", &[]);
    client.send(11, &fetch("t", 0, 50));
    for n in 0..100 {
        client.send(9, &produce("t", batch(&[&n.to_string()])));
    }
    client.receive::<FetchRequest>(11).unwrap();
    for n in 0..100 {
        let response = client.receive::<ProduceRequest>(9).unwrap();
        assert_eq!(response.responses[0].partition_responses[0].base_offset, n);
    }
}

#[test]
fn a_request_may_come_byte_by_byte() {
    let broker = Broker::start(BrokerConfig::ephemeral()).unwrap();
    let mut client = Client::connect(broker.address());
    for byte in [0_u8, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 5, 0xff, 0xff] {
        client.stream.write_all(&[byte]).unwrap();
    }
    assert!(!client.receive::<ApiVersionsRequest>(0).unwrap().api_keys.is_empty());
}

/// A reader that is slow to take a large answer holds up nobody else, and gets all of it, even when the topic is deleted
/// meanwhile.
#[test]
fn a_large_answer_reaches_a_slow_reader() {
    let broker = Broker::start(BrokerConfig::ephemeral()).unwrap();
    let mut client = Client::connect(broker.address());
    client.create("t", &[]);
    let value = "x".repeat(900_000);
    for _ in 0..40 {
        client.produce("t", &[&value]);
    }
    let mut slow = Client::connect(broker.address());
    let mut request = fetch("t", 0, 0);
    request.max_bytes = 50 << 20;
    request.topics[0].partitions[0].partition_max_bytes = 50 << 20;
    slow.send(11, &request);
    let delete = DeleteTopicsRequest { topic_names: vec!["t".to_owned()], ..Default::default() };
    let mut head = [0; 1];
    slow.stream.peek(&mut head).unwrap();
    assert_eq!(client.call(4, &delete).responses[0].error_code, 0);
    let response = slow.receive::<FetchRequest>(11).unwrap();
    let mut values = Vec::new();
    read(response.responses[0].partitions[0].records.as_ref().unwrap().bytes().unwrap(), &mut values);
    assert_eq!(values.len(), 40);
}

/// Session timeouts of one second are taken, and kept: the lost member is gone soon after.
#[test]
fn a_silent_member_is_lost_after_its_session() {
    let broker = Broker::start(BrokerConfig::ephemeral()).unwrap();
    let mut client = Client::connect(broker.address());
    let join = JoinGroupRequest {
        group_id: "g".to_owned(),
        session_timeout_ms: 1000,
        rebalance_timeout_ms: 1000,
        protocol_type: "consumer".to_owned(),
        protocols: vec![JoinGroupRequestProtocol { name: "range".to_owned(), ..Default::default() }],
        ..Default::default()
    };
    assert_eq!(client.call(3, &join).error_code, 0);
    let began = Instant::now();
    let request = DescribeGroupsRequest { groups: vec!["g".to_owned()], ..Default::default() };
    while client.call(5, &request).groups[0].group_state != "Empty" {
        assert!(began.elapsed() < PATIENCE);
        thread::yield_now();
    }
}

/// Two clients that send without end do not keep a third one waiting.
#[test]
fn a_busy_client_holds_up_nobody() {
    let broker = Broker::start(BrokerConfig::ephemeral()).unwrap();
    let mut client = Client::connect(broker.address());
    client.create("t", &[]);
    let (done, stop) =
        (std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false)), std::sync::atomic::Ordering::Relaxed);
    let busy: Vec<_> = (0..2)
        .map(|_| {
            let (mut client, done) = (Client::connect(broker.address()), std::sync::Arc::clone(&done));
            thread::spawn(move || {
                while !done.load(stop) {
                    (0..100).for_each(|_| client.send(0, &ApiVersionsRequest::default()));
                    (0..100).for_each(|_| drop(client.receive::<ApiVersionsRequest>(0).unwrap()));
                }
            })
        })
        .collect();
    for n in 0..50 {
        assert_eq!(client.produce("t", &["a"]), (0, n));
    }
    done.store(true, stop);
    busy.into_iter().for_each(|thread| thread.join().unwrap());
}
