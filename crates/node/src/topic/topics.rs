use std::collections::BTreeMap;

use groma_explain::ROUNDS_TOPIC;
use groma_model::TopicId;

use super::{TopicConfig, TopicDefinition, TopicLimits};
use crate::log::{LogId, PartitionLog};

/// A topic and its partitions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Topic {
    pub(crate) id: TopicId,
    pub(crate) name: String,
    pub(crate) partitions: Vec<PartitionLog>,
    pub(crate) config: TopicConfig,
    pub(crate) limits: TopicLimits,
}

/// The topic that holds groups and their offsets, as in Kafka.
pub(crate) const OFFSETS_TOPIC: &str = "__consumer_offsets";

/// The most partitions of all topics together; each costs some hundred bytes of memory, and files once it is written to.
pub(crate) const PARTITIONS_MAX: usize = 100_000;

/// All topics, by id; names resolve here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Topics {
    by_id: BTreeMap<TopicId, Topic>,
    ids: BTreeMap<String, TopicId>,
}

impl Topic {
    /// Whether it is the broker's own.
    pub(crate) fn is_internal(&self) -> bool {
        self.name == OFFSETS_TOPIC || self.name == ROUNDS_TOPIC
    }

    /// What is kept of it beside its records.
    pub(crate) fn definition(&self) -> TopicDefinition {
        TopicDefinition {
            id: self.id,
            name: self.name.clone(),
            partitions: self.partitions.len() as i32,
            settings: self.config.given().clone(),
        }
    }

    /// The log of a partition.
    pub(crate) fn log(&self, partition: i32) -> Option<&PartitionLog> {
        self.partitions.get(usize::try_from(partition).ok()?)
    }

    /// Bytes of all its partitions.
    pub(crate) fn bytes(&self) -> u64 {
        self.partitions.iter().map(PartitionLog::bytes).sum()
    }
}

impl Topics {
    pub(crate) fn insert(&mut self, topic: Topic) {
        self.ids.insert(topic.name.clone(), topic.id);
        self.by_id.insert(topic.id, topic);
    }

    pub(crate) fn remove(&mut self, id: TopicId) -> Option<Topic> {
        let topic = self.by_id.remove(&id)?;
        self.ids.remove(&topic.name);
        Some(topic)
    }

    pub(crate) fn get(&self, id: TopicId) -> Option<&Topic> {
        self.by_id.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: TopicId) -> Option<&mut Topic> {
        self.by_id.get_mut(&id)
    }

    pub(crate) fn id(&self, name: &str) -> Option<TopicId> {
        self.ids.get(name).copied()
    }

    pub(crate) fn named(&self, name: &str) -> Option<&Topic> {
        self.get(self.id(name)?)
    }

    /// Partitions of all topics.
    pub(crate) fn partitions(&self) -> usize {
        self.by_id.values().map(|topic| topic.partitions.len()).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// In order of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Topic> {
        self.ids.values().filter_map(|id| self.by_id.get(id))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Topic> {
        self.by_id.values_mut()
    }

    pub(crate) fn log(&self, log: LogId) -> Option<&PartitionLog> {
        self.get(log.topic)?.log(log.partition)
    }

    pub(crate) fn log_mut(&mut self, log: LogId) -> Option<&mut PartitionLog> {
        self.get_mut(log.topic)?.partitions.get_mut(usize::try_from(log.partition).ok()?)
    }
}
