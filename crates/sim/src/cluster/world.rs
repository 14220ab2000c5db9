use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Span, Time, TopicPartition};
use groma_rebalance::coordinator::CoordinatorConfig;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::member::{Isolation, MemberConfig};

use super::broker::Broker;
use super::check::Checks;
use super::client::Client;
use super::history::History;
use super::network::{Network, What};
use super::waits::{Bounds, Waiting};
use crate::rng::Rng;
use crate::schedule::Faults;

/// A coordinator, its disk, members with their applications, and the network between them.
#[derive(Debug)]
pub struct Cluster {
    pub(super) now: Time,
    pub(super) settings: Settings,
    pub(super) rng: Rng,
    /// For what was thought of later: the draws of [`Self::rng`], and so every named seed, stay as they are.
    pub(super) twist: Rng,
    /// The same, for what was thought of later still.
    pub(super) latest: Rng,
    pub(super) network: Network,
    pub(super) broker: Broker,
    pub(super) clients: Vec<Client>,
    pub(super) topics: BTreeMap<String, u32>,
    /// What existed before the last change: what a broker that is behind still tells.
    pub(super) topics_before: BTreeMap<String, u32>,
    /// How long a resource takes to stop, where it differs from the rest.
    pub(super) heavy: BTreeMap<TopicPartition, Span>,
    pub(super) faults: Faults,
    pub(super) checks: Checks,
    pub(super) waiting: Waiting,
    pub(super) history: History,
    /// When something last changed that is worth telling.
    pub(super) stirred: Time,
    /// Whether the last step changed what runs, or may run, where.
    pub(super) touched: bool,
}

/// How a cluster is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Seed of everything random.
    pub seed: u64,
    /// The coordinator's settings.
    pub coordinator: CoordinatorConfig,
    /// Every member's settings; instance and seed are set for each.
    pub member: MemberConfig,
    /// What members offer.
    pub strategies: Vec<Strategy>,
    /// What each process that starts offers one of, where they differ; then `strategies` is the union of it all.
    pub makes: Vec<Make>,
    /// How members' reports are spoilt on purpose.
    pub reports: Reports,
    /// One-way delay of a message, shortest and longest.
    pub latency: (Span, Span),
    /// How long an application takes to stop a resource, shortest and longest.
    pub stop: (Span, Span),
    /// How long a record takes to be durable, longest.
    pub storage: Span,
    /// How long a change of topics takes to be seen by a member, longest.
    pub metadata: Span,
    /// Whether the coordinator checks commits; switching it off must be caught.
    pub commits: WithoutCommitFence,
    /// What the policy promises.
    pub bounds: Bounds,
}

/// Whether the coordinator takes any commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WithoutCommitFence {
    /// It takes any: a deliberate fault.
    Yes,
    /// It checks them.
    #[default]
    No,
}

/// What a process offers, and how it reports.
#[derive(Clone, Debug)]
pub struct Make {
    /// What it offers.
    pub strategies: Vec<Strategy>,
    /// How it reports.
    pub dialect: Dialect,
}

/// How a process reports what it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// With all that this library knows.
    #[default]
    Ours,
    /// As Kafka's own consumer does, in this version of the subscription.
    Kafka(i16),
    /// As a library that knows only what Kafka knows, and as leader says nothing about its plans and breaks the rules.
    Rogue,
}

/// Whether reports arrive as they were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reports {
    /// They do.
    #[default]
    Kept,
    /// Without generations: a deliberate fault.
    WithoutGenerations,
}

/// So many rounds in one go never end.
const STORM: usize = 1_000;

/// Join, sync and their answers, twice; and a heartbeat by which a member hears of a round.
const MESSAGES_OF_TWO_ROUNDS: u64 = 10;

impl Settings {
    /// Members that offer these strategies; quick timeouts, a steady network.
    pub fn new(strategies: Vec<Strategy>) -> Self {
        Self {
            seed: 1,
            coordinator: CoordinatorConfig {
                session_timeout_min: Span::from_millis(100),
                initial_rebalance_delay: Span::from_millis(500),
                ..CoordinatorConfig::default()
            },
            member: MemberConfig {
                session_timeout: Span::from_secs(10),
                heartbeat_interval: Span::from_secs(1),
                rebalance_timeout: Span::from_secs(20),
                request_timeout: Span::from_secs(3),
                isolation: Isolation::Stop,
                ..MemberConfig::default()
            },
            strategies,
            makes: Vec::new(),
            reports: Reports::Kept,
            latency: (Span::from_millis(1), Span::from_millis(1)),
            stop: (Span::from_millis(50), Span::from_millis(50)),
            storage: Span::from_millis(5),
            metadata: Span::from_millis(100),
            commits: WithoutCommitFence::No,
            bounds: Bounds::default(),
        }
    }
}

