use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use groma_model::{MemberId, TopicPartition};

use super::note::encode_note;
use super::{Assignment, Strategy, Subscription, TopicPartitions};
use crate::embedded::{Decision, Note, Rounds};
use crate::member::{Move, Step};
use crate::protocol::MemberReport;
use crate::share::{DenseMove, Granted, NOBODY, Plan, Situation, SituationBuilder};

/// The leader's work in one round: names on the outside, numbers within.
pub(super) struct Lead<'a> {
    strategy: &'a Strategy,
    /// In the order that Kafka's assignors use.
    members: Vec<(&'a MemberReport, Option<Subscription>)>,
    /// In order of their names; position is the number of the kind.
    topics: Vec<(&'a str, u32)>,
}

impl<'a> Lead<'a> {
    pub(super) fn new(strategy: &'a Strategy, members: &'a [MemberReport], catalog: &'a BTreeMap<String, u32>) -> Self {
        let mut members: Vec<_> = members.iter().map(|m| (m, Subscription::decode(&m.metadata).ok())).collect();
        members.sort_by_key(|(m, _)| (m.instance.is_none(), m.instance.as_ref(), &m.member));
        let mut wanted: BTreeSet<&str> = BTreeSet::new();
        let mut last: &[String] = &[];
        for report in members.iter().filter_map(|(_, report)| report.as_ref()) {
            if report.topics != last {
                wanted.extend(report.topics.iter().map(String::as_str));
                last = &report.topics;
            }
        }
        let topics = catalog.iter().filter(|(t, _)| wanted.contains(t.as_str())).map(|(t, n)| (t.as_str(), *n));
        Self { strategy, topics: topics.collect(), members }
    }

    pub(super) fn decide(mut self, catalog: u64) -> Decision<TopicPartition> {
        let broken = self.members.iter().filter(|(_, report)| report.is_none());
        let broken: Vec<MemberId> = broken.map(|(m, _)| m.member.clone()).collect();
        let situation = self.situation();
        let target = self.strategy.assignor.assign(&situation);
        let plan = self.strategy.policy.plan(&situation, target);
        let moves = plan.moves(&situation).map(|m| self.name_move(&situation, m)).collect();
        let rounds = if plan.is_unfinished() { Rounds::Due } else { Rounds::Done };
        let note = encode_note(Note { rounds, catalog });
        Decision { assignments: self.assignments(&situation, &plan, &note), moves, broken }
    }

    fn situation(&mut self) -> Situation {
        let mut builder = SituationBuilder::new();
        for (_, count) in &self.topics {
            builder.kind(*count);
        }
        let nothing = builder.subscription(Vec::new());
        let mut last: Option<(&[String], u32)> = None;
        for (_, report) in &self.members {
            let Some(report) = report else {
                builder.member_like(nothing);
                continue;
            };
            let set = match last {
                Some((topics, set)) if topics == report.topics => set,
                _ => builder.subscription(report.topics.iter().filter_map(|t| self.topic(t)).collect()),
            };
            last = Some((&report.topics, set));
            builder.member_like(set);
        }
        self.claim(&mut builder);
        builder.build()
    }

    fn claim(&mut self, builder: &mut SituationBuilder) {
        let mut reports: Vec<Option<Subscription>> = self.members.iter_mut().map(|(_, r)| r.take()).collect();
        for (member, report) in reports.iter_mut().enumerate() {
            let Some(report) = report.take() else { continue };
            let (owned, since) = self.strategy.claims(report);
            for group in owned {
                let Some(kind) = self.topic(&group.topic) else { continue };
                for partition in group.partitions {
                    let index = u32::try_from(partition).ok();
                    if let Some(resource) = index.and_then(|i| builder.resource(kind, i)) {
                        builder.claim(member as u32, resource, since);
                    }
                }
            }
        }
    }

    fn topic(&self, name: &str) -> Option<u32> {
        self.topics.binary_search_by(|(t, _)| (*t).cmp(name)).ok().map(|place| place as u32)
    }

    /// Each member's partitions in order, encoded.
    fn assignments(&self, situation: &Situation, plan: &Plan, note: &Bytes) -> Vec<(MemberId, Bytes)> {
        let mut shares: Vec<Vec<TopicPartitions>> = vec![Vec::new(); self.members.len()];
        for (kind, (topic, _)) in situation.kinds().iter().zip(&self.topics) {
            let mut latest: BTreeMap<u32, ()> = BTreeMap::new();
            for resource in kind.range() {
                let owner = plan.owner[resource as usize];
                let Some(share) = shares.get_mut(owner as usize) else { continue };
                if latest.insert(owner, ()).is_none() {
                    share.push(TopicPartitions { topic: (*topic).to_owned(), partitions: Vec::new() });
                }
                if let Some(group) = share.last_mut() {
                    group.partitions.push((resource - kind.first) as i32);
                }
            }
        }
        let encode = |partitions| Assignment { partitions, user_data: Some(note.clone()) }.encode();
        self.members.iter().zip(shares).map(|((m, _), share)| (m.member.clone(), encode(share))).collect()
    }

    fn name_move(&self, situation: &Situation, m: DenseMove) -> Move<TopicPartition> {
        let kind = situation.kinds().partition_point(|k| k.range().end <= m.resource);
        let first = situation.kinds().get(kind).map_or(0, |k| k.first);
        let topic = self.topics.get(kind).map_or("", |(t, _)| *t);
        let member = |number: u32| self.members.get(number as usize).map(|(m, _)| m.member.clone());
        Move {
            resource: TopicPartition::new(topic, (m.resource - first) as i32),
            from: Some(m.from).filter(|f| *f != NOBODY).and_then(member),
            to: Some(m.to).filter(|t| *t != NOBODY).and_then(member),
            step: if m.granted == Granted::Now { Step::Grant } else { Step::Revoke },
            cause: m.cause,
        }
    }
}
