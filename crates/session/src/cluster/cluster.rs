use std::collections::{BTreeMap, BTreeSet, VecDeque};

use groma_model::{Span, Time};
use groma_wire::messages::{MetadataRequest, MetadataRequestTopic, MetadataResponse};

use super::Metadata;
use crate::ClientSettings;
use crate::net::{
    Address, Answer, Backoff, Call, CallError, CallId, Ending, Jitter, Lane, NetInput, NetOutput, Network, Peer, Reply,
    Sent,
};

/// Calls to a cluster, and what is known of it. `T` names a call to its caller.
#[derive(Clone, Debug)]
pub struct Cluster<T> {
    settings: ClientSettings,
    bootstrap: Vec<Address>,
    auto_create: AutoCreate,
    network: Network,
    metadata: Metadata,
    wanted: BTreeSet<String>,
    /// The topics that the last answer was complete for.
    answered: BTreeSet<String>,
    contact: Contact,
    refresh: Refresh,
    failures: u32,
    /// While contact is sought: why an address that answers is of no use.
    untold: BTreeMap<Address, String>,
    /// Answers in a row in which a topic or a leader was missing.
    incomplete: u32,
    turn: usize,
    jitter: Jitter,
    calls: BTreeMap<CallId, Purpose<T>>,
    next_call: u64,
    events: VecDeque<ClusterEvent<T>>,
}

/// Whether asking for a topic may make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AutoCreate {
    /// If the broker allows it.
    Allowed,
    /// Never.
    Forbidden,
}

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Any broker.
    Any,
    /// The broker that controls the cluster; any where that is not known.
    Controller,
    /// This one.
    Node(i32),
}

/// Whom a call goes to, over which connection, and how long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Route {
    /// Who is asked.
    pub target: Target,
    /// Over which of the connections to it.
    pub lane: Lane,
    /// When the call is given up.
    pub timeout: Span,
}

impl Target {
    /// The way to this target over `lane`.
    pub const fn over(self, lane: Lane, timeout: Span) -> Route {
        Route { target: self, lane, timeout }
    }
}

/// Whether the cluster has answered yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Contact {
    /// Not yet; nothing was asked.
    Fresh,
    /// Not yet.
    Seeking {
        /// Until when that is bearable.
        until: Time,
    },
    /// It has.
    Made,
    /// It did not answer in time, or there is no hope that it will.
    Failed {
        /// How the last attempt at each address given ended.
        unreached: Vec<Unreached>,
    },
}

/// An address at which no cluster was found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unreached {
    /// The address.
    pub address: Address,
    /// How the last attempt ended.
    pub ending: Ending,
}

/// What a cluster's owner learns.
#[derive(Clone, Debug)]
pub enum ClusterEvent<T> {
    /// A call ended.
    Answered {
        /// Which.
        tag: T,
        /// How.
        result: Result<Option<Reply>, CallError>,
    },
    /// Metadata came in.
    Refreshed,
    /// The first contact failed or was made, see [`Cluster::contact`].
    Contact,
}

#[derive(Clone, Debug)]
enum Purpose<T> {
    Metadata { of: Address, complete_for: BTreeSet<String> },
    Caller(T),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refresh {
    Asking {
        latest: CallId,
        /// While contact is sought: when the next address is asked too.
        overtaken: Time,
    },
    /// Asked again at this time at the latest; not before the first.
    Waiting { not_before: Time, until: Time },
}

impl<T> Cluster<T> {
    /// A cluster nobody has asked yet. Addresses that cannot be read are left out; see [`ClientSettings::bootstrap`].
    pub fn new(settings: &ClientSettings, auto_create: AutoCreate) -> Self {
        Self {
            settings: settings.clone(),
            bootstrap: settings.bootstrap.iter().filter_map(|text| Address::parse(text)).collect(),
            auto_create,
            network: Network::new(settings),
            metadata: Metadata::default(),
            wanted: BTreeSet::new(),
            answered: BTreeSet::new(),
            contact: Contact::Fresh,
            refresh: Refresh::Waiting { not_before: Time::ZERO, until: Time::ZERO },
            failures: 0,
            untold: BTreeMap::new(),
            incomplete: 0,
            turn: 0,
            jitter: Jitter::new(settings.seed ^ 0x5eed),
            calls: BTreeMap::new(),
            next_call: 0,
            events: VecDeque::new(),
        }
    }

