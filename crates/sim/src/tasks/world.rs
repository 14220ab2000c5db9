use std::collections::BTreeMap;

use groma_model::{Span, Time};
use groma_rebalance::coordinator::{
    Client, CoordinatorConfig, Event as GroupEvent, Group, Input as GroupInput, Output as GroupOutput, Ticket, Token,
};
use groma_rebalance::embedded::tasks::{Job, Role, TaskList, Tasks};
use groma_rebalance::member::{Event, Input, Member, MemberConfig, Output, ReleaseId, RequestId, Unanswered};
use groma_rebalance::protocol::{self, LeaderDuty, Reply, Request};
use groma_rebalance::tasks::CatchUp;

use super::TaskRule;
use super::check::{TaskProperty, TaskViolation, Told};
use super::site::Site;
use crate::rng::Rng;

/// A coordinator, workers with their disks, and a network that may lose and delay.
#[derive(Debug)]
pub(super) struct World {
    pub(super) now: Time,
    pub(super) rng: Rng,
    pub(super) settings: CatchUp,
    pub(super) rule: TaskRule,
    pub(super) sites: Vec<Site>,
    /// The tasks, with the ends of their states.
    pub(super) ends: BTreeMap<String, u64>,
    pub(super) violations: Vec<TaskViolation>,
    pub(super) timeline: Vec<String>,
    pub(super) told: Told,
    pub(super) rounds: u64,
    pub(super) faults: u64,
    /// Tasks that began to run anywhere.
    pub(super) starts: u64,
    /// Once in so many messages something goes wrong; 0 for never.
    pub(super) trouble: u64,
    /// When something last changed.
    pub(super) stirred: Time,
    group: Group,
    queue: BTreeMap<(Time, u64), What>,
    sent: u64,
    tokens: BTreeMap<Token, (Process, RequestId)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    place: usize,
    life: u32,
}

#[derive(Debug)]
enum What {
    Request { from: Process, id: RequestId, request: Request },
    Answer { to: Process, id: RequestId, result: Result<Reply, Unanswered> },
    Found { to: Process },
    Stopped { at: Process, release: ReleaseId },
    Stored(Ticket),
    Back { place: usize, life: u32 },
    Second,
}

/// How often all say how far they are while something warms up.
pub(super) const PROBING: Span = Span::from_secs(60);
const SESSION: Span = Span::from_secs(10);
/// How many records a task that runs adds in a second.
const RATE: u64 = 20;

impl World {
    pub(super) fn new(rng: Rng, settings: CatchUp, rule: TaskRule, tasks: u64) -> Self {
        let config = CoordinatorConfig { initial_rebalance_delay: Span::ZERO, ..CoordinatorConfig::default() };
        let mut world = Self {
            now: Time::ZERO,
            rng,
            settings,
            rule,
            sites: Vec::new(),
            ends: BTreeMap::new(),
            violations: Vec::new(),
            timeline: Vec::new(),
            told: Told::new(),
            rounds: 0,
            faults: 0,
            starts: 0,
            trouble: 0,
            stirred: Time::ZERO,
            group: Group::new(config),
            queue: BTreeMap::new(),
            sent: 0,
            tokens: BTreeMap::new(),
        };
        for number in 0..tasks {
            let size = world.rng.below(60_000);
            world.ends.insert(format!("t{number:02}"), size);
        }
        world.at(Span::from_secs(1), What::Second);
        world
    }

    pub(super) fn tell(&mut self, line: impl FnOnce() -> String) {
        self.timeline.push(format!("{} {}", self.now, line()));
    }

    /// A process starts on this machine.
    pub(super) fn start(&mut self, place: usize) {
        if self.sites[place].member.is_some() {
            return;
        }
        let (list, site) = (self.list(), &mut self.sites[place]);
        let config = MemberConfig {
            instance: site.instance.clone(),
            session_timeout: SESSION,
            heartbeat_interval: Span::from_secs(1),
            rebalance_timeout: Span::from_secs(20),
            request_timeout: Span::from_secs(3),
            seed: place as u64,
            ..MemberConfig::default()
        };
        site.member = Some(Member::new(config, Tasks::new("tasks", self.rule.settings(self.settings), PROBING)));
        let (name, workplace) = (site.name.clone(), site.workplace());
        self.tell(|| format!("{name} starts"));
        self.put(place, Input::Catalog(list));
        self.put(place, Input::Subscribe(workplace));
    }

    pub(super) fn leave(&mut self, place: usize) {
        if self.sites[place].is_member() {
            self.sites[place].leaving = true;
            let name = self.sites[place].name.clone();
            self.tell(|| format!("{name} leaves"));
            self.put(place, Input::Leave);
        }
    }

    pub(super) fn kill(&mut self, place: usize) {
        if self.sites[place].member.is_some() {
            self.faults += 1;
            self.sites[place].end();
            let name = self.sites[place].name.clone();
            self.tell(|| format!("{name} is killed"));
            self.stirred = self.now;
        }
    }

