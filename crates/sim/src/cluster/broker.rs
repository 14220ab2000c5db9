use std::collections::{BTreeMap, BTreeSet, VecDeque};

use groma_model::{InstanceId, Span, Time, TopicPartition};
use groma_rebalance::coordinator::{
    Client as Sender, CoordinatorConfig, Event, Group, GroupMetadata, GroupRecord, Input, Output, Ticket, Token,
};
use groma_rebalance::member::RequestId;
use groma_rebalance::protocol::{CommitFence, GroupError, LeaveReply, Reply, Request};

use super::clock::Clock;
use super::network::{Process, What};
use super::words::client_of;
use super::world::{Cluster, WithoutCommitFence};

/// The coordinator and its disk.
#[derive(Debug)]
pub(super) struct Broker {
    config: CoordinatorConfig,
    /// None while it is down.
    pub(super) group: Option<Group>,
    epoch: u32,
    tokens: BTreeMap<Token, Parked>,
    token_last: u64,
    clock: Clock,
    /// Requests on their way to the coordinator before this one.
    misdirected: BTreeSet<(Process, RequestId)>,
    /// Requests on their way to it.
    expected: BTreeSet<(Process, RequestId)>,
    /// The client whose request it handles.
    asking: Option<usize>,
    storing: VecDeque<(Ticket, GroupRecord)>,
    disk: Option<GroupRecord>,
}

/// A request that has no answer yet.
#[derive(Clone, Copy, Debug)]
struct Parked {
    from: Process,
    id: RequestId,
    since: Time,
}

impl Broker {
    pub(super) fn new(config: CoordinatorConfig) -> Self {
        Self {
            group: Some(Group::new(config.clone())),
            config,
            epoch: 0,
            tokens: BTreeMap::new(),
            token_last: 0,
            clock: Clock::default(),
            misdirected: BTreeSet::new(),
            expected: BTreeSet::new(),
            asking: None,
            storing: VecDeque::new(),
            disk: None,
        }
    }

    pub(super) const fn is_up(&self) -> bool {
        self.group.is_some()
    }

    pub(super) fn deadline(&self) -> Option<Time> {
        self.group.as_ref().and_then(Group::deadline).map(|(at, _)| self.clock.real(at))
    }

    pub(super) const fn runs_by(&mut self, clock: Clock) {
        self.clock = clock;
    }

    pub(super) fn expect(&mut self, from: Process, id: RequestId) {
        self.expected.insert((from, id));
    }

    /// How many requests wait for an answer.
    pub(super) fn parked(&self) -> usize {
        self.tokens.len()
    }
}

impl Cluster {
    pub(super) fn broker_tick(&mut self) {
        self.broker_input(Input::Tick);
    }

    pub(super) fn broker_takes(&mut self, from: Process, id: RequestId, request: Request) {
        self.broker.expected.remove(&(from, id));
        if !self.broker.is_up() {
            return self.disconnect(from, id);
        }
        self.check_request(from, &request);
        self.broker.token_last += 1;
        let token = Token(self.broker.token_last);
        self.broker.tokens.insert(token, Parked { from, id, since: self.now });
        if self.broker.misdirected.contains(&(from, id)) {
            return self.broker_replies(token, misdirected(&request));
        }
        let input = match request {
            Request::Join(request) => {
                let client = Sender { id: self.clients[from.place].name.clone(), host: "sim".to_owned() };
                let entropy = u128::from(self.rng.bits()) << 64 | u128::from(self.rng.bits());
                Input::Join { token, request, client, entropy }
            }
            Request::Sync(request) => Input::Sync { token, request },
            Request::Heartbeat(request) => Input::Heartbeat { token, request },
            Request::Leave(request) => Input::Leave { token, request },
        };
        self.broker.asking = Some(from.place);
        self.broker_input(input);
        self.broker.asking = None;
    }

    fn broker_input(&mut self, input: Input) {
        let now = self.broker.clock.shows(self.now);
        if let Some(group) = &mut self.broker.group {
            group.handle(now, input);
        }
        while let Some(output) = self.broker.group.as_mut().and_then(Group::poll) {
            self.broker_output(output);
        }
    }

    fn broker_output(&mut self, output: Output) {
        match output {
            Output::Reply { token, reply } => self.broker_replies(token, reply),
            Output::Persist { ticket, record } => {
                self.broker.storing.push_back((ticket, record));
                let wait = Span(self.rng.between(1, self.settings.storage.0.max(1)));
                self.network.at(self.now + wait, What::Stored { epoch: self.broker.epoch, ticket });
            }
            Output::Event(event) => self.broker_event(event),
        }
    }

    fn broker_replies(&mut self, token: Token, reply: Reply) {
        let Some(Parked { from: to, id, since }) = self.broker.tokens.remove(&token) else {
            return self.violate(super::Property::AnsweredOnce, "a request is answered twice".to_owned());
        };
        self.check_patience(since);
        self.check_reply(&reply);
        self.history.overtaken += u64::from(matches!(reply, Reply::Sync(Err(GroupError::RebalanceInProgress))));
        if matches!(reply, Reply::Join(Err(GroupError::GroupMaxSizeReached))) {
            self.clients[to.place].refused_in = Some(to.life);
        }
        if self.rng.one_in(self.faults.drop) {
            self.network.faults += 1;
            return self.disconnect(to, id);
        }
        let at = self.now + self.transit() + self.clients[to.place].link;
        if self.latest.one_in(self.faults.echo) {
            self.network.faults += 1;
            let again = at + self.latency();
            self.network.down(to.place, at, What::Reply { to, id, result: Ok(reply.clone()) });
            return self.network.down(to.place, again, What::Reply { to, id, result: Ok(reply) });
        }
        self.network.down(to.place, at, What::Reply { to, id, result: Ok(reply) });
    }

