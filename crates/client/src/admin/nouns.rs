use groma_model::{Generation, Offset, Timestamp, TopicId, TopicPartition};

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
    /// How often its membership or what exists has changed, if its coordinator shares out (KIP-848); none of a group
    /// whose leader does.
    pub epoch: Option<i32>,
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
    /// Where it runs, if it says so (KIP-881).
    pub rack: Option<String>,
    /// Its topics; empty when its metadata is not the consumer protocol's.
    pub subscription: Vec<String>,
    /// What it says it owns.
    pub owned: Vec<TopicPartition>,
    /// The generation it owned that in, if it says so.
    pub owned_generation: Option<Generation>,
    /// What it is given; empty when that is not the consumer protocol's.
    pub assignment: Vec<TopicPartition>,
    /// What it is given, by name: partitions, an application's own resources in a [`ResourceGroup`](crate::ResourceGroup),
    /// the tasks that it runs in a [`TaskGroup`](crate::TaskGroup), or the connectors and tasks that a worker of Kafka
    /// Connect runs (`file`, `file-0`). None where nobody can read it, such as while a round runs or in groups of another
    /// make.
    pub resources: Option<Vec<String>>,
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
    /// The racks of those that have one.
    pub racks: Vec<(i32, String)>,
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
