use std::collections::BTreeSet;

use groma_model::TopicId;
use groma_wire::ErrorCode;
use groma_wire::messages::{
    PartitionProduceData, PartitionProduceResponse, ProduceRequest, ProduceResponse, TopicProduceData,
    TopicProduceResponse,
};

use crate::append::{Checked, Verdict};
use crate::call::{Call, Refusal};
use crate::contract::{Offence, Output, StorageFailure};
use crate::effects::{Effect, JobId, Slot, Written};
use crate::log::LogId;
use crate::node::Node;
use crate::topic::TimestampType;

/// A produce whose batches are on their way to the logs.
#[derive(Debug)]
pub(crate) struct ProduceJob {
    call: Call,
    acks: Acks,
    response: ProduceResponse,
    left: usize,
}

/// Whether the producer wants to hear of its batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acks {
    Silent,
    Answer,
}

/// The first version that names topics by id.
const BY_ID: i16 = 13;

impl Node {
    pub(super) fn produce(&mut self, call: Call, request: ProduceRequest) {
        let acks = match request.acks {
            0 => Acks::Silent,
            1 | -1 => Acks::Answer,
            _ => return self.refuse_produce(call, &request, ErrorCode::InvalidRequiredAcks),
        };
        if request.transactional_id.is_some() {
            return self.refuse_produce(call, &request, ErrorCode::TransactionalIdAuthorizationFailed);
        }
        let id = self.effects.jobs.next_id();
        let mut job = ProduceJob { call, acks, response: ProduceResponse::default(), left: 0 };
        let mut seen = BTreeSet::new();
        for (topic, data) in request.topic_data.into_iter().enumerate() {
            let TopicProduceData { name, topic_id, partition_data } = data;
            let found = self.produced_topic(&job.call, &name, topic_id);
            let mut responses = Vec::with_capacity(partition_data.len());
            for (partition, data) in partition_data.into_iter().enumerate() {
                let at = Slot { topic, partition };
                let mut response = unanswered(data.index);
                let admitted = found.clone().and_then(|topic| {
                    let log = LogId { topic, partition: data.index };
                    if seen.insert(log) {
                        self.append(id, at, log, data)
                    } else {
                        Err(ErrorCode::InvalidRequest.into())
                    }
                });
                match admitted {
                    Ok(Verdict::Write(_)) => job.left += 1,
                    Ok(Verdict::Duplicate(offset)) => {
                        response.error_code = ErrorCode::None.code();
                        response.base_offset = offset.0;
                    }
                    Err(refusal) => {
                        response.error_code = refusal.code.code();
                        response.error_message = refusal.message;
                    }
                }
                responses.push(response);
            }
            job.response.responses.push(TopicProduceResponse { name, topic_id, partition_responses: responses });
        }
        if job.left == 0 { self.answer_produce(job) } else { drop(self.effects.jobs.produce.insert(id, job)) }
    }

    /// A batch is written, or could not be.
    pub(crate) fn produced(&mut self, id: JobId, at: Slot, written: Written, result: Result<(), StorageFailure>) {
        let topic = self.topics.get(written.log.topic);
        let start = topic.and_then(|topic| topic.log(written.log.partition)).map(|log| log.start().0);
        let stamped = topic.is_some_and(|topic| topic.limits.timestamps == TimestampType::LogAppend);
        let Some(job) = self.effects.jobs.produce.get_mut(&id) else { return };
        job.left -= 1;
        if let Some(response) = job.response_at(at) {
            match (result, start) {
                (Ok(()), Some(start)) => {
                    response.error_code = ErrorCode::None.code();
                    response.base_offset = written.batch.base_offset.0;
                    response.log_start_offset = start;
                    response.log_append_time_ms = if stamped { written.batch.max_timestamp.0 } else { -1 };
                }
                (Ok(()), None) => response.error_code = ErrorCode::UnknownTopicOrPartition.code(),
                (Err(StorageFailure), _) => response.error_code = ErrorCode::KafkaStorageError.code(),
            }
        }
        if job.left == 0
            && let Some(job) = self.effects.jobs.produce.remove(&id)
        {
            self.answer_produce(job);
        }
    }

    fn produced_topic(&self, call: &Call, name: &str, id: TopicId) -> Result<TopicId, Refusal> {
        let topic = match call.version {
            BY_ID.. => self.topics.get(id).ok_or(ErrorCode::UnknownTopicId)?,
            _ => self.topics.named(name).ok_or(ErrorCode::UnknownTopicOrPartition)?,
        };
        if topic.is_internal() {
            return Err(Refusal::because(ErrorCode::InvalidTopicException, "this topic is the broker's own"));
        }
        Ok(topic.id)
    }

    fn append(&mut self, job: JobId, at: Slot, log: LogId, data: PartitionProduceData) -> Result<Verdict, Refusal> {
        let topic = self.topics.get(log.topic).ok_or(ErrorCode::UnknownTopicOrPartition)?;
        topic.log(log.partition).ok_or(ErrorCode::UnknownTopicOrPartition)?;
        let records = data.records.as_ref().and_then(|records| records.bytes()).cloned().unwrap_or_default();
        let mut batch = Checked::new(records, &topic.limits)?;
        let verdict = self.admit(log, &mut batch)?;
        if let Verdict::Write(written) = verdict {
            let effect = self.effects.open(Effect::Produced { job, at, written });
            self.write(effect, written, batch.bytes);
        }
        Ok(verdict)
    }

    fn refuse_produce(&mut self, call: Call, request: &ProduceRequest, error: ErrorCode) {
        let refused = |data: &PartitionProduceData| PartitionProduceResponse {
            error_code: error.code(),
            ..unanswered(data.index)
        };
        let topic = |data: &TopicProduceData| TopicProduceResponse {
            name: data.name.clone(),
            topic_id: data.topic_id,
            partition_responses: data.partition_data.iter().map(refused).collect(),
        };
        let responses = request.topic_data.iter().map(topic).collect();
        self.answer(call, &ProduceResponse { responses, ..Default::default() });
    }

    fn answer_produce(&mut self, job: ProduceJob) {
        match job.acks {
            Acks::Answer => self.answer(job.call, &job.response),
            Acks::Silent if job.failed() => self.close(job.call.connection, Offence::UnacknowledgedProduce),
            Acks::Silent => self.emit(Output::Accept(job.call.connection)),
        }
    }
}

impl ProduceJob {
    fn response_at(&mut self, at: Slot) -> Option<&mut PartitionProduceResponse> {
        self.response.responses.get_mut(at.topic)?.partition_responses.get_mut(at.partition)
    }

    fn failed(&self) -> bool {
        let partitions = self.response.responses.iter().flat_map(|topic| &topic.partition_responses);
        partitions.into_iter().any(|partition| partition.error_code != ErrorCode::None.code())
    }
}

fn unanswered(index: i32) -> PartitionProduceResponse {
    PartitionProduceResponse {
        index,
        base_offset: -1,
        log_append_time_ms: -1,
        log_start_offset: -1,
        ..Default::default()
    }
}