    /// Notes which process the coordinator knows by an identity from now on: the one that it answers just then.
    fn learn_name(&mut self, event: &Event) {
        let (Event::Admitted(id) | Event::Joined { member: id, .. } | Event::Replaced { new: id, .. }) = event else {
            return;
        };
        let Some(client) = self.broker.asking.and_then(|place| self.clients.get(place)) else { return };
        let called = client.instance.as_ref().map_or(client.name.as_str(), InstanceId::as_str);
        if client_of(id) == called {
            self.history.words.learn(id, &client.name);
        }
    }

    fn broker_event(&mut self, event: Event) {
        self.learn_name(&event);
        if matches!(event, Event::Joined { .. } | Event::RoundClosed { .. }) {
            self.check_roster();
        }
        if let Event::Replaced { old, .. } = &event {
            self.checks.replaced.insert(old.clone());
        }
        if matches!(event, Event::Joined { .. } | Event::Synced(_)) {
            return;
        }
        if !matches!(event, Event::RoundAlso(_)) {
            self.stir();
        }
        if let Event::RoundOpened { cause, .. } = &event {
            self.history.opened(cause);
        }
        if let Event::RoundClosed { generation, .. } = &event {
            self.history.closed += 1;
            self.check_generation(*generation);
        }
        if let Some(line) = self.history.words.of_group(&event) {
            self.history.tell(self.now, || line);
        }
    }

    pub(super) fn broker_stored(&mut self, epoch: u32, ticket: Ticket) {
        if epoch != self.broker.epoch || !self.broker.is_up() {
            return;
        }
        let fails = self.rng.one_in(self.faults.storage);
        while let Some((next, record)) = self.broker.storing.pop_front_if(|(t, _)| *t <= ticket) {
            if fails {
                self.network.faults += 1;
                self.history.tell(self.now, || "the coordinator cannot store a record".to_owned());
                self.broker_input(Input::PersistFailed(next));
            } else {
                self.broker.disk = Some(record);
                self.broker_input(Input::Persisted(next));
            }
        }
    }

    /// The broker dies; what it was storing is durable or not by chance, in order.
    pub(super) fn broker_dies(&mut self) {
        if !self.broker.is_up() {
            return;
        }
        self.stir();
        self.network.faults += 1;
        self.history.tell(self.now, || "the coordinator is killed".to_owned());
        self.coordinator_ends();
        let parked = std::mem::take(&mut self.broker.tokens).into_values();
        for (from, id) in parked.map(|parked| (parked.from, parked.id)).collect::<BTreeSet<_>>() {
            self.disconnect(from, id);
        }
    }

    /// The group goes to another coordinator: whoever waits, or is on the way to the old one, is told so; what that was
    /// storing is durable or not by chance, in order.
    pub(super) fn broker_moves(&mut self) {
        if !self.broker.is_up() {
            return;
        }
        self.stir();
        self.network.faults += 1;
        self.history.tell(self.now, || "the group moves to another coordinator".to_owned());
        self.broker_input(Input::Retire);
        self.coordinator_ends();
        let on_the_way = std::mem::take(&mut self.broker.expected);
        self.broker.misdirected.extend(on_the_way);
        self.broker_back();
    }

    /// What it was storing is durable or not by chance, in order.
    fn coordinator_ends(&mut self) {
        let survive = self.rng.below(self.broker.storing.len() as u64 + 1);
        for (_, record) in std::mem::take(&mut self.broker.storing).into_iter().take(survive as usize) {
            self.broker.disk = Some(record);
        }
        self.broker.group = None;
        self.broker.epoch += 1;
        self.checks.broker_died();
    }

    pub(super) fn broker_returns_after(&mut self, span: Span) {
        self.network.at(self.now + span, What::BrokerBack);
    }

    pub(super) fn broker_back(&mut self) {
        if self.broker.is_up() {
            return;
        }
        self.stir();
        self.history.tell(self.now, || "the coordinator is back with what it has stored".to_owned());
        let metadata = match self.broker.disk.clone() {
            Some(GroupRecord::Metadata(metadata)) => (*metadata).clone(),
            Some(GroupRecord::Tombstone) | None => GroupMetadata::default(),
        };
        let config = self.broker.config.clone();
        let group = Group::restore(config, self.broker.clock.shows(self.now), metadata.clone());
        if *group.metadata() != metadata {
            self.violate(super::Property::AnsweredOnce, "replay gives another state".to_owned());
        }
        self.broker.group = Some(group);
        self.broker_input(Input::Tick);
    }

    pub(super) fn broker_commits(&mut self, from: Process, fence: CommitFence, runs: Vec<(TopicPartition, u64)>) {
        let now = self.broker.clock.shows(self.now);
        let Some(group) = &mut self.broker.group else { return };
        let verdict = match self.settings.commits {
            WithoutCommitFence::Yes => Ok(()),
            WithoutCommitFence::No => group.commit(now, &fence),
        };
        match verdict {
            Ok(()) => self.check_commit(from, runs),
            Err(error) => {
                let current = self.process(from.place) == from && self.clients[from.place].asleep_until.is_none();
                if current {
                    let refused = groma_rebalance::member::Input::CommitRefused { fence, error };
                    self.client_input(from.place, refused);
                }
            }
        }
    }
}

/// What a node answers that does not lead the group any more.
fn misdirected(request: &Request) -> Reply {
    let error = GroupError::NotCoordinator;
    match request {
        Request::Join(_) => Reply::Join(Err(error)),
        Request::Sync(_) => Reply::Sync(Err(error)),
        Request::Heartbeat(_) => Reply::Heartbeat(Err(error)),
        Request::Leave(_) => Reply::Leave(LeaveReply { results: Err(error) }),
    }
}