    /// What is known.
    pub const fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Whether the cluster has answered.
    pub const fn contact(&self) -> &Contact {
        &self.contact
    }

    /// The settings it was made with.
    pub const fn settings(&self) -> &ClientSettings {
        &self.settings
    }

    /// A wait after so many failures in a row, by the retry backoff.
    pub fn retry_wait(&mut self, failures: u32) -> Span {
        let backoff = Backoff { base: self.settings.retry_backoff, max: self.settings.retry_backoff_max };
        backoff.wait(failures, &mut self.jitter)
    }

    /// Seeks contact, if that has not begun.
    pub fn start(&mut self, now: Time) {
        if self.contact == Contact::Fresh {
            self.contact = Contact::Seeking { until: now + self.settings.bootstrap_timeout };
            self.tick(now);
        }
    }

    /// Keeps this topic's metadata fresh from now on.
    pub fn want(&mut self, now: Time, topic: &str) {
        if self.wanted.insert(topic.to_owned()) {
            self.refresh(now);
        }
    }

    /// Whether the last answer told of this topic, be it that it does not exist.
    pub fn has_answered(&self, topic: &str) -> bool {
        self.answered.contains(topic)
    }

    /// No longer keeps this topic's metadata fresh.
    pub fn unwant(&mut self, topic: &str) {
        self.wanted.remove(topic);
    }

    /// Asks for metadata soon: at once, or when the last question is long enough ago.
    pub fn refresh(&mut self, now: Time) {
        if let Refresh::Waiting { not_before, until } = self.refresh {
            self.refresh = Refresh::Waiting { not_before, until: until.min(not_before) };
            self.tick(now);
        }
    }

    /// Sends a call; it ends in [`ClusterEvent::Answered`] within the route's time.
    pub fn call(&mut self, now: Time, route: Route, call: impl Into<Call>, tag: T) {
        let Route { target, lane, timeout } = route;
        match self.address(target) {
            Some(address) => {
                let id = self.name(Purpose::Caller(tag));
                self.network.call(now, &Peer { address, lane }, (id, call.into()), timeout);
                self.settle(now);
            }
            None => {
                let cause = format!("{} is not known", target_name(target));
                let result = Err(CallError::Disconnected { cause, sent: Sent::No });
                self.events.push_back(ClusterEvent::Answered { tag, result });
                self.refresh(now);
            }
        }
    }

    /// Calls to this broker on this lane that wait or are in flight.
    pub fn load(&self, node: i32, lane: Lane) -> usize {
        let address = self.metadata.brokers.get(&node).cloned();
        address.map_or(0, |address| self.network.load(&Peer { address, lane }))
    }

    /// Takes in what happened to connections, and time.
    pub fn handle(&mut self, now: Time, input: NetInput) {
        let tick = input == NetInput::Tick;
        self.network.handle(now, input);
        if tick {
            self.tick(now);
        }
        self.settle(now);
    }

    /// What is to be done about connections.
    pub fn poll(&mut self) -> Option<NetOutput> {
        self.network.poll()
    }

    /// What the owner is to know.
    pub fn poll_event(&mut self) -> Option<ClusterEvent<T>> {
        self.events.pop_front()
    }

    /// When to hand in a tick.
    pub fn deadline(&self) -> Option<Time> {
        let refresh = match self.refresh {
            Refresh::Waiting { until, not_before } if self.active() => Some(until.max(not_before)),
            Refresh::Asking { overtaken, .. } if self.is_seeking() => Some(overtaken),
            _ => None,
        };
        let contact = match &self.contact {
            Contact::Seeking { until } => Some(*until),
            _ => None,
        };
        self.network.deadline().into_iter().chain(refresh).chain(contact).min()
    }

    fn settle(&mut self, now: Time) {
        while let Some(answer) = self.network.poll_answer() {
            self.on_answer(now, answer);
        }
    }

