//! What a leader makes of everybody's trail, with and without memory of its own.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use groma_model::{Generation, InstanceId, MemberId, Span, TopicPartition};
use groma_rebalance::embedded::consumer::{
    Assignment, Consumer, LateClaims, PlanMemory, Strategy, Subscription, TopicCatalog, audit,
};
use groma_rebalance::embedded::{
    Bell, Council, Decision, Embedded, Note, Offence, Owner, PolicyUsed, Report, Rounds, Trail, Waiting,
};
use groma_rebalance::policy::{PolicyName, PolicySettings};
use groma_rebalance::protocol::MemberReport;

const GENERATION: Generation = Generation(7);

/// A group about to share out six partitions of T.
struct Table {
    consumer: Consumer,
    members: Vec<MemberReport>,
    memory: Vec<(Generation, PlanMemory)>,
    catalog: TopicCatalog,
}

impl Table {
    fn of(policy: PolicyName) -> Self {
        let settings = PolicySettings { formation: Span::ZERO, ..PolicySettings::of(policy) };
        let strategy = Strategy::cooperative_sticky().with_policy(settings.build());
        let catalog = BTreeMap::from([("T".to_owned(), 6)]).into();
        Self { consumer: Consumer::new(vec![strategy]), members: Vec::new(), memory: Vec::new(), catalog }
    }

    /// A member that took the last plan and holds these.
    fn holds(self, name: &str, partitions: &[i32], trail: Trail<TopicPartition>) -> Self {
        self.reports(name, partitions, Some(GENERATION), trail)
    }

    /// A member that has just come.
    fn comes(self, name: &str) -> Self {
        self.reports(name, &[], None, Trail::default())
    }

    fn reports(
        mut self,
        name: &str,
        partitions: &[i32],
        since: Option<Generation>,
        trail: Trail<TopicPartition>,
    ) -> Self {
        let (interest, held) = (BTreeSet::from(["T".to_owned()]), of_t(partitions).into_iter().collect());
        let catalog = since.map(|_| self.consumer.stamp(&interest, &self.catalog));
        let trail = Trail { catalog, ..trail };
        let report = Report { interest: &interest, held: &held, generation: since, previous: None, trail: &trail };
        let metadata = self.consumer.protocols(&report)[0].metadata.clone();
        let instance = name.starts_with('S').then(|| InstanceId::from(name));
        self.members.push(MemberReport { member: MemberId::from(name), instance, metadata });
        self
    }

    /// A member of another make, by its version of the subscription.
    fn foreign(mut self, name: &str, partitions: &[i32], version: i16) -> Self {
        let subscription = Subscription {
            topics: ["T"].into_iter().collect(),
            owned: of_t(partitions).iter().collect(),
            generation: Some(GENERATION).filter(|_| version >= 2 && !partitions.is_empty()),
            ..Subscription::default()
        };
        let metadata = subscription.encode(version);
        self.members.push(MemberReport { member: MemberId::from(name), instance: None, metadata });
        self
    }

    fn decide(&self) -> Decision<Consumer> {
        let council = Council {
            protocol: "cooperative-sticky",
            generation: GENERATION.next(),
            members: &self.members,
            catalog: &self.catalog,
            memory: &self.memory,
            trail: &Trail::default(),
            gathered: Span::ZERO,
        };
        self.consumer.lead(&council).expect("a decision")
    }

    fn note(&self, decision: &Decision<Consumer>) -> Note<TopicPartition> {
        let (_, bytes) = decision.assignments.first().expect("an assignment");
        self.consumer.grant("cooperative-sticky", bytes).expect("a grant").note.expect("a note")
    }

    /// The same group as it remembers a plan that gave these members these partitions.
    fn remembering(mut self, shares: &[(&str, &[i32])]) -> Self {
        let mut then = Self::of(PolicyName::TwoRound);
        for (name, partitions) in shares {
            then = then.holds(name, partitions, Trail::default());
        }
        let memory = then.decide().memory.expect("a memory");
        self.memory = vec![(GENERATION, memory)];
        self
    }
}

