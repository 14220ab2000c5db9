use std::collections::BTreeMap;

use groma_model::TopicId;
use groma_wire::ErrorCode;
use groma_wire::messages::{MetadataResponse, MetadataResponseBroker, MetadataResponseTopic};

use crate::net::Address;

/// What the last answers to Metadata said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The cluster's id, where the broker tells.
    pub cluster: Option<String>,
    /// The broker that controls the cluster.
    pub controller: Option<i32>,
    /// Brokers by number.
    pub brokers: BTreeMap<i32, Address>,
    /// The racks of brokers that have one.
    pub racks: BTreeMap<i32, String>,
    topics: BTreeMap<String, TopicMetadata>,
}

/// A topic that exists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TopicMetadata {
    /// Its identity.
    pub id: TopicId,
    /// Whether it is the cluster's own.
    pub internal: bool,
    /// Its partitions; the index is the number.
    pub partitions: Vec<PartitionMetadata>,
}

/// A partition that exists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PartitionMetadata {
    /// Who leads it, if anybody.
    pub leader: Option<i32>,
    /// Since which epoch.
    pub leader_epoch: i32,
    /// The brokers that hold it.
    pub replicas: Vec<i32>,
    /// Those in sync.
    pub in_sync: Vec<i32>,
}

impl Metadata {
    /// The topic, if it is known to exist.
    pub fn topic(&self, name: &str) -> Option<&TopicMetadata> {
        self.topics.get(name)
    }

    /// All topics known, by name.
    pub fn topics(&self) -> impl Iterator<Item = (&str, &TopicMetadata)> {
        self.topics.iter().map(|(name, topic)| (name.as_str(), topic))
    }

    /// The name of the topic with this id.
    pub fn name(&self, id: TopicId) -> Option<&str> {
        self.topics().find(|(_, topic)| topic.id == id).map(|(name, _)| name)
    }

    /// The leader of a partition.
    pub fn leader(&self, topic: &str, partition: i32) -> Option<(i32, i32)> {
        let partition = self.topics.get(topic)?.partitions.get(usize::try_from(partition).ok()?)?;
        Some((partition.leader?, partition.leader_epoch))
    }

    /// Takes in an answer; says whether every topic asked for has leaders everywhere.
    pub fn update(&mut self, response: MetadataResponse) -> bool {
        self.cluster = response.cluster_id;
        self.controller = (response.controller_id >= 0).then_some(response.controller_id);
        let rack = |broker: &MetadataResponseBroker| Some((broker.node_id, broker.rack.clone()?));
        self.racks = response.brokers.iter().filter_map(rack).collect();
        self.brokers = response
            .brokers
            .into_iter()
            .filter_map(|b| Some((b.node_id, Address { host: b.host, port: u16::try_from(b.port).ok()? })))
            .collect();
        let mut complete = true;
        for topic in response.topics {
            complete &= self.update_topic(topic);
        }
        complete
    }

    fn update_topic(&mut self, topic: MetadataResponseTopic) -> bool {
        let Some(name) = topic.name.clone() else { return true };
        match ErrorCode::from_i16(topic.error_code) {
            ErrorCode::None => {
                let topic = TopicMetadata::read(topic, self.topics.get(&name));
                let complete = topic.partitions.iter().all(|p| p.leader.is_some());
                self.topics.insert(name, topic);
                complete
            }
            ErrorCode::UnknownTopicOrPartition | ErrorCode::UnknownTopicId => {
                self.topics.remove(&name);
                false
            }
            _ => false,
        }
    }
}

impl TopicMetadata {
    /// Reads an answer; a partition keeps a leader of a newer epoch than the answer knows, unless the topic is another.
    fn read(topic: MetadataResponseTopic, known: Option<&Self>) -> Self {
        let known = known.filter(|known| known.id == topic.topic_id);
        let count = topic.partitions.iter().map(|p| p.partition_index + 1).max().unwrap_or(0).max(0) as usize;
        let count = count.min(topic.partitions.len());
        let mut partitions = vec![PartitionMetadata::default(); count];
        for partition in topic.partitions {
            let index = usize::try_from(partition.partition_index).unwrap_or(usize::MAX);
            let older = known.and_then(|k| k.partitions.get(index));
            let fresh = PartitionMetadata {
                leader: (partition.leader_id >= 0).then_some(partition.leader_id),
                leader_epoch: partition.leader_epoch,
                replicas: partition.replica_nodes,
                in_sync: partition.isr_nodes,
            };
            if let Some(slot) = partitions.get_mut(index) {
                *slot = older.filter(|o| o.leader_epoch > fresh.leader_epoch).cloned().unwrap_or(fresh);
            }
        }
        Self { id: topic.topic_id, internal: topic.is_internal, partitions }
    }
}
