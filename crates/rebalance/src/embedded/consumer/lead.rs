use std::collections::BTreeMap;

use bytes::Bytes;
use groma_model::{Generation, InstanceId, MemberId, TopicPartition};

use super::bytes::put_nullable_bytes;
use super::deal::Deal;
use super::index::Index;
use super::note::encode_note;
use super::order::in_order;
use super::raw::{RawReport, WHAT};
use super::{Assignment, Consumer, Partitions, Strategy, Subscription, Topics};
use crate::embedded::{Decision, Note, Rounds};
use crate::member::{Move, Step};
use crate::protocol::MemberReport;
use crate::share::{DenseMove, Granted, NOBODY, Plan, Situation, SituationBuilder};

/// A member to be given its share, with its report read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Who.
    pub member: MemberId,
    /// Its stable identity.
    pub instance: Option<InstanceId>,
    /// What it reports.
    pub subscription: Subscription,
}

/// Gives each candidate its share of what exists, by a strategy: the leader's work without the bytes. Linear in
/// members and partitions.
pub fn share_out(
    strategy: &Strategy,
    candidates: &[Candidate],
    catalog: &BTreeMap<String, u32>,
) -> Vec<(MemberId, Assignment)> {
    let lead = Lead::of_candidates(strategy, candidates, catalog);
    let situation = lead.situation();
    let plan = strategy.policy.plan(&situation, strategy.assignor.assign(&situation));
    let lists = Deal::new(&situation, &plan, lead.index.topics()).parcels(&[], &[]);
    let assignment = |list: Bytes| Assignment { partitions: Partitions::made(list), user_data: None };
    lead.seats.iter().zip(lists).map(|(seat, list)| (seat.member.clone(), assignment(list))).collect()
}

/// More moves than these are not named in a decision.
const MOVES_NAMED_MAX: usize = 10_000;

/// The leader's work in one round: names on the outside, numbers within.
pub(super) struct Lead<'a> {
    strategy: &'a Strategy,
    /// In the order that Kafka's assignors use.
    seats: Vec<Seat<'a>>,
    index: Index<'a>,
    /// The distinct sets of topics asked for.
    sets: Vec<Vec<u32>>,
}

struct Seat<'a> {
    member: &'a MemberId,
    /// None if the report cannot be read.
    report: Option<Report<'a>>,
}

struct Report<'a> {
    /// Which list of topics.
    list: u32,
    /// The list of partitions claimed.
    claims: &'a [u8],
    since: Option<Generation>,
}

