use std::collections::{BTreeMap, BTreeSet};

use groma_model::{InstanceId, Span, Time, TopicPartition};
use groma_rebalance::coordinator::{
    Client, CoordinatorConfig, Event as GroupEvent, Group, Input as GroupInput, Output as GroupOutput, Ticket, Token,
};
use groma_rebalance::embedded::consumer::{Consumer, Strategy, TopicCatalog};
use groma_rebalance::member::{Event, Input, Member, MemberConfig, Output, ReleaseId, RequestId};
use groma_rebalance::policy::PolicySettings;
use groma_rebalance::protocol::{Reply, Request};

use super::ScaleBill;
use crate::rng::Rng;
use crate::schedule::Policy;

/// A coordinator and very many members in virtual time, on a steady network and without faults. Unlike in
/// [`crate::Cluster`] nothing is looked at after every step, and a step costs no more in a large group than in a small
/// one, but for the logarithm.
pub(super) struct Crowd {
    now: Time,
    names: Names,
    strategies: Vec<Strategy>,
    group: Group,
    places: Vec<Place>,
    catalog: TopicCatalog,
    resources: u32,
    queue: BTreeMap<(Time, u64), What>,
    turns: u64,
    deadlines: BTreeSet<(Time, usize)>,
    tokens: BTreeMap<Token, (Process, RequestId)>,
    entropy: Rng,
    /// For each resource the place that runs it, and the one that ran it last.
    runner: Vec<Option<u32>>,
    last: Vec<Option<u32>>,
    began: Time,
    stirred: Time,
    bill: ScaleBill,
}

/// Whether processes come back under the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    Stable,
    Fresh,
}

/// Where a process runs, one after the other.
#[derive(Default)]
struct Place {
    member: Option<Member<Consumer>>,
    life: u32,
    deadline: Option<Time>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    place: usize,
    life: u32,
}

enum What {
    Request(Process, RequestId, Request),
    Reply(Process, RequestId, Reply),
    Found(Process),
    Learns(Process),
    Stopped(Process, ReleaseId, Vec<TopicPartition>),
    Stored(Ticket),
    Comes(usize),
}

const LATENCY: Span = Span::from_millis(1);
const STORING: Span = Span::from_millis(5);
const STOPPING: Span = Span::from_millis(50);
/// Nothing more is expected after so long without any change; longer than any wait of the policies.
const QUIET: Span = Span::from_secs(60);
/// A group that has not settled by then never will.
const PATIENCE: Span = Span::from_secs(3600);
/// Moves a round of the incremental policies.
const MOVES: u32 = 20;
/// Resources of one topic.
const TOPIC: u32 = 10_000;

impl Crowd {
    pub(super) fn new(policy: Policy, names: Names, resources: u32) -> Self {
        let counts = (0..resources.div_ceil(TOPIC)).map(|n| (topic(n), TOPIC.min(resources - n * TOPIC)));
        let config = CoordinatorConfig { initial_rebalance_delay: Span::from_millis(500), ..Default::default() };
        Self {
            now: Time::ZERO,
            names,
            strategies: policy.strategies_by(&PolicySettings {
                moves_per_round: policy.settings().moves_per_round.map(|_| MOVES),
                ..policy.settings()
            }),
            group: Group::new(config),
            places: Vec::new(),
            catalog: counts.collect::<BTreeMap<_, _>>().into(),
            resources,
            queue: BTreeMap::new(),
            turns: 0,
            deadlines: BTreeSet::new(),
            tokens: BTreeMap::new(),
            entropy: Rng::new(1),
            runner: vec![None; resources as usize],
            last: vec![None; resources as usize],
            began: Time::ZERO,
            stirred: Time::ZERO,
            bill: ScaleBill::default(),
        }
    }

    pub(super) const fn resources(&self) -> u32 {
        self.resources
    }

    /// How many resources a place holds.
    pub(super) fn held(&self, place: u32) -> u64 {
        self.places[place as usize].member.as_ref().map_or(0, |member| member.held().len() as u64)
    }

    /// The account begins.
    pub(super) fn begin(&mut self) {
        self.bill = ScaleBill { violations: self.bill.violations, ..ScaleBill::default() };
        (self.began, self.stirred) = (self.now, self.now);
    }

