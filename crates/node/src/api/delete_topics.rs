use groma_model::TopicId;
use groma_wire::ErrorCode;
use groma_wire::messages::{DeletableTopicResult, DeleteTopicState, DeleteTopicsRequest, DeleteTopicsResponse};

use super::TopicsJob;
use crate::call::{Call, Refusal};
use crate::contract::Output;
use crate::effects::{Effect, JobId};
use crate::log::LogId;
use crate::node::Node;

impl Node {
    pub(super) fn delete_topics(&mut self, call: Call, request: DeleteTopicsRequest) {
        let job = self.effects.jobs.next_id();
        let by_name = |name| DeleteTopicState { name: Some(name), ..Default::default() };
        let asked: Vec<DeleteTopicState> = request.topic_names.into_iter().map(by_name).chain(request.topics).collect();
        let mut response = DeleteTopicsResponse::default();
        let mut left = 0;
        for (slot, topic) in asked.into_iter().enumerate() {
            let mut result =
                DeletableTopicResult { name: topic.name.clone(), topic_id: topic.topic_id, ..Default::default() };
            match self.find_deletable(&topic) {
                Ok((id, name)) => {
                    result.name = Some(name);
                    result.topic_id = id;
                    self.delete_topic(job, slot, id);
                    left += 1;
                }
                Err(refusal) => {
                    result.error_code = refusal.code.code();
                    result.error_message = refusal.message;
                }
            }
            response.responses.push(result);
        }
        if left == 0 {
            return self.answer(call, &response);
        }
        self.effects.jobs.topics.insert(job, TopicsJob::Delete { call, response, left });
    }

    fn find_deletable(&self, asked: &DeleteTopicState) -> Result<(TopicId, String), Refusal> {
        let found = match &asked.name {
            Some(name) if !asked.topic_id.is_some() => {
                self.topics.named(name).ok_or(ErrorCode::UnknownTopicOrPartition)?
            }
            None if asked.topic_id.is_some() => self.topics.get(asked.topic_id).ok_or(ErrorCode::UnknownTopicId)?,
            _ => return Err(Refusal::because(ErrorCode::InvalidRequest, "name a topic either by name or by id")),
        };
        if found.is_internal() {
            return Err(Refusal::because(ErrorCode::InvalidTopicException, "this topic is the broker's own"));
        }
        Ok((found.id, found.name.clone()))
    }

    /// Forgets a topic, its offsets in all groups, and has its files deleted. Fetches that wait on it are answered.
    fn delete_topic(&mut self, job: JobId, slot: usize, id: TopicId) {
        let Some(topic) = self.topics.remove(id) else { return };
        self.storage.bytes = self.storage.bytes.saturating_sub(topic.bytes());
        self.storage.told_full = false;
        for partition in 0..topic.partitions.len() as i32 {
            for fetch in self.fetches.grown(LogId { topic: id, partition }, u64::MAX) {
                self.answer_fetch(fetch.call, &fetch.request);
            }
        }
        self.forget_offsets_of(&topic);
        let effect = self.effects.open(Effect::TopicDeleted { job, slot });
        self.emit(Output::DeleteTopic { effect, topic: id });
    }
}