impl<'a> Lead<'a> {
    pub(super) fn of_reports(
        strategy: &'a Strategy,
        members: &'a [MemberReport],
        catalog: &'a BTreeMap<String, u32>,
    ) -> Self {
        let mut lists = Lists::default();
        let mut seat = |m: &'a MemberReport| {
            let raw = RawReport::read(&m.metadata, lists.last.map(|(topics, _)| topics)).ok();
            Seat { member: &m.member, report: raw.and_then(|raw| lists.report(strategy, &raw)) }
        };
        let ordered = in_order(members, |m| (m.instance.as_ref(), &m.member));
        let seats = ordered.into_iter().map(&mut seat).collect();
        Self::new(strategy, (seats, &lists), catalog)
    }

    fn of_candidates(strategy: &'a Strategy, candidates: &'a [Candidate], catalog: &'a BTreeMap<String, u32>) -> Self {
        let mut lists = Lists::default();
        let mut seat = |c: &'a Candidate| Seat {
            member: &c.member,
            report: lists.report(strategy, &RawReport::of(&c.subscription)),
        };
        let ordered = in_order(candidates, |c| (c.instance.as_ref(), &c.member));
        let seats = ordered.into_iter().map(&mut seat).collect();
        Self::new(strategy, (seats, &lists), catalog)
    }

    fn new(
        strategy: &'a Strategy,
        (seats, lists): (Vec<Seat<'a>>, &Lists<'a>),
        catalog: &'a BTreeMap<String, u32>,
    ) -> Self {
        let (index, sets) = Index::new(catalog.iter().map(|(topic, count)| (topic.as_str(), *count)), &lists.lists);
        Self { strategy, seats, index, sets }
    }

    pub(super) fn decide(self) -> Decision<TopicPartition> {
        let broken = self.seats.iter().filter(|s| s.report.is_none()).map(|s| s.member.clone()).collect();
        let situation = self.situation();
        let target = self.strategy.assignor.assign(&situation);
        let plan = self.strategy.policy.plan(&situation, target);
        let named = plan.moves(&situation).take(MOVES_NAMED_MAX);
        let moves = named.map(|m| self.name_move(&situation, m)).collect();
        let assignments = self.assignments(&situation, &plan);
        Decision { assignments, moves, moved: plan.moved(&situation), broken }
    }

    fn situation(&self) -> Situation {
        let mut builder = SituationBuilder::new();
        for (_, count) in self.index.topics() {
            builder.kind(*count);
        }
        let nothing = builder.subscription(Vec::new());
        let sets: Vec<u32> = self.sets.iter().map(|set| builder.subscription(set.clone())).collect();
        for seat in &self.seats {
            let set = seat.report.as_ref().and_then(|r| sets.get(r.list as usize));
            builder.member_like(set.copied().unwrap_or(nothing));
        }
        for (seat, number) in self.seats.iter().zip(0..) {
            if let Some(report) = &seat.report {
                self.hand_in(report, number, &mut builder);
            }
        }
        builder.build()
    }

    fn hand_in(&self, report: &Report<'_>, member: u32, builder: &mut SituationBuilder) {
        let mut last = u32::MAX;
        for (topic, numbers) in Partitions::groups(report.claims) {
            let Some(kind) = self.index.find(topic, last) else { continue };
            last = kind;
            for number in Partitions::each_number(numbers).filter_map(|n| u32::try_from(n).ok()) {
                if let Some(resource) = builder.resource(kind, number) {
                    builder.claim(member, resource, report.since);
                }
            }
        }
    }

    /// Each member's partitions in order, encoded.
    fn assignments(&self, situation: &Situation, plan: &Plan) -> Vec<(MemberId, Bytes)> {
        let rounds = if plan.is_unfinished() { Rounds::Due } else { Rounds::Done };
        let note = encode_note(Note { rounds, catalog: Consumer::stamp_of(self.index.topics().iter().copied()) });
        let mut back = Vec::new();
        put_nullable_bytes(&mut back, Some(&note));
        let deal = Deal::new(situation, plan, self.index.topics());
        let encoded = deal.parcels(&Assignment::VERSION.to_be_bytes(), &back);
        self.seats.iter().zip(encoded).map(|(seat, bytes)| (seat.member.clone(), bytes)).collect()
    }

    fn name_move(&self, situation: &Situation, m: DenseMove) -> Move<TopicPartition> {
        let kind = situation.kinds().partition_point(|k| k.range().end <= m.resource);
        let first = situation.kinds().get(kind).map_or(0, |k| k.first);
        let topic = self.index.topics().get(kind).map_or("", |(t, _)| *t);
        let member = |number: u32| self.seats.get(number as usize).map(|s| s.member.clone());
        Move {
            resource: TopicPartition::new(topic, (m.resource - first) as i32),
            from: Some(m.from).filter(|f| *f != NOBODY).and_then(member),
            to: Some(m.to).filter(|t| *t != NOBODY).and_then(member),
            step: if m.granted == Granted::Now { Step::Grant } else { Step::Revoke },
            cause: m.cause,
        }
    }
}

/// The distinct lists of topics in reports; most reports have the same bytes there.
#[derive(Default)]
struct Lists<'a> {
    lists: Vec<&'a [u8]>,
    known: BTreeMap<&'a [u8], u32>,
    last: Option<(&'a [u8], u32)>,
}

impl<'a> Lists<'a> {
    fn report(&mut self, strategy: &Strategy, raw: &RawReport<'a>) -> Option<Report<'a>> {
        let list = self.number(raw.topics)?;
        let (claims, since) = raw.claims(strategy.memory);
        Some(Report { list, claims, since })
    }

    fn number(&mut self, topics: &'a [u8]) -> Option<u32> {
        if let Some((same, list)) = self.last
            && (std::ptr::eq(same, topics) || same == topics)
        {
            return Some(list);
        }
        let list = match self.known.get(topics) {
            Some(list) => *list,
            None => {
                Topics::check(topics, WHAT).ok()?;
                self.lists.push(topics);
                self.known.insert(topics, self.lists.len() as u32 - 1);
                self.lists.len() as u32 - 1
            }
        };
        self.last = Some((topics, list));
        Some(list)
    }
}