    /// A process comes at a place of its own.
    pub(super) fn come(&mut self) {
        self.places.push(Place::default());
        self.start(self.places.len() - 1);
    }

    /// A process comes at this place after a time.
    pub(super) fn come_back(&mut self, place: u32, after: Span) {
        self.at(after, What::Comes(place as usize));
    }

    /// A process leaves in good order.
    pub(super) fn leave(&mut self, place: u32) {
        self.input(place as usize, Input::Leave);
    }

    /// A process is gone without a word.
    pub(super) fn kill(&mut self, place: u32) {
        let place = place as usize;
        if let Some(member) = self.places[place].member.take() {
            for resource in member.held() {
                let at = number(resource);
                self.runner[at] = self.runner[at].filter(|runner| *runner as usize != place);
            }
        }
        self.places[place].life += 1;
        self.note_deadline(place);
        self.stirred = self.now;
    }

    pub(super) fn run_for(&mut self, span: Span) {
        let end = self.now + span;
        while self.step(end) {}
        self.now = end;
    }

    /// Runs until nothing has changed for a while.
    pub(super) fn settle(&mut self) {
        let end = self.now + PATIENCE;
        while self.now < end && self.step(end.min(self.stirred + QUIET)) {}
    }

    /// What it cost since the account began; whether everything runs, once and in even shares.
    pub(super) fn bill(&self) -> ScaleBill {
        let members = self.places.iter().filter(|place| place.member.is_some()).count().max(1) as u64;
        let mut loads = vec![0_u64; self.places.len()];
        self.runner.iter().flatten().for_each(|place| loads[*place as usize] += 1);
        let idle = self.runner.iter().filter(|runner| runner.is_none()).count() as u64;
        let share = u64::from(self.resources).div_ceil(members);
        let above: u64 = loads.iter().map(|load| load.saturating_sub(share)).sum();
        ScaleBill {
            settled_after: self.stirred.since(self.began),
            violations: self.bill.violations + idle + above,
            ..self.bill.clone()
        }
    }

    fn at(&mut self, after: Span, what: What) {
        self.turns += 1;
        self.queue.insert((self.now + after, self.turns), what);
    }

    /// Lets the next thing happen, unless that is later.
    fn step(&mut self, end: Time) -> bool {
        let queued = self.queue.first_key_value().map(|((at, _), _)| *at);
        let member = self.deadlines.first().map(|(at, _)| *at);
        let group = self.group.deadline().map(|(at, _)| at);
        let Some(at) = [queued, member, group].into_iter().flatten().min().filter(|at| *at <= end) else {
            return false;
        };
        self.now = self.now.max(at);
        if queued == Some(at) {
            let Some((_, what)) = self.queue.pop_first() else { return false };
            self.happen(what);
        } else if group == Some(at) {
            self.tell_group(GroupInput::Tick);
        } else if let Some((_, place)) = self.deadlines.first().copied() {
            self.input(place, Input::Tick);
        }
        true
    }

    fn happen(&mut self, what: What) {
        match what {
            What::Request(from, id, request) => self.group_takes(from, id, request),
            What::Reply(to, id, reply) => self.reach(to, Input::Answered { id, result: Ok(reply) }),
            What::Found(to) => self.reach(to, Input::CoordinatorFound),
            What::Learns(to) => self.reach(to, Input::Catalog(self.catalog.clone())),
            What::Stopped(at, id, resources) => {
                if self.is_current(at) {
                    resources.iter().for_each(|resource| self.runner[number(resource)] = None);
                    self.stirred = self.now;
                    self.input(at.place, Input::Released(id));
                }
            }
            What::Stored(ticket) => self.tell_group(GroupInput::Persisted(ticket)),
            What::Comes(place) => self.start(place),
        }
    }

    fn group_takes(&mut self, from: Process, id: RequestId, request: Request) {
        self.turns += 1;
        let token = Token(self.turns);
        self.tokens.insert(token, (from, id));
        let input = match request {
            Request::Join(request) => {
                let client = Client { id: format!("M{:06}", from.place), host: "sim".to_owned() };
                let entropy = u128::from(self.entropy.bits()) << 64 | u128::from(self.entropy.bits());
                GroupInput::Join { token, request, client, entropy }
            }
            Request::Sync(request) => GroupInput::Sync { token, request },
            Request::Heartbeat(request) => GroupInput::Heartbeat { token, request },
            Request::Leave(request) => GroupInput::Leave { token, request },
        };
        self.tell_group(input);
    }