    /// All states on the disk are gone; only where nothing runs.
    pub(super) fn wipe(&mut self, place: usize) {
        if self.sites[place].member.is_none() {
            self.sites[place].disk.clear();
            let name = self.sites[place].name.clone();
            self.tell(|| format!("the disk of {name} is empty"));
        }
    }

    pub(super) fn start_after(&mut self, place: usize, away: Span) {
        let life = self.sites[place].life;
        self.at(away, What::Back { place, life });
    }

    pub(super) fn leader(&self) -> Option<usize> {
        self.sites.iter().position(|site| site.member.as_ref().is_some_and(Member::is_leader))
    }

    /// Runs for a time.
    pub(super) fn run_for(&mut self, span: Span) {
        let end = self.now + span;
        while let Some(at) = self.next_time().filter(|at| *at <= end) {
            self.now = self.now.max(at);
            self.step();
            self.check_runners();
        }
        self.now = end;
    }

    fn next_time(&self) -> Option<Time> {
        let members = self.sites.iter().filter_map(|site| Some(site.member.as_ref()?.deadline()?.0));
        let next = self.queue.first_key_value().map(|((at, _), _)| *at);
        members.chain(next).chain(self.group.deadline().map(|(at, _)| at)).min()
    }

    fn step(&mut self) {
        if let Some(entry) = self.queue.first_entry().filter(|entry| entry.key().0 <= self.now) {
            let what = entry.remove();
            return self.happen(what);
        }
        if self.group.deadline().is_some_and(|(at, _)| at <= self.now) {
            return self.coordinate(GroupInput::Tick);
        }
        let due = |site: &Site| site.member.as_ref().and_then(Member::deadline).is_some_and(|(at, _)| at <= self.now);
        if let Some(place) = self.sites.iter().position(due) {
            self.put(place, Input::Tick);
        }
    }

    fn happen(&mut self, what: What) {
        match what {
            What::Request { from, id, request } => self.request(from, id, request),
            What::Answer { to, id, result } if self.is_there(to) => self.put(to.place, Input::Answered { id, result }),
            What::Found { to } if self.is_there(to) => self.put(to.place, Input::CoordinatorFound),
            What::Stopped { at, release } if self.is_there(at) => {
                let stopped = self.sites[at.place].stopping.remove(&release).unwrap_or_default();
                self.sites[at.place].jobs.retain(|job| !stopped.contains(job));
                self.put(at.place, Input::Released(release));
            }
            What::Stored(ticket) => self.coordinate(GroupInput::Persisted(ticket)),
            What::Back { place, life } if self.sites[place].life == life => self.start(place),
            What::Second => self.second(),
            What::Answer { .. } | What::Found { .. } | What::Stopped { .. } | What::Back { .. } => {}
        }
    }

    /// All work for a second, and say how far they are.
    fn second(&mut self) {
        self.at(Span::from_secs(1), What::Second);
        for place in 0..self.sites.len() {
            self.sites[place].work(&mut self.ends, RATE);
        }
        let list = self.list();
        for place in 0..self.sites.len() {
            if !self.sites[place].is_member() {
                continue;
            }
            self.put(place, Input::Catalog(list.clone()));
            let workplace = self.sites[place].workplace();
            self.put(place, Input::Subscribe(workplace));
            let asks = match self.rule {
                TaskRule::Restless => place == 0 && self.rng.one_in(20),
                _ => self.sites[place].asks(&list, &self.settings),
            };
            if asks {
                self.put(place, Input::Rejoin);
            }
        }
    }

    fn list(&self) -> TaskList {
        let tasks = self.ends.iter().map(|(task, end)| (task.clone(), Some(*end)));
        TaskList::new(tasks).unwrap_or_default()
    }

    fn process(&self, place: usize) -> Process {
        Process { place, life: self.sites[place].life }
    }

    fn is_there(&self, process: Process) -> bool {
        let site = &self.sites[process.place];
        site.life == process.life && site.member.is_some()
    }

    fn at(&mut self, wait: Span, what: What) {
        self.sent += 1;
        self.queue.insert((self.now + wait, self.sent), what);
    }

    /// How long a message is under way; none if it is lost.
    fn transit(&mut self) -> Option<Span> {
        let usual = Span::from_millis(self.rng.between(1, 30));
        if !self.rng.one_in(self.trouble) {
            return Some(usual);
        }
        self.faults += 1;
        self.rng.one_in(2).then(|| usual + Span::from_millis(self.rng.below(1_500)))
    }

    fn put(&mut self, place: usize, input: Input<Tasks>) {
        if let Some(member) = &mut self.sites[place].member {
            member.handle(self.now, input);
        }
        while let Some(output) = self.sites[place].member.as_mut().and_then(Member::poll) {
            self.output(place, output);
        }
    }