impl Cluster {
    /// An empty group without topics.
    pub fn new(settings: Settings) -> Self {
        Self {
            now: Time::ZERO,
            rng: Rng::new(settings.seed),
            twist: Rng::new(settings.seed ^ 0x7477_6973_7465_6421),
            latest: Rng::new(settings.seed ^ 0x6c61_7465_7374_2121),
            network: Network::default(),
            broker: Broker::new(settings.coordinator.clone()),
            clients: Vec::new(),
            topics: BTreeMap::new(),
            topics_before: BTreeMap::new(),
            heavy: BTreeMap::new(),
            faults: Faults::NONE,
            checks: Checks::default(),
            waiting: Waiting::default(),
            history: History::default(),
            stirred: Time::ZERO,
            touched: true,
            settings,
        }
    }

    /// The present moment.
    pub const fn now(&self) -> Time {
        self.now
    }

    /// What was violated so far.
    pub fn violations(&self) -> &[super::Violation] {
        &self.checks.violations
    }

    /// One line for each thing that happened.
    pub fn timeline(&self) -> &[String] {
        &self.history.lines
    }

    /// One line for each generation: cause, then what each member keeps (=), starts (+) and stops (-).
    pub fn rounds(&self) -> String {
        self.history.rounds(&self.clients.iter().map(|c| c.name.clone()).collect::<Vec<_>>())
    }

    /// How many generations were settled.
    pub fn generations(&self) -> usize {
        self.history.generations()
    }

    /// How many resources started on another process than they ran on before.
    pub const fn moves(&self) -> u64 {
        self.history.moves
    }

    /// How many resources were stopped on processes that stayed up.
    pub const fn stops(&self) -> u64 {
        self.history.stops
    }

    /// When a resource started last.
    pub const fn last_start(&self) -> Time {
        self.history.last_start
    }

    /// How many rounds have been closed.
    pub const fn rounds_closed(&self) -> u64 {
        self.history.closed
    }

    /// How often a member asked for its assignment when the next round had begun: what it was to do waits for that.
    pub const fn overtaken(&self) -> u64 {
        self.history.overtaken
    }

    /// How many resources exist that somebody asks for.
    pub fn all_resources(&self) -> usize {
        self.wanted().len()
    }

    /// Whether processes of several makes may meet.
    pub fn is_mixed(&self) -> bool {
        !self.settings.makes.is_empty()
    }

    /// Whether all processes ask for the same topics.
    pub fn is_uniform(&self) -> bool {
        let mut topics = self.clients.iter().filter(|client| client.is_member()).map(|client| &client.topics);
        let first = topics.next();
        topics.all(|others| Some(others) == first)
    }

    /// Within what time a process that comes back has its work again: its session, in which it is missed, a heartbeat, by
    /// which all hear of the round, and a second; and what the slowest link adds to the requests of two rounds.
    pub fn patience(&self) -> Span {
        let slowest = self.clients.iter().map(|client| client.link).max().unwrap_or_default();
        let member = &self.settings.member;
        member.session_timeout + member.heartbeat_interval + Span::from_secs(1) + slowest.times(MESSAGES_OF_TWO_ROUNDS)
    }

    /// Resources that should run and do not.
    pub fn idle(&self) -> BTreeSet<TopicPartition> {
        let mut idle = self.wanted();
        for client in self.clients.iter().filter(|client| !client.is_asleep()) {
            client.running.keys().filter(|r| !client.halted.contains(r)).for_each(|r| {
                idle.remove(r);
            });
        }
        idle
    }

    /// Whether what runs where, or what should run, may have changed in the last step.
    pub const fn is_touched(&self) -> bool {
        self.touched
    }

    /// The process whose plan is in force, if the group is stable.
    pub fn leader(&self) -> Option<String> {
        let leads = |client: &&Client| client.member.as_ref().is_some_and(groma_rebalance::member::Member::is_leader);
        self.clients.iter().find(leads).map(|client| client.name.clone())
    }

