use groma_model::{Span, TopicId};
use groma_wire::ErrorCode;
use groma_wire::Records;
use groma_wire::messages::{PartitionProduceData, PartitionProduceResponse, ProduceRequest, TopicProduceData};

use super::{ProduceError, SlotId};
use crate::Acks;

/// A Produce request in flight: which batch of which partition it carries.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    pub(super) node: i32,
    pub(super) batches: Vec<(SlotId, u64)>,
}

/// What is put into a Produce request.
#[derive(Debug)]
pub(super) struct Load {
    acks: Acks,
    timeout: Span,
    topics: Vec<TopicProduceData>,
    pub(super) bytes: usize,
    pub(super) batches: Vec<(SlotId, u64)>,
}

/// What an answer says about a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Accepted { base_offset: Option<i64> },
    Refused { code: ErrorCode, detail: String },
}

impl Load {
    pub(super) const fn new(acks: Acks, timeout: Span) -> Self {
        Self { acks, timeout, topics: Vec::new(), bytes: 0, batches: Vec::new() }
    }

    pub(super) fn add(&mut self, slot: (SlotId, u64), topic: (&str, TopicId), index: i32, records: Records) {
        self.bytes += records.len();
        self.batches.push(slot);
        let data = PartitionProduceData { index, records: Some(records) };
        let (name, topic_id) = topic;
        match self.topics.iter_mut().rev().find(|t| t.topic_id == topic_id && t.name == name) {
            Some(topic) => topic.partition_data.push(data),
            None => self.topics.push(TopicProduceData { name: name.to_owned(), topic_id, partition_data: vec![data] }),
        }
    }

    pub(super) fn into_request(self) -> (ProduceRequest, Vec<(SlotId, u64)>) {
        let acks = match self.acks {
            Acks::All => -1,
            Acks::Leader => 1,
            Acks::None => 0,
        };
        let request = ProduceRequest {
            transactional_id: None,
            acks,
            timeout_ms: i32::try_from(self.timeout.as_millis()).unwrap_or(i32::MAX),
            topic_data: self.topics,
        };
        (request, self.batches)
    }
}

impl Word {
    pub(super) fn read(response: &PartitionProduceResponse) -> Self {
        match ErrorCode::from_i16(response.error_code) {
            ErrorCode::None => {
                Self::Accepted { base_offset: (response.base_offset >= 0).then_some(response.base_offset) }
            }
            ErrorCode::DuplicateSequenceNumber => Self::Accepted { base_offset: None },
            code => {
                let detail = response.error_message.as_ref().map(|m| format!(": {m}")).unwrap_or_default();
                Self::Refused { code, detail }
            }
        }
    }
}

impl From<Word> for ProduceError {
    fn from(word: Word) -> Self {
        match word {
            Word::Refused { code, detail } => Self::Refused { code, detail },
            Word::Accepted { .. } => Self::InDoubt,
        }
    }
}
