use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bytes::Bytes;
use groma_model::{Offset, Span, Time, TopicPartition};
use groma_wire::messages::{FetchResponse, ListOffsetsResponse, PartitionData};
use groma_wire::{ErrorCode, Reaction, Records};

use super::fetch_request::{Asked, Budget, Fetching, fetch_request, whole_batches};
use super::offsets::list_request;
use super::partition::{Flight, Flow, Partition, Position};
use super::tag::Tag;
use super::{Chunk, ConsumeError};
use crate::cluster::{Cluster, Target};
use crate::net::{CallError, Lane, Reply};
use crate::{ConsumerSettings, Reset};

/// Positions, fetches and what was fetched.
#[derive(Debug)]
pub(super) struct Fetcher {
    settings: ConsumerSettings,
    partitions: BTreeMap<TopicPartition, Partition>,
    queue: VecDeque<Chunk>,
    fetches: BTreeMap<u64, Fetching>,
    lists: BTreeMap<u64, Vec<(TopicPartition, u64)>>,
    next_id: u64,
    next_stay: u64,
    errors: VecDeque<ConsumeError>,
    last_taken: Option<(TopicPartition, u64, Offset)>,
}

/// Where a partition begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Committed,
    Reset,
    At(Offset),
}

impl Fetcher {
    pub(super) const fn new(settings: ConsumerSettings) -> Self {
        Self {
            settings,
            partitions: BTreeMap::new(),
            queue: VecDeque::new(),
            fetches: BTreeMap::new(),
            lists: BTreeMap::new(),
            next_id: 0,
            next_stay: 0,
            errors: VecDeque::new(),
            last_taken: None,
        }
    }

    pub(super) fn partition(&self, partition: &TopicPartition) -> Option<&Partition> {
        self.partitions.get(partition)
    }

    pub(super) fn partitions(&self) -> impl Iterator<Item = (&TopicPartition, &Partition)> {
        self.partitions.iter()
    }

    pub(super) fn partition_mut(&mut self, partition: &TopicPartition) -> Option<&mut Partition> {
        self.partitions.get_mut(partition)
    }

    pub(super) fn add(&mut self, partition: &TopicPartition, start: Start, flow: Flow) {
        self.remove(partition);
        let position = match start {
            Start::Committed => Position::Committed,
            Start::Reset => Position::Reset(self.settings.reset),
            Start::At(offset) => Position::At(offset),
        };
        let mut added = Partition::new(self.stay(), position, flow);
        if let Start::At(offset) = start {
            added.place(offset);
        }
        self.partitions.insert(partition.clone(), added);
    }

    /// Forgets a partition and what was fetched of it; the position after the last chunk done with.
    pub(super) fn remove(&mut self, partition: &TopicPartition) -> Option<Offset> {
        let removed = self.partitions.remove(partition)?;
        self.purge(partition);
        removed.done
    }

    pub(super) fn seek(&mut self, partition: &TopicPartition, offset: Offset) -> bool {
        let stay = self.stay();
        let Some(sought) = self.partitions.get_mut(partition) else { return false };
        sought.stay = stay;
        sought.in_flight = Flight::Nothing;
        sought.queued = 0;
        sought.not_before = Time::ZERO;
        sought.place(offset);
        self.purge(partition);
        true
    }

    pub(super) fn set_flow(&mut self, partition: &TopicPartition, flow: Flow) {
        if let Some(partition) = self.partitions.get_mut(partition) {
            partition.flow = flow;
        }
    }

    /// The oldest chunk of a partition that is not paused.
    pub(super) fn take(&mut self) -> Option<Chunk> {
        let running = |c: &Chunk| self.partitions.get(&c.partition).is_some_and(|p| p.flow == Flow::Running);
        let index = self.queue.iter().position(running)?;
        let chunk = self.queue.remove(index)?;
        if let Some(partition) = self.partitions.get_mut(&chunk.partition) {
            partition.queued -= 1;
            partition.taken = Some(chunk.next);
        }
        self.last_taken = Some((chunk.partition.clone(), chunk.stay, chunk.next));
        Some(chunk)
    }

    /// The application is done with the chunk taken last.
    pub(super) fn finish_taken(&mut self) {
        let Some((partition, stay, next)) = self.last_taken.take() else { return };
        if let Some(partition) = self.partitions.get_mut(&partition).filter(|p| p.stay == stay) {
            partition.done = Some(next);
        }
    }

    pub(super) fn pop_error(&mut self) -> Option<ConsumeError> {
        self.errors.pop_front()
    }

