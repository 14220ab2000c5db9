//! A session, a broker, and the network between them: every byte goes through frames, time is a number.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use bytes::Bytes;
use groma_model::{Span, Time};
use groma_session::net::{Jitter, LinkId, NetInput, NetOutput, Peer};

use crate::broker::Broker;

/// A machine under test.
pub(crate) trait Machine {
    fn input(&mut self, now: Time, input: NetInput);
    fn output(&mut self) -> Option<NetOutput>;
    fn deadline(&self) -> Option<Time>;
}

/// How badly the network behaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weather {
    /// Of 1,000 requests, how many are lost with their connection before the broker sees them.
    pub(crate) lost: u64,
    /// Of 1,000 requests, how many are done and their answer is lost with the connection.
    pub(crate) unanswered: u64,
    /// Of 1,000 requests, how many the broker refuses in passing.
    pub(crate) refused: u64,
    /// The longest way of a frame, in ms.
    pub(crate) delay_ms: u64,
}

impl Weather {
    pub(crate) const FAIR: Self = Self { lost: 0, unanswered: 0, refused: 0, delay_ms: 1 };
}

pub(crate) struct World<M> {
    pub(crate) now: Time,
    pub(crate) machine: M,
    pub(crate) broker: Broker,
    pub(crate) weather: Weather,
    pub(crate) opened: Vec<Peer>,
    chance: Jitter,
    ways: BTreeMap<LinkId, Way>,
    agenda: BinaryHeap<Reverse<(Time, u64, LinkId, What)>>,
    serial: u64,
}

/// A connection: nothing overtakes on it.
struct Way {
    peer: Peer,
    up: bool,
    requests_until: Time,
    answers_until: Time,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Open,
    Request(Bytes),
    Answer(Bytes),
    Break,
}

impl<M: Machine> World<M> {
    pub(crate) fn new(machine: M, seed: u64) -> Self {
        Self {
            now: Time::ZERO,
            machine,
            broker: Broker::default(),
            weather: Weather::FAIR,
            opened: Vec::new(),
            chance: Jitter::new(seed),
            ways: BTreeMap::new(),
            agenda: BinaryHeap::new(),
            serial: 0,
        }
    }

    /// Lets things happen until `done` or for so long; says whether it was done.
    pub(crate) fn run_until(&mut self, span: Span, mut done: impl FnMut(&mut Self) -> bool) -> bool {
        let end = self.now + span;
        loop {
            self.carry_out();
            if done(self) {
                return true;
            }
            if !self.step(end) {
                self.now = end;
                return false;
            }
        }
    }

    /// Lets things happen for so long.
    pub(crate) fn run(&mut self, span: Span) {
        self.run_until(span, |_| false);
    }

    fn step(&mut self, end: Time) -> bool {
        let next = self.agenda.peek().map(|Reverse((at, ..))| *at);
        let parked = self.broker.deadline();
        let tick = self.machine.deadline().map(|at| at.max(self.now));
        let Some(at) = [next, parked, tick].into_iter().flatten().min().filter(|at| *at <= end) else { return false };
        self.now = at.max(self.now);
        if next == Some(at) {
            let Some(Reverse((_, _, link, what))) = self.agenda.pop() else { return false };
            self.happen(link, what);
        } else if parked == Some(at) {
            for (link, answer) in self.broker.release(self.now) {
                self.answer(link, answer);
            }
        } else {
            self.machine.input(self.now, NetInput::Tick);
        }
        true
    }

    fn carry_out(&mut self) {
        while let Some(output) = self.machine.output() {
            match output {
                NetOutput::Open(link, peer) => {
                    self.opened.push(peer.clone());
                    let way = Way { peer, up: true, requests_until: self.now, answers_until: self.now };
                    self.ways.insert(link, way);
                    let at = self.now + self.delay();
                    self.plan(at, link, What::Open);
                }
                NetOutput::Shut(link) => {
                    if let Some(way) = self.ways.get_mut(&link) {
                        way.up = false;
                    }
                }
                NetOutput::Write(link, parts) => self.request(link, &parts.concat()),
            }
        }
    }

    fn request(&mut self, link: LinkId, frame: &[u8]) {
        let delay = self.delay();
        let Some(way) = self.ways.get_mut(&link) else { return };
        let at = (self.now + delay).max(way.requests_until);
        way.requests_until = at;
        self.plan(at, link, What::Request(Bytes::copy_from_slice(&frame[4..])));
    }

    fn answer(&mut self, link: LinkId, frame: Bytes) {
        let delay = self.delay();
        let Some(way) = self.ways.get_mut(&link) else { return };
        let at = (self.now + delay).max(way.answers_until);
        way.answers_until = at;
        self.plan(at, link, What::Answer(frame.slice(4..)));
    }

    fn happen(&mut self, link: LinkId, what: What) {
        let Some(way) = self.ways.get(&link) else { return };
        match what {
            What::Open if self.broker.is_listening(&way.peer) => {
                self.machine.input(self.now, NetInput::Opened(link));
            }
            What::Open if self.broker.holes.contains(&way.peer.address.port) => {}
            What::Open => self.refuse(link),
            What::Break => self.break_off(link),
            What::Answer(frame) if way.up => self.machine.input(self.now, NetInput::Frame(link, frame)),
            What::Answer(_) => {}
            What::Request(_) if self.broker.silent.contains(&way.peer.address.port) => {}
            What::Request(_) if self.broker.foreign.contains(&way.peer.address.port) => {
                self.machine.input(self.now, NetInput::Garbled(link, "not a frame".to_owned()));
            }
            What::Request(_) if self.broker.closing.contains(&way.peer.address.port) => self.break_off(link),
            What::Request(frame) => self.arrive(link, frame),
        }
    }

    fn arrive(&mut self, link: LinkId, frame: Bytes) {
        let dice = self.chance.below(1000);
        let Weather { lost, unanswered, refused, .. } = self.weather;
        if dice < lost {
            return self.break_off(link);
        }
        let refuse = (lost + unanswered..lost + unanswered + refused).contains(&dice);
        let mood = if refuse { crate::broker::Mood::Refusing } else { crate::broker::Mood::Willing };
        let answers = self.broker.take(self.now, link, frame, mood);
        if dice < lost + unanswered {
            return self.break_off(link);
        }
        for (link, answer) in answers {
            self.answer(link, answer);
        }
    }

    /// Ends a connection. What was sent on it before may still arrive at the broker.
    fn break_off(&mut self, link: LinkId) {
        if let Some(way) = self.ways.get_mut(&link)
            && way.up
        {
            way.up = false;
            self.machine.input(self.now, NetInput::Closed(link, "connection reset".to_owned()));
        }
    }

    fn refuse(&mut self, link: LinkId) {
        if let Some(way) = self.ways.get_mut(&link)
            && way.up
        {
            way.up = false;
            self.machine.input(self.now, NetInput::Closed(link, "connection refused".to_owned()));
        }
    }

    /// Ends every connection, as a restart of the broker does.
    pub(crate) fn break_all(&mut self) {
        let links: Vec<LinkId> = self.ways.keys().copied().collect();
        self.agenda.clear();
        links.into_iter().for_each(|link| self.plan(self.now, link, What::Break));
    }

    fn delay(&mut self) -> Span {
        Span::from_millis(1 + self.chance.below(self.weather.delay_ms))
    }

    fn plan(&mut self, at: Time, link: LinkId, what: What) {
        self.serial += 1;
        self.agenda.push(Reverse((at, self.serial, link, what)));
    }
}

/// What a broker answers: frames, each on its connection.
pub(crate) type Answers = VecDeque<(LinkId, Bytes)>;
