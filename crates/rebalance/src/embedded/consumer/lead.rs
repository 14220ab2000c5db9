use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use groma_model::{Generation, InstanceId, MemberId, TopicPartition};

use super::deal::Deal;
use super::index::Index;
use super::order::in_order;
use super::pack::Packed;
use super::raw::{RawReport, WHAT};
use super::trail::RawTrail;
use super::{Assignment, Partitions, Strategy, Subscription, TopicCatalog, Topics};
use crate::embedded::Owner;
use crate::policy::Abilities;
use crate::protocol::MemberReport;
use crate::share::{Racks, Situation, SituationBuilder, Standing};

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

/// Gives each candidate its share of what exists, by a strategy: the leader's work without the bytes. One assignment
/// for each candidate, in the same order. Linear in members and partitions.
pub fn share_out(strategy: &Strategy, candidates: &[Candidate], catalog: &TopicCatalog) -> Vec<Assignment> {
    let lead = Lead::of_candidates(strategy, candidates, catalog);
    let (situation, claimed) = lead.situation();
    let target = strategy.assignor.assign(&strategy.policy.outlook(&situation));
    let plan = strategy.policy.plan(&situation, target);
    let lists = Deal::new((&situation, &plan), lead.index.topics(), claimed).parcels(&[], &[]);
    let mut numbers = vec![0; candidates.len()];
    lead.seats.iter().zip(0..).for_each(|(seat, number)| numbers[seat.place as usize] = number);
    let given = |number| Assignment { partitions: Partitions::made(lists.of(number)), user_data: None };
    numbers.into_iter().map(given).collect()
}

/// Who asks for what and holds what, by a strategy's reading of reports.
pub(crate) fn situation(strategy: &Strategy, candidates: &[Candidate], catalog: &TopicCatalog) -> Situation {
    Lead::of_candidates(strategy, candidates, catalog).situation().0
}

/// The leader's work in one round: names on the outside, numbers within.
pub(super) struct Lead<'a> {
    pub(super) strategy: &'a Strategy,
    /// In the order that Kafka's assignors use.
    pub(super) seats: Vec<Seat<'a>>,
    index: Index<'a>,
    /// The distinct sets of topics asked for.
    sets: Vec<Vec<u32>>,
    /// What each resource costs; empty if all cost the same.
    costs: Vec<u32>,
    catalog: &'a TopicCatalog,
}

/// A member at the table.
pub(super) struct Seat<'a> {
    pub(super) member: &'a MemberId,
    pub(super) instance: Option<&'a InstanceId>,
    /// Where it stands among the reports.
    place: u32,
    /// None if the report cannot be read.
    report: Option<Report<'a>>,
}

struct Report<'a> {
    /// Which list of topics.
    list: u32,
    /// The list of partitions claimed.
    claims: &'a [u8],
    since: Option<Generation>,
    standing: Standing,
    /// Where the member runs.
    rack: Option<&'a str>,
    /// None from a member of another make, and where nobody asks for it.
    trail: Option<Rc<RawTrail<'a>>>,
}

impl<'a> Seat<'a> {
    /// Reads all reports; with the distinct lists of topics in them.
    fn of_reports(strategy: &Strategy, members: &'a [MemberReport]) -> (Vec<Self>, Lists<'a>) {
        let (mut lists, mut trails) = (Lists::default(), Trails::default());
        let mut seat = |place: u32| {
            let m = &members[place as usize];
            let raw = RawReport::read(&m.metadata, lists.last.map(|(topics, _)| topics)).ok();
            let trail = raw.as_ref().and_then(|raw| trails.read(raw.trail(strategy.memory)?));
            let report = raw.and_then(|raw| Some(Report { trail, ..lists.report(strategy, &raw)? }));
            Self { member: &m.member, instance: m.instance.as_ref(), place, report }
        };
        let ordered = in_order(members, |m| (m.instance.as_ref(), &m.member));
        let seats = ordered.into_iter().map(&mut seat).collect();
        (seats, lists)
    }

    pub(super) const fn is_readable(&self) -> bool {
        self.report.is_some()
    }

