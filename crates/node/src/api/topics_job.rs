use groma_model::TopicId;
use groma_wire::ErrorCode;
use groma_wire::messages::{CreatePartitionsResponse, CreateTopicsResponse, DeleteTopicsResponse, MetadataRequest};

use crate::call::Call;
use crate::contract::{Output, StorageFailure};
use crate::effects::{Effect, JobId};
use crate::log::PartitionLog;
use crate::node::Node;
use crate::topic::{Topic, TopicConfig, TopicDefinition};

/// A request that waits for topics to be made, changed or deleted.
#[derive(Debug)]
pub(crate) enum TopicsJob {
    Metadata { call: Call, request: MetadataRequest, left: usize },
    Create { call: Call, response: CreateTopicsResponse, left: usize },
    Grow { call: Call, response: CreatePartitionsResponse, left: usize },
    Delete { call: Call, response: DeleteTopicsResponse, left: usize },
}

impl Node {
    /// A topic's definition with a fresh id.
    pub(crate) fn new_definition(&mut self, name: String, partitions: i32, config: &TopicConfig) -> TopicDefinition {
        TopicDefinition { id: self.entropy.topic_id(), name, partitions, settings: config.given().clone() }
    }

    /// Asks the shell to keep a topic's definition.
    pub(crate) fn keep_topic(&mut self, job: Option<JobId>, slot: usize, topic: TopicDefinition) {
        let effect = self.effects.open(Effect::TopicKept { job, slot, topic: topic.clone() });
        self.emit(Output::KeepTopic { effect, topic });
    }

    /// A topic's definition is kept: it exists from now on, or has more partitions.
    pub(crate) fn topic_kept(
        &mut self,
        job: Option<JobId>,
        slot: usize,
        topic: TopicDefinition,
        result: Result<(), StorageFailure>,
    ) {
        if result.is_ok() {
            self.establish(topic);
        }
        let Some(job) = job else { return };
        let failed = result.is_err();
        match self.effects.jobs.topics.get_mut(&job) {
            Some(TopicsJob::Create { response, .. }) if failed => {
                if let Some(topic) = response.topics.get_mut(slot) {
                    topic.error_code = ErrorCode::KafkaStorageError.code();
                    topic.topic_id = TopicId::NONE;
                }
            }
            Some(TopicsJob::Grow { response, .. }) if failed => {
                if let Some(topic) = response.results.get_mut(slot) {
                    topic.error_code = ErrorCode::KafkaStorageError.code();
                }
            }
            _ => {}
        }
        self.topics_step(job);
    }

    /// A topic is gone from the data folder, or could not be deleted.
    pub(crate) fn topic_deleted(&mut self, job: JobId, slot: usize, result: Result<(), StorageFailure>) {
        if let (Err(StorageFailure), Some(TopicsJob::Delete { response, .. })) =
            (result, self.effects.jobs.topics.get_mut(&job))
            && let Some(topic) = response.responses.get_mut(slot)
        {
            topic.error_code = ErrorCode::KafkaStorageError.code();
        }
        self.topics_step(job);
    }

    /// Makes a topic exist, or gives it more partitions.
    pub(crate) fn establish(&mut self, definition: TopicDefinition) {
        let count = usize::try_from(definition.partitions).unwrap_or(0);
        if let Some(topic) = self.topics.get_mut(definition.id) {
            topic.partitions.resize_with(count, PartitionLog::default);
            return;
        }
        let config = TopicConfig::parse(definition.settings).unwrap_or_default();
        let limits = config.limits(&self.identity.settings);
        let partitions = vec![PartitionLog::default(); count];
        self.topics.insert(Topic { id: definition.id, name: definition.name, partitions, config, limits });
    }

    /// One effect of a request is done; answers it after the last.
    fn topics_step(&mut self, job: JobId) {
        let Some(waiting) = self.effects.jobs.topics.get_mut(&job) else { return };
        let left = match waiting {
            TopicsJob::Metadata { left, .. }
            | TopicsJob::Create { left, .. }
            | TopicsJob::Grow { left, .. }
            | TopicsJob::Delete { left, .. } => left,
        };
        *left -= 1;
        if *left > 0 {
            return;
        }
        match self.effects.jobs.topics.remove(&job) {
            Some(TopicsJob::Metadata { call, request, .. }) => self.answer_metadata(call, &request),
            Some(TopicsJob::Create { call, response, .. }) => self.answer(call, &response),
            Some(TopicsJob::Grow { call, response, .. }) => self.answer(call, &response),
            Some(TopicsJob::Delete { call, response, .. }) => self.answer(call, &response),
            None => {}
        }
    }
}
