//! A node with files in memory: requests go in, answers come out, and it can be started again from its files.

use std::collections::{BTreeMap, VecDeque};

use bytes::Bytes;
use groma_model::{Offset, Span, Time, Timestamp};
use groma_node::{
    Append, BatchExtent, ConnectionId, FileRange, Identity, Input, LogId, Node, Notice, Offence, Output, Recovered,
    RecoveredSegment, RecoveredTopic, Segment, Settings, StorageFailure, TopicDefinition,
};
use groma_wire::records::{BatchBuilder, BatchMeta, ProducerStamp, batches};
use groma_wire::{Message, Request, RequestHeader, frame_request, open_response};

/// What came back on a connection.
#[derive(Debug)]
pub(crate) enum Answer {
    Frame(Bytes),
    Silence,
    Closed(Offence),
}

/// The node's world.
pub(crate) struct Desk {
    pub(crate) node: Node,
    pub(crate) now: Time,
    pub(crate) identity: Identity,
    pub(crate) files: BTreeMap<(LogId, i64), Vec<u8>>,
    pub(crate) topics: BTreeMap<String, TopicDefinition>,
    pub(crate) notices: Vec<Notice>,
    /// So many appends fail from now on.
    pub(crate) failing: u32,
    answers: BTreeMap<ConnectionId, VecDeque<Answer>>,
}

pub(crate) const CLIENT: ConnectionId = ConnectionId(1);

impl Desk {
    pub(crate) fn new() -> Self {
        Self::with(Settings::default(), None)
    }

    pub(crate) fn with(settings: Settings, max_bytes: Option<u64>) -> Self {
        let identity = Identity {
            host: "127.0.0.1".to_owned(),
            port: 9092,
            cluster_id: "desk".to_owned(),
            boot: 0,
            seed: 7,
            max_bytes,
            wall: Timestamp(1_700_000_000_000),
            settings,
        };
        let mut desk = Self {
            node: Node::new(identity.clone(), Time::ZERO, Recovered::default()),
            now: Time::ZERO,
            identity,
            files: BTreeMap::new(),
            topics: BTreeMap::new(),
            notices: Vec::new(),
            failing: 0,
            answers: BTreeMap::new(),
        };
        desk.give(Input::Ready);
        desk.give(Input::Connected { connection: CLIENT, host: "/127.0.0.1".to_owned() });
        desk
    }

    /// Ends the node and makes another from its files.
    pub(crate) fn restart(&mut self) {
        self.identity.boot += 1;
        self.identity.seed += 1;
        let topics = self.topics.values().map(|topic| self.recovered(topic)).collect();
        self.node = Node::new(self.identity.clone(), self.now, Recovered { topics });
        let offsets = self.topics.get("__consumer_offsets").map(|topic| topic.id);
        let logs: Vec<(LogId, Bytes)> = self
            .files
            .iter()
            .filter(|((log, _), _)| Some(log.topic) == offsets)
            .map(|((log, _), bytes)| (*log, Bytes::copy_from_slice(bytes)))
            .collect();
        for (log, bytes) in logs {
            self.give(Input::Replay { log, bytes });
        }
        self.give(Input::Ready);
        self.give(Input::Connected { connection: CLIENT, host: "/127.0.0.1".to_owned() });
    }

    fn recovered(&self, topic: &TopicDefinition) -> RecoveredTopic {
        let partition = |partition| {
            let log = LogId { topic: topic.id, partition };
            let segments = self.files.range((log, i64::MIN)..=(log, i64::MAX));
            segments
                .map(|((_, base), bytes)| RecoveredSegment { base: Offset(*base), batches: extents(bytes) })
                .collect()
        };
        RecoveredTopic { definition: topic.clone(), partitions: (0..topic.partitions).map(partition).collect() }
    }

    /// Lets time pass, with all that falls due on the way.
    pub(crate) fn pass(&mut self, span: Span) {
        let until = self.now + span;
        while let Some((at, _)) = self.node.deadline().filter(|(at, _)| *at <= until) {
            self.now = self.now.max(at);
            self.give(Input::Tick);
        }
        self.now = until;
    }

