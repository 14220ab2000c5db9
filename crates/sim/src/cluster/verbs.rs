use std::collections::BTreeSet;

use groma_model::{InstanceId, Span, TopicPartition};
use groma_rebalance::embedded::consumer::{Consumer, Strategy};
use groma_rebalance::member::{Input, Member, MemberConfig};

use super::client::{Client, list};
use super::clock::Clock;
use super::network::What;
use super::world::{Cluster, Dialect, Make};

impl Cluster {
    /// Makes a topic, or changes how many partitions it has.
    pub fn topic(&mut self, name: &str, partitions: u32) {
        self.topics_before.clone_from(&self.topics);
        self.topics.insert(name.to_owned(), partitions);
        self.history.tell(self.now, || format!("topic {name} has {partitions} partitions"));
        self.announce_topics();
    }

    /// Deletes a topic.
    pub fn delete_topic(&mut self, name: &str) {
        self.topics_before.clone_from(&self.topics);
        self.topics.remove(name);
        self.history.tell(self.now, || format!("topic {name} is deleted"));
        self.announce_topics();
    }

    fn announce_topics(&mut self) {
        self.stir();
        for place in 0..self.clients.len() {
            let gone = self.clients[place].topics.iter().cloned().collect();
            self.send_catalog(place, gone);
        }
    }

    /// A process starts and subscribes to all topics that exist.
    pub fn join(&mut self, name: &str) {
        let topics = self.topics.keys().cloned().collect();
        self.start(name, topics, None);
    }

    /// A process starts and subscribes to these topics.
    pub fn join_for(&mut self, name: &str, topics: &[&str]) {
        self.start(name, topics.iter().map(|t| (*t).to_owned()).collect(), None);
    }

    /// A process with a stable identity of its own name starts and subscribes to all topics that exist.
    pub fn join_static(&mut self, name: &str) {
        let topics = self.topics.keys().cloned().collect();
        self.start(name, topics, Some(InstanceId::from(name)));
    }

    /// A second process starts with the stable identity of a first one.
    pub fn join_twin(&mut self, name: &str, twin: &str) {
        let Some(place) = self.place(name) else { return };
        let (topics, instance) = (self.clients[place].topics.clone(), self.clients[place].instance.clone());
        self.start(twin, topics, instance);
    }

    /// The process subscribes to these topics instead.
    pub fn subscribe(&mut self, name: &str, topics: &[&str]) {
        let Some(place) = self.place(name) else { return };
        self.stir();
        self.clients[place].topics = topics.iter().map(|t| (*t).to_owned()).collect();
        let topics = self.clients[place].topics.clone();
        self.tell(place, || format!("subscribes to {}", topics.iter().cloned().collect::<Vec<_>>().join(" ")));
        self.client_input(place, Input::Subscribe(topics));
    }

    /// The process leaves the group in good order.
    pub fn leave(&mut self, name: &str) {
        let Some(place) = self.place(name) else { return };
        self.stir();
        self.tell(place, || "leaves".to_owned());
        self.clients[place].leaving = true;
        self.client_input(place, Input::Leave);
    }

    /// The process is killed: what it ran stops at once, nobody is told.
    pub fn crash(&mut self, name: &str) {
        let Some(place) = self.place(name) else { return };
        self.tell(place, || "is killed".to_owned());
        self.end(place);
    }

    pub(super) fn end(&mut self, place: usize) {
        self.stir();
        let client = &mut self.clients[place];
        let known = client.member.as_ref().and_then(Member::member).cloned();
        client.former = known.filter(|_| client.instance.is_none()).or_else(|| client.former.take());
        client.member = None;
        client.clings.clear();
        client.asleep_until = None;
        client.leaving = false;
        client.running.clear();
        client.stopping.clear();
        client.halted.clear();
    }

    /// The clock of a process jumps ahead.
    pub fn jump_ahead(&mut self, name: &str, span: Span) {
        let Some(place) = self.place(name) else { return };
        self.stir();
        self.tell(place, || format!("has a clock that jumps ahead by {span}"));
        self.network.faults += 1;
        self.clients[place].clock.jump(span);
    }

    /// The process is frozen for a time.
    pub fn freeze(&mut self, name: &str, span: Span) {
        let Some(place) = self.place(name) else { return };
        self.stir();
        let until = self.now + span;
        self.tell(place, || format!("is frozen until {until}"));
        self.clients[place].asleep_until = Some(until);
        self.network.at(until, What::Awake(place));
    }

    /// A killed process starts again, as another life, with the same name and topics.
    pub fn restart(&mut self, name: &str) {
        let Some(place) = self.place(name) else { return };
        let (topics, instance) = (self.clients[place].topics.clone(), self.clients[place].instance.clone());
        self.start(name, topics, instance);
    }

    /// A killed process starts again after a time.
    pub fn restart_after(&mut self, name: &str, span: Span) {
        if let Some(place) = self.place(name) {
            self.network.at(self.now + span, What::ClientBack(place));
        }
    }

    /// The coordinator is killed; it returns from its records after a time.
    pub fn crash_coordinator(&mut self, down: Span) {
        self.broker_dies();
        self.broker_returns_after(down);
    }

