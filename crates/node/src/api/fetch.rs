use bytes::Bytes;
use groma_model::Offset;
use groma_wire::messages::{
    FetchPartition, FetchRequest, FetchResponse, FetchTopic, FetchableTopicResponse, PartitionData,
};
use groma_wire::{ErrorCode, Records};

use crate::append::LEADER_EPOCH;
use crate::call::Call;
use crate::fetches::ParkedFetch;
use crate::log::{FileRange, Found, LogId};
use crate::node::Node;
use crate::topic::Topic;

/// The first version that names topics by id.
const BY_ID: i16 = 13;

/// An answer in the making.
struct Draft {
    response: FetchResponse,
    ranges: Vec<FileRange>,
    /// Bytes of records so far.
    bytes: u64,
    /// Bytes that may still be added; the first batch goes in regardless.
    room: u64,
    failed: bool,
    /// The logs asked for.
    logs: Vec<LogId>,
}

impl Node {
    /// Answers at once when there is enough, or something is wrong; else waits for records.
    pub(super) fn fetch(&mut self, call: Call, request: FetchRequest) {
        if request.session_id != 0 {
            let error_code = ErrorCode::FetchSessionIdNotFound.code();
            return self.answer(call, &FetchResponse { error_code, ..Default::default() });
        }
        let draft = self.draft_fetch(&call, &request);
        let wanted = u64::try_from(request.min_bytes).unwrap_or(0);
        if draft.failed || draft.bytes >= wanted || request.max_wait_ms <= 0 || draft.logs.is_empty() {
            return self.answer_with_files(call, &draft.response, draft.ranges);
        }
        let deadline = self.now + Self::wait_span(request.max_wait_ms);
        let missing = wanted - draft.bytes;
        self.fetches.park(ParkedFetch { call, request, logs: draft.logs, deadline, missing });
    }

    /// Answers with what there is now.
    pub(crate) fn answer_fetch(&mut self, call: Call, request: &FetchRequest) {
        let draft = self.draft_fetch(&call, request);
        self.answer_with_files(call, &draft.response, draft.ranges);
    }

    fn draft_fetch(&self, call: &Call, request: &FetchRequest) -> Draft {
        let most = u64::try_from(request.max_bytes).unwrap_or(0);
        let mut draft = Draft {
            response: FetchResponse::default(),
            ranges: Vec::new(),
            bytes: 0,
            room: most.min(u64::from(self.identity.settings.fetch_max_bytes.unsigned_abs())),
            failed: false,
            logs: Vec::new(),
        };
        for asked in &request.topics {
            let topic = self.fetched_topic(call, asked);
            let partitions = asked.partitions.iter().map(|partition| draft.add(topic, partition)).collect();
            draft.response.responses.push(FetchableTopicResponse {
                topic: asked.topic.clone(),
                topic_id: asked.topic_id,
                partitions,
            });
        }
        draft
    }

    fn fetched_topic(&self, call: &Call, asked: &FetchTopic) -> Result<&Topic, ErrorCode> {
        match call.version {
            BY_ID.. => self.topics.get(asked.topic_id).ok_or(ErrorCode::UnknownTopicId),
            _ => self.topics.named(&asked.topic).ok_or(ErrorCode::UnknownTopicOrPartition),
        }
    }
}

impl Draft {
    fn add(&mut self, topic: Result<&Topic, ErrorCode>, asked: &FetchPartition) -> PartitionData {
        match topic.and_then(|topic| self.found(topic, asked)) {
            Ok(data) => data,
            Err(error) => {
                self.failed = true;
                empty(asked.partition, error)
            }
        }
    }

    fn found(&mut self, topic: &Topic, asked: &FetchPartition) -> Result<PartitionData, ErrorCode> {
        let log = topic.log(asked.partition).ok_or(ErrorCode::UnknownTopicOrPartition)?;
        if asked.current_leader_epoch > LEADER_EPOCH {
            return Err(ErrorCode::UnknownLeaderEpoch);
        }
        let id = LogId { topic: topic.id, partition: asked.partition };
        let mut data = PartitionData {
            high_watermark: log.end().0,
            last_stable_offset: log.end().0,
            log_start_offset: log.start().0,
            ..empty(asked.partition, ErrorCode::None)
        };
        self.logs.push(id);
        let most = self.room.min(u64::try_from(asked.partition_max_bytes).unwrap_or(0)) as u32;
        match log.read(Offset(asked.fetch_offset), most) {
            Found::OutOfRange => {
                self.failed = true;
                data.error_code = ErrorCode::OffsetOutOfRange.code();
            }
            Found::Batches(stretch) if stretch.first <= most || self.bytes == 0 => {
                self.bytes += u64::from(stretch.len);
                self.room = self.room.saturating_sub(u64::from(stretch.len));
                data.records = Some(Records::External { len: stretch.len, token: self.ranges.len() as u64 });
                self.ranges.push(FileRange {
                    log: id,
                    segment: stretch.segment,
                    position: stretch.position,
                    len: stretch.len,
                });
            }
            Found::Batches(_) | Found::Nothing => {}
        }
        Ok(data)
    }
}

fn empty(partition: i32, error: ErrorCode) -> PartitionData {
    PartitionData {
        partition_index: partition,
        error_code: error.code(),
        high_watermark: -1,
        last_stable_offset: -1,
        log_start_offset: -1,
        aborted_transactions: None,
        preferred_read_replica: -1,
        records: Some(Records::Bytes(Bytes::new())),
        ..Default::default()
    }
}