    const fn is_seeking(&self) -> bool {
        matches!(self.contact, Contact::Seeking { .. })
    }

    const fn active(&self) -> bool {
        matches!(self.contact, Contact::Seeking { .. } | Contact::Made)
    }

    fn name(&mut self, purpose: Purpose<T>) -> CallId {
        let id = CallId(self.next_call);
        self.next_call += 1;
        self.calls.insert(id, purpose);
        id
    }

    fn address(&mut self, target: Target) -> Option<Address> {
        let known = &self.metadata.brokers;
        match target {
            Target::Node(node) => known.get(&node).cloned(),
            Target::Controller => {
                let controller = self.metadata.controller.and_then(|node| known.get(&node)).cloned();
                controller.or_else(|| self.any())
            }
            Target::Any => self.any(),
        }
    }

    /// The broker whose turn it is: those known and, when they fail, the bootstrap addresses too.
    fn any(&mut self) -> Option<Address> {
        let known = self.metadata.brokers.values();
        let (take_known, take_bootstrap) = match (self.failures, known.len()) {
            (_, 0) => (0, self.bootstrap.len()),
            (0, count) => (count, 0),
            (_, count) => (count, self.bootstrap.len()),
        };
        self.turn = self.turn.wrapping_add(usize::from(self.failures > 0));
        let candidates: Vec<&Address> =
            known.take(take_known).chain(self.bootstrap.iter().take(take_bootstrap)).collect();
        candidates.get(self.turn % candidates.len().max(1)).map(|a| (*a).clone())
    }

    fn tick(&mut self, now: Time) {
        if let Contact::Seeking { until } = self.contact
            && until <= now
        {
            self.fail(now);
        }
        let due = match self.refresh {
            Refresh::Waiting { not_before, until } => self.active() && until.max(not_before) <= now,
            Refresh::Asking { overtaken, .. } => self.is_seeking() && overtaken <= now,
        };
        if due {
            self.ask(now);
        }
    }

    fn ask(&mut self, now: Time) {
        let Contact::Seeking { until } = self.contact else {
            if let Some(address) = self.any() {
                self.ask_at(now, address, self.settings.request_timeout);
            }
            return;
        };
        if self.bootstrap.is_empty() {
            return self.fail(now);
        }
        match self.next_unasked() {
            Some(address) => self.ask_at(now, address, until.since(now)),
            None => self.refresh = Refresh::Asking { latest: CallId(self.next_call), overtaken: Time::NEVER },
        }
    }

    fn ask_at(&mut self, now: Time, address: Address, timeout: Span) {
        let id = self.name(Purpose::Metadata { of: address.clone(), complete_for: self.wanted.clone() });
        self.refresh = Refresh::Asking { latest: id, overtaken: now + OVERTAKEN };
        let topic =
            |name: &String| MetadataRequestTopic { name: Some(name.clone()), ..MetadataRequestTopic::default() };
        let request = MetadataRequest {
            topics: Some(self.wanted.iter().map(topic).collect()),
            allow_auto_topic_creation: self.auto_create == AutoCreate::Allowed,
            ..MetadataRequest::default()
        };
        self.network.call(now, &contact_point(address), (id, request.into()), timeout);
    }

    /// While contact is sought: the address given whose turn it is, of those that no question is under way to.
    fn next_unasked(&mut self) -> Option<Address> {
        let asked = |address: &Address| {
            self.calls.values().any(|purpose| matches!(purpose, Purpose::Metadata { of, .. } if of == address))
        };
        let count = self.bootstrap.len();
        let turn = (self.turn..self.turn + count).find(|turn| !asked(&self.bootstrap[turn % count]))?;
        self.turn = (turn + 1) % count;
        self.bootstrap.get(turn % count).cloned()
    }

    fn on_answer(&mut self, now: Time, answer: Answer) {
        match self.calls.remove(&answer.id) {
            Some(Purpose::Metadata { of, complete_for }) => {
                let latest = matches!(self.refresh, Refresh::Asking { latest, .. } if latest == answer.id);
                if latest || self.is_seeking() {
                    self.on_metadata(now, answer.result, (&of, &complete_for));
                }
            }
            Some(Purpose::Caller(tag)) => {
                if matches!(answer.result, Err(CallError::Disconnected { .. } | CallError::TimedOut { .. })) {
                    self.refresh(now);
                }
                self.events.push_back(ClusterEvent::Answered { tag, result: answer.result });
            }
            None => {}
        }
    }

