use std::collections::{BTreeMap, BTreeSet};

use groma_model::{InstanceId, MemberId, Span, Time, TopicPartition};
use groma_rebalance::embedded::Offence;
use groma_rebalance::embedded::consumer::Consumer;
use groma_rebalance::member::{Event, Input, Member, Output, Phase, ReleaseId, RequestId, Unanswered};
use groma_rebalance::protocol::{GroupError, Reply, Request};

use super::clock::Clock;
use super::network::{Process, What};
use super::world::{Cluster, Dialect};

/// A member with its application.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) name: String,
    pub(super) instance: Option<InstanceId>,
    pub(super) topics: BTreeSet<String>,
    pub(super) life: u32,
    /// None while the process is down.
    pub(super) member: Option<Member<Consumer>>,
    /// What runs, and the number of that run.
    pub(super) running: BTreeMap<TopicPartition, u64>,
    pub(super) stopping: BTreeMap<ReleaseId, Vec<TopicPartition>>,
    /// What has stopped and is not released yet, because something else is not.
    pub(super) halted: BTreeSet<TopicPartition>,
    /// What it says to have stopped and runs on, and the number of that run.
    pub(super) clings: BTreeMap<TopicPartition, u64>,
    pub(super) asleep_until: Option<Time>,
    pub(super) leaving: bool,
    /// What it last learned to exist, and before that.
    pub(super) catalogs: [BTreeMap<String, u32>; 2],
    /// The same when it last handed in a plan.
    pub(super) decided_by: [BTreeMap<String, u32>; 2],
    /// How long its resources take to stop, where it differs from the rest.
    pub(super) stop: Option<Span>,
    /// How much longer each message takes on its link, both ways.
    pub(super) link: Span,
    /// The identity that its former life was given, which this one comes with.
    pub(super) former: Option<MemberId>,
    /// The life that came with the identity of the one before.
    pub(super) reused_in: Option<u32>,
    /// The clock of its machine.
    pub(super) clock: Clock,
    /// How it reports.
    pub(super) dialect: Dialect,
    /// The life in which the coordinator refused it because the group is full.
    pub(super) refused_in: Option<u32>,
}

impl Client {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            instance: None,
            topics: BTreeSet::new(),
            life: 0,
            member: None,
            running: BTreeMap::new(),
            stopping: BTreeMap::new(),
            halted: BTreeSet::new(),
            clings: BTreeMap::new(),
            asleep_until: None,
            leaving: false,
            catalogs: Default::default(),
            decided_by: Default::default(),
            stop: None,
            link: Span::ZERO,
            former: None,
            reused_in: None,
            clock: Clock::default(),
            dialect: Dialect::Ours,
            refused_in: None,
        }
    }

    pub(super) fn deadline(&self) -> Option<Time> {
        if self.asleep_until.is_some() {
            return None;
        }
        self.member.as_ref().and_then(Member::deadline).map(|(at, _)| self.clock.real(at))
    }

    /// Whether it is up and wants to be in the group.
    pub(super) const fn is_member(&self) -> bool {
        self.member.is_some() && !self.leaving
    }

    pub(super) fn is_settled(&self) -> bool {
        self.member.as_ref().is_some_and(|m| m.phase() == Phase::Stable) && self.stopping.is_empty()
    }

    /// Whether others may run what it runs, and only the news of that is still on its way: the coordinator has refused it
    /// because the group is full (KIP-389).
    pub(super) fn is_expelled(&self) -> bool {
        self.refused_in == Some(self.life)
    }

    /// A frozen process runs nothing; what it would run on is checked as soon as it wakes up.
    pub(super) const fn is_asleep(&self) -> bool {
        self.asleep_until.is_some()
    }
}

impl Cluster {
    pub(super) fn process(&self, place: usize) -> Process {
        Process { place, life: self.clients[place].life }
    }

    fn is_current(&self, process: Process) -> bool {
        self.clients[process.place].life == process.life && self.clients[process.place].member.is_some()
    }

    /// Whether the process is there and awake; what is meant for a sleeping one is put off.
    fn reaches(&mut self, process: Process, what: &What) -> bool {
        if !self.is_current(process) {
            return false;
        }
        if let Some(until) = self.clients[process.place].asleep_until {
            self.network.postpone(until, what.clone());
            return false;
        }
        true
    }

    pub(super) fn client_tick(&mut self, place: usize) {
        self.client_input(place, Input::Tick);
    }

    pub(super) fn client_answered(&mut self, to: Process, id: RequestId, result: Result<Reply, Unanswered>) {
        if self.reaches(to, &What::Reply { to, id, result: result.clone() }) {
            self.client_input(to.place, Input::Answered { id, result });
        }
    }

