use groma_explain::{Fact, ROUNDS_TOPIC, What};
use groma_wire::messages::{JoinGroupRequest, JoinGroupRequestProtocol, MetadataRequest, MetadataRequestTopic};
use groma_wire::records::{Scratch, batches};

use crate::desk::Desk;

fn join(desk: &mut Desk, group: &str) {
    let request = JoinGroupRequest {
        group_id: group.to_owned(),
        session_timeout_ms: 10_000,
        rebalance_timeout_ms: 10_000,
        protocol_type: "consumer".to_owned(),
        protocols: vec![JoinGroupRequestProtocol { name: "range".to_owned(), ..Default::default() }],
        ..Default::default()
    };
    assert_eq!(desk.call(2, &request).error_code, 0);
}

fn ask_for_rounds(desk: &mut Desk) {
    let topic = MetadataRequestTopic { name: Some(ROUNDS_TOPIC.to_owned()), ..Default::default() };
    let request = MetadataRequest { topics: Some(vec![topic]), allow_auto_topic_creation: false, ..Default::default() };
    let response = desk.call(9, &request);
    assert_eq!((response.topics[0].error_code, response.topics[0].is_internal), (0, true));
}

fn told(desk: &Desk) -> Vec<Fact> {
    let Some(topic) = desk.topics.get(ROUNDS_TOPIC) else { return Vec::new() };
    let (mut facts, mut scratch) = (Vec::new(), Scratch::default());
    for ((log, _), bytes) in &desk.files {
        if log.topic != topic.id {
            continue;
        }
        for batch in batches(bytes) {
            for record in batch.unwrap().records(&mut scratch).unwrap() {
                let text = str::from_utf8(record.unwrap().value.unwrap()).unwrap();
                facts.extend(groma_explain::read(&format!("{text}\n")).unwrap());
            }
        }
    }
    facts
}

#[test]
fn rounds_are_written_once_somebody_asks_and_not_before() {
    let mut desk = Desk::new();
    join(&mut desk, "early");
    assert!(!desk.topics.contains_key(ROUNDS_TOPIC), "nobody has asked");
    ask_for_rounds(&mut desk);
    let remembered = told(&desk);
    assert!(remembered.iter().any(|fact| matches!(fact.what, What::RoundOpened { .. })), "{remembered:?}");
    assert!(remembered.iter().any(|fact| matches!(fact.what, What::Joined { .. })), "{remembered:?}");
    join(&mut desk, "late");
    assert!(told(&desk).iter().any(|fact| fact.group == "late"), "what comes after is written as it comes");
    desk.restart();
    join(&mut desk, "later");
    assert!(told(&desk).iter().any(|fact| fact.group == "later"), "it was asked for, so it goes on after a restart");
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut desk = Desk::new();
    for number in 0..2_000 {
        join(&mut desk, &format!("group-{number}"));
    }
    ask_for_rounds(&mut desk);
    let facts = told(&desk);
    assert_eq!(facts.len(), 4096, "the oldest are forgotten");
    assert_eq!(facts.last().unwrap().group, "group-1999");
}
