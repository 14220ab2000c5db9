//! A broker with one topic in memory, whose moods the tests decide.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use groma_model::{Span, Time, TopicId};
use groma_session::net::{LinkId, Peer};
use groma_wire::messages::*;
use groma_wire::{ApiKey, ErrorCode, Message, Reader, Records, RequestHeader, frame_response};

use crate::group::Group;
use crate::log::Log;
use crate::world::Answers;

pub(crate) const TOPIC: &str = "t";

/// Whether the broker does what it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    Willing,
    /// It refuses in passing what can be refused in passing.
    Refusing,
}

pub(crate) struct Broker {
    pub(crate) partitions: Vec<Log>,
    pub(crate) topic_id: TopicId,
    /// Ports on which connections are refused, or never opened, or say nothing, or other than Kafka, or end when asked.
    pub(crate) refused: BTreeSet<u16>,
    pub(crate) holes: BTreeSet<u16>,
    pub(crate) silent: BTreeSet<u16>,
    pub(crate) foreign: BTreeSet<u16>,
    pub(crate) closing: BTreeSet<u16>,
    pub(crate) group: Group,
    pub(crate) requests: BTreeMap<&'static str, usize>,
    /// Refuses this many Produce batches for good, with this error.
    pub(crate) poison: Option<(usize, ErrorCode)>,
    pub(crate) log_start: i64,
    fetches: Vec<Waiting>,
    next_producer: i64,
}

/// A Fetch that waits for records.
struct Waiting {
    until: Time,
    link: LinkId,
    header: RequestHeader,
    request: FetchRequest,
}

impl Default for Broker {
    fn default() -> Self {
        Self {
            partitions: (0..3).map(|_| Log::default()).collect(),
            topic_id: TopicId([7; 16]),
            refused: BTreeSet::new(),
            holes: BTreeSet::new(),
            silent: BTreeSet::new(),
            foreign: BTreeSet::new(),
            closing: BTreeSet::new(),
            group: Group::default(),
            requests: BTreeMap::new(),
            poison: None,
            log_start: 0,
            fetches: Vec::new(),
            next_producer: 100,
        }
    }
}

impl Broker {
    pub(crate) fn is_listening(&self, peer: &Peer) -> bool {
        !self.refused.contains(&peer.address.port) && !self.holes.contains(&peer.address.port)
    }

    /// When a parked answer is due.
    pub(crate) fn deadline(&self) -> Option<Time> {
        self.fetches.iter().map(|f| f.until).chain(self.group.deadline()).min()
    }

    /// Answers what was parked and is due.
    pub(crate) fn release(&mut self, now: Time) -> Answers {
        let mut answers = self.group.release(now);
        let (due, kept) = std::mem::take(&mut self.fetches).into_iter().partition(|f| f.until <= now);
        self.fetches = kept;
        let due: Vec<Waiting> = due;
        for waiting in due {
            let response = self.fetch(&waiting.request);
            answers.push_back((waiting.link, frame(&waiting.header, &response)));
        }
        answers
    }

    pub(crate) fn take(&mut self, now: Time, link: LinkId, bytes: Bytes, mood: Mood) -> Answers {
        let mut reader = Reader::new(bytes);
        let header = RequestHeader::decode(&mut reader).expect("a header");
        let key = ApiKey::from_i16(header.api_key).expect("a known API");
        let version = header.api_version;
        let answer = match key {
            ApiKey::ApiVersions => frame(&header, &self.count("ApiVersions", versions())),
            ApiKey::Metadata => {
                let request = MetadataRequest::decode(&mut reader, version).expect("a request");
                frame(&header, &self.count_with("Metadata", |b| b.metadata(&request)))
            }
            ApiKey::InitProducerId => {
                self.next_producer += 1;
                let producer_id = self.next_producer;
                let error_code = passing(mood, ErrorCode::CoordinatorLoadInProgress);
                let response =
                    InitProducerIdResponse { producer_id, producer_epoch: 0, error_code, ..Default::default() };
                frame(&header, &self.count("InitProducerId", response))
            }
            ApiKey::Produce => {
                let request = ProduceRequest::decode(&mut reader, version).expect("a request");
                let response = self.count_with("Produce", |b| b.produce(&request, mood));
                if request.acks == 0 {
                    return Answers::new();
                }
                frame(&header, &response)
            }
            ApiKey::ListOffsets => {
                let request = ListOffsetsRequest::decode(&mut reader, version).expect("a request");
                frame(&header, &self.count_with("ListOffsets", |b| b.list(&request, mood)))
            }
            ApiKey::Fetch => {
                let request = FetchRequest::decode(&mut reader, version).expect("a request");
                *self.requests.entry("Fetch").or_default() += 1;
                let wait = if self.fetch(&request).responses.is_empty() { request.max_wait_ms as u64 } else { 1 };
                self.fetches.push(Waiting { until: now + Span::from_millis(wait), link, header, request });
                return Answers::new();
            }
            key => {
                let name = self.group.take(now, link, &header, reader);
                *self.requests.entry(name).or_default() += 1;
                let _ = key;
                return self.group.answers();
            }
        };
        self.group.put(now, now, (link, answer));
        self.group.answers()
    }

    pub(crate) fn asked(&self, api: &str) -> usize {
        self.requests.get(api).copied().unwrap_or(0)
    }

    fn count<T>(&mut self, api: &'static str, response: T) -> T {
        *self.requests.entry(api).or_default() += 1;
        response
    }