    /// Partitions whose committed offset is to be asked for.
    pub(super) fn uncommitted(&self, now: Time) -> Vec<TopicPartition> {
        let needs = |p: &Partition| p.position == Position::Committed && p.is_idle(now);
        self.partitions.iter().filter(|(_, p)| needs(p)).map(|(name, _)| name.clone()).collect()
    }

    /// The group's committed offset came in.
    pub(super) fn commit_known(&mut self, partition: &TopicPartition, offset: Option<Offset>) {
        let reset = self.settings.reset;
        let Some(waiting) = self.partitions.get_mut(partition) else { return };
        if waiting.position != Position::Committed {
            return;
        }
        waiting.in_flight = Flight::Nothing;
        match offset {
            Some(offset) => {
                waiting.place(offset);
                waiting.committed = Some(offset);
            }
            None => self.reset(partition, None, reset),
        }
    }

    /// A question about a partition failed in passing: it is asked again later.
    pub(super) fn postpone(&mut self, now: Time, partition: &TopicPartition, cluster: &mut Cluster<Tag>) {
        if let Some(waiting) = self.partitions.get_mut(partition) {
            waiting.in_flight = Flight::Nothing;
            waiting.failures = waiting.failures.saturating_add(1);
            waiting.not_before = now + cluster.retry_wait(waiting.failures);
        }
    }

    pub(super) fn deadline(&self, now: Time) -> Option<Time> {
        self.partitions.values().map(|p| p.not_before).filter(|at| *at > now).min()
    }

    /// Asks for reset points and records wherever there is room.
    pub(super) fn drive(&mut self, now: Time, cluster: &mut Cluster<Tag>) {
        self.ask_resets(now, cluster);
        self.fetch(now, cluster);
    }

    /// Metadata came in: a topic made anew under the same name is another topic, and is read from its reset point.
    pub(super) fn on_refreshed(&mut self, cluster: &Cluster<Tag>) {
        let reset = self.settings.reset;
        let mut replaced = Vec::new();
        for (name, partition) in &mut self.partitions {
            let Some(id) = cluster.metadata().topic(&name.topic).map(|topic| topic.id) else { continue };
            if partition.topic_id.is_some() && partition.topic_id != id {
                replaced.push(name.clone());
            }
            partition.topic_id = id;
        }
        for name in replaced {
            let stay = self.stay();
            if let Some(partition) = self.partitions.get_mut(&name) {
                partition.stay = stay;
                partition.queued = 0;
                partition.in_flight = Flight::Nothing;
                partition.high_watermark = None;
            }
            self.purge(&name);
            self.reset(&name, None, reset);
        }
    }

    pub(super) fn on_fetched(
        &mut self,
        now: Time,
        id: u64,
        result: Result<Option<Reply>, CallError>,
        cluster: &mut Cluster<Tag>,
    ) {
        let Some(fetching) = self.fetches.remove(&id) else { return };
        for asked in &fetching.asked {
            if let Some(partition) = self.current(asked) {
                partition.in_flight = Flight::Nothing;
            }
        }
        match result.map(|reply| reply.and_then(|reply| FetchResponse::try_from(reply).ok())) {
            Ok(Some(response)) if response.error_code == 0 => self.on_response(now, &fetching, response, cluster),
            Err(CallError::Unsupported(api)) => {
                self.errors.push_back(ConsumeError::Unsupported(api.name()));
                fetching.asked.iter().for_each(|asked| self.stop(&asked.partition));
            }
            Ok(_) | Err(_) => {
                cluster.refresh(now);
                fetching.asked.iter().for_each(|asked| self.postpone(now, &asked.partition, cluster));
            }
        }
    }

    fn on_response(&mut self, now: Time, fetching: &Fetching, response: FetchResponse, cluster: &mut Cluster<Tag>) {
        let (mut cursor, asked) = (0, &fetching.asked);
        for topic in response.responses {
            for data in topic.partitions {
                let same = |a: &&Asked| {
                    a.partition.partition.0 == data.partition_index
                        && (a.partition.topic == topic.topic
                            || (topic.topic_id.is_some() && a.topic_id == topic.topic_id))
                };
                let (before, after) = asked.split_at(cursor.min(asked.len()));
                if let Some(index) = after.iter().position(|a| same(&a)) {
                    cursor += index + 1;
                    self.on_data(now, &after[index], data, cluster);
                } else if let Some(ask) = before.iter().find(same) {
                    self.on_data(now, ask, data, cluster);
                }
            }
        }
    }

