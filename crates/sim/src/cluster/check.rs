use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Generation, MemberId, Span, Time, TopicPartition};
use groma_rebalance::embedded::consumer::{Assignment, Subscription};
use groma_rebalance::protocol::{JoinRequest, LeaderDuty, MemberReport, Reply, Request, Role, SyncRequest};

use super::breach::Breach;
use super::client::{Client, short};
use super::network::Process;
use super::words::client_of;
use super::world::{Cluster, Dialect};

/// What must hold after every step, or in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// At most one member runs a resource at any moment.
    OneRunner,
    /// What is granted was in nobody else's report.
    GrantedFree,
    /// What is granted was asked for.
    GrantedAsked,
    /// What a member owns is what it runs.
    HeldRuns,
    /// A claim is never newer than what was confirmed.
    ClaimConfirmed,
    /// Generations grow, and have one leader each.
    GenerationGrows,
    /// A member without identity claims nothing.
    LostBeforeJoin,
    /// A former owner's commit never lands after one of its successor.
    CommitInOrder,
    /// Every request is answered exactly once, and replay gives what was acknowledged.
    AnsweredOnce,
    /// Nobody who keeps the rules is accused of breaking them.
    NoOffence,
    /// While lost resources wait, nothing that is held moves for balance, and nobody is given what waits (S14).
    CalmWhileWaiting,
    /// Nothing waits longer than allowed, whoever leads (L4).
    WaitBounded,
    /// Where something waits, an alarm is set (S17).
    AlarmSet,
    /// No round moves more than allowed for balance (S15).
    MovesFew,
    /// No round takes more from members than a balance needs (S16).
    Sticky,
    /// A stable identity has one member at most (S10).
    OneIdentity,
    /// There are no more members than allowed, apart from those who have not come back to a round yet (S12).
    GroupFits,
    /// No join or sync stays parked for longer than a round may take (L1).
    AnsweredInTime,
    /// A change in peace takes no more rounds than the policy promises (L3).
    RoundsFew,
    /// A process that comes back in time has its work again at once, and nobody else stops anything (L5).
    BackAtOnce,
    /// In the end every resource runs, evenly shared.
    AllRun,
    /// In the end nothing happens any more.
    Quiet,
}

/// A property that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// When it was seen.
    pub at: Time,
    /// Which one.
    pub property: Property,
    /// What was seen.
    pub what: String,
}

#[derive(Debug, Default)]
pub(super) struct Checks {
    pub(super) violations: Vec<Violation>,
    runs: u64,
    /// The latest run of each resource that has committed, and the process it is of: a process keeps its own order.
    committed: BTreeMap<TopicPartition, (u64, Option<Process>)>,
    generation: Generation,
    /// Members whose stable identity another process has taken: they run on until they hear that they are fenced.
    pub(super) replaced: BTreeSet<MemberId>,
    /// What each leader was told, by generation.
    reports: BTreeMap<(Generation, MemberId), Vec<MemberReport>>,
    /// What leaders gave away against the rules.
    pub(super) breaches: Vec<Breach>,
    pub(super) named: u64,
    /// What processes have run on after they said that they had stopped it.
    pub(super) clung: BTreeSet<(Process, TopicPartition)>,
}

fn told(claimed: Option<Generation>) -> String {
    claimed.map_or_else(|| "claims without a generation".to_owned(), |g| format!("claims of generation {g}"))
}

fn confirmed(last: Option<Generation>) -> String {
    last.map_or_else(|| "were never confirmed".to_owned(), |g| format!("were confirmed in generation {g}"))
}

/// More violations than these say nothing new.
const VIOLATIONS_MAX: usize = 20;

impl Checks {
    pub(super) const fn next_run(&mut self) -> u64 {
        self.runs += 1;
        self.runs
    }

    /// Whether another process has taken its identity, which it may not have heard of yet.
    pub(super) fn is_replaced(&self, client: &Client) -> bool {
        client.member.as_ref().and_then(|m| m.member()).is_some_and(|id| self.replaced.contains(id))
    }

    /// Generations that were not stored may be given again.
    pub(super) fn broker_died(&mut self) {
        self.generation = Generation::default();
        self.reports.clear();
    }
}

impl Cluster {
    pub(crate) fn violate(&mut self, property: Property, what: String) {
        if self.checks.violations.len() < VIOLATIONS_MAX {
            self.history.tell(self.now, || format!("VIOLATION of {property:?} ({}): {what}", property.sentence()));
            self.checks.violations.push(Violation { at: self.now, property, what });
        }
    }

