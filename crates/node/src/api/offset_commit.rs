use groma_model::{GroupId, Offset, TopicId};
use groma_rebalance::protocol::GroupError;
use groma_rebalance::rpc;
use groma_wire::ErrorCode;
use groma_wire::messages::{
    OffsetCommitRequest, OffsetCommitRequestPartition, OffsetCommitRequestTopic, OffsetCommitResponse,
    OffsetCommitResponsePartition, OffsetCommitResponseTopic,
};

use crate::call::Call;
use crate::contract::StorageFailure;
use crate::groups::{AfterStore, CommittedOffset, Position, offset_record};
use crate::node::Node;

/// A commit whose records are on their way to the log.
#[derive(Debug)]
pub(crate) struct CommitJob {
    call: Call,
    response: OffsetCommitResponse,
    group: GroupId,
    offsets: Vec<(Position, CommittedOffset)>,
}

/// The first version that names topics by id.
const BY_ID: i16 = 10;
/// The first version that knows of groups that do not exist.
const NOT_FOUND: i16 = 9;

impl Node {
    pub(super) fn offset_commit(&mut self, call: Call, request: OffsetCommitRequest) {
        let group = GroupId(request.group_id.clone());
        if let Err(error) = self.may_commit(&call, &group, &request) {
            return self.refuse_commit(call, &request, error);
        }
        let mut offsets = Vec::new();
        let mut records = Vec::new();
        let mut response = OffsetCommitResponse::default();
        for asked in request.topics {
            let found = self.committed_topic(&call, &asked);
            let mut partitions = Vec::with_capacity(asked.partitions.len());
            for partition in asked.partitions {
                let index = partition.partition_index;
                let taken = found.and_then(|id| self.take_commit(id, partition));
                let error = match taken {
                    Ok((position, committed)) => {
                        let name = self.topics.get(position.topic).map_or("", |topic| &topic.name);
                        records.extend(offset_record(&group, name, position, &committed));
                        offsets.push((position, committed));
                        ErrorCode::None
                    }
                    Err(error) => error,
                };
                partitions.push(OffsetCommitResponsePartition { partition_index: index, error_code: error.code() });
            }
            response.topics.push(OffsetCommitResponseTopic { name: asked.name, topic_id: asked.topic_id, partitions });
        }
        if offsets.is_empty() {
            return self.answer(call, &response);
        }
        let job = CommitJob { call, response, group: group.clone(), offsets };
        if let Err(AfterStore::Commit(job)) = self.keep(&group, records, AfterStore::Commit(Box::new(job))) {
            self.committed(*job, Err(StorageFailure));
        }
    }

    /// A commit is durable, or could not be made so.
    pub(crate) fn committed(&mut self, mut job: CommitJob, result: Result<(), StorageFailure>) {
        match result {
            Ok(()) => self.open_group(&job.group).offsets.extend(job.offsets),
            Err(StorageFailure) => {
                let partitions = job.response.topics.iter_mut().flat_map(|topic| &mut topic.partitions);
                let taken = partitions.filter(|partition| partition.error_code == ErrorCode::None.code());
                taken.for_each(|partition| partition.error_code = ErrorCode::NotCoordinator.code());
            }
        }
        self.answer(job.call, &job.response);
    }

    fn may_commit(&mut self, call: &Call, group: &GroupId, request: &OffsetCommitRequest) -> Result<(), ErrorCode> {
        if group.0.is_empty() {
            return Err(ErrorCode::InvalidGroupId);
        }
        let fence = rpc::commit_fence(request);
        let now = self.now;
        let verdict = match self.groups.get_mut(group) {
            Some(known) => known.group.commit(now, &fence),
            None if fence.generation.is_none() => return Ok(()),
            None if call.version >= NOT_FOUND => Err(GroupError::GroupIdNotFound),
            None => Err(GroupError::IllegalGeneration),
        };
        self.drive(group);
        verdict.map_err(|error| rpc::error_code(&error))
    }

    fn committed_topic(&self, call: &Call, asked: &OffsetCommitRequestTopic) -> Result<TopicId, ErrorCode> {
        match call.version {
            BY_ID.. => self.topics.get(asked.topic_id).map(|topic| topic.id).ok_or(ErrorCode::UnknownTopicId),
            _ => self.topics.id(&asked.name).ok_or(ErrorCode::UnknownTopicOrPartition),
        }
    }

    fn take_commit(
        &self,
        topic: TopicId,
        asked: OffsetCommitRequestPartition,
    ) -> Result<(Position, CommittedOffset), ErrorCode> {
        let known = self.topics.get(topic).and_then(|topic| topic.log(asked.partition_index));
        known.ok_or(ErrorCode::UnknownTopicOrPartition)?;
        let metadata = asked.committed_metadata.unwrap_or_default();
        if metadata.len() > self.identity.settings.offset_metadata_max_bytes {
            return Err(ErrorCode::OffsetMetadataTooLarge);
        }
        let committed = CommittedOffset {
            offset: Offset(asked.committed_offset),
            leader_epoch: Some(asked.committed_leader_epoch).filter(|epoch| *epoch >= 0),
            metadata,
            at: self.wall(),
        };
        Ok((Position { topic, partition: asked.partition_index }, committed))
    }

    fn refuse_commit(&mut self, call: Call, request: &OffsetCommitRequest, error: ErrorCode) {
        let refused = |partition: &OffsetCommitRequestPartition| OffsetCommitResponsePartition {
            partition_index: partition.partition_index,
            error_code: error.code(),
        };
        let topic = |topic: &OffsetCommitRequestTopic| OffsetCommitResponseTopic {
            name: topic.name.clone(),
            topic_id: topic.topic_id,
            partitions: topic.partitions.iter().map(refused).collect(),
        };
        let topics = request.topics.iter().map(topic).collect();
        self.answer(call, &OffsetCommitResponse { topics, ..Default::default() });
    }
}