    /// The group moves to another coordinator at once.
    pub fn move_coordinator(&mut self) {
        self.broker_moves();
    }

    /// The coordinator's clock, and those of processes that start from now on, may run fast or slow.
    pub fn let_clocks_differ(&mut self) {
        let clock = self.some_clock();
        self.broker.runs_by(clock);
    }

    /// As a clock is that is held by NTP, which slews by 500 ppm at most.
    fn some_clock(&mut self) -> Clock {
        if !self.twist.one_in(self.faults.clock) {
            return Clock::default();
        }
        self.network.faults += 1;
        Clock::running(self.twist.below(1001) as i32 - 500)
    }

    /// From now on this process takes so long to stop resources.
    pub fn stop_takes(&mut self, name: &str, span: Span) {
        if let Some(place) = self.place(name) {
            self.clients[place].stop = Some(span);
        }
    }

    /// From now on each message of this process takes so much longer, both ways.
    pub fn link_takes(&mut self, name: &str, span: Span) {
        if let Some(place) = self.place(name) {
            self.clients[place].link = span;
            self.tell(place, || format!("has a link on which each message takes {span} longer"));
        }
    }

    /// From now on a resource takes so long to stop, wherever it runs.
    pub fn resource_takes(&mut self, resource: TopicPartition, span: Span) {
        self.heavy.insert(resource, span);
    }

    /// What processes that start from now on offer.
    pub fn offer(&mut self, strategies: Vec<Strategy>) {
        self.settings.strategies = strategies;
    }

    /// What a process runs, as `T0 T1`.
    pub fn runs(&self, name: &str) -> String {
        let client = self.place(name).map(|p| &self.clients[p]);
        let running: Vec<_> = client.into_iter().flat_map(|c| c.running.keys().cloned()).collect();
        list(&running)
    }

    /// The machine of a process, if it is up.
    pub fn member(&self, name: &str) -> Option<&Member<Consumer>> {
        self.place(name).and_then(|p| self.clients[p].member.as_ref())
    }

    /// The coordinator's machine, if it is up.
    pub const fn group(&self) -> Option<&groma_rebalance::coordinator::Group> {
        self.broker.group.as_ref()
    }

    /// Names of the processes that are up and not frozen.
    pub fn awake(&self) -> Vec<String> {
        let awake = |c: &&Client| c.member.is_some() && !c.leaving && !c.is_asleep();
        self.clients.iter().filter(awake).map(|c| c.name.clone()).collect()
    }

    /// Names of the processes that are up.
    pub fn up(&self) -> Vec<String> {
        self.clients.iter().filter(|c| c.member.is_some() && !c.leaving).map(|c| c.name.clone()).collect()
    }

    fn make(&mut self) -> Make {
        let usual = || Make { strategies: self.settings.strategies.clone(), dialect: Dialect::Ours };
        if self.settings.makes.is_empty() {
            usual()
        } else {
            self.twist.pick(&self.settings.makes).cloned().unwrap_or_else(usual)
        }
    }

    pub(super) fn client_back(&mut self, place: usize) {
        if self.clients[place].member.is_none() {
            let name = self.clients[place].name.clone();
            self.restart(&name);
        }
    }

    /// A link that is slow, and still fast enough for a request and its answer.
    fn draw_slow_link(&mut self, place: usize) {
        if self.clients[place].life == 0 && self.latest.one_in(self.faults.slow) {
            self.network.faults += 1;
            let quarter = self.settings.member.request_timeout.0 / 4;
            let name = self.clients[place].name.clone();
            let span = Span::from_millis(self.latest.between(100, quarter / 1_000_000));
            self.link_takes(&name, span);
        }
    }

    fn start(&mut self, name: &str, topics: BTreeSet<String>, instance: Option<InstanceId>) {
        let place = self.place(name).unwrap_or_else(|| {
            let clock = self.some_clock();
            self.clients.push(Client { clock, ..Client::new(name) });
            self.clients.len() - 1
        });
        let make = self.make();
        self.stir();
        let rogue = if make.dialect == Dialect::Rogue { ", of a make that breaks the rules when it leads" } else { "" };
        self.tell(place, || format!("starts{rogue}"));
        self.history.born(name);
        self.draw_slow_link(place);
        let reuses = self.latest.one_in(self.faults.reuse);
        let config = MemberConfig { instance: instance.clone(), seed: self.rng.bits(), ..self.settings.member.clone() };
        let client = &mut self.clients[place];
        client.life += 1;
        client.running.clear();
        client.stopping.clear();
        client.halted.clear();
        client.clings.clear();
        client.former = client.former.take().filter(|_| reuses);
        client.instance = instance;
        client.leaving = false;
        client.catalogs = Default::default();
        client.asleep_until = None;
        client.topics.clone_from(&topics);
        client.dialect = make.dialect;
        client.member = Some(Member::new(config, Consumer::new(make.strategies)));
        self.send_catalog(place, topics.iter().cloned().collect());
        self.client_input(place, Input::Subscribe(topics));
        self.commit_soon(place);
    }
}