    fn tell_group(&mut self, input: GroupInput) {
        self.group.handle(self.now, input);
        while let Some(output) = self.group.poll() {
            match output {
                GroupOutput::Reply { token, reply } => {
                    let Some((to, id)) = self.tokens.remove(&token) else { continue };
                    self.bill.answered(&reply);
                    self.at(LATENCY, What::Reply(to, id, reply));
                }
                GroupOutput::Persist { ticket, .. } => self.at(STORING, What::Stored(ticket)),
                GroupOutput::Event(GroupEvent::Stable(_)) => {
                    self.bill.rounds += 1;
                    self.stirred = self.now;
                }
                GroupOutput::Event(_) => {}
            }
        }
    }

    fn is_current(&self, process: Process) -> bool {
        let place = &self.places[process.place];
        place.life == process.life && place.member.is_some()
    }

    fn reach(&mut self, to: Process, input: Input<Consumer>) {
        if self.is_current(to) {
            self.input(to.place, input);
        }
    }

    fn start(&mut self, place: usize) {
        let instance = (self.names == Names::Stable).then(|| InstanceId(format!("i{place:06}")));
        let config = MemberConfig { instance, seed: place as u64, ..MemberConfig::default() };
        self.places[place].member = Some(Member::new(config, Consumer::new(self.strategies.clone())));
        self.places[place].life += 1;
        let topics = self.catalog.counts().keys().cloned().collect();
        self.input(place, Input::Catalog(self.catalog.clone()));
        self.input(place, Input::Subscribe(topics));
    }

    fn input(&mut self, place: usize, input: Input<Consumer>) {
        let now = self.now;
        if let Some(member) = &mut self.places[place].member {
            member.handle(now, input);
        }
        while let Some(output) = self.places[place].member.as_mut().and_then(Member::poll) {
            self.output(place, output);
        }
        self.note_deadline(place);
    }

    fn note_deadline(&mut self, place: usize) {
        let deadline = self.places[place].member.as_ref().and_then(Member::deadline).map(|(at, _)| at);
        let before = std::mem::replace(&mut self.places[place].deadline, deadline);
        if before != deadline {
            before.map(|at| self.deadlines.remove(&(at, place)));
            deadline.map(|at| self.deadlines.insert((at, place)));
        }
    }

    fn output(&mut self, place: usize, output: Output<Consumer>) {
        let process = Process { place, life: self.places[place].life };
        match output {
            Output::FindCoordinator => self.at(LATENCY, What::Found(process)),
            Output::Resolve(_) => self.at(LATENCY, What::Learns(process)),
            Output::Send { id, request, .. } => {
                self.bill.sent(&request);
                self.at(LATENCY, What::Request(process, id, request));
            }
            Output::Revoke { id, resources, .. } | Output::Lost { id, resources, .. } => {
                self.bill.stopped += resources.len() as u64;
                self.stirred = self.now;
                self.at(STOPPING, What::Stopped(process, id, resources));
            }
            Output::Assign { resources, .. } => self.run(place as u32, &resources),
            Output::Left | Output::Failed(_) => {
                self.places[place].member = None;
                self.places[place].life += 1;
                self.stirred = self.now;
            }
            Output::Event(Event::Stable(_)) => self.stirred = self.now,
            Output::Event(_) => {}
        }
    }

    fn run(&mut self, place: u32, resources: &[TopicPartition]) {
        self.stirred = self.now;
        for resource in resources.iter().map(number) {
            self.bill.violations += u64::from(self.runner[resource].is_some());
            self.bill.moved += u64::from(self.last[resource].is_some_and(|last| last != place));
            (self.runner[resource], self.last[resource]) = (Some(place), Some(place));
        }
    }
}

fn topic(number: u32) -> String {
    format!("T{number:04}")
}

/// The number of a resource over all topics.
fn number(resource: &TopicPartition) -> usize {
    let topic: usize = resource.topic.trim_start_matches('T').parse().unwrap_or_default();
    topic * TOPIC as usize + resource.partition.0.unsigned_abs() as usize
}
