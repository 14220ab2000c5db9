use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use groma_model::{Generation, InstanceId, MemberId, TopicPartition};

use super::claims::Claims;
use super::deal::Deal;
use super::note::encode_note;
use super::raw::RawReport;
use super::{Assignment, Strategy, Subscription};
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

/// Gives each candidate its share of what exists, by a strategy: the leader's work without the bytes.
pub fn share_out(
    strategy: &Strategy,
    candidates: &[Candidate],
    catalog: &BTreeMap<String, u32>,
) -> Vec<(MemberId, Assignment)> {
    let lead = Lead::of_candidates(strategy, candidates, catalog);
    let situation = lead.situation();
    let plan = strategy.policy.plan(&situation, strategy.assignor.assign(&situation));
    let deal = Deal::new(&situation, &plan, &lead.topics);
    lead.seats.iter().zip(0..).map(|(seat, number)| (seat.member.clone(), deal.assignment(number))).collect()
}

/// More moves than these are not named in a decision.
const MOVES_NAMED_MAX: usize = 10_000;

/// The leader's work in one round: names on the outside, numbers within.
pub(super) struct Lead<'a> {
    strategy: &'a Strategy,
    /// In the order that Kafka's assignors use.
    seats: Vec<Seat<'a>>,
    /// The distinct lists of topics asked for.
    lists: Vec<Vec<&'a str>>,
    /// In order of their names; position is the number of the kind.
    topics: Vec<(&'a str, u32)>,
}

struct Seat<'a> {
    member: &'a MemberId,
    instance: Option<&'a InstanceId>,
    /// None if the report cannot be read.
    report: Option<Report<'a>>,
}

struct Report<'a> {
    /// Which list of topics.
    list: u32,
    claims: Claims<'a>,
    since: Option<Generation>,
}