    pub(super) fn check(&mut self) {
        let mut runner: BTreeMap<&TopicPartition, &str> = BTreeMap::new();
        let mut found: Vec<(Property, String)> = Vec::new();
        let fenced = |c: &Client| c.is_expelled() || self.checks.is_replaced(c);
        for (place, client) in self.clients.iter().enumerate().filter(|(_, c)| !c.is_asleep() && !fenced(c)) {
            for resource in client.running.keys().filter(|r| !self.is_wronged(client, place, r)) {
                if let Some(other) = runner.insert(resource, &client.name) {
                    let what = format!("{} runs on {other} and on {}", short(resource), client.name);
                    found.push((Property::OneRunner, what));
                }
            }
            if let Some(member) = &client.member
                && !client.running.keys().eq(member.held().iter())
            {
                found.push((Property::HeldRuns, format!("{} runs other than it owns", client.name)));
            }
        }
        for (property, what) in found {
            self.violate(property, what);
        }
    }

    pub(super) fn check_join(&mut self, place: usize, join: &JoinRequest) {
        let Some(member) = &self.clients[place].member else { return };
        let mut found = Vec::new();
        let reports = join.protocols.iter().filter_map(|p| Subscription::decode(&p.metadata).ok());
        for report in reports {
            if join.member.is_none() && !report.owned.is_empty() {
                found.push((Property::LostBeforeJoin, "claims without an identity".to_owned()));
            }
            let dated = !report.owned.is_empty() && self.clients[place].dialect == Dialect::Ours;
            if report.generation > member.generation() || (dated && report.generation != member.generation()) {
                let what = format!("{} {}", told(report.generation), confirmed(member.generation()));
                found.push((Property::ClaimConfirmed, what));
            }
        }
        for (property, what) in found {
            self.violate(property, what);
        }
    }

    pub(super) fn check_reply(&mut self, reply: &Reply) {
        if let Reply::Join(Ok(joined)) = reply
            && let Role::Leader { members, duty: LeaderDuty::Assign } = &joined.role
        {
            self.checks.reports.insert((joined.generation, joined.member.clone()), members.clone());
        }
    }

    pub(super) fn check_generation(&mut self, generation: Generation) {
        if generation <= self.checks.generation {
            self.violate(Property::GenerationGrows, format!("{generation} after {}", self.checks.generation));
        }
        self.checks.generation = generation;
    }

    pub(super) fn check_request(&mut self, from: Process, request: &Request) {
        if let Request::Sync(sync) = request
            && !sync.assignments.is_empty()
            && let Some(reports) = self.checks.reports.get(&(sync.generation, sync.member.clone())).cloned()
        {
            self.check_decision(from, &reports, sync);
        }
    }

    /// Checks that no request was parked since then for longer than a round may take.
    pub(super) fn check_patience(&mut self, since: Time) {
        let (member, coordinator) = (&self.settings.member, &self.settings.coordinator);
        let longest = member.rebalance_timeout + coordinator.initial_rebalance_delay + Span::from_secs(1);
        let waited = self.now.since(since);
        if waited > longest {
            self.violate(Property::AnsweredInTime, format!("an answer took {waited}"));
        }
    }

    /// Checks who is on the coordinator's book.
    pub(super) fn check_roster(&mut self) {
        let Some(view) = self.broker.group.as_ref().map(groma_rebalance::coordinator::Group::view) else { return };
        let mut instances = BTreeSet::new();
        let twice = view.members.iter().filter_map(|m| m.instance.clone()).find(|i| !instances.insert(i.clone()));
        if let Some(instance) = twice {
            self.violate(Property::OneIdentity, format!("{instance} is two members"));
        }
        let gathers = view.state == groma_rebalance::coordinator::GroupState::PreparingRebalance;
        if !gathers && view.members.len() > self.settings.coordinator.members_max {
            self.violate(Property::GroupFits, format!("{} members", view.members.len()));
        }
    }

    pub(super) fn check_commit(&mut self, from: Process, runs: Vec<(TopicPartition, u64)>) {
        let is = |(resource, _): &(TopicPartition, u64)| self.was_wronged(from, resource).then(|| resource.clone());
        let wronged: BTreeSet<TopicPartition> = runs.iter().filter_map(is).collect();
        for (resource, run) in runs {
            let (newest, by) = self.checks.committed.get(&resource).copied().unwrap_or_default();
            if run >= newest {
                self.checks.committed.insert(resource, (run, Some(from)));
            } else if !by.is_some_and(|by| self.are_one(from, by)) && !wronged.contains(&resource) {
                let what = format!("{} is committed by a former owner", short(&resource));
                self.violate(Property::CommitInOrder, what);
            }
        }
    }

