use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bytes::Bytes;
use groma_model::{Offset, Span, Time, Timestamp};
use groma_wire::messages::{InitProducerIdRequest, InitProducerIdResponse, ProduceResponse};
use groma_wire::records::batches;
use groma_wire::{ErrorCode, Reaction};

use super::batch::{Batch, Doubt, Phase};
use super::identity::Identity;
use super::request::{Carried, Load, Word};
use super::slot::Slot;
use super::{AppendError, ProduceError, Progress, SlotId, Ticket};
use crate::cluster::{AutoCreate, Cluster, ClusterEvent, Contact, Target};
use crate::net::{CallError, Lane, NetInput, NetOutput, Reply, Sent};
use crate::{Acks, ClientSettings, Delivery, ProducerSettings};

/// A producer without sockets. Records come in by [`Self::append`]; everything else follows the contract of
/// `handle`, `poll` and `deadline`.
#[derive(Debug)]
pub struct Producer {
    settings: ProducerSettings,
    cluster: Cluster<Tag>,
    identity: Identity,
    slots: Vec<Slot>,
    topics: BTreeMap<String, Vec<SlotId>>,
    ready: BTreeSet<SlotId>,
    turn: SlotId,
    lingering: VecDeque<Alarm>,
    expiring: VecDeque<Alarm>,
    resting: BTreeSet<(Time, SlotId)>,
    requests: BTreeMap<u64, Carried>,
    next_request: u64,
    in_flight: BTreeMap<i32, usize>,
    buffered: usize,
    failure: Option<ProduceError>,
    wake: Wake,
}

/// What happens to a producer.
#[derive(Debug)]
pub enum ProducerInput {
    /// Something happened to a connection, or time passed.
    Net(NetInput),
    /// An append opened or filled a batch, see [`Appended`].
    Noted(SlotId),
    /// The open batch of this partition is to be closed, see [`AppendError::Unfit`].
    Close(SlotId),
    /// A topic is going to be used.
    Want(String),
    /// Open batches are to go out now.
    Flush,
}

/// What a producer wants done.
#[derive(Debug)]
pub enum ProducerOutput {
    /// Something about a connection.
    Net(NetOutput),
    /// Whoever waits for contact, a topic, room, or progress should look again.
    Wake,
}

/// A record was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Records handed to the partition before it.
    pub number: u64,
    /// Whether [`ProducerInput::Noted`] is to be handed in: a batch was opened or is full.
    pub notable: bool,
}

#[derive(Clone, Debug)]
enum Tag {
    Identity,
    Produce(u64),
}

#[derive(Clone, Copy, Debug)]
struct Alarm {
    at: Time,
    slot: SlotId,
    first: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wake {
    Nobody,
    Everybody,
}

impl Producer {
    /// A producer that has not yet contacted the cluster.
    pub fn new(client: &ClientSettings, settings: ProducerSettings) -> Self {
        let identity = match settings.delivery {
            Delivery::Idempotent => Identity::Wanted { not_before: Time::ZERO, failures: 0 },
            Delivery::AtLeastOnce => Identity::None,
        };
        Self {
            settings,
            cluster: Cluster::new(client, AutoCreate::Allowed),
            identity,
            slots: Vec::new(),
            topics: BTreeMap::new(),
            ready: BTreeSet::new(),
            turn: SlotId(0),
            lingering: VecDeque::new(),
            expiring: VecDeque::new(),
            resting: BTreeSet::new(),
            requests: BTreeMap::new(),
            next_request: 0,
            in_flight: BTreeMap::new(),
            buffered: 0,
            failure: None,
            wake: Wake::Nobody,
        }
    }

    /// Seeks contact with the cluster.
    pub fn start(&mut self, now: Time) {
        self.cluster.start(now);
        self.drive(now);
    }

    /// Whether the cluster has answered.
    pub const fn contact(&self) -> &Contact {
        self.cluster.contact()
    }

    /// The settings it was made with.
    pub const fn settings(&self) -> &ProducerSettings {
        &self.settings
    }