    /// Makes the network, the broker and the members fail at random from now on.
    pub const fn set_faults(&mut self, faults: Faults) {
        self.faults = faults;
    }

    /// How many faults have struck.
    pub const fn faults_struck(&self) -> u64 {
        self.network.faults
    }

    /// Runs until nothing has changed for a while; gives up after an hour of virtual time, or a storm of rounds.
    pub fn drive(&mut self) {
        let quiet = self.settings.member.session_timeout + self.settings.member.heartbeat_interval.times(5);
        let end = self.now + Span::from_secs(3600);
        let storm = self.generations() + STORM;
        while self.now < end && self.generations() < storm {
            let calm_at = (self.stirred + quiet).max(self.last_alarm() + Span::from_millis(1));
            match self.next_time() {
                Some(at) if at <= calm_at => self.step(),
                _ => {
                    self.now = self.now.max(calm_at);
                    return;
                }
            }
        }
    }

    /// Runs for a time.
    pub fn run_for(&mut self, span: Span) {
        let end = self.now + span;
        while self.next_time().is_some_and(|at| at <= end) {
            self.step();
        }
        self.now = end;
    }

    /// When the last of the members that plans have put off joins again.
    fn last_alarm(&self) -> Time {
        let alarm = |c: &Client| c.member.as_ref()?.alarm().map(|at| c.clock.real(at));
        self.clients.iter().filter_map(alarm).max().unwrap_or_default()
    }

    /// Lets the next thing happen if it is not later than `end`; else moves the time on to `end`.
    pub fn step_until(&mut self, end: Time) {
        match self.next_time() {
            Some(at) if at <= end => self.step(),
            _ => self.now = end,
        }
    }

    fn next_time(&self) -> Option<Time> {
        let clients = self.clients.iter().filter_map(Client::deadline);
        [self.network.next_time(), self.broker.deadline()].into_iter().flatten().chain(clients).min()
    }

    /// Lets the next thing happen, and checks every property after it.
    pub fn step(&mut self) {
        let Some(at) = self.next_time() else { return };
        self.now = self.now.max(at);
        self.touched = false;
        if let Some(what) = self.network.take_due(self.now) {
            self.happen(what);
        } else if self.broker.deadline().is_some_and(|d| d <= self.now) {
            self.broker_tick();
        } else if let Some(place) = self.clients.iter().position(|c| c.deadline().is_some_and(|d| d <= self.now)) {
            self.client_tick(place);
        }
        if self.touched {
            self.check();
        }
    }

    fn happen(&mut self, what: What) {
        match what {
            What::Request { from, id, request } => self.broker_takes(from, id, request),
            What::Reply { to, id, result } => self.client_answered(to, id, result),
            What::LookedUp { to } => self.client_looked_up(to),
            What::Catalog { to, catalog } => self.client_learns(to, catalog),
            What::ClingsNot { at, resource } => self.client_lets_go(at, &resource),
            What::Halted { at, resource } => self.client_halted(at, resource),
            What::Stopped { at, release } => self.client_stopped(at, release),
            What::Stored { epoch, ticket } => self.broker_stored(epoch, ticket),
            What::BrokerBack => self.broker_back(),
            What::ClientBack(place) => self.client_back(place),
            What::Awake(place) => self.client_awakes(place),
            What::Commit { from, fence, runs } => self.broker_commits(from, fence, runs),
            What::CommitDue(at) => self.client_commits(at),
        }
    }

    pub(super) fn stir(&mut self) {
        self.stirred = self.now;
        self.touched = true;
    }

    pub(super) fn latency(&mut self) -> Span {
        let (low, high) = self.settings.latency;
        Span(self.rng.between(low.0, high.0.max(low.0)))
    }

    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.clients.iter().position(|c| c.name == name)
    }

    /// Everything that exists of the topics somebody alive asks for, by name.
    pub(super) fn wanted(&self) -> BTreeSet<TopicPartition> {
        let asked: BTreeSet<&String> =
            self.clients.iter().filter(|c| c.is_member()).flat_map(|c| c.topics.iter()).collect();
        let exists = |topic: &&String| self.topics.get(*topic).map(|n| ((*topic).clone(), *n));
        asked
            .iter()
            .filter_map(exists)
            .flat_map(|(t, n)| (0..n as i32).map(move |p| TopicPartition::new(t.clone(), p)))
            .collect()
    }
}