fn of_t(partitions: &[i32]) -> Vec<TopicPartition> {
    partitions.iter().map(|p| TopicPartition::new("T", *p)).collect()
}

fn gives(table: &Table, decision: &Decision<Consumer>) -> Vec<(String, String)> {
    let share = |(member, bytes): &(MemberId, Bytes)| {
        let grant = table.consumer.grant("cooperative-sticky", bytes).expect("a grant");
        let groma_rebalance::embedded::GrantChange::Full(all) = grant.change else { unreachable!("a full set") };
        let list: Vec<String> = all.iter().map(|r| r.partition.0.to_string()).collect();
        (member.0.clone(), list.join(" "))
    };
    decision.assignments.iter().map(share).collect()
}

fn shares(table: &Table) -> Vec<(String, String)> {
    gives(table, &table.decide())
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, list)| ((*name).to_owned(), (*list).to_owned())).collect()
}

/// Told that these wait for somebody, with so much left.
fn told(owner: Owner, left: Span, partitions: &[i32]) -> Trail<TopicPartition> {
    let wait = Waiting { owner, opened: Generation(5), left, resources: of_t(partitions) };
    Trail { waits: vec![wait], ..Trail::default() }
}

fn gone() -> Owner {
    Owner::Instance(InstanceId::from("SC"))
}

#[test]
fn b14_a_brand_new_leader_goes_on_with_the_time_that_is_left() {
    let (long, short) = (Span::from_secs(90), Span::from_secs(80));
    let table = Table::of(PolicyName::Deferred).comes("0").holds("a", &[0, 1], told(gone(), long, &[4, 5])).holds(
        "b",
        &[2, 3],
        told(gone(), short, &[4, 5]),
    );
    let decision = table.decide();
    assert_eq!(gives(&table, &decision), pairs(&[("0", ""), ("a", "0 1"), ("b", "2 3")]));
    let waits = vec![Waiting { owner: gone(), opened: Generation(5), left: short, resources: of_t(&[4, 5]) }];
    assert_eq!((decision.waits.clone(), table.note(&decision).waits), (waits.clone(), waits));
}

#[test]
fn a_brand_new_leader_gives_a_returner_its_own() {
    let left = Span::from_secs(80);
    let table = Table::of(PolicyName::Deferred)
        .holds("a", &[0, 1], told(gone(), left, &[4, 5]))
        .holds("b", &[2, 3], told(gone(), left, &[4, 5]))
        .comes("SC");
    assert_eq!(shares(&table), pairs(&[("SC", "4 5"), ("a", "0 1"), ("b", "2 3")]));
}

#[test]
fn of_two_that_come_back_each_has_its_own_by_the_name_of_its_client() {
    let name = |client: &str, life: u32| format!("{client}-{life:08}-89ab-cdef-0123-456789abcdef");
    let wait = |client: &str, left: u64, partitions: &[i32]| Waiting {
        owner: Owner::Member(MemberId::from(name(client, 1).as_str())),
        opened: Generation(5),
        left: Span::from_secs(left),
        resources: of_t(partitions),
    };
    let told = Trail { waits: vec![wait("web-1", 90, &[2, 3]), wait("web-2", 50, &[4, 5])], ..Trail::default() };
    let (one, two) = (name("web-1", 2), name("web-2", 3));
    let table = Table::of(PolicyName::Deferred).holds("a", &[0, 1], told).comes(&one).comes(&two);
    assert_eq!(shares(&table), pairs(&[("a", "0 1"), (&one, "2 3"), (&two, "4 5")]));
}

#[test]
fn when_the_time_is_up_for_one_it_is_up() {
    let table = Table::of(PolicyName::Deferred)
        .holds("a", &[0, 1], Trail { bell: Bell::Rang, ..told(gone(), Span::ZERO, &[4, 5]) })
        .holds("b", &[2, 3], told(gone(), Span::from_millis(3), &[4, 5]));
    let decision = table.decide();
    assert_eq!(gives(&table, &decision), pairs(&[("a", "0 1 4"), ("b", "2 3 5")]));
    assert_eq!((decision.waits.len(), table.note(&decision).rounds), (0, Rounds::Done));
}