    /// The partitions of a topic, once it is known.
    pub fn topic(&mut self, name: &str) -> Option<Vec<SlotId>> {
        let topic = self.cluster.metadata().topic(name)?;
        let (id, count) = (topic.id, topic.partitions.len());
        let known = self.topics.entry(name.to_owned()).or_default();
        for partition in known.len()..count {
            known.push(SlotId(self.slots.len() as u32));
            self.slots.push(Slot::new(name, id, partition as i32));
        }
        Some(known.clone())
    }

    /// Appends a record to the open batch of a partition.
    ///
    /// # Errors
    /// When it cannot be taken now, or at all.
    #[inline]
    pub fn append(
        &mut self,
        to: SlotId,
        timestamp: Timestamp,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
    ) -> Result<Appended, AppendError> {
        let slot = self.slots.get_mut(to.0 as usize).ok_or(AppendError::UnknownSlot)?;
        let size = key.map_or(0, <[u8]>::len) + value.map_or(0, <[u8]>::len) + RECORD_OVERHEAD;
        let before = if slot.open.is_empty() { 0 } else { slot.open.bytes() };
        if self.buffered + size > self.settings.buffer_bytes && self.buffered > 0 {
            return Err(AppendError::Full);
        }
        if before + size > self.settings.batch_bytes {
            if before > 0 {
                return Err(AppendError::Unfit);
            }
            if size > self.settings.request_bytes {
                return Err(AppendError::TooLarge { bytes: size, limit: self.settings.request_bytes });
            }
        }
        let after = slot.open.append(timestamp, key, value);
        let number = slot.progress.appended;
        slot.progress.appended += 1;
        self.buffered += after - before;
        Ok(Appended { number, notable: before == 0 || after + size > self.settings.batch_bytes })
    }

    /// Takes a finished batch; its first record's ticket.
    ///
    /// # Errors
    /// When it cannot be taken now, or at all; the batch comes back.
    pub fn append_batch(&mut self, now: Time, to: SlotId, bytes: Bytes) -> Result<Ticket, (AppendError, Bytes)> {
        let count = match count_records(&bytes) {
            Ok(count) => count,
            Err(error) => return Err((error, bytes)),
        };
        if self.buffered + bytes.len() > self.settings.buffer_bytes && self.buffered > 0 {
            return Err((AppendError::Full, bytes));
        }
        self.close(now, to);
        let Some(slot) = self.slots.get_mut(to.0 as usize) else { return Err((AppendError::UnknownSlot, bytes)) };
        let first = slot.progress.appended;
        slot.progress.appended += u64::from(count);
        self.buffered += bytes.len();
        slot.queue.push_back(Batch { bytes, count, first, stamp: None, phase: Phase::Ready, doubt: Doubt::Absent });
        self.expiring.push_back(Alarm { at: now + self.settings.delivery_timeout, slot: to, first });
        self.ready.insert(to);
        self.drive(now);
        Ok(Ticket { partition: to, number: first })
    }

    /// How far a partition has got.
    pub fn progress(&self, slot: SlotId) -> Progress {
        self.slots.get(slot.0 as usize).map(|s| s.progress).unwrap_or_default()
    }

    /// Whether every record taken is settled.
    pub fn is_settled(&self) -> bool {
        self.slots.iter().all(|s| s.progress.settled == s.progress.appended)
    }

    /// The first failure since the last call.
    pub fn take_failure(&mut self) -> Option<ProduceError> {
        self.failure.take()
    }

    /// How a record ended; none while it is on its way. The offset is known for recent records only.
    pub fn outcome(&self, ticket: Ticket) -> Option<Result<Option<Offset>, ProduceError>> {
        self.slots.get(ticket.partition.0 as usize).and_then(|slot| slot.outcome(ticket.number))
    }

    /// Takes in what happened.
    pub fn handle(&mut self, now: Time, input: ProducerInput) {
        match input {
            ProducerInput::Net(input) => self.cluster.handle(now, input),
            ProducerInput::Noted(slot) => self.note(now, slot),
            ProducerInput::Close(slot) => self.close(now, slot),
            ProducerInput::Want(topic) => self.cluster.want(now, &topic),
            ProducerInput::Flush => self.flush(),
        }
        self.drive(now);
    }

