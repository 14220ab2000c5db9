use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::rc::Rc;

use groma_model::{Span, Time};
use groma_node::{ConnectionId, EffectId, FileRange, Input, Node, Output, Segment, Settings, StorageFailure};
use tokio::sync::Notify;

use crate::clock::Clock;
use crate::net::{Piece, Reply, ReplySlot};
use crate::notice;
use crate::storage::{Remains, Store};

/// The node with its files and connections: hands inputs in, and does at once what comes out.
#[derive(Debug)]
pub(crate) struct Shell {
    node: Node,
    store: Store,
    clock: Clock,
    settings: Settings,
    slots: BTreeMap<ConnectionId, Rc<ReplySlot>>,
    last_connection: u64,
    reports: VecDeque<Input>,
    alarm: Option<Time>,
    alarm_moved: Rc<Notify>,
    failure_told: Option<(String, Time)>,
}

impl Shell {
    pub(crate) fn new(node: Node, store: Store, clock: Clock, settings: Settings) -> Self {
        Self {
            node,
            store,
            clock,
            settings,
            slots: BTreeMap::new(),
            last_connection: 0,
            reports: VecDeque::new(),
            alarm: None,
            alarm_moved: Rc::new(Notify::new()),
            failure_told: None,
        }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn connections(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn connect(&mut self, host: String) -> (ConnectionId, Rc<ReplySlot>) {
        self.last_connection += 1;
        let connection = ConnectionId(self.last_connection);
        let slot = Rc::new(ReplySlot::default());
        self.slots.insert(connection, Rc::clone(&slot));
        self.feed(Input::Connected { connection, host });
        (connection, slot)
    }

    pub(crate) fn disconnect(&mut self, connection: ConnectionId) {
        self.slots.remove(&connection);
        self.feed(Input::Disconnected(connection));
    }

    /// Hands in what happened and does all that follows from it.
    pub(crate) fn feed(&mut self, input: Input) {
        let mut next = Some(input);
        while let Some(input) = next {
            self.node.handle(self.clock.now(), input);
            while let Some(output) = self.node.poll() {
                self.perform(output);
            }
            next = self.reports.pop_front();
        }
        self.set_alarm();
    }

    /// When the node wants to be woken, and what tells that this has changed.
    pub(crate) fn alarm(&self) -> (Option<std::time::Instant>, Rc<Notify>) {
        (self.alarm.map(|at| self.clock.instant(at)), Rc::clone(&self.alarm_moved))
    }

    /// Whether answers are on their way out.
    pub(crate) fn is_answering(&self) -> bool {
        self.slots.values().any(|slot| slot.is_unsent())
    }

    /// Writes everything to disk.
    pub(crate) fn close(&self) {
        if let Err(error) = self.store.close() {
            eprintln!("broker: cannot write the data folder out: {error}");
        }
    }

    /// An earlier alarm is told at once; a later one is found when the old one rings.
    fn set_alarm(&mut self) {
        let alarm = self.node.deadline().map(|(at, _)| at);
        let earlier = match (alarm, self.alarm) {
            (Some(new), Some(old)) => new < old,
            (new, old) => new != old,
        };
        self.alarm = alarm;
        if earlier {
            self.alarm_moved.notify_one();
        }
    }

    fn perform(&mut self, output: Output) {
        match output {
            Output::Respond { connection, parts, ranges } => self.respond(connection, parts, &ranges),
            Output::Accept(connection) => self.reply(connection, Reply::Silence),
            Output::Close { connection, offence } => self.reply(connection, Reply::Close(offence)),
            Output::Append(append) => {
                let result = self.store.append(&append);
                self.report(append.effect, "write records", result);
            }
            Output::Read { effect, range } => {
                let result = self.store.read(range).map_err(|error| self.failure("read records", &error));
                self.reports.push_back(Input::Read { effect, result });
            }
            Output::KeepTopic { effect, topic } => {
                let result = self.store.keep_topic(&topic);
                self.report(effect, "keep a topic", result);
            }
            Output::DeleteTopic { effect, topic } => {
                let result = self.store.delete_topic(topic).map(bury);
                self.report(effect, "delete a topic", result);
            }
            Output::MakeSegment { log, base } => {
                let result = self.store.make_segment(log, base.0);
                self.tell_failure("make a segment", result);
            }
            Output::DropSegment { log, base } => {
                let result = self.store.drop_segment(log, base.0);
                self.tell_failure("delete a segment", result);
            }
            Output::Tell(told) => eprintln!("broker: {}", notice::text(&told)),
        }
    }

    fn respond(&self, connection: ConnectionId, parts: Vec<Segment>, ranges: &[FileRange]) {
        let pieces: Option<Vec<Piece>> = parts.into_iter().map(|part| self.piece(part, ranges)).collect();
        let gone = || Reply::Close(groma_node::Offence::Malformed("its records are gone".to_owned()));
        self.reply(connection, pieces.map_or_else(gone, Reply::Send));
    }

    fn piece(&self, part: Segment, ranges: &[FileRange]) -> Option<Piece> {
        match part {
            Segment::Inline(bytes) | Segment::Shared(bytes) => Some(Piece::Bytes(bytes)),
            Segment::External { len, token } => {
                let range = ranges.get(usize::try_from(token).ok()?)?;
                let file = self.store.file(*range)?;
                Some(Piece::File { file, position: range.position, len: u64::from(len) })
            }
        }
    }

    fn reply(&self, connection: ConnectionId, reply: Reply) {
        if let Some(slot) = self.slots.get(&connection) {
            slot.put(reply);
        }
    }

    fn report(&mut self, effect: EffectId, what: &str, result: io::Result<()>) {
        let result = result.map_err(|error| self.failure(what, &error));
        self.reports.push_back(Input::Done { effect, result });
    }

    fn tell_failure(&mut self, what: &str, result: io::Result<()>) {
        if let Err(error) = result {
            self.failure(what, &error);
        }
    }

    /// Tells people what failed; the same again only after a while, as a full disk fails every write.
    fn failure(&mut self, what: &str, error: &io::Error) -> StorageFailure {
        let (place, now) = (self.store.place().display(), self.clock.now());
        let text = format!("cannot {what} in {place} ({error}); make room there, and let this user read and write it");
        let again = self.failure_told.as_ref().is_some_and(|(told, at)| *told == text && now.since(*at) < REPEAT);
        if !again {
            eprintln!("broker: {text}");
            self.failure_told = Some((text, now));
        }
        StorageFailure
    }
}

/// When a failure that goes on is told again.
const REPEAT: Span = Span::from_secs(10);

/// Removes large files beside the broker's own thread.
fn bury(remains: Remains) {
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn_blocking(move || remains.remove())),
        Err(_) => remains.remove(),
    }
}