#[test]
fn what_was_released_is_granted_by_a_leader_that_knows_nothing_else() {
    let released = Trail { released: of_t(&[5]).into_iter().collect(), ..Trail::default() };
    let table = Table::of(PolicyName::Deferred).holds("a", &[0, 1], released).holds("b", &[2, 3], Trail::default());
    let decision = table.decide();
    let given = gives(&table, &decision);
    assert!(given.iter().any(|(_, list)| list.ends_with('5')) && !given.iter().any(|(_, list)| list.ends_with('4')));
    assert_eq!(decision.waits[0].resources, of_t(&[4]));
}

#[test]
fn a_leader_that_remembers_knows_who_is_missing() {
    let table = Table::of(PolicyName::Deferred)
        .holds("a", &[0, 1], Trail::default())
        .holds("b", &[2, 3], Trail::default())
        .remembering(&[("a", &[0, 1]), ("b", &[2, 3]), ("d", &[4, 5])]);
    let decision = table.decide();
    assert_eq!(decision.waits[0].owner, Owner::Member(MemberId::from("d")));
    assert_eq!((decision.waits[0].opened, decision.waits[0].left), (GENERATION.next(), Span::from_secs(300)));
}

#[test]
fn b7_a_member_that_missed_its_assignment_gets_it_again() {
    let table = Table::of(PolicyName::Deferred)
        .holds("a", &[0, 1], Trail::default())
        .holds("b", &[2, 3], Trail::default())
        .reports("c", &[], Some(Generation(6)), Trail::default())
        .remembering(&[("a", &[0, 1]), ("b", &[2, 3]), ("c", &[4, 5])]);
    assert_eq!(shares(&table), pairs(&[("a", "0 1"), ("b", "2 3"), ("c", "4 5")]));
}

/// The plan of the generation in which `c` was missed never reached the coordinator, so nobody has taken it.
#[test]
fn b7_a_leader_whose_own_sync_was_lost_forgets_the_plan_that_nobody_took() {
    let then: &[(&str, &[i32])] = &[("a", &[0, 1]), ("b", &[2, 3]), ("c", &[4, 5])];
    let mut table = Table::of(PolicyName::Deferred)
        .holds("a", &[0, 1], Trail::default())
        .holds("b", &[2, 3], Trail::default())
        .remembering(then);
    let lost = Table::of(PolicyName::TwoRound).remembering(&[("a", &[0, 1, 4]), ("b", &[2, 3, 5])]).memory.remove(0).1;
    table.memory.push((GENERATION.next(), lost));
    let decision = table.decide();
    assert_eq!(gives(&table, &decision), pairs(&[("a", "0 1"), ("b", "2 3")]));
    assert_eq!(decision.offences, [], "nobody has dropped what it was never told of");
    let wait = &decision.waits[0];
    assert_eq!((&wait.owner, &wait.resources), (&Owner::Member(MemberId::from("c")), &of_t(&[4, 5])));
}

#[test]
fn b4_what_two_claim_is_taken_from_both_and_granted_in_the_next_round() {
    let table = Table::of(PolicyName::TwoRound)
        .holds("a", &[0, 1, 2, 8], Trail::default())
        .holds("b", &[2, 3, 8], Trail::default())
        .holds("c", &[4, 5], Trail::default());
    let decision = table.decide();
    assert_eq!(gives(&table, &decision), pairs(&[("a", "0 1"), ("b", "3"), ("c", "4 5")]), "8 is deleted");
    assert_eq!(table.note(&decision).rounds, Rounds::Due);
    let released = |partitions: &[i32]| Trail { released: of_t(partitions).into_iter().collect(), ..Trail::default() };
    let next = Table::of(PolicyName::TwoRound)
        .holds("a", &[0, 1], released(&[2]))
        .holds("b", &[3], released(&[2]))
        .holds("c", &[4, 5], Trail::default());
    assert_eq!(shares(&next), pairs(&[("a", "0 1"), ("b", "2 3"), ("c", "4 5")]));
}