    /// What is to be done.
    pub fn poll(&mut self) -> Option<ProducerOutput> {
        if let Some(output) = self.cluster.poll() {
            return Some(ProducerOutput::Net(output));
        }
        let wake = std::mem::replace(&mut self.wake, Wake::Nobody);
        (wake == Wake::Everybody).then_some(ProducerOutput::Wake)
    }

    /// When to hand in a tick.
    pub fn deadline(&self) -> Option<Time> {
        let linger = self.lingering.front().map(|alarm| alarm.at);
        let expiry = self.expiring.front().map(|alarm| alarm.at);
        let rest = self.resting.first().map(|(at, _)| *at);
        let identity = match self.identity {
            Identity::Wanted { not_before, .. } if !self.ready.is_empty() => Some(not_before),
            _ => None,
        };
        [linger, expiry, rest, identity, self.cluster.deadline()].into_iter().flatten().min()
    }

    fn note(&mut self, now: Time, id: SlotId) {
        let Some(slot) = self.slots.get_mut(id.0 as usize) else { return };
        if slot.open.is_empty() {
            return;
        }
        if slot.open.len() == 1 {
            let alarm = Alarm { at: now + self.settings.linger, slot: id, first: slot.open_first() };
            self.lingering.push_back(alarm);
        }
        let mean = slot.open.bytes() / slot.open.len();
        if slot.open.bytes() + mean > self.settings.batch_bytes {
            self.close(now, id);
        }
    }

    fn close(&mut self, now: Time, id: SlotId) {
        let Some(slot) = self.slots.get_mut(id.0 as usize) else { return };
        if slot.open.is_empty() {
            return;
        }
        let (first, expires) = (slot.open_first(), now + self.settings.delivery_timeout);
        let change = slot.close(self.settings.compression);
        self.buffered = self.buffered.saturating_add_signed(change);
        self.expiring.push_back(Alarm { at: expires, slot: id, first });
        self.ready.insert(id);
    }

    fn flush(&mut self) {
        for (index, slot) in self.slots.iter_mut().enumerate().filter(|(_, slot)| !slot.open.is_empty()) {
            slot.due = true;
            self.ready.insert(SlotId(index as u32));
        }
    }

    fn drive(&mut self, now: Time) {
        self.ring(now);
        while let Some(event) = self.cluster.poll_event() {
            self.on_event(now, event);
        }
        self.drain(now);
    }

    /// Sees to everything whose time has come.
    fn ring(&mut self, now: Time) {
        while let Some(alarm) = self.lingering.pop_front_if(|alarm| alarm.at <= now) {
            let Some(slot) = self.slots.get_mut(alarm.slot.0 as usize) else { continue };
            if !slot.open.is_empty() && slot.open_first() == alarm.first {
                slot.due = true;
                self.ready.insert(alarm.slot);
                let at = now + self.settings.delivery_timeout;
                self.expiring.push_back(Alarm { at, ..alarm });
            }
        }
        while let Some((at, slot)) = self.resting.first().copied().filter(|(at, _)| *at <= now) {
            self.resting.remove(&(at, slot));
        }
        while let Some(alarm) = self.expiring.front().copied() {
            let settled = self.progress(alarm.slot).settled > alarm.first;
            if !settled && alarm.at > now {
                break;
            }
            self.expiring.pop_front();
            if !settled {
                self.expire(now, alarm);
            }
        }
    }

    fn expire(&mut self, now: Time, alarm: Alarm) {
        let timeout = self.settings.delivery_timeout;
        let Some(slot) = self.slots.get_mut(alarm.slot.0 as usize) else { return };
        if slot.open_first() == alarm.first {
            self.close(now, alarm.slot);
        }
        let Some(slot) = self.slots.get_mut(alarm.slot.0 as usize) else { return };
        match slot.batch(alarm.first).map(|batch| batch.phase.clone()) {
            Some(Phase::Ready) => self.finish(alarm.slot, alarm.first, Err(ProduceError::Expired(timeout))),
            Some(Phase::Sent) => self.expiring.push_front(Alarm { at: now + EXPIRY_POLL, ..alarm }),
            Some(Phase::Done(_)) | None => {}
        }
    }