    fn on_data(&mut self, now: Time, asked: &Asked, data: PartitionData, cluster: &mut Cluster<Tag>) {
        let reset = self.settings.reset;
        let Some(partition) = self.current(asked) else { return };
        match ErrorCode::from_i16(data.error_code) {
            ErrorCode::None => {
                partition.failures = 0;
                partition.high_watermark = Some(Offset(data.high_watermark));
                if let Some(Records::Bytes(bytes)) = data.records {
                    self.on_records(asked, bytes, Offset(data.high_watermark));
                }
            }
            ErrorCode::OffsetOutOfRange => self.reset(&asked.partition, Some(asked.offset), reset),
            code if code.reaction() == Reaction::Fatal => {
                self.errors.push_back(ConsumeError::Refused { partition: asked.partition.clone(), code });
                self.stop(&asked.partition);
            }
            _ => {
                cluster.refresh(now);
                self.postpone(now, &asked.partition, cluster);
            }
        }
    }

    fn on_records(&mut self, asked: &Asked, bytes: Bytes, high_watermark: Offset) {
        let malformed = |offence: String| ConsumeError::Malformed {
            partition: asked.partition.clone(),
            offset: asked.offset,
            offence,
        };
        let error = match whole_batches(&bytes) {
            Ok(Some((length, next))) if next > asked.offset => {
                let batches = bytes.slice(..length);
                if let Some(partition) = self.current(asked) {
                    partition.position = Position::At(next);
                    partition.queued += 1;
                }
                let (partition, stay) = (asked.partition.clone(), asked.stay);
                self.queue.push_back(Chunk { partition, batches, from: asked.offset, next, high_watermark, stay });
                return;
            }
            Ok(Some(_)) => malformed("batches from before the position asked for".to_owned()),
            Ok(None) if bytes.is_empty() => return,
            Ok(None) => malformed("a batch larger than the answer may be".to_owned()),
            Err(offence) => malformed(offence),
        };
        self.errors.push_back(error);
        self.stop(&asked.partition);
    }

    /// The partition, if it is still the one that was asked for.
    fn current(&mut self, asked: &Asked) -> Option<&mut Partition> {
        self.partitions.get_mut(&asked.partition).filter(|p| p.stay == asked.stay)
    }

    fn fetch(&mut self, now: Time, cluster: &mut Cluster<Tag>) {
        let waiting = self.waiting_bytes();
        if waiting >= self.settings.queue_bytes {
            return;
        }
        let busy: BTreeSet<i32> = self.fetches.values().map(|f| f.node).collect();
        let mut by_node: BTreeMap<i32, (Vec<Asked>, usize)> = BTreeMap::new();
        let mut leaderless = false;
        for (name, partition) in &mut self.partitions {
            let Position::At(offset) = partition.position else { continue };
            if partition.flow == Flow::Paused || partition.not_before > now {
                continue;
            }
            let Some(topic) = cluster.metadata().topic(&name.topic) else {
                leaderless = true;
                continue;
            };
            partition.topic_id = topic.id;
            let Some((node, _)) = cluster.metadata().leader(&name.topic, name.partition.0) else {
                leaderless = true;
                continue;
            };
            if busy.contains(&node) {
                continue;
            }
            let (asked, left_out) = by_node.entry(node).or_default();
            if partition.queued >= CHUNKS {
                *left_out += 1;
                continue;
            }
            let (topic_id, stay) = (partition.topic_id, partition.stay);
            asked.push(Asked { partition: name.clone(), topic_id, stay, offset });
        }
        if leaderless {
            cluster.refresh(now);
        }
        for (node, (asked, left_out)) in by_node {
            if !asked.is_empty() {
                let room = self.settings.queue_bytes - waiting;
                self.send_fetch(now, (node, room), (asked, left_out), cluster);
            }
        }
    }

    /// Bytes that the application could take; those of paused partitions must not keep the others from being fetched,
    /// and are bounded by `CHUNKS` of each.
    fn waiting_bytes(&self) -> usize {
        let running = |c: &&Chunk| self.partitions.get(&c.partition).is_some_and(|p| p.flow == Flow::Running);
        self.queue.iter().filter(running).map(|chunk| chunk.batches.len()).sum()
    }

