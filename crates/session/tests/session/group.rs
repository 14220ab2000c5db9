//! A coordinator whose every step the tests decide: it knows one real member, and a silent one beside it.

use std::collections::BTreeMap;

use bytes::Bytes;
use groma_model::{Span, Time};
use groma_session::net::LinkId;
use groma_wire::messages::*;
use groma_wire::{ApiKey, Data, ErrorCode, Message, Reader, RequestHeader};

use crate::broker::{TOPIC, frame};
use crate::world::Answers;

pub(crate) struct Group {
    pub(crate) generation: i32,
    /// Whether heartbeats tell of a round.
    pub(crate) rebalancing: bool,
    /// How long a join, and a sync, stays parked.
    pub(crate) hold_join: Span,
    pub(crate) hold_sync: Span,
    /// How long it takes to say what was committed.
    pub(crate) hold_offsets: Span,
    /// Who leads, and what the member gets when it is not the leader.
    pub(crate) leader: Leader,
    /// Whether a second member takes part.
    pub(crate) crowd: Crowd,
    pub(crate) committed: BTreeMap<i32, i64>,
    /// What the next commits and heartbeats are answered with.
    pub(crate) commit_error: ErrorCode,
    pub(crate) heartbeat_error: ErrorCode,
    pub(crate) commits: Vec<(i32, i32, i64)>,
    pub(crate) left: bool,
    topic_id: groma_model::TopicId,
    parked: Vec<(Time, LinkId, Bytes)>,
    ready: Answers,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leader {
    Member,
    Other { assignment: Vec<i32> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crowd {
    Alone,
    Two,
}

const MEMBER: &str = "real";
const OTHER: &str = "other";

impl Default for Group {
    fn default() -> Self {
        Self {
            generation: 0,
            rebalancing: false,
            hold_join: Span::ZERO,
            hold_sync: Span::ZERO,
            hold_offsets: Span::ZERO,
            leader: Leader::Member,
            crowd: Crowd::Alone,
            committed: BTreeMap::new(),
            commit_error: ErrorCode::None,
            heartbeat_error: ErrorCode::None,
            commits: Vec::new(),
            left: false,
            topic_id: groma_model::TopicId([7; 16]),
            parked: Vec::new(),
            ready: Answers::new(),
        }
    }
}

impl Group {
    pub(crate) fn deadline(&self) -> Option<Time> {
        self.parked.iter().map(|(at, ..)| *at).min()
    }

    pub(crate) fn release(&mut self, now: Time) -> Answers {
        let (due, kept) = std::mem::take(&mut self.parked).into_iter().partition(|(at, ..)| *at <= now);
        self.parked = kept;
        let due: Vec<(Time, LinkId, Bytes)> = due;
        due.into_iter().map(|(_, link, answer)| (link, answer)).collect()
    }

    pub(crate) fn answers(&mut self) -> Answers {
        std::mem::take(&mut self.ready)
    }

    /// How many joins and syncs are parked.
    pub(crate) fn parked(&self) -> usize {
        self.parked.len()
    }

    /// Answers at the given time; answers on one link keep the order of their requests.
    pub(crate) fn put(&mut self, now: Time, at: Time, (link, answer): (LinkId, Bytes)) {
        let before = self.parked.iter().filter(|(_, on, _)| *on == link).map(|(at, ..)| *at).max();
        let at = before.map_or(at, |before| before.max(at));
        if at <= now {
            self.ready.push_back((link, answer));
        } else {
            self.parked.push((at, link, answer));
        }
    }

    pub(crate) fn take(&mut self, now: Time, link: LinkId, header: &RequestHeader, mut reader: Reader) -> &'static str {
        let version = header.api_version;
        let key = ApiKey::from_i16(header.api_key).expect("a known API");
        let (name, hold, answer) = match key {
            ApiKey::FindCoordinator => ("FindCoordinator", Span::ZERO, frame(header, &coordinator())),
            ApiKey::JoinGroup => {
                let request = JoinGroupRequest::decode(&mut reader, version).expect("a request");
                let response = self.join(&request);
                let hold = if response.error_code == 0 { self.hold_join } else { Span::ZERO };
                ("JoinGroup", hold, frame(header, &response))
            }
            ApiKey::SyncGroup => {
                let request = SyncGroupRequest::decode(&mut reader, version).expect("a request");
                ("SyncGroup", self.hold_sync, frame(header, &self.sync(&request)))
            }
            ApiKey::Heartbeat => {
                let busy = if self.rebalancing { ErrorCode::RebalanceInProgress } else { self.heartbeat_error };
                let response = HeartbeatResponse { error_code: busy.code(), ..Default::default() };
                ("Heartbeat", Span::ZERO, frame(header, &response))
            }
            ApiKey::LeaveGroup => {
                self.left = true;
                let member = MemberResponse { member_id: MEMBER.to_owned(), ..Default::default() };
                let response = LeaveGroupResponse { members: vec![member], ..Default::default() };
                ("LeaveGroup", Span::ZERO, frame(header, &response))
            }
            ApiKey::OffsetFetch => {
                let request = OffsetFetchRequest::decode(&mut reader, version).expect("a request");
                ("OffsetFetch", self.hold_offsets, frame(header, &self.offsets(&request)))
            }
            ApiKey::OffsetCommit => {
                let request = OffsetCommitRequest::decode(&mut reader, version).expect("a request");
                ("OffsetCommit", Span::ZERO, frame(header, &self.commit(&request)))
            }
            key => panic!("unexpected {key:?}"),
        };
        self.put(now, now + hold, (link, answer));
        name
    }

    fn join(&mut self, request: &JoinGroupRequest) -> JoinGroupResponse {
        let member_id = MEMBER.to_owned();
        if request.member_id.is_empty() {
            let error_code = ErrorCode::MemberIdRequired.code();
            return JoinGroupResponse { error_code, member_id, ..Default::default() };
        }
        self.rebalancing = false;
        self.generation += 1;
        let protocol = &request.protocols[0];
        let member = |id: &str, metadata: &Bytes| JoinGroupResponseMember {
            member_id: id.to_owned(),
            metadata: metadata.clone(),
            ..Default::default()
        };
        let mut members = vec![member(MEMBER, &protocol.metadata)];
        if self.crowd == Crowd::Two {
            let other = ConsumerProtocolSubscription { topics: vec![TOPIC.to_owned()], ..Default::default() };
            members.push(member(OTHER, &other.to_bytes(1).expect("bytes")));
        }
        let leads = self.leader == Leader::Member;
        JoinGroupResponse {
            generation_id: self.generation,
            protocol_type: Some("consumer".to_owned()),
            protocol_name: Some(protocol.name.clone()),
            leader: if leads { MEMBER } else { OTHER }.to_owned(),
            member_id,
            members: if leads { members } else { Vec::new() },
            ..Default::default()
        }
    }

    fn sync(&self, request: &SyncGroupRequest) -> SyncGroupResponse {
        let assignment = match &self.leader {
            Leader::Member => {
                let own = request.assignments.iter().find(|a| a.member_id == MEMBER);
                own.map(|a| a.assignment.clone()).unwrap_or_default()
            }
            Leader::Other { assignment } => {
                let topic = ConsumerProtocolAssignmentTopicPartition {
                    topic: TOPIC.to_owned(),
                    partitions: assignment.clone(),
                };
                let assigned_partitions = if assignment.is_empty() { vec![] } else { vec![topic] };
                let all = ConsumerProtocolAssignment { assigned_partitions, ..Default::default() };
                all.to_bytes(1).expect("bytes")
            }
        };
        SyncGroupResponse {
            protocol_type: request.protocol_type.clone(),
            protocol_name: request.protocol_name.clone(),
            assignment,
            ..Default::default()
        }
    }

    fn offsets(&self, request: &OffsetFetchRequest) -> OffsetFetchResponse {
        let partition = |index: &i32| OffsetFetchResponsePartitions {
            partition_index: *index,
            committed_offset: self.committed.get(index).copied().unwrap_or(-1),
            ..Default::default()
        };
        let topic = |asked: &OffsetFetchRequestTopics| OffsetFetchResponseTopics {
            name: String::new(),
            topic_id: asked.topic_id,
            partitions: asked.partition_indexes.iter().map(partition).collect(),
        };
        let topics = request.groups[0].topics.iter().flatten().map(topic).collect();
        let group = OffsetFetchResponseGroup { group_id: request.groups[0].group_id.clone(), topics, error_code: 0 };
        OffsetFetchResponse { groups: vec![group], ..Default::default() }
    }

    fn commit(&mut self, request: &OffsetCommitRequest) -> OffsetCommitResponse {
        let error = self.commit_error;
        let mut topics = Vec::new();
        for topic in &request.topics {
            let mut answered = OffsetCommitResponseTopic { topic_id: self.topic_id, ..Default::default() };
            for partition in &topic.partitions {
                let (index, offset) = (partition.partition_index, partition.committed_offset);
                if error == ErrorCode::None {
                    self.committed.insert(index, offset);
                    self.commits.push((request.generation_id_or_member_epoch, index, offset));
                }
                answered
                    .partitions
                    .push(OffsetCommitResponsePartition { partition_index: index, error_code: error.code() });
            }
            topics.push(answered);
        }
        OffsetCommitResponse { topics, ..Default::default() }
    }
}

fn coordinator() -> FindCoordinatorResponse {
    let found = Coordinator { node_id: 1, host: "broker".to_owned(), port: 9092, ..Default::default() };
    FindCoordinatorResponse { coordinators: vec![found], ..Default::default() }
}