    fn finish(&mut self, id: SlotId, first: u64, result: Result<Option<Offset>, ProduceError>) {
        if let Err(error) = &result {
            self.failure.get_or_insert_with(|| error.clone());
        }
        let Some(slot) = self.slots.get_mut(id.0 as usize) else { return };
        let mut freed = slot.finish(first, result);
        for implied in slot.implied() {
            freed += slot.finish(implied, Ok(None));
        }
        self.buffered = self.buffered.saturating_sub(freed);
        self.wake = Wake::Everybody;
    }

    fn on_event(&mut self, now: Time, event: ClusterEvent<Tag>) {
        match event {
            ClusterEvent::Contact | ClusterEvent::Refreshed => self.wake = Wake::Everybody,
            ClusterEvent::Answered { tag: Tag::Identity, result } => self.on_identity(now, result),
            ClusterEvent::Answered { tag: Tag::Produce(request), result } => self.on_produced(now, request, result),
        }
    }

    fn on_identity(&mut self, now: Time, result: Result<Option<Reply>, CallError>) {
        let Identity::Asking { failures } = self.identity else { return };
        let failures = failures.saturating_add(1);
        let not_before = now + self.cluster.retry_wait(failures);
        let response = result.map(|reply| reply.and_then(|reply| InitProducerIdResponse::try_from(reply).ok()));
        self.identity = match response {
            Ok(Some(answer)) => match ErrorCode::from_i16(answer.error_code) {
                ErrorCode::None => Identity::Known { id: answer.producer_id, epoch: answer.producer_epoch },
                code if code.reaction() == Reaction::Fatal => {
                    Identity::Refused(ProduceError::Refused { code, detail: String::new() })
                }
                _ => Identity::Wanted { not_before, failures },
            },
            Err(CallError::Unsupported(api)) => Identity::Refused(ProduceError::Unsupported(api.name())),
            Ok(None) | Err(_) => Identity::Wanted { not_before, failures },
        };
        self.wake = Wake::Everybody;
    }

    fn on_produced(&mut self, now: Time, request: u64, result: Result<Option<Reply>, CallError>) {
        let Some(sent) = self.requests.remove(&request) else { return };
        if let Some(count) = self.in_flight.get_mut(&sent.node) {
            *count = count.saturating_sub(1);
        }
        match result {
            Ok(None) => sent.batches.iter().for_each(|(slot, first)| self.finish(*slot, *first, Ok(None))),
            Ok(Some(reply)) => match ProduceResponse::try_from(reply) {
                Ok(response) => self.on_words(now, &sent, response),
                Err(_) => self.retry_all(now, &sent, Doubt::Possible),
            },
            Err(CallError::Unsupported(api)) => {
                let error = ProduceError::Unsupported(api.name());
                sent.batches.iter().for_each(|(slot, first)| self.finish(*slot, *first, Err(error.clone())));
            }
            Err(CallError::Disconnected { sent: Sent::No, .. } | CallError::TimedOut { sent: Sent::No }) => {
                self.retry_all(now, &sent, Doubt::Absent);
            }
            Err(_) => self.retry_all(now, &sent, Doubt::Possible),
        }
    }

    fn on_words(&mut self, now: Time, sent: &Carried, response: ProduceResponse) {
        let mut words = BTreeMap::new();
        for topic in &response.responses {
            for partition in &topic.partition_responses {
                let of_topic = |slot: &Slot| {
                    slot.topic == topic.name || (topic.topic_id.is_some() && slot.topic_id == topic.topic_id)
                };
                let found = sent.batches.iter().find(|(id, _)| {
                    self.slots.get(id.0 as usize).is_some_and(|s| s.partition == partition.index && of_topic(s))
                });
                if let Some((slot, _)) = found {
                    words.insert(*slot, Word::read(partition));
                }
            }
        }
        for (slot, first) in &sent.batches {
            match words.remove(slot) {
                Some(Word::Accepted { base_offset }) => self.finish(*slot, *first, Ok(base_offset.map(Offset))),
                Some(Word::Refused { code, detail }) => self.on_refused(now, (*slot, *first), code, detail),
                None => self.retry(now, (*slot, *first), Doubt::Possible),
            }
        }
    }