impl<'a> Lead<'a> {
    pub(super) fn of_reports(
        strategy: &'a Strategy,
        members: &'a [MemberReport],
        catalog: &'a BTreeMap<String, u32>,
    ) -> Self {
        let mut lists = Lists::default();
        let seat = |m: &'a MemberReport| Seat {
            member: &m.member,
            instance: m.instance.as_ref(),
            report: read_report(strategy, &m.metadata, &mut lists),
        };
        let seats = members.iter().map(seat).collect();
        Self::new(strategy, (seats, lists.lists), catalog)
    }

    fn of_candidates(strategy: &'a Strategy, candidates: &'a [Candidate], catalog: &'a BTreeMap<String, u32>) -> Self {
        let mut lists: Vec<Vec<&'a str>> = Vec::new();
        let mut known: BTreeMap<&'a [String], u32> = BTreeMap::new();
        let mut last: Option<(&'a [String], u32)> = None;
        let seat = |c: &'a Candidate| {
            let topics = c.subscription.topics.as_slice();
            let list = match last {
                Some((same, list)) if same == topics => list,
                _ => *known.entry(topics).or_insert_with(|| {
                    lists.push(topics.iter().map(String::as_str).collect());
                    lists.len() as u32 - 1
                }),
            };
            last = Some((topics, list));
            let (claims, since) = Claims::of_subscription(strategy.memory, &c.subscription);
            Seat { member: &c.member, instance: c.instance.as_ref(), report: Some(Report { list, claims, since }) }
        };
        let seats = candidates.iter().map(seat).collect();
        Self::new(strategy, (seats, lists), catalog)
    }

    fn new(
        strategy: &'a Strategy,
        (mut seats, lists): (Vec<Seat<'a>>, Vec<Vec<&'a str>>),
        catalog: &'a BTreeMap<String, u32>,
    ) -> Self {
        seats.sort_by_key(|s| (s.instance.is_none(), s.instance, s.member));
        let wanted: BTreeSet<&str> = lists.iter().flatten().copied().collect();
        let topics = catalog.iter().filter(|(t, _)| wanted.contains(t.as_str())).map(|(t, n)| (t.as_str(), *n));
        Self { strategy, seats, lists, topics: topics.collect() }
    }

    pub(super) fn decide(self, catalog: u64) -> Decision<TopicPartition> {
        let broken = self.seats.iter().filter(|s| s.report.is_none()).map(|s| s.member.clone()).collect();
        let situation = self.situation();
        let target = self.strategy.assignor.assign(&situation);
        let plan = self.strategy.policy.plan(&situation, target);
        let named = plan.moves(&situation).take(MOVES_NAMED_MAX);
        let moves = named.map(|m| self.name_move(&situation, m)).collect();
        let assignments = self.assignments(&situation, &plan, catalog);
        Decision { assignments, moves, moved: plan.moved(&situation), broken }
    }

    fn situation(&self) -> Situation {
        let mut builder = SituationBuilder::new();
        for (_, count) in &self.topics {
            builder.kind(*count);
        }
        let nothing = builder.subscription(Vec::new());
        let kinds = |list: &Vec<&str>| list.iter().filter_map(|t| self.topic(t)).collect();
        let sets: Vec<u32> = self.lists.iter().map(|list| builder.subscription(kinds(list))).collect();
        for seat in &self.seats {
            let set = seat.report.as_ref().and_then(|r| sets.get(r.list as usize));
            builder.member_like(set.copied().unwrap_or(nothing));
        }
        for (seat, number) in self.seats.iter().zip(0..) {
            if let Some(report) = &seat.report {
                report.claims.hand_in(&self.topics, |kind, index| {
                    if let Some(resource) = builder.resource(kind, index) {
                        builder.claim(number, resource, report.since);
                    }
                });
            }
        }
        builder.build()
    }

    fn topic(&self, name: &str) -> Option<u32> {
        self.topics.binary_search_by(|(t, _)| (*t).cmp(name)).ok().map(|place| place as u32)
    }

    /// Each member's partitions in order, encoded.
    fn assignments(&self, situation: &Situation, plan: &Plan, catalog: u64) -> Vec<(MemberId, Bytes)> {
        let rounds = if plan.is_unfinished() { Rounds::Due } else { Rounds::Done };
        let note = encode_note(Note { rounds, catalog });
        let deal = Deal::new(situation, plan, &self.topics);
        let encoded = |(seat, number): (&Seat<'a>, u32)| (seat.member.clone(), deal.encoded(number, &note));
        self.seats.iter().zip(0..).map(encoded).collect()
    }

    fn name_move(&self, situation: &Situation, m: DenseMove) -> Move<TopicPartition> {
        let kind = situation.kinds().partition_point(|k| k.range().end <= m.resource);
        let first = situation.kinds().get(kind).map_or(0, |k| k.first);
        let topic = self.topics.get(kind).map_or("", |(t, _)| *t);
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
    lists: Vec<Vec<&'a str>>,
    known: BTreeMap<&'a [u8], u32>,
    last: Option<(&'a [u8], u32)>,
}

impl<'a> Lists<'a> {
    fn number(&mut self, topics: &'a [u8]) -> Option<u32> {
        if let Some((same, list)) = self.last
            && same == topics
        {
            return Some(list);
        }
        let list = match self.known.get(topics) {
            Some(list) => *list,
            None => {
                self.lists.push(RawReport::names(topics).ok()?);
                self.known.insert(topics, self.lists.len() as u32 - 1);
                self.lists.len() as u32 - 1
            }
        };
        self.last = Some((topics, list));
        Some(list)
    }
}

fn read_report<'a>(strategy: &Strategy, metadata: &'a Bytes, lists: &mut Lists<'a>) -> Option<Report<'a>> {
    let raw = RawReport::read(metadata, lists.last.map(|(topics, _)| topics)).ok()?;
    let list = lists.number(raw.topics)?;
    let (claims, since) = Claims::of_raw(strategy.memory, &raw);
    Some(Report { list, claims, since })
}
