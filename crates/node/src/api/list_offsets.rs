use bytes::Bytes;
use groma_model::{Offset, Timestamp};
use groma_wire::ErrorCode;
use groma_wire::messages::{
    ListOffsetsPartition, ListOffsetsPartitionResponse, ListOffsetsRequest, ListOffsetsResponse,
    ListOffsetsTopicResponse,
};
use groma_wire::records::{RecordsError, Scratch, batches};

use crate::append::LEADER_EPOCH;
use crate::call::Call;
use crate::contract::{Output, StorageFailure};
use crate::effects::{Effect, JobId, Slot, Wanted};
use crate::log::{FileRange, LogId, Stretch};
use crate::node::Node;

/// A look-up of offsets that waits for batches to be read.
#[derive(Debug)]
pub(crate) struct ListOffsetsJob {
    call: Call,
    response: ListOffsetsResponse,
    left: usize,
}

/// What a client asks for instead of a time.
mod special {
    pub(super) const LATEST: i64 = -1;
    pub(super) const EARLIEST: i64 = -2;
    pub(super) const MAX_TIMESTAMP: i64 = -3;
    pub(super) const EARLIEST_LOCAL: i64 = -4;
    pub(super) const LATEST_TIERED: i64 = -5;
    pub(super) const EARLIEST_PENDING_UPLOAD: i64 = -6;
}

/// Where a partition's answer comes from.
enum Answer {
    Offset(Offset),
    None,
    In(Search),
}

/// A batch to be read, and what is looked for in it.
struct Search {
    log: LogId,
    stretch: Stretch,
    wanted: Wanted,
}

impl Node {
    /// Answers at once, or after the batches that hold the times asked for have been read.
    pub(super) fn list_offsets(&mut self, call: Call, request: ListOffsetsRequest) {
        let id = self.effects.jobs.next_id();
        let epoch = leader_epoch(&call);
        let mut job = ListOffsetsJob { call, response: ListOffsetsResponse::default(), left: 0 };
        for (topic, asked) in request.topics.into_iter().enumerate() {
            let mut partitions = Vec::with_capacity(asked.partitions.len());
            for (partition, wanted) in asked.partitions.iter().enumerate() {
                let mut response = unanswered(wanted.partition_index);
                match self.offset_of(&asked.name, wanted) {
                    Ok(Answer::Offset(offset)) => {
                        response.offset = offset.0;
                        response.leader_epoch = epoch;
                    }
                    Ok(Answer::None) => {}
                    Ok(Answer::In(search)) => {
                        job.left += 1;
                        self.search(id, Slot { topic, partition }, &search);
                    }
                    Err(error) => response.error_code = error.code(),
                }
                partitions.push(response);
            }
            job.response.topics.push(ListOffsetsTopicResponse { name: asked.name, partitions });
        }
        if job.left == 0 {
            return self.answer(job.call, &job.response);
        }
        self.effects.jobs.list_offsets.insert(id, job);
    }

    fn offset_of(&self, topic: &str, asked: &ListOffsetsPartition) -> Result<Answer, ErrorCode> {
        let topic = self.topics.named(topic).ok_or(ErrorCode::UnknownTopicOrPartition)?;
        let log = topic.log(asked.partition_index).ok_or(ErrorCode::UnknownTopicOrPartition)?;
        if asked.current_leader_epoch > LEADER_EPOCH {
            return Err(ErrorCode::UnknownLeaderEpoch);
        }
        let id = LogId { topic: topic.id, partition: asked.partition_index };
        let within = |stretch: Option<Stretch>, wanted| {
            stretch.map_or(Answer::None, |stretch| Answer::In(Search { log: id, stretch, wanted }))
        };
        match asked.timestamp {
            special::LATEST => Ok(Answer::Offset(log.end())),
            special::EARLIEST | special::EARLIEST_LOCAL | special::EARLIEST_PENDING_UPLOAD => {
                Ok(Answer::Offset(log.start()))
            }
            special::MAX_TIMESTAMP => Ok(within(log.newest(), Wanted::Newest)),
            special::LATEST_TIERED => Ok(Answer::None),
            time @ 0.. => Ok(within(log.since(Timestamp(time)), Wanted::Since(Timestamp(time)))),
            _ => Err(ErrorCode::InvalidRequest),
        }
    }

    fn search(&mut self, job: JobId, at: Slot, search: &Search) {
        let Search { log, stretch, wanted } = *search;
        let effect = self.effects.open(Effect::Searched { job, at, wanted });
        let range = FileRange { log, segment: stretch.segment, position: stretch.position, len: stretch.len };
        self.emit(Output::Read { effect, range });
    }

    /// The batch with a time asked for was read, or could not be.
    pub(crate) fn searched(&mut self, id: JobId, at: Slot, wanted: Wanted, result: Result<Bytes, StorageFailure>) {
        let Some(job) = self.effects.jobs.list_offsets.get_mut(&id) else { return };
        job.left -= 1;
        let epoch = leader_epoch(&job.call);
        let topic = job.response.topics.get_mut(at.topic);
        if let Some(response) = topic.and_then(|topic| topic.partitions.get_mut(at.partition)) {
            match result.map(|bytes| find(&bytes, wanted)) {
                Ok(Ok(Some((offset, time)))) => {
                    response.offset = offset.0;
                    response.timestamp = time.0;
                    response.leader_epoch = epoch;
                }
                Ok(Ok(None)) => {}
                Ok(Err(_)) => response.error_code = ErrorCode::CorruptMessage.code(),
                Err(StorageFailure) => response.error_code = ErrorCode::KafkaStorageError.code(),
            }
        }
        if job.left == 0
            && let Some(job) = self.effects.jobs.list_offsets.remove(&id)
        {
            self.answer(job.call, &job.response);
        }
    }
}

/// What the version can say about the leader.
fn leader_epoch(call: &Call) -> i32 {
    if call.version >= 4 { LEADER_EPOCH } else { -1 }
}

/// The offset and time of the first record wanted in a batch.
fn find(bytes: &[u8], wanted: Wanted) -> Result<Option<(Offset, Timestamp)>, RecordsError> {
    let mut scratch = Scratch::default();
    let Some(batch) = batches(bytes).next() else { return Ok(None) };
    let batch = batch?;
    let least = match wanted {
        Wanted::Since(time) => time,
        Wanted::Newest => batch.header.max_timestamp,
    };
    for record in batch.records(&mut scratch)? {
        let record = record?;
        if record.timestamp >= least {
            return Ok(Some((record.offset, record.timestamp)));
        }
    }
    Ok(None)
}

fn unanswered(partition_index: i32) -> ListOffsetsPartitionResponse {
    ListOffsetsPartitionResponse { partition_index, timestamp: -1, offset: -1, leader_epoch: -1, ..Default::default() }
}