    fn on_refused(&mut self, now: Time, batch: (SlotId, u64), code: ErrorCode, detail: String) {
        let (id, first) = batch;
        let Some(slot) = self.slots.get_mut(id.0 as usize) else { return };
        let oldest = slot.is_oldest(first);
        match code {
            ErrorCode::OutOfOrderSequenceNumber if !oldest => self.retry(now, batch, Doubt::Absent),
            ErrorCode::OutOfOrderSequenceNumber | ErrorCode::UnknownProducerId | ErrorCode::InvalidProducerEpoch => {
                slot.lose_sequence();
                self.retry(now, batch, Doubt::Absent);
            }
            code if matches!(code.reaction(), Reaction::Retry | Reaction::Refresh) => {
                let doubt = if code == ErrorCode::RequestTimedOut { Doubt::Possible } else { Doubt::Absent };
                self.cluster.refresh(now);
                self.retry(now, batch, doubt);
            }
            code => self.finish(id, first, Err(ProduceError::Refused { code, detail })),
        }
    }

    fn retry_all(&mut self, now: Time, sent: &Carried, doubt: Doubt) {
        for batch in &sent.batches {
            match (self.settings.acks, doubt) {
                (Acks::None, Doubt::Possible) => self.finish(batch.0, batch.1, Err(ProduceError::InDoubt)),
                _ => self.retry(now, *batch, doubt),
            }
        }
    }

    fn retry(&mut self, now: Time, batch: (SlotId, u64), doubt: Doubt) {
        let (id, first) = batch;
        let Some(slot) = self.slots.get_mut(id.0 as usize) else { return };
        slot.retry(first, doubt);
        for implied in slot.implied() {
            self.buffered = self.buffered.saturating_sub(slot.finish(implied, Ok(None)));
            self.wake = Wake::Everybody;
        }
        slot.failures = slot.failures.saturating_add(1);
        let until = now + self.cluster.retry_wait(slot.failures);
        slot.not_before = slot.not_before.max(until);
        self.resting.insert((slot.not_before, id));
        self.ready.insert(id);
    }

    /// Sends what can be sent, one batch of each partition per request.
    fn drain(&mut self, now: Time) {
        if self.ready.is_empty() {
            return;
        }
        let Ok(identity) = self.identify(now) else { return };
        loop {
            let loads = self.load(now, identity);
            if loads.is_empty() {
                return;
            }
            for (node, load) in loads {
                self.send(now, node, load);
            }
            while let Some(event) = self.cluster.poll_event() {
                self.on_event(now, event);
            }
        }
    }

    /// The identity to send under; an error while there is none yet.
    fn identify(&mut self, now: Time) -> Result<Option<(i64, i16)>, ()> {
        if self.slots.iter().any(Slot::needs_new_id) && matches!(self.identity, Identity::Known { .. }) {
            self.identity = Identity::Wanted { not_before: now, failures: 0 };
        }
        match &self.identity {
            Identity::None => Ok(None),
            Identity::Known { id, epoch } => Ok(Some((*id, *epoch))),
            Identity::Asking { .. } => Err(()),
            Identity::Wanted { not_before, failures } => {
                if *not_before <= now && *self.cluster.contact() == Contact::Made {
                    self.identity = Identity::Asking { failures: *failures };
                    let request = InitProducerIdRequest {
                        transactional_id: None,
                        transaction_timeout_ms: i32::MAX,
                        ..InitProducerIdRequest::default()
                    };
                    let timeout = self.cluster.settings().request_timeout;
                    self.cluster.call(now, Target::Any.over(Lane::Control, timeout), request, Tag::Identity);
                }
                Err(())
            }
            Identity::Refused(error) => {
                let error = error.clone();
                self.fail_all(now, &error);
                Err(())
            }
        }
    }

