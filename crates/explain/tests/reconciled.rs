//! A group whose coordinator shares out (KIP-848), from the records that Apache Kafka wrote of it, beside what its members
//! said themselves.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::collections::BTreeMap;

use groma_explain::{
    Basis, Fact, Known, Now, Rebalance, Sharer, StepKind, Timeline, TopicNames, Trigger, of_record, text,
    topics_in_record,
};

/// The facts of the first `count` records, in which `topic` is the name of the topic.
fn facts(topic: &str, count: usize) -> Vec<Fact> {
    let lines = include_str!("fixtures/reconciled.txt").lines().filter(|line| !line.starts_with('#'));
    let mut facts = Vec::new();
    for line in lines.take(count) {
        let words: Vec<&str> = line.split(' ').collect();
        let (key, value) = (unhex(words[1]), Some(words[2]).filter(|value| *value != "-").map(unhex));
        let ids = topics_in_record(&key, value.as_deref());
        let names: TopicNames = ids.into_iter().map(|id| (id, topic.to_owned())).collect();
        facts.extend(of_record("g848", &names, (words[0].parse().unwrap(), &key, value.as_deref())));
    }
    facts
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect()
}

const ALL: usize = usize::MAX;
const FIRST: &str = "HMqYcz2pRHm02zPOI88weg";
const SECOND: &str = "_X03PYEGTieVy7q94Zvtcw";
const THIRD: &str = "rKzabT8vRN6MOGMawLQDiw";

fn moves(rebalance: &Rebalance) -> Vec<(&str, Option<&str>, Option<&str>)> {
    let moved = rebalance.moves.iter();
    moved.map(|moved| (moved.resource.as_str(), moved.from.as_deref(), moved.to.as_deref())).collect()
}

fn shares(shares: &Option<Known<BTreeMap<String, Vec<String>>>>) -> Vec<(&str, Vec<&str>)> {
    let known = shares.as_ref().unwrap().value.as_ref().unwrap();
    known.iter().map(|(member, held)| (member.as_str(), held.iter().map(String::as_str).collect())).collect()
}

#[test]
fn what_is_told_is_what_members_said() {
    let timeline = Timeline::of(&facts("t", ALL), "g848");
    let told: Vec<_> = timeline.rebalances.iter().map(|r| (r.trigger.trigger, r.trigger.member.as_deref())).collect();
    let expected = [
        (Trigger::MemberJoined, Some(FIRST)),
        (Trigger::MemberJoined, Some(SECOND)),
        (Trigger::MemberJoined, Some(THIRD)),
        (Trigger::MemberGone, Some(THIRD)),
        (Trigger::MemberGone, Some(SECOND)),
        (Trigger::MemberGone, Some(FIRST)),
    ];
    assert_eq!(told, expected);
    assert!(timeline.rebalances.iter().all(|r| r.trigger.basis == Basis::Inferred), "records do not name causes");
    let (a, b, c) = (Some(FIRST), Some(SECOND), Some(THIRD));
    assert_eq!(moves(&timeline.rebalances[1]), [("t-3", a, b), ("t-4", a, b), ("t-5", a, b)]);
    assert_eq!(moves(&timeline.rebalances[2]), [("t-2", a, c), ("t-5", b, c)]);
    assert_eq!(moves(&timeline.rebalances[3]), [("t-2", c, a), ("t-5", c, b)]);
    assert_eq!(moves(&timeline.rebalances[4]), [("t-3", b, a), ("t-4", b, a), ("t-5", b, a)]);
    let least: Vec<_> = timeline.rebalances.iter().map(|r| r.least_moves.value.unwrap()).collect();
    assert_eq!(least, [6, 3, 2, 2, 3, 0]);
}

