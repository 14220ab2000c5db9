use groma_explain::ROUNDS_TOPIC;
use groma_model::{TopicId, check_topic_name};
use groma_wire::ErrorCode;
use groma_wire::messages::{
    MetadataRequest, MetadataRequestTopic, MetadataResponse, MetadataResponseBroker, MetadataResponsePartition,
    MetadataResponseTopic,
};

use super::TopicsJob;
use super::operations;
use crate::append::LEADER_EPOCH;
use crate::call::Call;
use crate::node::Node;
use crate::topic::{OFFSETS_TOPIC, PARTITIONS_MAX, Topic, TopicConfig};

impl Node {
    /// Answers at once, or after the topics asked for have been made.
    pub(super) fn metadata(&mut self, call: Call, request: MetadataRequest) {
        if request.topics.iter().flatten().any(|topic| topic.name.as_deref() == Some(ROUNDS_TOPIC)) {
            self.open_rounds_topic();
        }
        let missing = self.to_be_made(&call, &request);
        if missing.is_empty() {
            return self.answer_metadata(call, &request);
        }
        let job = self.effects.jobs.next_id();
        let left = missing.len();
        for (slot, name) in missing.into_iter().enumerate() {
            let partitions = self.identity.settings.num_partitions;
            let topic = self.new_definition(name, partitions, &TopicConfig::default());
            self.keep_topic(Some(job), slot, topic);
        }
        self.effects.jobs.topics.insert(job, TopicsJob::Metadata { call, request, left });
    }

    /// The names of a request that auto-creation applies to.
    fn to_be_made(&self, call: &Call, request: &MetadataRequest) -> Vec<String> {
        let allowed =
            self.identity.settings.auto_create_topics && (call.version < 4 || request.allow_auto_topic_creation);
        if !allowed {
            return Vec::new();
        }
        let asked = request.topics.iter().flatten().filter(|topic| !topic.topic_id.is_some());
        let names = asked.filter_map(|topic| topic.name.clone());
        let mut names: Vec<String> = names
            .filter(|name| self.topics.id(name).is_none() && name != OFFSETS_TOPIC && check_topic_name(name).is_ok())
            .collect();
        names.sort();
        names.dedup();
        let room = PARTITIONS_MAX.saturating_sub(self.topics.partitions());
        names.truncate(room / self.identity.settings.num_partitions.unsigned_abs().max(1) as usize);
        names
    }

    pub(crate) fn answer_metadata(&mut self, call: Call, request: &MetadataRequest) {
        let everything = request.topics.as_ref().is_none_or(|topics| call.version == 0 && topics.is_empty());
        let mut topics = if everything {
            self.topics.iter().map(|topic| self.described(topic)).collect()
        } else {
            request.topics.iter().flatten().map(|topic| self.looked_up(topic)).collect::<Vec<_>>()
        };
        if request.include_topic_authorized_operations {
            topics.iter_mut().for_each(|topic| topic.topic_authorized_operations = operations::TOPIC);
        }
        let settings = &self.identity.settings;
        let response = MetadataResponse {
            brokers: vec![MetadataResponseBroker {
                node_id: settings.broker_id,
                host: self.identity.host.clone(),
                port: i32::from(self.identity.port),
                rack: settings.rack.clone(),
            }],
            cluster_id: Some(self.identity.cluster_id.clone()),
            controller_id: settings.broker_id,
            topics,
            cluster_authorized_operations: if request.include_cluster_authorized_operations {
                operations::CLUSTER
            } else {
                operations::NOT_ASKED
            },
            ..Default::default()
        };
        self.answer(call, &response);
    }

    fn looked_up(&self, asked: &MetadataRequestTopic) -> MetadataResponseTopic {
        let unknown = |error: ErrorCode, name: Option<String>, topic_id: TopicId| MetadataResponseTopic {
            error_code: error.code(),
            name,
            topic_id,
            topic_authorized_operations: operations::NOT_ASKED,
            ..Default::default()
        };
        if asked.topic_id.is_some() {
            let found = self.topics.get(asked.topic_id);
            return found.map_or_else(
                || unknown(ErrorCode::UnknownTopicId, None, asked.topic_id),
                |topic| self.described(topic),
            );
        }
        let name = asked.name.clone().unwrap_or_default();
        match self.topics.named(&name) {
            Some(topic) => self.described(topic),
            None if check_topic_name(&name).is_err() => {
                unknown(ErrorCode::InvalidTopicException, Some(name), TopicId::NONE)
            }
            None => unknown(ErrorCode::UnknownTopicOrPartition, Some(name), TopicId::NONE),
        }
    }

    fn described(&self, topic: &Topic) -> MetadataResponseTopic {
        let broker = self.identity.settings.broker_id;
        let partition = |index| MetadataResponsePartition {
            partition_index: index,
            leader_id: broker,
            leader_epoch: LEADER_EPOCH,
            replica_nodes: vec![broker],
            isr_nodes: vec![broker],
            ..Default::default()
        };
        MetadataResponseTopic {
            name: Some(topic.name.clone()),
            topic_id: topic.id,
            is_internal: topic.is_internal(),
            partitions: (0..topic.partitions.len() as i32).map(partition).collect(),
            topic_authorized_operations: operations::NOT_ASKED,
            ..Default::default()
        }
    }
}
