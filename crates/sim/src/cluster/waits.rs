use std::collections::{BTreeMap, BTreeSet};

use groma_model::{MemberId, Span, Time, TopicPartition};
use groma_rebalance::embedded::consumer::{Assignment, Consumer, Strategy};
use groma_rebalance::embedded::{Embedded, Note};
use groma_rebalance::protocol::SyncRequest;

use super::check::{Claim, Property};
use super::client::short;
use super::sticky::moves_needed;
use super::world::Cluster;

/// What the policy of a cluster promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// How long lost resources wait at most, whoever leads.
    pub delay: Option<Span>,
    /// How many resources a round moves for balance at most.
    pub moves: Option<usize>,
}

/// Since when lost resources have been waiting, through all rounds and leaders.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    since: BTreeMap<TopicPartition, Time>,
}

impl Waiting {
    /// A leader has shared out everything.
    pub(super) fn end(&mut self) {
        self.since.clear();
    }
}

impl Cluster {
    /// A leader has handed in a plan, made from these claims.
    pub(super) fn check_plan(&mut self, claims: &[Claim], sync: &SyncRequest) {
        let Some(note) = note_of(&self.settings.strategies, sync) else { return };
        let known = |resource: &TopicPartition| self.leader_knows(&sync.member, resource);
        for (property, what) in plan_faults(&note, &self.settings.bounds, (claims, sync), known) {
            self.violate(property, what);
        }
        self.check_sticky(claims, sync);
        let waiting: BTreeSet<&TopicPartition> = note.waits.iter().flat_map(|w| &w.resources).collect();
        self.waiting.since.retain(|resource, _| waiting.contains(resource));
        for wait in &note.waits {
            self.check_wait(wait);
        }
    }

    /// Whether the leader can have known that a resource exists when it decided. What one knew that is gone by now,
    /// nobody can tell.
    fn leader_knows(&self, leader: &MemberId, resource: &TopicPartition) -> bool {
        let is = |c: &&super::client::Client| c.member.as_ref().is_some_and(|m| m.member() == Some(leader));
        let exists = |catalog: &BTreeMap<String, u32>| {
            catalog.get(&resource.topic).is_some_and(|count| i64::from(resource.partition.0) < i64::from(*count))
        };
        self.clients.iter().find(is).is_some_and(|c| c.decided_by.iter().all(exists))
    }

    /// Checks that, once what was free has gone to somebody, no more is taken from members than a balance needs of all
    /// that the leader knows. Where members ask for different topics, or two claim the same, that cannot be told.
    fn check_sticky(&mut self, claims: &[Claim], sync: &SyncRequest) {
        let is = |c: &&super::client::Client| c.member.as_ref().is_some_and(|m| m.member() == Some(&sync.member));
        let Some(leader) = self.clients.iter().find(is).filter(|c| c.decided_by[0] == c.decided_by[1]) else { return };
        let Some(loads) = loads(claims, &given(sync)) else { return };
        let topics = claims.first().map(|c| &c.topics).into_iter().flatten();
        let total = topics.filter_map(|topic| leader.decided_by[0].get(topic)).map(|count| *count as usize).sum();
        let needed = moves_needed(loads, total);
        let known = |r: &&TopicPartition| self.leader_knows(&sync.member, r);
        let given = given(sync);
        let taken = claims.iter().flat_map(|claim| taken_from(claim, claims, &given)).filter(known).count();
        if taken > needed {
            self.violate(Property::Sticky, format!("{taken} resources are taken, {needed} would do"));
        }
    }

    /// A wait may seem longer by as long as reports are under way, but not by more.
    fn check_wait(&mut self, wait: &groma_rebalance::embedded::Waiting<TopicPartition>) {
        let most = self.settings.bounds.delay.unwrap_or_default();
        let slack = self.settings.member.rebalance_timeout.times(2);
        let mut late = wait.left > most;
        for resource in &wait.resources {
            let since = *self.waiting.since.entry(resource.clone()).or_insert(self.now);
            late |= self.now + wait.left > since + most + slack;
        }
        if late {
            self.violate(
                Property::WaitBounded,
                format!("what waits for {} has {} left", self.history.words.owner(&wait.owner), wait.left),
            );
        }
    }
}

/// Where a plan, made from these claims, takes more than its policy promises.
pub(crate) fn plan_faults(
    note: &Note<TopicPartition>,
    bounds: &Bounds,
    (claims, sync): (&[Claim], &SyncRequest),
    known: impl Fn(&TopicPartition) -> bool,
) -> Vec<(Property, String)> {
    let mut found = Vec::new();
    let waiting: BTreeSet<&TopicPartition> = note.waits.iter().flat_map(|w| &w.resources).collect();
    let given = given(sync);
    let taken = claims.iter().flat_map(|claim| taken_from(claim, claims, &given)).filter(|r| known(r)).count();
    if !note.waits.is_empty() && taken > 0 {
        found.push((Property::CalmWhileWaiting, format!("{taken} resources are taken while others wait")));
    }
    if bounds.moves.is_some_and(|most| taken > most) {
        found.push((Property::MovesFew, format!("{taken} resources are taken in one round")));
    }
    if let Some(resource) = given.keys().find(|r| waiting.contains(r)) {
        found.push((Property::CalmWhileWaiting, format!("{} waits and is given away", short(resource))));
    }
    found
}

/// What the leader says about a plan.
pub(crate) fn note_of(strategies: &[Strategy], sync: &SyncRequest) -> Option<Note<TopicPartition>> {
    let protocol = sync.protocol.as_deref().unwrap_or_default();
    let (_, first) = sync.assignments.first()?;
    Consumer::new(strategies.to_vec()).grant(protocol, first).ok()?.note
}

/// How much each member would run if it kept what it claims and started what it is given.
fn loads(claims: &[Claim], given: &BTreeMap<TopicPartition, &MemberId>) -> Option<Vec<usize>> {
    let first = claims.first()?;
    let mut claimed = BTreeSet::new();
    let unique = claims.iter().flat_map(|c| &c.owned).all(|resource| claimed.insert(resource));
    let plain = claims.iter().all(|c| c.topics == first.topics && c.owned.iter().all(|r| c.topics.contains(&r.topic)));
    let gains = |claim: &Claim| given.iter().filter(|(r, to)| ***to == claim.member && !claimed.contains(*r)).count();
    (unique && plain).then(|| claims.iter().map(|claim| claim.owned.len() + gains(claim)).collect())
}

fn given(sync: &SyncRequest) -> BTreeMap<TopicPartition, &MemberId> {
    let list = |bytes| Assignment::decode(bytes).unwrap_or_default().partitions;
    let all = sync.assignments.iter().flat_map(|(member, bytes)| {
        list(bytes).iter().map(|r| (r, member)).collect::<Vec<(TopicPartition, &MemberId)>>()
    });
    all.collect()
}

/// What a member asks for, alone claims, and does not keep.
fn taken_from<'a>(
    claim: &'a Claim,
    claims: &'a [Claim],
    given: &'a BTreeMap<TopicPartition, &MemberId>,
) -> impl Iterator<Item = &'a TopicPartition> {
    let kept = |r: &TopicPartition| given.get(r).is_some_and(|m| **m == claim.member);
    let contested = |r: &TopicPartition| claims.iter().any(|c| c.member != claim.member && c.owned.contains(r));
    claim.owned.iter().filter(move |r| claim.topics.contains(&r.topic) && !contested(r) && !kept(r))
}