    pub(super) fn client_looked_up(&mut self, to: Process) {
        if self.reaches(to, &What::LookedUp { to }) {
            let up = self.broker.is_up();
            let unknown = Input::CoordinatorUnknown(GroupError::CoordinatorNotAvailable);
            self.client_input(to.place, if up { Input::CoordinatorFound } else { unknown });
        }
    }

    pub(super) fn client_learns(&mut self, to: Process, catalog: BTreeMap<String, u32>) {
        if self.reaches(to, &What::Catalog { to, catalog: catalog.clone() }) {
            self.clients[to.place].catalogs.rotate_right(1);
            self.clients[to.place].catalogs[0].clone_from(&catalog);
            self.client_input(to.place, Input::Catalog(catalog.into()));
        }
    }

    pub(super) fn client_stopped(&mut self, at: Process, release: ReleaseId) {
        if !self.reaches(at, &What::Stopped { at, release }) {
            return;
        }
        self.touched = true;
        let client = &mut self.clients[at.place];
        let Some(resources) = client.stopping.remove(&release) else { return };
        resources.iter().for_each(|r| {
            client.running.remove(r);
            client.halted.remove(r);
        });
        self.tell(at.place, || format!("has stopped {}", list(&resources)));
        self.client_input(at.place, Input::Released(release));
    }

    pub(super) fn client_halted(&mut self, at: Process, resource: TopicPartition) {
        if self.is_current(at) {
            self.touched = true;
            self.clients[at.place].halted.insert(resource);
        }
    }

    pub(super) fn client_awakes(&mut self, place: usize) {
        self.touched = true;
        self.clients[place].asleep_until = None;
        self.tell(place, || "wakes up".to_owned());
        if self.clients[place].member.is_some() {
            self.client_input(place, Input::Tick);
        }
    }

    pub(super) fn client_input(&mut self, place: usize, input: Input<Consumer>) {
        let now = self.clients[place].clock.shows(self.now);
        if let Some(member) = &mut self.clients[place].member {
            member.handle(now, input);
        }
        while let Some(output) = self.clients[place].member.as_mut().and_then(Member::poll) {
            self.client_output(place, output);
        }
    }

    fn client_output(&mut self, place: usize, output: Output<Consumer>) {
        self.tell_output(place, &output);
        match output {
            Output::FindCoordinator => {
                let (to, at) = (self.process(place), self.now + self.latency());
                self.network.at(at, What::LookedUp { to });
            }
            Output::Resolve(topics) => self.send_catalog(place, topics.into_iter().collect()),
            Output::Send { id, request, .. } => self.client_sends(place, id, request),
            Output::Revoke { id, resources, .. } => self.client_revokes(place, id, resources),
            Output::Lost { id, resources, .. } => {
                self.clients[place].running.clear();
                self.clients[place].stopping.clear();
                self.clients[place].stopping.insert(id, resources);
                self.stir();
                let at = self.process(place);
                self.network.at(self.now + Span::from_millis(1), What::Stopped { at, release: id });
            }
            Output::Assign { resources, .. } => self.client_starts(place, resources),
            Output::Failed(_) => self.end(place),
            Output::Left => {
                self.clients[place].member = None;
                self.clients[place].leaving = false;
                self.stir();
            }
            Output::Event(event) => self.client_event(place, event),
        }
    }

    fn tell_output(&mut self, place: usize, output: &Output<Consumer>) {
        let client = &self.clients[place];
        let line = client.member.as_ref().and_then(|member| self.history.words.of_member(output, member.held()));
        if let Some(line) = line {
            self.tell(place, || line);
        }
    }

    fn client_revokes(&mut self, place: usize, release: ReleaseId, resources: Vec<TopicPartition>) {
        self.history.stopped(&self.clients[place].name, &resources);
        self.stir();
        if self.latest.one_in(self.faults.cling) {
            return self.client_clings(place, release, resources);
        }
        let (low, high) = self.settings.stop;
        let drawn = Span(self.rng.between(low.0, high.0.max(low.0)));
        let drawn = if self.twist.one_in(self.faults.stuck) { self.stuck() } else { drawn };
        let usual = self.clients[place].stop.unwrap_or(drawn);
        let at = self.process(place);
        let takes = |resource: &TopicPartition| self.heavy.get(resource).copied().unwrap_or(usual);
        let last = resources.iter().map(takes).max().unwrap_or(usual);
        let early: Vec<_> = resources.iter().map(|r| (r.clone(), takes(r))).filter(|(_, stop)| *stop < last).collect();
        for (resource, stop) in early {
            self.network.at(self.now + stop, What::Halted { at, resource });
        }
        self.clients[place].stopping.insert(release, resources);
        self.network.at(self.now + last, What::Stopped { at, release });
    }