    fn count_with<T>(&mut self, api: &'static str, act: impl FnOnce(&mut Self) -> T) -> T {
        *self.requests.entry(api).or_default() += 1;
        act(self)
    }

    fn metadata(&self, request: &MetadataRequest) -> MetadataResponse {
        let partition = |index: usize| MetadataResponsePartition {
            partition_index: index as i32,
            leader_id: 1,
            leader_epoch: 0,
            ..Default::default()
        };
        let topic = |wanted: &MetadataRequestTopic| {
            let known = wanted.name.as_deref() == Some(TOPIC) && !self.partitions.is_empty();
            MetadataResponseTopic {
                name: wanted.name.clone(),
                topic_id: if known { self.topic_id } else { TopicId::NONE },
                error_code: if known { 0 } else { ErrorCode::UnknownTopicOrPartition.code() },
                partitions: (0..if known { self.partitions.len() } else { 0 }).map(partition).collect(),
                ..Default::default()
            }
        };
        MetadataResponse {
            brokers: vec![MetadataResponseBroker {
                node_id: 1,
                host: "broker".to_owned(),
                port: 9092,
                ..Default::default()
            }],
            controller_id: 1,
            topics: request.topics.iter().flatten().map(topic).collect(),
            ..Default::default()
        }
    }

    fn produce(&mut self, request: &ProduceRequest, mood: Mood) -> ProduceResponse {
        let mut response = ProduceResponse::default();
        for topic in &request.topic_data {
            let mut answered =
                TopicProduceResponse { name: topic.name.clone(), topic_id: topic.topic_id, ..Default::default() };
            for partition in &topic.partition_data {
                let (error, base_offset) = match self.append(topic.topic_id, partition, mood) {
                    Ok(offset) => (ErrorCode::None, offset),
                    Err(error) => (error, -1),
                };
                answered.partition_responses.push(PartitionProduceResponse {
                    index: partition.index,
                    error_code: error.code(),
                    base_offset,
                    ..Default::default()
                });
            }
            response.responses.push(answered);
        }
        response
    }

    fn append(&mut self, id: TopicId, data: &PartitionProduceData, mood: Mood) -> Result<i64, ErrorCode> {
        if mood == Mood::Refusing {
            return Err(ErrorCode::NotLeaderOrFollower);
        }
        if id != self.topic_id {
            return Err(ErrorCode::UnknownTopicId);
        }
        if let Some((left, error)) = self.poison.take_if(|(left, _)| *left > 0) {
            self.poison = Some((left - 1, error));
            return Err(error);
        }
        let log = self.partitions.get_mut(data.index as usize).ok_or(ErrorCode::UnknownTopicOrPartition)?;
        match &data.records {
            Some(Records::Bytes(bytes)) => log.append(bytes),
            _ => Err(ErrorCode::CorruptMessage),
        }
    }

    fn list(&self, request: &ListOffsetsRequest, mood: Mood) -> ListOffsetsResponse {
        let partition = |asked: &ListOffsetsPartition| ListOffsetsPartitionResponse {
            partition_index: asked.partition_index,
            error_code: passing(mood, ErrorCode::NotLeaderOrFollower),
            offset: match asked.timestamp {
                -2 => self.log_start,
                _ => self.partitions[asked.partition_index as usize].end,
            },
            ..Default::default()
        };
        let topic = |asked: &ListOffsetsTopic| ListOffsetsTopicResponse {
            name: asked.name.clone(),
            partitions: asked.partitions.iter().map(partition).collect(),
        };
        ListOffsetsResponse { topics: request.topics.iter().map(topic).collect(), ..Default::default() }
    }

    /// What there is to fetch; no topic at all when there is nothing.
    fn fetch(&self, request: &FetchRequest) -> FetchResponse {
        let mut response = FetchResponse::default();
        for topic in &request.topics {
            let mut answered = FetchableTopicResponse { topic_id: topic.topic_id, ..Default::default() };
            for asked in &topic.partitions {
                let log = &self.partitions[asked.partition as usize];
                let error = match asked.fetch_offset {
                    _ if topic.topic_id != self.topic_id => ErrorCode::UnknownTopicId,
                    offset if offset < self.log_start || offset > log.end => ErrorCode::OffsetOutOfRange,
                    offset if offset == log.end => continue,
                    _ => ErrorCode::None,
                };
                answered.partitions.push(PartitionData {
                    partition_index: asked.partition,
                    error_code: error.code(),
                    high_watermark: log.end,
                    records: Some(Records::Bytes(log.read(asked.fetch_offset, 1))),
                    ..Default::default()
                });
            }
            if !answered.partitions.is_empty() {
                response.responses.push(answered);
            }
        }
        response
    }
}

fn passing(mood: Mood, error: ErrorCode) -> i16 {
    if mood == Mood::Refusing { error.code() } else { 0 }
}

fn versions() -> ApiVersionsResponse {
    let offered = |key: &ApiKey| ApiVersion {
        api_key: key.code(),
        min_version: *key.versions().start(),
        max_version: *key.versions().end(),
    };
    ApiVersionsResponse { api_keys: ApiKey::ALL.iter().map(offered).collect(), ..Default::default() }
}

pub(crate) fn frame<M: Message>(header: &RequestHeader, response: &M) -> Bytes {
    let writer = frame_response(header.correlation_id, header.api_version, response).expect("an answer");
    writer.into_bytes().expect("in memory")
}
