use groma_wire::ErrorCode;
use groma_wire::messages::{
    CreatePartitionsRequest, CreatePartitionsResponse, CreatePartitionsTopic, CreatePartitionsTopicResult,
};

use super::TopicsJob;
use super::create_topics::too_many;
use crate::call::{Call, Refusal};
use crate::node::Node;
use crate::topic::{PARTITIONS_MAX, TopicDefinition};

impl Node {
    pub(super) fn create_partitions(&mut self, call: Call, request: CreatePartitionsRequest) {
        let job = self.effects.jobs.next_id();
        let mut response = CreatePartitionsResponse::default();
        let mut left = 0;
        for (slot, topic) in request.topics.iter().enumerate() {
            let mut result = CreatePartitionsTopicResult { name: topic.name.clone(), ..Default::default() };
            match self.plan_growth(topic) {
                Ok(grown) if !request.validate_only => {
                    self.keep_topic(Some(job), slot, grown);
                    left += 1;
                }
                Ok(_) => {}
                Err(refusal) => {
                    result.error_code = refusal.code.code();
                    result.error_message = refusal.message;
                }
            }
            response.results.push(result);
        }
        if left == 0 {
            return self.answer(call, &response);
        }
        self.effects.jobs.topics.insert(job, TopicsJob::Grow { call, response, left });
    }

    fn plan_growth(&self, asked: &CreatePartitionsTopic) -> Result<TopicDefinition, Refusal> {
        let topic = self.topics.named(&asked.name).ok_or(ErrorCode::UnknownTopicOrPartition)?;
        let has = topic.partitions.len() as i32;
        let all = self.topics.partitions() as i64 + i64::from(asked.count) - i64::from(has);
        if all > PARTITIONS_MAX as i64 {
            return Err(too_many());
        }
        if asked.count <= has {
            let message = format!("Topic currently has {has} partitions, {} cannot be its new count.", asked.count);
            return Err(Refusal::because(ErrorCode::InvalidPartitions, message));
        }
        let broker = self.identity.settings.broker_id;
        if let Some(assigned) = &asked.assignments {
            let fits =
                assigned.len() as i32 == asked.count - has && assigned.iter().all(|one| one.broker_ids == [broker]);
            if !fits {
                let message = "there is one broker: assign each new partition to it";
                return Err(Refusal::because(ErrorCode::InvalidReplicaAssignment, message));
            }
        }
        Ok(TopicDefinition { partitions: asked.count, ..topic.definition() })
    }
}