    /// It says that it has stopped, and runs on for a time.
    fn client_clings(&mut self, place: usize, release: ReleaseId, resources: Vec<TopicPartition>) {
        self.network.faults += 1;
        self.tell(place, || format!("says that it has stopped {} and runs on", list(&resources)));
        let at = self.process(place);
        for resource in resources.iter().cloned() {
            let run = self.clients[place].running.get(&resource).copied().unwrap_or_default();
            self.clients[place].clings.insert(resource.clone(), run);
            self.checks.clung.insert((at, resource.clone()));
            let longest = self.settings.member.session_timeout.times(2);
            let wait = Span(self.latest.below(longest.0));
            self.network.at(self.now + wait, What::ClingsNot { at, resource });
        }
        self.clients[place].stopping.insert(release, resources);
        self.network.at(self.now + Span::from_millis(1), What::Stopped { at, release });
    }

    pub(super) fn client_lets_go(&mut self, at: Process, resource: &TopicPartition) {
        if self.is_current(at) {
            self.clients[at.place].clings.remove(resource);
        }
    }

    /// Longer than any round waits.
    fn stuck(&mut self) -> Span {
        self.network.faults += 1;
        let longest = self.settings.member.rebalance_timeout;
        longest + Span(self.twist.below(longest.0))
    }

    fn client_starts(&mut self, place: usize, resources: Vec<TopicPartition>) {
        self.stir();
        let client = &self.clients[place];
        self.history.started(&client.name, &resources);
        if !self.checks.is_replaced(client) {
            self.history.came(self.now, &client.name, &resources);
        }
        for resource in resources {
            let run = self.checks.next_run();
            self.clients[place].running.insert(resource, run);
        }
    }

    fn client_event(&mut self, place: usize, event: Event<TopicPartition>) {
        match event {
            Event::Stable(generation) => {
                self.stir();
                let held: Vec<TopicPartition> =
                    self.clients[place].member.as_ref().map(|m| m.held().iter().cloned().collect()).unwrap_or_default();
                self.history.settled(&self.clients[place].name, generation, &held);
                self.check_alarm(place);
            }
            Event::Offence(offence) => self.client_accuses(place, &offence),
            Event::Joined { .. } => self.stir(),
            Event::Joining(_)
            | Event::Planned { .. }
            | Event::Waits(_)
            | Event::HeldBack(_)
            | Event::Policy(_)
            | Event::BrokenReport(_)
            | Event::Recovered(_) => {}
        }
    }

    fn check_alarm(&mut self, place: usize) {
        let deaf = |m: &Member<Consumer>| m.is_waiting() && m.alarm().is_none() && m.phase() == Phase::Stable;
        if self.clients[place].stopping.is_empty() && self.clients[place].member.as_ref().is_some_and(deaf) {
            self.violate(super::Property::AlarmSet, format!("{} has no alarm", self.clients[place].name));
        }
    }

    /// Members of a schedule keep the rules: an accusation is a false one. Only a policy without end is stopped, which
    /// would not be quiet otherwise. What leaders that break the rules say counts for nothing.
    fn client_accuses(&mut self, place: usize, offence: &Offence<TopicPartition>) {
        if self.clients[place].dialect == Dialect::Rogue {
            return;
        }
        let property = match offence {
            Offence::Endless { .. } => super::Property::Quiet,
            Offence::Seized { .. } | Offence::Dropped { .. } | Offence::GrantedHeld { .. } => {
                super::Property::NoOffence
            }
        };
        let by = &self.clients[place].name;
        self.violate(property, format!("{by} accuses: {}", self.history.words.offence(offence)));
    }

    /// What a broker tells that is behind; another one tells the truth within twice the session timeout.
    fn send_stale(&mut self, to: Process, truth: BTreeMap<String, u32>, wait: Span) {
        self.network.faults += 1;
        let known = |topic: &String| (topic.clone(), self.topics_before.get(topic).copied().unwrap_or(0));
        let catalog: BTreeMap<String, u32> = truth.keys().map(known).collect();
        if catalog != truth {
            self.tell(to.place, || "asks a broker that is behind what topics exist".to_owned());
        }
        let later = Span(self.latest.below(self.settings.member.session_timeout.times(2).0));
        self.network.news(to.place, self.now + wait, What::Catalog { to, catalog });
        self.network.news(to.place, self.now + wait + later, What::Catalog { to, catalog: truth });
    }