    fn fail_all(&mut self, now: Time, error: &ProduceError) {
        for id in std::mem::take(&mut self.ready) {
            self.close(now, id);
            let Some(slot) = self.slots.get_mut(id.0 as usize) else { continue };
            let firsts: Vec<u64> = slot.queue.iter().filter(|b| b.phase == Phase::Ready).map(|b| b.first).collect();
            firsts.into_iter().for_each(|first| self.finish(id, first, Err(error.clone())));
        }
        self.ready.clear();
    }

    fn load(&mut self, now: Time, identity: Option<(i64, i16)>) -> BTreeMap<i32, Load> {
        let mut loads: BTreeMap<i32, Load> = BTreeMap::new();
        let order: Vec<SlotId> = self.ready.range(self.turn..).chain(self.ready.range(..self.turn)).copied().collect();
        for id in order {
            let Some(node) = self.leader(now, id) else { continue };
            if self.in_flight.get(&node).copied().unwrap_or(0) >= self.settings.max_in_flight {
                continue;
            }
            let full = loads
                .get(&node)
                .is_some_and(|load| load.bytes + self.settings.batch_bytes > self.settings.request_bytes);
            if full {
                self.turn = id;
                continue;
            }
            self.prepare(now, id);
            let max_in_flight = self.settings.max_in_flight;
            let timeout = self.cluster.settings().request_timeout;
            let Some(slot) = self.slots.get_mut(id.0 as usize) else { continue };
            let (topic, topic_id, partition) = (slot.topic.clone(), slot.topic_id, slot.partition);
            if slot.in_flight() < max_in_flight
                && let Some(batch) = slot.take_next(now, identity)
            {
                let load = loads.entry(node).or_insert_with(|| Load::new(self.settings.acks, timeout));
                load.add((id, batch.first), (&topic, topic_id), partition, batch.bytes.clone().into());
            }
            if !slot.has_unsent() {
                self.ready.remove(&id);
            }
        }
        loads
    }

    /// Closes a batch that is due, and gives up those that must not be sent again.
    fn prepare(&mut self, now: Time, id: SlotId) {
        let Some(slot) = self.slots.get_mut(id.0 as usize) else { return };
        let doubtful = slot.doubtful();
        if slot.due && !slot.queue.iter().any(|b| b.phase == Phase::Ready) {
            self.close(now, id);
        }
        for first in doubtful {
            self.finish(id, first, Err(ProduceError::InDoubt));
        }
    }

    /// The leader of a partition; asks for metadata when there is none.
    fn leader(&mut self, now: Time, id: SlotId) -> Option<i32> {
        let slot = self.slots.get_mut(id.0 as usize)?;
        let topic = self.cluster.metadata().topic(&slot.topic);
        if let Some(topic) = topic
            && topic.id != slot.topic_id
        {
            slot.topic_id = topic.id;
            slot.lose_sequence();
        }
        let leader = self.cluster.metadata().leader(&slot.topic, slot.partition).map(|(node, _)| node);
        if leader.is_none() {
            self.cluster.refresh(now);
        }
        leader
    }

    fn send(&mut self, now: Time, node: i32, load: Load) {
        let (request, batches) = load.into_request();
        let number = self.next_request;
        self.next_request += 1;
        self.requests.insert(number, Carried { node, batches });
        *self.in_flight.entry(node).or_insert(0) += 1;
        let timeout = self.cluster.settings().request_timeout;
        self.cluster.call(now, Target::Node(node).over(Lane::Data, timeout), request, Tag::Produce(number));
    }
}

fn count_records(bytes: &[u8]) -> Result<u32, AppendError> {
    let mut found = batches(bytes);
    let batch = found.next().and_then(Result::ok).ok_or(AppendError::NotABatch)?;
    let count = u32::try_from(batch.header.count).map_err(|_| AppendError::NotABatch)?;
    let whole = batch.bytes.len() == bytes.len() && batch.header.last_offset_delta + 1 == batch.header.count;
    if whole && count > 0 { Ok(count) } else { Err(AppendError::NotABatch) }
}

/// Most bytes of a record besides key and value.
const RECORD_OVERHEAD: usize = 26;
/// How often a batch past its time but in flight is looked at.
const EXPIRY_POLL: Span = Span::from_millis(100);
