use groma_model::{Generation, Offset, Timestamp, TopicId, TopicPartition};

use crate::{ClientConfig, ClientError};

/// Looks at and changes topics, groups and offsets of any Kafka.
#[derive(Debug)]
pub struct Admin {}

/// A topic to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTopic {
    /// Its name.
    pub name: String,
    /// The number of its partitions; none takes the broker's default.
    pub partitions: Option<u32>,
    /// Copies of each partition; none takes the broker's default.
    pub replicas: Option<u16>,
    /// Settings such as `("retention.ms", "-1")`.
    pub configs: Vec<(String, String)>,
}

/// A topic as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicInfo {
    /// Its name.
    pub name: String,
    /// Its identity.
    pub id: TopicId,
    /// Whether it is the cluster's own, such as `__consumer_offsets`.
    pub internal: bool,
    /// Its partitions in order.
    pub partitions: Vec<PartitionInfo>,
}

/// A partition as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionInfo {
    /// Its number.
    pub partition: i32,
    /// The broker that leads it, if any.
    pub leader: Option<i32>,
    /// The brokers that hold it.
    pub replicas: Vec<i32>,
    /// Those of them that are in sync.
    pub in_sync: Vec<i32>,
}

/// One setting of a topic or broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigEntry {
    /// Its key.
    pub key: String,
    /// Its value; none when it is a secret or unset.
    pub value: Option<String>,
    /// Whether it is the default.
    pub default: bool,
}

/// A group in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupListing {
    /// Its name.
    pub group: String,
    /// Its protocol type: `consumer`, `connect`, ...
    pub protocol_type: String,
    /// Its state, such as `Stable`.
    pub state: String,
}

/// A group as its coordinator knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupInfo {
    /// Its name.
    pub group: String,
    /// Its state, such as `Stable`.
    pub state: String,
    /// Its protocol type.
    pub protocol_type: String,
    /// The assignor chosen.
    pub protocol: String,
    /// Its members.
    pub members: Vec<GroupMemberInfo>,
    /// Who coordinates it.
    pub coordinator: CoordinatorInfo,
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupMemberInfo {
    /// The identity given by the coordinator.
    pub member_id: String,
    /// Its stable identity, if it has one.
    pub instance_id: Option<String>,
    /// The client id it came with.
    pub client_id: String,
    /// The address it came from.
    pub client_host: String,
    /// Its topics; empty when its metadata is not the consumer protocol's.
    pub subscription: Vec<String>,
    /// What it says it owns.
    pub owned: Vec<TopicPartition>,
    /// The generation it owned that in, if it says so.
    pub owned_generation: Option<Generation>,
    /// What it is given; empty when that is not the consumer protocol's.
    pub assignment: Vec<TopicPartition>,
}

/// The broker that coordinates a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoordinatorInfo {
    /// Its number.
    pub node: i32,
    /// Where it listens.
    pub address: String,
}

/// A cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterInfo {
    /// Its id.
    pub id: String,
    /// The broker that controls it, if any.
    pub controller: Option<i32>,
    /// Its brokers: number and address.
    pub brokers: Vec<(i32, String)>,
}

/// Which offset of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetSpec {
    /// The oldest record's.
    Earliest,
    /// The one after the newest record.
    Latest,
    /// That of the first record not older than this.
    At(Timestamp),
}

/// An offset found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOffset {
    /// The partition.
    pub partition: TopicPartition,
    /// The offset; none when no record is that young.
    pub offset: Option<Offset>,
    /// The record's time, where asked by time.
    pub timestamp: Option<Timestamp>,
}

impl NewTopic {
    /// A topic of `partitions` partitions, replicas and settings left to the broker.
    pub fn new(name: impl Into<String>, partitions: u32) -> Self {
        Self { name: name.into(), partitions: Some(partitions), replicas: None, configs: Vec::new() }
    }

    /// The same with one setting more.
    #[must_use]
    pub fn with_config(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.configs.push((key.into(), value.into()));
        self
    }
}

impl Admin {
    /// An admin client, once a broker has answered.
    ///
    /// # Errors
    /// `Unreachable` after `bootstrap_timeout`.
    pub async fn connect(cluster: &ClientConfig) -> Result<Self, ClientError> {
        let _ = cluster;
        todo!()
    }

    /// Makes topics and waits until every one has leaders.
    ///
    /// # Errors
    /// `Refused` with `TOPIC_ALREADY_EXISTS` and the like, for the first topic refused.
    pub async fn create_topics(&self, topics: &[NewTopic]) -> Result<(), ClientError> {
        let _ = topics;
        todo!()
    }

    /// Deletes topics.
    ///
    /// # Errors
    /// `UnknownTopic`, `Refused`.
    pub async fn delete_topics(&self, topics: &[&str]) -> Result<(), ClientError> {
        let _ = topics;
        todo!()
    }

    /// Raises the number of a topic's partitions to `total`.
    ///
    /// # Errors
    /// `UnknownTopic`, `Refused`.
    pub async fn create_partitions(&self, topic: &str, total: u32) -> Result<(), ClientError> {
        let _ = (topic, total);
        todo!()
    }

    /// All topics.
    ///
    /// # Errors
    /// `TimedOut`.
    pub async fn list_topics(&self) -> Result<Vec<TopicInfo>, ClientError> {
        todo!()
    }

    /// These topics.
    ///
    /// # Errors
    /// `UnknownTopic` for the first that does not exist.
    pub async fn describe_topics(&self, topics: &[&str]) -> Result<Vec<TopicInfo>, ClientError> {
        let _ = topics;
        todo!()
    }

    /// A topic's settings.
    ///
    /// # Errors
    /// `UnknownTopic`, `Refused`.
    pub async fn topic_configs(&self, topic: &str) -> Result<Vec<ConfigEntry>, ClientError> {
        let _ = topic;
        todo!()
    }

    /// A broker's settings.
    ///
    /// # Errors
    /// `Refused`.
    pub async fn broker_configs(&self, node: i32) -> Result<Vec<ConfigEntry>, ClientError> {
        let _ = node;
        todo!()
    }

    /// All groups of all brokers.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn list_groups(&self) -> Result<Vec<GroupListing>, ClientError> {
        todo!()
    }

    /// One group; a group nobody knows is `Dead` and has no members.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn describe_group(&self, group: &str) -> Result<GroupInfo, ClientError> {
        let _ = group;
        todo!()
    }

    /// Deletes groups without members.
    ///
    /// # Errors
    /// `Refused` with `NON_EMPTY_GROUP` and the like.
    pub async fn delete_groups(&self, groups: &[&str]) -> Result<(), ClientError> {
        let _ = groups;
        todo!()
    }

    /// Every offset a group has committed.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn committed(&self, group: &str) -> Result<Vec<(TopicPartition, Offset)>, ClientError> {
        let _ = group;
        todo!()
    }

    /// Offsets of partitions, in the order asked for.
    ///
    /// # Errors
    /// `UnknownTopic`, `TimedOut`, `Refused`.
    pub async fn list_offsets(
        &self,
        spec: OffsetSpec,
        partitions: &[TopicPartition],
    ) -> Result<Vec<ListedOffset>, ClientError> {
        let _ = (spec, partitions);
        todo!()
    }

    /// The cluster.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn describe_cluster(&self) -> Result<ClusterInfo, ClientError> {
        todo!()
    }
}
