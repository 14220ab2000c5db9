//! The traces of the proposal, each with full sets and with changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_model::{Generation, MemberId, Span, TopicPartition};
use groma_rebalance::embedded::consumer::{Consumer, PlanMemory, Strategy, TopicCatalog};
use groma_rebalance::embedded::proposed::{Assignment, Proposed};
use groma_rebalance::embedded::{Council, Embedded, Report, Shape, Trail};
use groma_rebalance::policy::Deferred;
use groma_rebalance::protocol::MemberReport;

use crate::band::{Band, Step};

/// T1 to T4 are partitions 0 to 3.
fn t(numbers: &[i32]) -> BTreeSet<TopicPartition> {
    numbers.iter().map(|n| TopicPartition::new("T", n - 1)).collect()
}

fn four() -> TopicCatalog {
    BTreeMap::from([("T".to_owned(), 4)]).into()
}

fn topic() -> BTreeSet<String> {
    BTreeSet::from(["T".to_owned()])
}

/// What each member holds, by name, reported in one generation.
fn reports(protocol: &Proposed, held: &[(&str, &[i32])]) -> Vec<MemberReport> {
    let report = |(name, held): &(&str, &[i32])| {
        let generation = if held.is_empty() { None } else { Some(Generation(1)) };
        let report =
            Report { interest: &topic(), held: &t(held), generation, previous: None, trail: &Trail::default() };
        let metadata = protocol.protocols(&report)[0].metadata.clone();
        MemberReport { member: MemberId::from(*name), instance: None, metadata }
    };
    held.iter().map(report).collect()
}

/// What a leader sends to each: assigned and revoked.
fn round(protocol: &Proposed, shape: Shape, held: &[(&str, &[i32])]) -> Vec<(String, Vec<i32>, Vec<i32>)> {
    let members = reports(protocol, held);
    let memory: [(Generation, PlanMemory); 0] = [];
    let name = match shape {
        Shape::Full => "cooperative-sticky",
        Shape::Delta => "cooperative-sticky-delta",
    };
    let council = Council {
        protocol: name,
        generation: Generation(2),
        members: &members,
        catalog: &four(),
        memory: &memory,
        trail: &Trail::default(),
        gathered: Span::ZERO,
    };
    let decision = protocol.lead(&council).expect("a decision");
    let numbers =
        |list: &groma_rebalance::embedded::consumer::Partitions| list.iter().map(|p| p.partition.0 + 1).collect();
    let sent = |(member, bytes): &(MemberId, bytes::Bytes)| {
        let given = Assignment::decode(bytes).expect("an assignment");
        (member.to_string(), numbers(&given.assigned), numbers(&given.revoked))
    };
    decision.assignments.iter().map(sent).collect()
}

fn says(table: &[(&str, &[i32], &[i32])]) -> Vec<(String, Vec<i32>, Vec<i32>)> {
    table.iter().map(|(name, assigned, revoked)| ((*name).to_owned(), assigned.to_vec(), revoked.to_vec())).collect()
}

fn protocol(shape: Shape) -> Proposed {
    Proposed::new("proposal", vec![Strategy::cooperative_sticky()], shape)
}

#[test]
fn design_one_a_member_joins() {
    let joins: &[(&str, &[i32])] = &[("A", &[1, 4]), ("B", &[2]), ("C", &[3]), ("D", &[])];
    let after: &[(&str, &[i32])] = &[("A", &[1]), ("B", &[2]), ("C", &[3]), ("D", &[])];
    let delta = protocol(Shape::Delta);
    assert_eq!(
        round(&delta, Shape::Delta, joins),
        says(&[("A", &[], &[4]), ("B", &[], &[]), ("C", &[], &[]), ("D", &[], &[])])
    );
    assert_eq!(
        round(&delta, Shape::Delta, after),
        says(&[("A", &[], &[]), ("B", &[], &[]), ("C", &[], &[]), ("D", &[4], &[])])
    );
    let full = protocol(Shape::Full);
    assert_eq!(
        round(&full, Shape::Full, joins),
        says(&[("A", &[1], &[4]), ("B", &[2], &[]), ("C", &[3], &[]), ("D", &[], &[])])
    );
    assert_eq!(
        round(&full, Shape::Full, after),
        says(&[("A", &[1], &[]), ("B", &[2], &[]), ("C", &[3], &[]), ("D", &[4], &[])])
    );
}

