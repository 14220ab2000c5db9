//! How long the leader's work takes: from JoinGroup metadata to SyncGroup bytes, and the assignor alone.
//!
//! `cargo run --release -p groma-rebalance --example assign`

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use groma_model::{Generation, MemberId, Span, TopicPartition};
use groma_rebalance::assignor::{Assignor, Sticky};
use groma_rebalance::embedded::consumer::{Assignment, Candidate, Consumer, Strategy, Subscription, share_out};
use groma_rebalance::embedded::{Council, Embedded, Report, Trail};
use groma_rebalance::protocol::MemberReport;
use groma_rebalance::share::SituationBuilder;

fn main() {
    println!("members x resources x topics: full and join, in ms (bytes to bytes; typed to typed; assignor alone)");
    for (members, resources, topics) in [(1000, 10_000, 100), (10_000, 100_000, 100), (10_000, 1_000_000, 100)] {
        let full = Group::new(members, resources, topics);
        let (full_ms, assignments) = full.lead();
        let join = full.with_one_more(&assignments);
        let (join_ms, _) = join.lead();
        let (typed_full, typed_join) = (full.share_out(), join.share_out());
        let (dense_full, dense_join) = dense(members, resources, topics);
        println!(
            "{members}x{resources}x{topics}: {full_ms:.1} and {join_ms:.1}; {typed_full:.1} and {typed_join:.1}; \
             {dense_full:.1} and {dense_join:.1}"
        );
    }
    for (members, resources, topics) in [(1000, 10_000, 100), (10_000, 100_000, 100)] {
        println!("unequal {members}x{resources}x{topics}: {:.1}", unequal(members, resources, topics));
    }
}

struct Group {
    consumer: Consumer,
    catalog: BTreeMap<String, u32>,
    topics: BTreeSet<String>,
    members: Vec<MemberReport>,
}

impl Group {
    fn new(members: u32, resources: u32, topics: u32) -> Self {
        let names: BTreeSet<String> = (0..topics).map(|t| format!("topic-{t:04}")).collect();
        let catalog = names.iter().map(|n| (n.clone(), resources / topics)).collect();
        let mut group = Self {
            consumer: Consumer::new(vec![Strategy::cooperative_sticky()]),
            catalog,
            topics: names,
            members: Vec::new(),
        };
        for number in 0..members {
            group.add(number, &BTreeSet::new());
        }
        group
    }

    fn add(&mut self, number: u32, held: &BTreeSet<TopicPartition>) {
        let generation = (!held.is_empty()).then_some(Generation(1));
        let report = Report { interest: &self.topics, held, generation, previous: None, trail: &Trail::default() };
        let metadata = self.consumer.protocols(&report).remove(0).metadata;
        self.members.push(MemberReport { member: MemberId(format!("member-{number:05}")), instance: None, metadata });
    }

    fn with_one_more(&self, assignments: &[(MemberId, bytes::Bytes)]) -> Self {
        let mut group = Self {
            consumer: self.consumer.clone(),
            catalog: self.catalog.clone(),
            topics: self.topics.clone(),
            members: Vec::new(),
        };
        for (number, (_, bytes)) in assignments.iter().enumerate() {
            let given = Assignment::decode(bytes).unwrap_or_default();
            group.add(number as u32, &given.partitions.iter().collect());
        }
        group.add(assignments.len() as u32, &BTreeSet::new());
        group
    }

    fn share_out(&self) -> f64 {
        let candidate = |m: &MemberReport| Candidate {
            member: m.member.clone(),
            instance: None,
            subscription: Subscription::decode(&m.metadata).unwrap_or_default(),
        };
        let candidates: Vec<Candidate> = self.members.iter().map(candidate).collect();
        let strategy = Strategy::cooperative_sticky();
        median(|| share_out(&strategy, &candidates, &self.catalog)).0
    }

    fn lead(&self) -> (f64, Vec<(MemberId, bytes::Bytes)>) {
        median(|| {
            let led = self.consumer.lead(&Council {
                protocol: "cooperative-sticky",
                generation: Generation(1),
                members: &self.members,
                catalog: &self.catalog,
                memory: &[],
                trail: &Trail::default(),
                gathered: Span::ZERO,
            });
            led.map(|decision| decision.assignments).unwrap_or_default()
        })
    }
}

fn dense(members: u32, resources: u32, topics: u32) -> (f64, f64) {
    let build = |members: u32, holder: &[u32]| {
        let mut builder = SituationBuilder::new();
        let kinds: Vec<u32> = (0..topics).map(|_| builder.kind(resources / topics)).collect();
        let set = builder.subscription(kinds);
        for _ in 0..members {
            builder.member_like(set);
        }
        for (resource, holder) in holder.iter().enumerate() {
            builder.claim(*holder, resource as u32, Some(Generation(1)));
        }
        builder.build()
    };
    let empty = build(members, &[]);
    let (full_ms, owner) = median(|| Sticky::COOPERATIVE.assign(&empty));
    let held = build(members + 1, &owner);
    let (join_ms, _) = median(|| Sticky::COOPERATIVE.assign(&held));
    (full_ms, join_ms)
}

/// Five buckets of members, each asking for its fifth of the topics and the last one.
fn unequal(members: u32, resources: u32, topics: u32) -> f64 {
    let mut builder = SituationBuilder::new();
    let kinds: Vec<u32> = (0..topics).map(|_| builder.kind(resources / topics)).collect();
    for member in 0..members {
        let asked = kinds.iter().copied().filter(|k| k % 5 == member % 5 || *k == topics - 1);
        builder.member(asked.collect());
    }
    let situation = builder.build();
    median(|| Sticky::COOPERATIVE.assign(&situation)).0
}

fn median<T>(mut run: impl FnMut() -> T) -> (f64, T) {
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..5 {
        let start = Instant::now();
        last = Some(run());
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let Some(last) = last else { unreachable!("five runs") };
    (times[2], last)
}
