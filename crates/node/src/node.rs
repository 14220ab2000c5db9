use std::collections::{BTreeMap, VecDeque};

use groma_model::{Span, Time, Timestamp};
use groma_wire::{Message, frame_response};

use crate::call::Call;
use crate::contract::{ConnectionId, Identity, Input, Notice, Offence, Output, Reason, Recovered};
use crate::effects::Effects;
use crate::entropy::Entropy;
use crate::fetches::Fetches;
use crate::groups::Groups;
use crate::log::{FileRange, PartitionLog};
use crate::topic::{Topic, TopicConfig, Topics};

/// The mind of a broker: what it knows of topics, logs, producers, groups and offsets, and what it answers.
///
/// [`Node::handle`] takes what happened, [`Node::poll`] yields what is to be done (drain it before the next `handle`),
/// [`Node::deadline`] says when to come back with [`Input::Tick`].
#[derive(Debug)]
pub struct Node {
    pub(crate) identity: Identity,
    pub(crate) now: Time,
    pub(crate) topics: Topics,
    pub(crate) connections: BTreeMap<ConnectionId, String>,
    pub(crate) fetches: Fetches,
    pub(crate) groups: Groups,
    pub(crate) effects: Effects,
    pub(crate) entropy: Entropy,
    pub(crate) producers_given: i64,
    pub(crate) storage: Storage,
    wall: (Time, Timestamp),
    retention_due: Time,
    offsets_due: Time,
    outputs: VecDeque<Output>,
}

/// How full the logs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Storage {
    /// Bytes of all logs, those being written included.
    pub(crate) bytes: u64,
    pub(crate) told_full: bool,
}

impl Node {
    /// A node over what the shell found in the data folder. To be followed by [`Input::Replay`] for each log of
    /// `__consumer_offsets`, and [`Input::Ready`].
    pub fn new(identity: Identity, now: Time, recovered: Recovered) -> Self {
        let settings = identity.settings.clone();
        let mut node = Self {
            now,
            topics: Topics::default(),
            connections: BTreeMap::new(),
            fetches: Fetches::default(),
            groups: Groups::default(),
            effects: Effects::default(),
            entropy: Entropy::new(identity.seed),
            producers_given: i64::from(identity.boot) << 32,
            storage: Storage::default(),
            wall: (now, identity.wall),
            retention_due: now + settings.retention_check_interval,
            offsets_due: now + settings.offsets_retention_check_interval,
            outputs: VecDeque::new(),
            identity,
        };
        for found in recovered.topics {
            let config = TopicConfig::parse(found.definition.settings).unwrap_or_default();
            let limits = config.limits(&settings);
            let mut partitions: Vec<PartitionLog> =
                found.partitions.into_iter().map(|segments| PartitionLog::recover(segments, now)).collect();
            partitions.resize_with(found.definition.partitions.max(0) as usize, PartitionLog::default);
            let topic = Topic { id: found.definition.id, name: found.definition.name, partitions, config, limits };
            node.storage.bytes += topic.bytes();
            node.topics.insert(topic);
        }
        node
    }

    /// Takes what happened.
    pub fn handle(&mut self, now: Time, input: Input) {
        self.now = now;
        match input {
            Input::Connected { connection, host } => drop(self.connections.insert(connection, host)),
            Input::Frame { connection, frame } => self.serve(connection, frame),
            Input::Disconnected(connection) => {
                self.connections.remove(&connection);
                self.fetches.take(connection);
            }
            Input::Done { effect, result } => self.done(effect, result),
            Input::Read { effect, result } => self.read(effect, result),
            Input::Replay { bytes, .. } => self.replay(&bytes),
            Input::Ready => self.restore_groups(),
            Input::Wall(time) => self.wall = (now, time),
            Input::Tick => self.tick(),
            Input::Stop => self.stop(),
        }
    }

    /// What is to be done next.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When to come back with [`Input::Tick`], and why.
    pub fn deadline(&self) -> Option<(Time, Reason)> {
        let fetch = self.fetches.deadline().map(|at| (at, Reason::FetchWait));
        let group = self.groups.deadline().map(|at| (at, Reason::Group));
        let retention = (!self.topics.is_empty()).then_some((self.retention_due, Reason::Retention));
        let offsets = (!self.groups.is_empty()).then_some((self.offsets_due, Reason::OffsetsRetention));
        [fetch, group, retention, offsets].into_iter().flatten().min()
    }

    /// Bytes of all logs.
    pub fn log_bytes(&self) -> u64 {
        self.storage.bytes
    }

    /// The time of day.
    pub(crate) fn wall(&self) -> Timestamp {
        let (at, time) = self.wall;
        Timestamp(time.0.saturating_add(self.now.since(at).as_millis() as i64))
    }

    pub(crate) fn emit(&mut self, output: Output) {
        self.outputs.push_back(output);
    }

    pub(crate) fn tell(&mut self, notice: Notice) {
        self.emit(Output::Tell(notice));
    }

    /// Answers a call.
    pub(crate) fn answer<M: Message>(&mut self, call: Call, response: &M) {
        self.answer_with_files(call, response, Vec::new());
    }

    /// Answers a call whose external records are those `ranges`, by position.
    pub(crate) fn answer_with_files<M: Message>(&mut self, call: Call, response: &M, ranges: Vec<FileRange>) {
        let connection = call.connection;
        self.emit(match frame_response(call.correlation_id, call.version, response) {
            Ok(frame) => Output::Respond { connection, parts: frame.into_parts(), ranges },
            Err(error) => Output::Close { connection, offence: Offence::Malformed(error.to_string()) },
        });
    }

    pub(crate) fn close(&mut self, connection: ConnectionId, offence: Offence) {
        self.emit(Output::Close { connection, offence });
    }

    fn tick(&mut self) {
        while let Some(fetch) = self.fetches.take_due(self.now) {
            self.answer_fetch(fetch.call, &fetch.request);
        }
        self.tick_groups();
        if self.now >= self.retention_due {
            self.retention_due = self.now + self.identity.settings.retention_check_interval;
            self.apply_retention();
        }
        if self.now >= self.offsets_due {
            self.offsets_due = self.now + self.identity.settings.offsets_retention_check_interval;
            self.expire_offsets();
        }
    }

    fn stop(&mut self) {
        while let Some(fetch) = self.fetches.take_due(Time::NEVER) {
            self.answer_fetch(fetch.call, &fetch.request);
        }
    }

    /// How long a client may be made to wait.
    pub(crate) fn wait_span(millis: i32) -> Span {
        Span::from_millis(u64::try_from(millis).unwrap_or(0))
    }
}