    pub(crate) fn give(&mut self, input: Input) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            self.node.handle(self.now, input);
            while let Some(output) = self.node.poll() {
                inputs.extend(self.perform(output));
            }
        }
    }

    /// Sends a request; the answer may come later.
    pub(crate) fn send<R: Request>(&mut self, connection: ConnectionId, version: i16, request: &R) {
        let header = RequestHeader {
            api_key: R::KEY.code(),
            api_version: version,
            correlation_id: 77,
            client_id: Some("desk".to_owned()),
        };
        let frame = frame_request(&header, request).unwrap().into_bytes().unwrap().slice(4..);
        self.give(Input::Frame { connection, frame });
    }

    /// What has come back on a connection since.
    pub(crate) fn answer(&mut self, connection: ConnectionId) -> Option<Answer> {
        self.answers.get_mut(&connection)?.pop_front()
    }

    pub(crate) fn response<M: Message>(&mut self, connection: ConnectionId, version: i16) -> Option<M> {
        match self.answer(connection)? {
            Answer::Frame(frame) => {
                let (header, response) = open_response::<M>(frame, version).unwrap();
                assert_eq!(header.correlation_id, 77);
                Some(response)
            }
            other => panic!("{}: {other:?}", M::NAME),
        }
    }

    /// Sends a request and takes the answer, which must come at once.
    pub(crate) fn call<R: Request>(&mut self, version: i16, request: &R) -> R::Response {
        self.send(CLIENT, version, request);
        let response = self.response(CLIENT, version);
        response.unwrap_or_else(|| panic!("no answer to {} {version}", R::NAME))
    }

    fn perform(&mut self, output: Output) -> Option<Input> {
        match output {
            Output::Respond { connection, parts, ranges } => {
                let frame = self.assembled(parts, &ranges);
                self.put(connection, Answer::Frame(frame));
            }
            Output::Accept(connection) => self.put(connection, Answer::Silence),
            Output::Close { connection, offence } => self.put(connection, Answer::Closed(offence)),
            Output::Append(append) => {
                return Some(Input::Done { effect: append.effect, result: self.append(&append) });
            }
            Output::Read { effect, range } => {
                return Some(Input::Read { effect, result: Ok(Bytes::copy_from_slice(self.bytes(range))) });
            }
            Output::KeepTopic { effect, topic } => {
                self.topics.insert(topic.name.clone(), topic);
                return Some(Input::Done { effect, result: Ok(()) });
            }
            Output::DeleteTopic { effect, topic } => {
                self.topics.retain(|_, known| known.id != topic);
                self.files.retain(|(log, _), _| log.topic != topic);
                return Some(Input::Done { effect, result: Ok(()) });
            }
            Output::MakeSegment { log, base } => drop(self.files.insert((log, base.0), Vec::new())),
            Output::DropSegment { log, base } => assert!(self.files.remove(&(log, base.0)).is_some()),
            Output::Tell(notice) => self.notices.push(notice),
        }
        None
    }

    fn append(&mut self, append: &Append) -> Result<(), StorageFailure> {
        if self.failing > 0 {
            self.failing -= 1;
            return Err(StorageFailure);
        }
        let file = self.files.entry((append.log, append.segment.0)).or_default();
        if file.len() as u64 != append.position {
            return Err(StorageFailure);
        }
        file.extend_from_slice(&append.head);
        file.extend_from_slice(&append.batch[Append::HEAD..]);
        Ok(())
    }

    fn bytes(&self, range: FileRange) -> &[u8] {
        let file = &self.files[&(range.log, range.segment.0)];
        &file[range.position as usize..][..range.len as usize]
    }

    fn assembled(&self, parts: Vec<Segment>, ranges: &[FileRange]) -> Bytes {
        let mut frame = Vec::new();
        for part in parts {
            match part {
                Segment::Inline(bytes) | Segment::Shared(bytes) => frame.extend_from_slice(&bytes),
                Segment::External { len, token } => {
                    let bytes = self.bytes(ranges[token as usize]);
                    assert_eq!(bytes.len(), len as usize);
                    frame.extend_from_slice(bytes);
                }
            }
        }
        let size = i32::from_be_bytes(*frame.first_chunk().unwrap());
        assert_eq!(size as usize, frame.len() - 4);
        Bytes::from(frame).slice(4..)
    }

    fn put(&mut self, connection: ConnectionId, answer: Answer) {
        self.answers.entry(connection).or_default().push_back(answer);
    }
}

fn extents(bytes: &[u8]) -> Vec<BatchExtent> {
    let extent = |batch: groma_wire::records::Batch<'_>| BatchExtent {
        base_offset: batch.header.base_offset,
        last_offset: batch.header.last_offset(),
        size: batch.bytes.len() as u32,
        max_timestamp: batch.header.max_timestamp,
        producer: batch.header.producer,
    };
    batches(bytes).map(|batch| extent(batch.unwrap())).collect()
}

/// A batch of `values`, one millisecond apart from `time` on.
pub(crate) fn batch(time: i64, values: &[&str], producer: Option<ProducerStamp>) -> Bytes {
    let mut builder = BatchBuilder::new();
    for (value, time) in values.iter().zip(time..) {
        builder.append(Timestamp(time), None, Some(value.as_bytes()));
    }
    builder.finish(BatchMeta { producer, ..BatchMeta::default() })
}