    fn on_metadata(
        &mut self,
        now: Time,
        result: Result<Option<Reply>, CallError>,
        (of, asked): (&Address, &BTreeSet<String>),
    ) {
        let response = result.map(|reply| reply.and_then(|reply| MetadataResponse::try_from(reply).ok()));
        match response {
            Ok(Some(response)) if !response.brokers.is_empty() => {
                let complete = self.metadata.update(response);
                self.failures = 0;
                self.incomplete = if complete { 0 } else { self.incomplete.saturating_add(1) };
                self.answered.clone_from(asked);
                self.made_contact();
                self.events.push_back(ClusterEvent::Refreshed);
                let not_before = now + self.retry_wait(self.incomplete.max(1));
                self.refresh = match (*asked == self.wanted, complete) {
                    (false, _) => Refresh::Waiting { not_before: now, until: now },
                    (true, false) => Refresh::Waiting { not_before, until: not_before },
                    (true, true) => Refresh::Waiting { not_before, until: now + self.settings.metadata_max_age },
                };
            }
            Ok(_) => self.on_no_metadata(now, of, "it knows no brokers"),
            Err(error) => self.on_no_metadata(now, of, &error.to_string()),
        }
        self.tick(now);
    }

    fn on_no_metadata(&mut self, now: Time, of: &Address, cause: &str) {
        self.failures = self.failures.saturating_add(1);
        if self.is_seeking() {
            if self.network.ending(now, &contact_point(of.clone())).is_none() {
                self.untold.insert(of.clone(), cause.to_owned());
            }
            if self.is_hopeless() {
                return self.fail(now);
            }
        }
        let pause = self.pause();
        self.refresh = Refresh::Waiting { not_before: now + pause, until: now + pause };
    }

    /// The wait before the next question: while contact is sought, once all addresses given have had their turn.
    fn pause(&mut self) -> Span {
        if !self.is_seeking() {
            return self.retry_wait(self.failures);
        }
        let count = u32::try_from(self.bootstrap.len()).unwrap_or(u32::MAX).max(1);
        if self.failures.is_multiple_of(count) { self.retry_wait(self.failures / count) } else { Span::ZERO }
    }

    /// Whether no address given leaves any hope, by several attempts: a broker that just starts gets time.
    fn is_hopeless(&self) -> bool {
        self.bootstrap.iter().all(|address| self.network.rebuffs(&contact_point(address.clone())) >= REBUFFS)
    }

    fn fail(&mut self, now: Time) {
        let unreached = self.bootstrap.iter().map(|address| self.unreached(now, address)).collect();
        self.contact = Contact::Failed { unreached };
        self.events.push_back(ClusterEvent::Contact);
    }

    fn unreached(&self, now: Time, address: &Address) -> Unreached {
        let untold = || Ending::Untold(self.untold.get(address).map_or("no answer in time", String::as_str).to_owned());
        let ending = self.network.ending(now, &contact_point(address.clone())).unwrap_or_else(untold);
        Unreached { address: address.clone(), ending }
    }

    fn made_contact(&mut self) {
        if self.contact != Contact::Made {
            self.contact = Contact::Made;
            self.events.push_back(ClusterEvent::Contact);
        }
    }
}

/// Attempts in a row at each address that must have left no hope before contact is given up: with the default backoff
/// some 0.7 s after the first.
const REBUFFS: u32 = 4;
/// How long one address may be silent before the next one is asked too.
const OVERTAKEN: Span = Span::from_millis(250);

/// Where questions about the cluster go to.
const fn contact_point(address: Address) -> Peer {
    Peer { address, lane: Lane::Control }
}

fn target_name(target: Target) -> String {
    match target {
        Target::Any => "any broker".to_owned(),
        Target::Controller => "the controller".to_owned(),
        Target::Node(node) => format!("broker {node}"),
    }
}