    /// What it claims, whether that exists or not.
    pub(super) fn claims(&self) -> impl Iterator<Item = TopicPartition> + use<'a> {
        let groups = Partitions::groups(self.report.as_ref().map_or(&[], |r| r.claims));
        let named = groups.filter_map(|(topic, numbers)| Some((std::str::from_utf8(topic).ok()?, numbers)));
        named.flat_map(|(topic, numbers)| Partitions::each_number(numbers).map(move |n| TopicPartition::new(topic, n)))
    }

    /// The generation in which what it claims was confirmed.
    pub(super) fn since(&self) -> Option<Generation> {
        self.report.as_ref().and_then(|r| r.since)
    }

    pub(super) fn trail(&self) -> Option<&RawTrail<'a>> {
        self.report.as_ref().and_then(|r| r.trail.as_deref())
    }

    pub(super) fn standing(&self) -> Standing {
        self.report.as_ref().map_or(Standing::Silent, |r| r.standing)
    }

    /// Who it is, by what survives a restart.
    pub(super) fn owner(&self) -> Owner {
        match self.instance {
            Some(instance) => Owner::Instance(instance.clone()),
            None => Owner::Member(self.member.clone()),
        }
    }

    /// [`key`](super::memory::key) of [`Self::owner`].
    pub(super) fn key(&self) -> (u8, &'a str) {
        match self.instance {
            Some(instance) => (2, instance.as_str()),
            None => (1, self.member.as_str()),
        }
    }

    pub(super) fn abilities(&self) -> Abilities {
        self.trail().map_or(Abilities::NONE, |t| t.abilities)
    }
}

impl<'a> Lead<'a> {
    pub(super) fn of_reports(strategy: &'a Strategy, members: &'a [MemberReport], catalog: &'a TopicCatalog) -> Self {
        let (seats, lists) = Seat::of_reports(strategy, members);
        Self::new(strategy, (seats, &lists.lists), catalog)
    }

    /// As [`Self::of_reports`], where lists of names stand for other lists of topics.
    pub(super) fn of_wide_reports(
        strategy: &'a Strategy,
        members: &'a [MemberReport],
        (catalog, topics): (&'a TopicCatalog, impl Fn(&Topics) -> Topics),
    ) -> Self {
        let (seats, lists) = Seat::of_reports(strategy, members);
        let wide: Vec<Topics> = lists.lists.iter().map(|list| topics(&Topics::names(list).collect())).collect();
        let wide: Vec<&[u8]> = wide.iter().map(Topics::section).collect();
        Self::new(strategy, (seats, &wide), catalog)
    }

    /// The same with a cost for each partition of a topic.
    pub(super) fn weighed(mut self, cost: impl Fn(&str) -> u32) -> Self {
        let costs = self.index.topics().iter().flat_map(|(t, count)| std::iter::repeat_n(cost(t), *count as usize));
        self.costs = costs.collect();
        if self.costs.iter().all(|cost| *cost == 1) {
            self.costs.clear();
        }
        self
    }

    fn of_candidates(strategy: &'a Strategy, candidates: &'a [Candidate], catalog: &'a TopicCatalog) -> Self {
        let mut lists = Lists::default();
        let mut seat = |place: u32| {
            let c = &candidates[place as usize];
            let report = lists.report(strategy, &RawReport::of(&c.subscription));
            Seat { member: &c.member, instance: c.instance.as_ref(), place, report }
        };
        let ordered = in_order(candidates, |c| (c.instance.as_ref(), &c.member));
        let seats = ordered.into_iter().map(&mut seat).collect();
        Self::new(strategy, (seats, &lists.lists), catalog)
    }

    fn new(strategy: &'a Strategy, (seats, lists): (Vec<Seat<'a>>, &[&[u8]]), catalog: &'a TopicCatalog) -> Self {
        let (index, sets) = Index::new(catalog.counts().iter().map(|(topic, count)| (topic.as_str(), *count)), lists);
        Self { strategy, seats, index, sets, costs: Vec::new(), catalog }
    }