#[test]
fn b84_claims_without_a_generation_that_contradict_each_other_cost_one_round() {
    let table =
        Table::of(PolicyName::TwoRound).foreign("a", &[0, 1, 2], 1).foreign("b", &[2, 3], 1).foreign("c", &[4, 5], 1);
    assert_eq!(shares(&table), pairs(&[("a", "0 1"), ("b", "3"), ("c", "4 5")]));
    let next = Table::of(PolicyName::TwoRound).foreign("a", &[0, 1], 1).foreign("b", &[3], 1).foreign("c", &[4, 5], 1);
    assert_eq!(shares(&next), pairs(&[("a", "0 1"), ("b", "2 3"), ("c", "4 5")]));
}

#[test]
fn b58_claims_of_what_does_not_exist_are_passed_over() {
    let table = Table::of(PolicyName::TwoRound).holds("a", &[0, 1, 2, 77], Trail::default()).holds(
        "b",
        &[3, 4, 5],
        Trail::default(),
    );
    let decision = table.decide();
    assert_eq!(gives(&table, &decision), pairs(&[("a", "0 1 2"), ("b", "3 4 5")]));
    assert_eq!(table.note(&decision).rounds, Rounds::Done, "and cause no further round");
}

#[test]
fn b55_a_member_whose_time_is_up_reports_other_bytes_than_before() {
    let report = |bell| Table::of(PolicyName::Deferred).holds("a", &[0], Trail { bell, ..Trail::default() });
    let metadata = |bell| report(bell).members[0].metadata.clone();
    assert_eq!(metadata(Bell::Silent), metadata(Bell::Silent));
    assert_ne!(metadata(Bell::Rang), metadata(Bell::Silent), "a coordinator would take it for no change");
}

#[test]
fn an_older_peer_without_anything_is_taken_for_a_returner() {
    let table = Table::of(PolicyName::Deferred)
        .holds("a", &[0, 1], Trail::default())
        .holds("b", &[2, 3], Trail::default())
        .remembering(&[("a", &[0, 1]), ("b", &[2, 3]), ("d", &[4, 5])]);
    let older = table.foreign("o", &[], 1);
    assert_eq!(shares(&older), pairs(&[("a", "0 1"), ("b", "2 3"), ("o", "4 5")]));
}

#[test]
fn with_a_foreign_member_the_group_does_two_rounds_and_says_so() {
    let lost = Table::of(PolicyName::DeferredIncremental)
        .holds("a", &[0, 1], Trail::default())
        .foreign("j", &[2, 3], 3)
        .remembering(&[("a", &[0, 1]), ("j", &[2, 3]), ("d", &[4, 5])]);
    let decision = lost.decide();
    assert_eq!(gives(&lost, &decision), pairs(&[("a", "0 1 4"), ("j", "2 3 5")]));
    let used = PolicyUsed::Reduced { to: "two-round".to_owned(), by: MemberId::from("j") };
    assert_eq!((decision.policy, decision.waits.len()), (used, 0));
}

#[test]
fn b89_whoever_claims_what_it_was_not_given_is_named() {
    let table = Table::of(PolicyName::TwoRound)
        .holds("a", &[0, 1, 2], Trail::default())
        .holds("b", &[3], Trail::default())
        .holds("c", &[4, 5], Trail::default())
        .remembering(&[("a", &[0, 1]), ("b", &[2, 3]), ("c", &[4, 5])]);
    let seized = Offence::Seized { member: MemberId::from("a"), resource: TopicPartition::new("T", 2) };
    assert_eq!(table.decide().offences, [seized]);
}