    /// The first join of a life that comes with the identity of the former one.
    fn by_former_name(&mut self, place: usize, mut request: Request) -> Request {
        if let Request::Join(join) = &mut request
            && join.member.is_none()
            && join.instance.is_none()
            && let Some(former) = self.clients[place].former.take()
        {
            self.network.faults += 1;
            self.tell(place, || "joins with the identity of its former life".to_owned());
            join.member = Some(former);
            self.clients[place].reused_in = Some(self.clients[place].life);
        }
        request
    }

    pub(super) fn send_catalog(&mut self, place: usize, topics: Vec<String>) {
        let catalog = topics.into_iter().chain(self.topics.keys().cloned());
        let catalog = catalog.map(|t| (t.clone(), self.topics.get(&t).copied().unwrap_or(0))).collect();
        let wait = Span(self.rng.below(self.settings.metadata.0 + 1));
        let to = self.process(place);
        if self.latest.one_in(self.faults.stale) {
            return self.send_stale(to, catalog, wait);
        }
        self.network.news(place, self.now + wait, What::Catalog { to, catalog });
    }

    fn client_sends(&mut self, place: usize, id: RequestId, request: Request) {
        let request = self.in_dialect(place, request);
        let request = self.by_former_name(place, request);
        if let Request::Join(join) = &request {
            self.check_join(place, join);
            self.stir();
        }
        if matches!(&request, Request::Sync(sync) if !sync.assignments.is_empty()) {
            let client = &mut self.clients[place];
            client.decided_by.clone_from(&client.catalogs);
        }
        let from = self.process(place);
        let unreachable = !self.broker.is_up() || self.rng.one_in(self.faults.drop);
        if unreachable {
            self.network.faults += u64::from(self.broker.is_up());
            return self.disconnect(from, id);
        }
        self.broker.expect(from, id);
        let at = self.now + self.transit() + self.clients[place].link;
        let again = self.rng.one_in(self.faults.duplicate) && !fences_itself(&request);
        self.network.up(place, at, What::Request { from, id, request: request.clone() });
        if again {
            self.network.faults += 1;
            self.network.up(place, at, What::Request { from, id, request });
        }
    }

    /// The client notices, some time later, that a request will not be answered.
    pub(super) fn disconnect(&mut self, to: Process, id: RequestId) {
        let longest = self.settings.member.detection().0 / 2;
        let wait = Span(self.rng.between(1, longest.max(1)));
        let result = Err(Unanswered::Disconnected);
        self.network.at(self.now + wait, What::Reply { to, id, result });
    }

    /// How long a message is under way; now and then much longer.
    pub(super) fn transit(&mut self) -> Span {
        let usual = self.latency();
        if self.rng.one_in(self.faults.delay) {
            self.network.faults += 1;
            return usual + Span(self.rng.below(self.settings.member.detection().0 / 2));
        }
        usual
    }

    pub(super) fn commit_soon(&mut self, place: usize) {
        let at = self.process(place);
        let wait = Span::from_millis(self.rng.between(500, 4000));
        self.network.at(self.now + wait, What::CommitDue(at));
    }

    pub(super) fn client_commits(&mut self, at: Process) {
        if !self.reaches(at, &What::CommitDue(at)) {
            return;
        }
        self.commit_soon(at.place);
        let client = &self.clients[at.place];
        let Some(Ok(fence)) = client.member.as_ref().map(Member::commit_fence) else { return };
        let runs = client.clings.iter().chain(&client.running).map(|(r, run)| (r.clone(), *run)).collect();
        let late = self.rng.one_in(self.faults.delay);
        let wait = if late { Span(self.rng.below(self.settings.member.session_timeout.0 * 2)) } else { self.latency() };
        self.network.at(self.now + wait, What::Commit { from: at, fence, runs });
    }
}

/// The second copy of a static member's first join replaces the first one, whose sender is then told that another
/// process has its instance id. On a real connection a copy is only sent after the first one's connection is gone.
const fn fences_itself(request: &Request) -> bool {
    matches!(request, Request::Join(join) if join.member.is_none() && join.instance.is_some())
}

/// Resources as `T0 T1`.
pub(crate) fn list(resources: &[TopicPartition]) -> String {
    if resources.is_empty() {
        return "nothing".to_owned();
    }
    resources.iter().map(short).collect::<Vec<_>>().join(" ")
}

pub(crate) fn short(resource: &TopicPartition) -> String {
    format!("{}{}", resource.topic, resource.partition)
}