#[test]
fn design_one_a_member_leaves() {
    let left: &[(&str, &[i32])] = &[("A", &[1]), ("B", &[2]), ("C", &[3])];
    assert_eq!(
        round(&protocol(Shape::Delta), Shape::Delta, left),
        says(&[("A", &[4], &[]), ("B", &[], &[]), ("C", &[], &[])])
    );
    assert_eq!(
        round(&protocol(Shape::Full), Shape::Full, left),
        says(&[("A", &[1, 4], &[]), ("B", &[2], &[]), ("C", &[3], &[])])
    );
}

/// Members A to D, each with one partition, under Design II with a wait of two minutes.
fn settled(shape: Shape) -> Band<Proposed> {
    let mut band = Band::new();
    (1..=4).for_each(|number| enter(&mut band, number, shape));
    band.wait(Span::from_secs(10));
    assert!((1..=4).all(|number| band.held(number).len() == 1));
    band
}

fn enter(band: &mut Band<Proposed>, number: u64, shape: Shape) {
    let deferred = Deferred { max_delay: Span::from_secs(120), formation: Span::ZERO, ..Deferred::default() };
    let strategy = Strategy { policy: Arc::new(deferred), ..Strategy::cooperative_sticky() };
    band.join(number, Proposed::new("proposal", vec![strategy], shape), (topic(), four()));
}

/// `ScheduledRebalanceTimeout` of the last round, as each member was sent it.
fn timeouts(band: &Band<Proposed>) -> Vec<Option<Span>> {
    let timeout = |bytes: &bytes::Bytes| Assignment::decode(bytes).expect("an assignment").timeout;
    band.given.iter().map(|(_, bytes)| timeout(bytes)).collect()
}

#[test]
fn design_two_a_member_leaves_for_good() {
    for shape in [Shape::Full, Shape::Delta] {
        let mut band = settled(shape);
        let lost = band.held(4);
        let steps = band.steps.len();
        band.kill(4);
        band.wait(Span::from_secs(100));
        assert_eq!(band.steps.len(), steps, "{shape:?}: nothing moves while the wait lasts");
        assert_eq!(timeouts(&band), [Some(Span::from_secs(120)); 3], "{shape:?}");
        band.wait(Span::from_secs(120));
        let moved: Vec<&Step<TopicPartition>> = band.steps[steps..].iter().map(|(_, step)| step).collect();
        assert_eq!(moved, [&Step::Start(lost[0].clone())], "{shape:?}");
        assert_eq!(timeouts(&band), [None; 3], "{shape:?}");
    }
}

#[test]
fn design_two_a_member_bounces() {
    for shape in [Shape::Full, Shape::Delta] {
        let mut band = settled(shape);
        let lost = band.held(4);
        let steps = band.steps.len();
        band.kill(4);
        band.wait(Span::from_secs(60));
        assert_eq!(timeouts(&band), [Some(Span::from_secs(120)); 3], "{shape:?}");
        enter(&mut band, 5, shape);
        band.wait(Span::from_secs(10));
        assert_eq!(band.steps[steps..], [(5, Step::Start(lost[0].clone()))], "{shape:?}");
        assert_eq!(timeouts(&band), [None; 4], "{shape:?}");
    }
}

#[test]
fn both_shapes_lead_a_group_to_the_same_shares() {
    let shares = |shape| {
        let mut band: Band<Proposed> = Band::new();
        for number in 1..=3 {
            band.join(number, protocol(shape), (topic(), four()));
            band.wait(Span::from_secs(10));
        }
        (1..=3).map(|number| band.held(number)).collect::<Vec<_>>()
    };
    assert_eq!(shares(Shape::Full), shares(Shape::Delta));
    let mut consumers: Band<Consumer> = Band::new();
    for number in 1..=3 {
        consumers.join(number, Consumer::new(vec![Strategy::cooperative_sticky()]), (topic(), four()));
        consumers.wait(Span::from_secs(10));
    }
    assert_eq!((1..=3).map(|number| consumers.held(number)).collect::<Vec<_>>(), shares(Shape::Full));
}