    fn output(&mut self, place: usize, output: Output<Tasks>) {
        let at = self.process(place);
        match output {
            Output::FindCoordinator => self.at(Span::from_millis(10), What::Found { to: at }),
            Output::Resolve(_) => {
                let list = self.list();
                self.put(place, Input::Catalog(list));
            }
            Output::Send { id, request, .. } => self.send(at, id, request),
            Output::Revoke { id, resources, .. } => {
                self.say(place, "stops", &resources);
                self.sites[place].stopping.insert(id, resources);
                let takes = Span::from_millis(self.rng.below(3_000));
                self.at(takes, What::Stopped { at, release: id });
            }
            Output::Lost { id, resources, .. } => {
                self.say(place, "loses", &resources);
                self.sites[place].jobs.clear();
                self.sites[place].stopping.clear();
                self.at(Span::from_millis(1), What::Stopped { at, release: id });
            }
            Output::Assign { resources, .. } => {
                self.say(place, "is given", &resources);
                self.sites[place].jobs.extend(resources.iter().cloned());
                let is_active = |job: &&Job| job.role == Role::Active;
                self.starts += resources.iter().filter(is_active).count() as u64;
            }
            Output::Left => self.sites[place].end(),
            Output::Failed(failure) => {
                let what = format!("{} cannot go on: {failure}", self.sites[place].name);
                self.violate(TaskProperty::AllRun, what);
                self.sites[place].end();
            }
            Output::Event(Event::Offence(offence)) => {
                self.violate(TaskProperty::GrantedFree, format!("{} accuses: {offence:?}", self.sites[place].name));
            }
            Output::Event(_) => {}
        }
    }

    fn say(&mut self, place: usize, word: &str, jobs: &[Job]) {
        self.stirred = self.now;
        let name = |job: &Job| match job.role {
            Role::Active => job.task.clone(),
            Role::Standby => format!("{} to keep", job.task),
            Role::WarmUp => format!("{} to warm up", job.task),
        };
        let list: Vec<String> = jobs.iter().map(name).collect();
        let who = self.sites[place].name.clone();
        self.tell(|| format!("{who} {word} {}", list.join(", ")));
    }

    fn send(&mut self, from: Process, id: RequestId, mut request: Request) {
        match &mut request {
            Request::Join(join) => {
                for offered in &mut join.protocols {
                    let told = std::mem::take(&mut offered.metadata);
                    offered.metadata = self.rule.report(told, self.ends.keys().cloned());
                }
            }
            Request::Sync(sync) if !sync.assignments.is_empty() => {
                let told = self.told.get(&(sync.generation, sync.member.clone()));
                let reports: Vec<_> = told.into_iter().flatten().map(|report| report.metadata.clone()).collect();
                self.rule.plan(&mut sync.assignments, |task| super::check::is_run(&reports, task));
                if let Some(list) = self.sites[from.place].member.as_ref().map(|member| member.catalog().clone()) {
                    self.check_plan(&list, sync);
                }
            }
            _ => {}
        }
        match self.transit() {
            Some(wait) => self.at(wait, What::Request { from, id, request }),
            None => self.lose(from, id),
        }
    }

    fn lose(&mut self, to: Process, id: RequestId) {
        self.at(Span::from_millis(1_000), What::Answer { to, id, result: Err(Unanswered::Disconnected) });
    }

    fn request(&mut self, from: Process, id: RequestId, request: Request) {
        let token = Token(self.sent << 8 | from.place as u64);
        self.sent += 1;
        self.tokens.insert(token, (from, id));
        let input = match request {
            Request::Join(request) => {
                let client = Client { id: self.sites[from.place].name.clone(), host: "sim".to_owned() };
                let entropy = u128::from(self.rng.bits()) << 64 | u128::from(self.rng.bits());
                GroupInput::Join { token, request, client, entropy }
            }
            Request::Sync(request) => GroupInput::Sync { token, request },
            Request::Heartbeat(request) => GroupInput::Heartbeat { token, request },
            Request::Leave(request) => GroupInput::Leave { token, request },
        };
        self.coordinate(input);
    }

    fn coordinate(&mut self, input: GroupInput) {
        self.group.handle(self.now, input);
        while let Some(output) = self.group.poll() {
            match output {
                GroupOutput::Reply { token, reply } => self.reply(token, reply),
                GroupOutput::Persist { ticket, .. } => self.at(Span::from_millis(2), What::Stored(ticket)),
                GroupOutput::Event(GroupEvent::RoundClosed { generation, .. }) => {
                    self.rounds += 1;
                    self.stirred = self.now;
                    self.tell(|| format!("generation {generation}"));
                }
                GroupOutput::Event(_) => {}
            }
        }
    }

    fn reply(&mut self, token: Token, reply: Reply) {
        let Some((to, id)) = self.tokens.remove(&token) else { return };
        if let Reply::Join(Ok(joined)) = &reply
            && let protocol::Role::Leader { members, duty: LeaderDuty::Assign } = &joined.role
        {
            self.told.insert((joined.generation, joined.member.clone()), members.clone());
        }
        match self.transit() {
            Some(wait) => self.at(wait, What::Answer { to, id, result: Ok(reply) }),
            None => self.lose(to, id),
        }
    }
}