#[test]
fn what_is_dropped_without_a_word_stays_with_its_owner_and_is_named() {
    let table = Table::of(PolicyName::TwoRound)
        .holds("a", &[0], Trail::default())
        .holds("b", &[2, 3], Trail::default())
        .holds("c", &[4, 5], Trail::default())
        .remembering(&[("a", &[0, 1]), ("b", &[2, 3]), ("c", &[4, 5])]);
    let decision = table.decide();
    let dropped = Offence::Dropped { member: MemberId::from("a"), resource: TopicPartition::new("T", 1) };
    assert_eq!(
        (decision.offences.clone(), gives(&table, &decision)),
        (vec![dropped], pairs(&[("a", "0 1"), ("b", "2 3"), ("c", "4 5")]))
    );
}

#[test]
fn b53_nobody_hurries_when_somebody_has_missed_the_last_round() {
    let whole = Table::of(PolicyName::TwoRound).holds("a", &[0, 1, 2, 3, 4, 5], Trail::default());
    let due = whole.holds("b", &[], Trail::default());
    assert_eq!(due.note(&due.decide()).rounds, Rounds::Due);
    let late = due.reports("c", &[], Some(Generation(6)), Trail::default());
    assert_eq!(late.note(&late.decide()).rounds, Rounds::Later);
}

#[test]
fn b53_what_a_late_member_was_to_release_does_not_wait_for_the_next_batch() {
    let told = || Trail { pace: Some(Span::from_millis(900)), ..Trail::default() };
    let group = |since| {
        Table::of(PolicyName::Incremental)
            .reports("a", &[0, 1, 2], Some(since), told())
            .holds("b", &[4, 5], told())
            .holds("c", &[3], told())
            .remembering(&[("a", &[0, 1]), ("b", &[4, 5]), ("c", &[2, 3])])
    };
    let late = group(Generation(6));
    assert_eq!(shares(&late), pairs(&[("a", "0 1"), ("b", "4 5"), ("c", "3")]));
    assert_eq!(late.note(&late.decide()).pace, Some(Span::from_millis(900)));
    assert_eq!(shares(&group(GENERATION)), pairs(&[("a", "0 1 2"), ("b", "4 5"), ("c", "3")]));
}

#[test]
fn b89_a_leader_that_gives_away_what_is_held_is_named() {
    let table = Table::of(PolicyName::TwoRound).holds("a", &[0, 1], Trail::default()).comes("c");
    let give =
        |partitions: &[i32]| Assignment { partitions: of_t(partitions).iter().collect(), user_data: None }.encode();
    let round_robin = [(MemberId::from("a"), give(&[0])), (MemberId::from("c"), give(&[1]))];
    let (holder, member) = (MemberId::from("a"), MemberId::from("c"));
    let offence = Offence::GrantedHeld { holder, member, resource: TopicPartition::new("T", 1) };
    assert_eq!(audit(&table.members, &round_robin, LateClaims::AreVoid), [offence]);
    assert_eq!(audit(&table.members, &table.decide().assignments, LateClaims::Count), []);
}

#[test]
fn b89_who_missed_a_round_still_holds_what_it_claims_unless_another_claims_it_since() {
    let table = Table::of(PolicyName::TwoRound)
        .reports("a", &[0, 1], Some(Generation(6)), Trail::default())
        .holds("b", &[1, 2], Trail::default())
        .comes("c");
    let give =
        |partitions: &[i32]| Assignment { partitions: of_t(partitions).iter().collect(), user_data: None }.encode();
    let against = [(MemberId::from("a"), give(&[])), (MemberId::from("c"), give(&[0, 1]))];
    let given = |holder: &str, partition| Offence::GrantedHeld {
        holder: MemberId::from(holder),
        member: MemberId::from("c"),
        resource: TopicPartition::new("T", partition),
    };
    assert_eq!(audit(&table.members, &against, LateClaims::Count), [given("a", 0), given("b", 1)]);
    assert_eq!(audit(&table.members, &against, LateClaims::AreVoid), [given("b", 1)]);
    assert_eq!(audit(&table.members, &table.decide().assignments, LateClaims::Count), []);
}
