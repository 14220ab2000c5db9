use std::collections::{BTreeMap, BTreeSet};

use groma_explain::ROUNDS_TOPIC;
use groma_model::check_topic_name;
use groma_wire::ErrorCode;
use groma_wire::messages::{
    CreatableTopic, CreatableTopicConfigs, CreatableTopicResult, CreateTopicsRequest, CreateTopicsResponse,
};

use super::TopicsJob;
use super::describe_configs::{DEFAULT_SOURCE, TOPIC_SOURCE};
use crate::call::{Call, Refusal};
use crate::node::Node;
use crate::topic::{OFFSETS_TOPIC, PARTITIONS_MAX, TOPIC_KEYS, TopicConfig};

/// A topic that may be made.
struct Planned {
    partitions: i32,
    config: TopicConfig,
}

impl Planned {
    /// Takes the topic's partitions out of those that may still be made.
    fn within(self, room: &mut usize) -> Result<Self, Refusal> {
        *room = room.checked_sub(self.partitions.unsigned_abs() as usize).ok_or_else(too_many)?;
        Ok(self)
    }
}

impl Node {
    pub(super) fn create_topics(&mut self, call: Call, request: CreateTopicsRequest) {
        let job = self.effects.jobs.next_id();
        let mut response = CreateTopicsResponse::default();
        let mut left = 0;
        let mut room = PARTITIONS_MAX.saturating_sub(self.topics.partitions());
        let twice = named_twice(&request.topics);
        for (slot, topic) in request.topics.into_iter().enumerate() {
            let name = topic.name.clone();
            let planned = if twice.contains(&name) {
                Err(Refusal::because(ErrorCode::InvalidRequest, "the request names this topic more than once"))
            } else {
                self.plan_topic(topic).and_then(|planned| planned.within(&mut room))
            };
            let mut result = CreatableTopicResult { name: name.clone(), ..refused() };
            match planned {
                Err(refusal) => {
                    result.error_code = refusal.code.code();
                    result.error_message = refusal.message;
                }
                Ok(planned) => {
                    result.error_code = ErrorCode::None.code();
                    result.num_partitions = planned.partitions;
                    result.replication_factor = 1;
                    result.configs = Some(self.shown(&planned.config));
                    if !request.validate_only {
                        let topic = self.new_definition(name, planned.partitions, &planned.config);
                        result.topic_id = topic.id;
                        self.keep_topic(Some(job), slot, topic);
                        left += 1;
                    }
                }
            }
            response.topics.push(result);
        }
        if left == 0 {
            return self.answer(call, &response);
        }
        self.effects.jobs.topics.insert(job, TopicsJob::Create { call, response, left });
    }

    fn plan_topic(&self, topic: CreatableTopic) -> Result<Planned, Refusal> {
        check_topic_name(&topic.name).map_err(|why| Refusal::because(ErrorCode::InvalidTopicException, why))?;
        if self.topics.id(&topic.name).is_some() || [OFFSETS_TOPIC, ROUNDS_TOPIC].contains(&topic.name.as_str()) {
            let message = format!("Topic '{}' already exists.", topic.name);
            return Err(Refusal::because(ErrorCode::TopicAlreadyExists, message));
        }
        let partitions = self.planned_partitions(&topic)?;
        let given: Option<BTreeMap<String, String>> =
            topic.configs.into_iter().map(|config| Some((config.name, config.value?))).collect();
        let Some(given) = given else {
            return Err(Refusal::because(ErrorCode::InvalidConfig, "a topic setting needs a value"));
        };
        let config =
            TopicConfig::parse(given).map_err(|error| Refusal::because(ErrorCode::InvalidConfig, error.to_string()))?;
        Ok(Planned { partitions, config })
    }

    fn planned_partitions(&self, topic: &CreatableTopic) -> Result<i32, Refusal> {
        if !topic.assignments.is_empty() {
            return self.assigned_partitions(topic);
        }
        if !matches!(topic.replication_factor, -1 | 1) {
            let message = format!("replication factor {}: there is one broker, use 1", topic.replication_factor);
            return Err(Refusal::because(ErrorCode::InvalidReplicationFactor, message));
        }
        match topic.num_partitions {
            -1 => Ok(self.identity.settings.num_partitions),
            count @ 1.. => Ok(count),
            count => {
                let message = format!("{count} partitions: a topic has at least 1");
                Err(Refusal::because(ErrorCode::InvalidPartitions, message))
            }
        }
    }

    fn assigned_partitions(&self, topic: &CreatableTopic) -> Result<i32, Refusal> {
        let invalid = |message: &str| Err(Refusal::because(ErrorCode::InvalidReplicaAssignment, message));
        let mut indexes: Vec<i32> = topic.assignments.iter().map(|one| one.partition_index).collect();
        indexes.sort_unstable();
        let broker = self.identity.settings.broker_id;
        if indexes.iter().zip(0..).any(|(index, expected)| *index != expected) {
            return invalid("partitions must be numbered from 0 without gaps");
        }
        if topic.assignments.iter().any(|one| one.broker_ids != [broker]) {
            return invalid("there is one broker: assign each partition to it");
        }
        Ok(indexes.len() as i32)
    }

    fn shown(&self, config: &TopicConfig) -> Vec<CreatableTopicConfigs> {
        let show = |key: &crate::topic::TopicKey| {
            let given = config.given().get(key.name).cloned();
            let config_source = if given.is_some() { TOPIC_SOURCE } else { DEFAULT_SOURCE };
            let value = Some(given.unwrap_or_else(|| (key.default)(&self.identity.settings)));
            CreatableTopicConfigs { name: key.name.to_owned(), value, config_source, ..Default::default() }
        };
        TOPIC_KEYS.iter().map(show).collect()
    }
}

pub(super) fn too_many() -> Refusal {
    let message = format!("all topics together may have {PARTITIONS_MAX} partitions");
    Refusal::because(ErrorCode::InvalidPartitions, message)
}

fn refused() -> CreatableTopicResult {
    CreatableTopicResult { num_partitions: -1, replication_factor: -1, configs: None, ..Default::default() }
}

fn named_twice(topics: &[CreatableTopic]) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    topics.iter().filter(|topic| !seen.insert(&topic.name)).map(|topic| topic.name.clone()).collect()
}