    fn send_fetch(
        &mut self,
        now: Time,
        (node, room): (i32, usize),
        (asked, left_out): (Vec<Asked>, usize),
        cluster: &mut Cluster<Tag>,
    ) {
        for ask in &asked {
            if let Some(partition) = self.current(ask) {
                partition.in_flight = Flight::Asked;
            }
        }
        let wait = match left_out {
            0 => self.settings.fetch_max_wait,
            _ => self.settings.fetch_max_wait.min(SHORT_WAIT),
        };
        let room = i32::try_from(room).unwrap_or(i32::MAX);
        let budget = Budget {
            wait_ms: i32::try_from(wait.as_millis()).unwrap_or(i32::MAX),
            bytes: self.settings.fetch_max_bytes.min(room),
        };
        let request = fetch_request(&self.settings, budget, &asked);
        let id = self.id();
        self.fetches.insert(id, Fetching { node, asked });
        let timeout = cluster.settings().request_timeout + self.settings.fetch_max_wait;
        cluster.call(now, Target::Node(node).over(Lane::Data, timeout), request, Tag::Fetch(id));
    }

    fn ask_resets(&mut self, now: Time, cluster: &mut Cluster<Tag>) {
        let mut by_node: BTreeMap<i32, Vec<(TopicPartition, u64, Reset)>> = BTreeMap::new();
        for (name, partition) in &mut self.partitions {
            let Position::Reset(reset) = partition.position else { continue };
            if !partition.is_idle(now) {
                continue;
            }
            match cluster.metadata().leader(&name.topic, name.partition.0) {
                Some((node, _)) => {
                    partition.in_flight = Flight::Asked;
                    by_node.entry(node).or_default().push((name.clone(), partition.stay, reset));
                }
                None => cluster.refresh(now),
            }
        }
        for (node, asked) in by_node {
            let request = list_request(asked.iter().map(|(name, _, reset)| (name, *reset)));
            let id = self.id();
            self.lists.insert(id, asked.into_iter().map(|(name, stay, _)| (name, stay)).collect());
            let timeout = cluster.settings().request_timeout;
            cluster.call(now, Target::Node(node).over(Lane::Control, timeout), request, Tag::ListOffsets(id));
        }
    }

    pub(super) fn on_listed(
        &mut self,
        now: Time,
        id: u64,
        result: Result<Option<Reply>, CallError>,
        cluster: &mut Cluster<Tag>,
    ) {
        let asked = self.lists.remove(&id).unwrap_or_default();
        let mut found = BTreeMap::new();
        if let Ok(Some(response)) = result.map(|r| r.and_then(|r| ListOffsetsResponse::try_from(r).ok())) {
            for topic in response.topics {
                for answer in topic.partitions {
                    let name = TopicPartition::new(&topic.name, answer.partition_index);
                    found.insert(name, (ErrorCode::from_i16(answer.error_code), answer.offset));
                }
            }
        }
        for (name, stay) in asked {
            let Some(partition) = self.partitions.get_mut(&name).filter(|p| p.stay == stay) else { continue };
            partition.in_flight = Flight::Nothing;
            match found.get(&name) {
                Some((ErrorCode::None, offset)) if *offset >= 0 => partition.place(Offset(*offset)),
                Some((code, _)) if code.is_error() && code.reaction() == Reaction::Fatal => {
                    self.errors.push_back(ConsumeError::Refused { partition: name.clone(), code: *code });
                    self.stop(&name);
                }
                _ => {
                    cluster.refresh(now);
                    self.postpone(now, &name, cluster);
                }
            }
        }
    }

    fn reset(&mut self, name: &TopicPartition, offset: Option<Offset>, reset: Reset) {
        let Some(partition) = self.partitions.get_mut(name) else { return };
        match reset {
            Reset::Fail => {
                partition.position = Position::Stopped;
                self.errors.push_back(ConsumeError::OutOfRange { partition: name.clone(), offset });
            }
            reset => partition.position = Position::Reset(reset),
        }
    }

    fn stop(&mut self, name: &TopicPartition) {
        if let Some(partition) = self.partitions.get_mut(name) {
            partition.position = Position::Stopped;
        }
    }

    fn purge(&mut self, name: &TopicPartition) {
        self.queue.retain(|chunk| chunk.partition != *name);
    }

    const fn stay(&mut self) -> u64 {
        self.next_stay += 1;
        self.next_stay
    }

    const fn id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }
}

/// Chunks of one partition that may wait to be taken before it is left out of fetches.
const CHUNKS: usize = 2;
/// How long a fetch waits when it leaves out partitions that may soon have room again.
const SHORT_WAIT: Span = Span::from_millis(20);