#[test]
fn epochs_tell_targets_and_what_was_given_up_when() {
    let timeline = Timeline::of(&facts("t", ALL), "g848");
    let epochs: Vec<_> = timeline.rebalances.iter().flat_map(|r| &r.rounds).map(|r| (r.generation, r.by)).collect();
    assert_eq!(epochs, [2, 3, 4, 5, 6, 7].map(|epoch| (Some(epoch), Sharer::Coordinator)));
    let third = &timeline.rebalances[2];
    assert_eq!((third.began_ms.value, third.began_ms.basis), (Some(1_796_091_046_649), Basis::Observed));
    assert_eq!((third.settled_ms.value, third.settled_ms.basis), (Some(1_796_091_047_752), Basis::Observed));
    let whole = [(FIRST, vec!["t-0", "t-1"]), (SECOND, vec!["t-3", "t-4"]), (THIRD, vec!["t-2", "t-5"])];
    assert_eq!(shares(&third.rounds[0].target), whole);
    assert_eq!(shares(&third.rounds[0].current), whole);
    let gaps: Vec<_> =
        third.gaps.iter().map(|gap| (gap.resource.as_str(), gap.from_ms.value, gap.to_ms.value)).collect();
    let given = Some(1_796_091_047_752);
    assert_eq!(gaps, [("t-2", Some(1_796_091_047_186), given), ("t-5", Some(1_796_091_047_239), given)]);
    assert!(third.gaps.iter().all(|gap| gap.from_ms.basis == Basis::Inferred), "members stop before they say so");
    let slow = third.steps.iter().find(|step| step.kind == StepKind::Release).unwrap();
    assert_eq!((slow.member.as_deref(), slow.took_ms.value), (Some(SECOND), Some(291)));
    let fourth = &timeline.rebalances[3];
    assert_eq!(fourth.bill.stopped_ms.value, None, "when the killed one stopped nobody saw");
    let decision = fourth.steps.iter().find(|step| step.kind == StepKind::Target).unwrap();
    assert_eq!(decision.took_ms.value, Some(330));
}

#[test]
fn who_is_on_the_way_is_told_with_what_it_is_to_have() {
    let timeline = Timeline::of(&facts("t", 25), "g848");
    let last = timeline.rebalances.last().unwrap();
    assert_eq!((last.settled_ms.value, last.rounds[0].generation), (None, Some(4)));
    let words = text(&timeline);
    for line in [
        "not over yet, epoch 4, shared out by the coordinator, `uniform`",
        "consumer-g848-1-HMqY is to have t 0-1, and has t 0-2 [observed]",
        "consumer-g848-1-rKza is to have t 2 5, and has nothing [observed]",
    ] {
        assert!(words.contains(line), "{line} is not in\n{words}");
    }
    let mut now = Now::default();
    facts("t", 26).iter().for_each(|fact| now.take(fact));
    assert_eq!((now.generation, now.waits_for()), (Some(4), Some(vec![SECOND, THIRD])));
    facts("t", 28).iter().skip(26).for_each(|fact| now.take(fact));
    assert_eq!((now.round.clone(), now.members.len()), (None, 3));
}

#[test]
fn where_earlier_records_are_compacted_away_what_was_before_is_unknown() {
    let facts: Vec<Fact> = facts("t", ALL).into_iter().skip(22).collect();
    let timeline = Timeline::of(&facts, "g848");
    let first = &timeline.rebalances[0];
    assert_eq!(first.rounds[0].generation, Some(5));
    assert_eq!((first.moved.value, first.least_moves.value, first.bill.stopped_ms.value), (None, None, None));
    assert_eq!(first.settled_ms.basis, Basis::Inferred);
    assert_eq!(first.rounds[0].target.as_ref().unwrap().basis, Basis::Observed);
    assert_eq!(timeline.rebalances[1].moved.value, Some(3));
}

#[test]
fn partitions_of_a_deleted_topic_go_by_its_id() {
    let line = include_str!("fixtures/reconciled.txt").lines().find(|line| line.contains(" 0007")).unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    let told = of_record("g848", &TopicNames::new(), (0, &unhex(words[1]), Some(&unhex(words[2]))));
    let groma_explain::What::Target { resources } = &told[0].what else { panic!("a target") };
    assert_eq!(resources[0], "FAiFzXdPRlSOtVzxI8HZrA-0");
    assert_eq!(of_record("another", &TopicNames::new(), (0, &unhex(words[1]), Some(&unhex(words[2])))), []);
}

#[test]
fn a_trace_of_such_facts_reads_back() {
    let facts = facts("t", ALL);
    let lines: String = facts.iter().map(groma_explain::line).collect();
    assert_eq!(groma_explain::read(&lines).unwrap(), facts);
}
