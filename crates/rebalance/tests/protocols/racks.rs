//! Racks on their way from a member's configuration and a cluster's metadata to who gets what (KIP-881).

use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Generation, MemberId, Span, TopicPartition};
use groma_rebalance::embedded::consumer::{
    Assignment, Candidate, Consumer, Strategy, Subscription, TopicCatalog, share_out,
};
use groma_rebalance::embedded::{Council, Embedded, Report, Trail};
use groma_rebalance::protocol::MemberReport;

/// Six partitions, each on one broker: 0 and 3 on the one in rack a, 1 and 4 in b, 2 and 5 in c.
fn catalog() -> TopicCatalog {
    let racks = BTreeMap::from([(7, "a"), (8, "b"), (9, "c")].map(|(broker, rack)| (broker, rack.to_owned())));
    let replicas = (0..6).map(|partition| vec![7 + partition % 3]).collect();
    let counts = BTreeMap::from([("T".to_owned(), 6)]);
    TopicCatalog::from(counts).placed(racks, BTreeMap::from([("T".to_owned(), replicas)]))
}

fn report(name: &str, rack: Option<&str>) -> MemberReport {
    let member = Consumer::new(vec![Strategy::cooperative_sticky()]);
    let member = rack.into_iter().fold(member, Consumer::in_rack);
    let metadata = member.protocols(&Report {
        interest: &BTreeSet::from(["T".to_owned()]),
        held: &BTreeSet::new(),
        generation: None,
        previous: None,
        trail: &Trail::default(),
    });
    MemberReport { member: MemberId::from(name), instance: None, metadata: metadata[0].metadata.clone() }
}

/// What each member gets, in order of their names.
fn lead(members: &[MemberReport], catalog: &TopicCatalog) -> Vec<Vec<i32>> {
    let council = Council {
        protocol: "cooperative-sticky",
        generation: Generation(1),
        members,
        catalog,
        memory: &[],
        trail: &Trail::default(),
        gathered: Span::ZERO,
    };
    let decision = Consumer::new(vec![Strategy::cooperative_sticky()]).lead(&council).expect("a decision");
    let numbers = |bytes| {
        Assignment::decode(bytes)
            .expect("an assignment")
            .partitions
            .iter()
            .map(|p: TopicPartition| p.partition.0)
            .collect()
    };
    decision.assignments.iter().map(|(_, bytes)| numbers(bytes)).collect()
}

#[test]
fn three_members_get_what_has_a_copy_in_their_rack() {
    let members = [report("1", Some("c")), report("2", Some("a")), report("3", Some("b"))];
    assert_eq!(lead(&members, &catalog()), [[2, 5], [0, 3], [1, 4]]);
}

fn candidate(report: &MemberReport) -> Candidate {
    let subscription = Subscription::decode(&report.metadata).expect("a report");
    Candidate { member: report.member.clone(), instance: None, subscription }
}

fn numbers(given: &Assignment) -> Vec<i32> {
    given.partitions.iter().map(|partition| partition.partition.0).collect()
}

#[test]
fn range_tells_a_rack_without_a_copy_from_none() {
    let given = |rack| {
        let members = [report("1", rack), report("2", Some("a"))];
        share_out(&Strategy::range(), &members.each_ref().map(candidate), &catalog()).iter().map(numbers).collect()
    };
    let (elsewhere, anywhere): (Vec<Vec<i32>>, Vec<Vec<i32>>) = (given(Some("x")), given(None));
    assert_eq!(elsewhere, [[1, 2, 4], [0, 3, 5]]);
    assert_eq!(anywhere, [[0, 1, 2], [3, 4, 5]]);
}

#[test]
fn typed_reports_say_their_racks_as_bytes_do() {
    let members = [report("1", Some("c")), report("2", Some("a")), report("3", Some("b"))];
    let candidates = members.each_ref().map(candidate);
    assert_eq!(candidates.each_ref().map(|c| c.subscription.rack.as_deref()), [Some("c"), Some("a"), Some("b")]);
    let given = share_out(&Strategy::cooperative_sticky(), &candidates, &catalog());
    assert_eq!(given.iter().map(numbers).collect::<Vec<_>>(), lead(&members, &catalog()));
}

#[test]
fn without_racks_on_either_side_partitions_are_dealt_out_in_turn() {
    let in_turn = [[0, 3], [1, 4], [2, 5]];
    let nowhere = [report("1", None), report("2", None), report("3", None)];
    assert_eq!(lead(&nowhere, &catalog()), in_turn);
    let elsewhere = [report("1", Some("x")), report("2", Some("y")), report("3", None)];
    assert_eq!(lead(&elsewhere, &catalog()), in_turn);
    let members = [report("1", Some("c")), report("2", Some("a")), report("3", Some("b"))];
    assert_eq!(lead(&members, &BTreeMap::from([("T".to_owned(), 6)]).into()), in_turn);
}