    /// Whether they are one member to every fence: one process, or two lives of it with one identity.
    fn are_one(&self, former: Process, latter: Process) -> bool {
        let reused = self.clients[latter.place].reused_in == Some(latter.life) && former.life < latter.life;
        former == latter || (former.place == latter.place && reused)
    }

    /// Checks what must hold once faults have ended and time has passed.
    pub fn check_settled(&mut self) {
        let wanted = self.wanted();
        let running: BTreeSet<TopicPartition> = self.clients.iter().flat_map(|c| c.running.keys().cloned()).collect();
        let members = self.clients.iter().filter(|c| c.is_member()).count();
        if members > 0 && running != wanted {
            let idle: Vec<TopicPartition> = wanted.difference(&running).cloned().collect();
            self.violate(Property::AllRun, format!("{} run nowhere", super::client::list(&idle)));
        }
        let unsettled: Vec<String> =
            self.clients.iter().filter(|c| c.is_member() && !c.is_settled()).map(|c| c.name.clone()).collect();
        if !unsettled.is_empty() {
            self.violate(Property::AllRun, format!("not settled: {}", unsettled.join(" ")));
        }
        let loads = self.clients.iter().filter(|c| c.is_member()).map(|c| c.running.len());
        let uneven = loads.clone().max().unwrap_or(0) > loads.min().unwrap_or(0) + 1;
        let asked =
            |c: &Client| -> Vec<String> { c.topics.iter().filter(|t| self.topics.contains_key(*t)).cloned().collect() };
        let mut asked = self.clients.iter().filter(|c| c.is_member()).map(asked);
        let first = asked.next();
        let alike = asked.all(|topics| Some(topics) == first);
        if uneven && alike {
            self.violate(Property::AllRun, "not evenly shared".to_owned());
        }
        if self.broker.parked() > 0 {
            self.violate(Property::AnsweredOnce, format!("{} requests never answered", self.broker.parked()));
        }
    }

    /// Checks that for a while nothing happens that changes the group.
    pub fn check_quiet(&mut self) {
        let before = self.generations();
        let quiet = self.settings.member.session_timeout.times(6);
        self.run_for(quiet);
        if self.generations() != before {
            self.violate(Property::Quiet, "rounds go on without a cause".to_owned());
        }
    }
}

pub(crate) struct Claim {
    pub(super) member: MemberId,
    pub(super) topics: BTreeSet<String>,
    pub(super) owned: BTreeSet<TopicPartition>,
}

pub(crate) fn claims(reports: &[MemberReport]) -> Vec<Claim> {
    let claim = |report: &MemberReport| {
        let subscription = Subscription::decode(&report.metadata).unwrap_or_default();
        Claim {
            member: report.member.clone(),
            topics: subscription.topics.iter().map(str::to_owned).collect(),
            owned: subscription.owned.iter().collect(),
        }
    };
    reports.iter().map(claim).collect()
}

pub(crate) fn decision_faults(claims: &[Claim], sync: &SyncRequest) -> Vec<(Property, String)> {
    let mut found = Vec::new();
    let mut granted: BTreeMap<TopicPartition, MemberId> = BTreeMap::new();
    for (member, bytes) in &sync.assignments {
        let given = Assignment::decode(bytes).unwrap_or_default();
        let own = claims.iter().find(|c| c.member == *member);
        for resource in given.partitions.iter() {
            let kept = own.is_some_and(|c| c.owned.contains(&resource));
            let others = claims.iter().filter(|c| c.member != *member).find(|c| c.owned.contains(&resource));
            if let (false, Some(other)) = (kept, others) {
                found.push((
                    Property::GrantedFree,
                    format!("{} is still with {}", short(&resource), client_of(&other.member)),
                ));
            }
            if !own.is_some_and(|c| c.topics.contains(&resource.topic)) {
                found.push((Property::GrantedAsked, format!("{} was not asked for", short(&resource))));
            }
            if let Some(other) = granted.insert(resource.clone(), member.clone()) {
                found.push((Property::GrantedFree, format!("{} also goes to {}", short(&resource), client_of(&other))));
            }
        }
    }
    found
}