    /// Those that are asked for, in order of their names; position is the number of the kind.
    pub(super) fn topics(&self) -> &[(&'a str, u32)] {
        self.index.topics()
    }

    /// The numbers of these partitions, as far as they exist, sorted.
    pub(super) fn numbers(&self, situation: &Situation, partitions: Packed<'_>) -> Vec<u32> {
        let mut numbers = Vec::new();
        let mut guess = 0;
        partitions.each(|topic, indices| {
            let Some(kind) = self.index.find(topic.as_bytes(), guess) else { return };
            guess = kind + 1;
            let Some(range) = situation.kinds().get(kind as usize).map(|k| k.range()) else { return };
            let index = |b: &[u8]| b.try_into().ok().map(u32::from_be_bytes).filter(|i| *i < range.end - range.start);
            numbers.extend(indices.chunks_exact(4).filter_map(index).map(|i| range.start + i));
        });
        numbers.sort_unstable();
        numbers
    }

    pub(super) fn name(&self, situation: &Situation, resource: u32) -> TopicPartition {
        let kind = situation.kind_of(resource) as usize;
        let first = situation.kinds().get(kind).map_or(0, |k| k.first);
        TopicPartition::new(self.topics().get(kind).map_or("", |(t, _)| *t), (resource - first) as i32)
    }

    /// With what each member claims, as a list of partitions, if it is just as it would be written here.
    pub(super) fn situation(&self) -> (Situation, Vec<Option<&'a [u8]>>) {
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
        let mut guesses = Vec::new();
        let mut claimed = vec![None; self.seats.len()];
        for ((seat, claimed), number) in self.seats.iter().zip(&mut claimed).zip(0..) {
            if let Some(report) = &seat.report
                && self.hand_in((number, report), &mut guesses, &mut builder)
            {
                *claimed = Some(report.claims);
            }
        }
        (builder.build().with_costs(self.costs.clone()).with_racks(self.racks()), claimed)
    }

    /// Where members run and partitions lie, if both are known.
    fn racks(&self) -> Racks {
        let rack = |seat: &Seat<'a>| seat.report.as_ref().and_then(|report| report.rack);
        if self.catalog.racks().is_empty() || self.seats.iter().all(|seat| rack(seat).is_none()) {
            return Racks::default();
        }
        let named: BTreeSet<&str> = self.catalog.racks().values().map(String::as_str).collect();
        let numbers: BTreeMap<&str, u32> = named.into_iter().zip(0..).collect();
        let of_broker = |broker: &i32| numbers.get(self.catalog.racks().get(broker)?.as_str()).copied();
        let parts = self.topics().iter().flat_map(|(topic, count)| (0..*count).map(move |part| (*topic, part)));
        let copies = parts.map(|(topic, part)| self.catalog.replicas(topic, part).iter().filter_map(of_broker));
        let elsewhere = u32::MAX;
        let number = |seat| rack(seat).map(|rack| numbers.get(rack).copied().unwrap_or(elsewhere));
        Racks::new(self.seats.iter().map(number), copies)
    }

    /// Claims mostly name the topics that the claims before named, at the same place. Yields whether there are any, and
    /// they exist and are in order.
    fn hand_in(
        &self,
        (member, report): (u32, &Report<'_>),
        guesses: &mut Vec<u32>,
        builder: &mut SituationBuilder,
    ) -> bool {
        let (mut next, mut is_orderly) = (0, true);
        for ((topic, numbers), place) in Partitions::groups(report.claims).zip(0..) {
            let guess = guesses.get(place).copied();
            let Some(kind) = self.index.find(topic, guess.unwrap_or(place as u32)) else {
                is_orderly = false;
                continue;
            };
            match guesses.get_mut(place) {
                Some(guess) if *guess == kind => {}
                Some(guess) => *guess = kind,
                None => guesses.push(kind),
            }
            // A negative number is larger than any that exists.
            let numbers = Partitions::each_number(numbers).map(|number| number as u32);
            is_orderly &= builder.claim_each((member, report.since), (kind, numbers)) && kind >= next;
            next = kind + 1;
        }
        is_orderly && next > 0
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
    /// Among so many lists one is looked for by its place in memory before its bytes are compared.
    const SHARED_MAX: usize = 8;

    fn report(&mut self, strategy: &Strategy, raw: &RawReport<'a>) -> Option<Report<'a>> {
        let list = self.number(raw.topics)?;
        let (claims, since) = raw.claims(strategy.memory);
        let standing = match since {
            Some(_) => Standing::Settled,
            None if claims.len() > 4 => Standing::Settled,
            None if raw.tells_generation() => Standing::New,
            None => Standing::Silent,
        };
        Some(Report { list, claims, since, standing, rack: raw.rack, trail: None })
    }

    fn number(&mut self, topics: &'a [u8]) -> Option<u32> {
        if let Some((same, list)) = self.last
            && (std::ptr::eq(same, topics) || same == topics)
        {
            return Some(list);
        }
        let shared = self.lists.iter().take(Self::SHARED_MAX).position(|list| std::ptr::eq(*list, topics));
        let list = match shared.map(|list| list as u32).or_else(|| self.known.get(topics).copied()) {
            Some(list) => list,
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

/// What members carry beside their claims; most carry the same as the one before.
#[derive(Default)]
struct Trails<'a> {
    last: Option<(&'a [u8], Option<Rc<RawTrail<'a>>>)>,
}

impl<'a> Trails<'a> {
    fn read(&mut self, bytes: &'a [u8]) -> Option<Rc<RawTrail<'a>>> {
        let last = self.last.take().filter(|(same, _)| *same == bytes);
        let (_, trail) = self.last.insert(last.unwrap_or_else(|| (bytes, RawTrail::read(bytes).map(Rc::new))));
        trail.clone()
    }
}
