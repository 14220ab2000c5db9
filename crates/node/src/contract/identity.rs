use groma_model::Timestamp;

use crate::log::RecoveredSegment;
use crate::settings::Settings;
use crate::topic::TopicDefinition;

/// What a node is started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Host that clients are told to connect to.
    pub host: String,
    /// Port that clients are told to connect to.
    pub port: u16,
    /// Names the cluster, for ever.
    pub cluster_id: String,
    /// How many times the data folder was opened before; producer ids never repeat because of it.
    pub boot: u32,
    /// Fresh random bits; ids are made of them.
    pub seed: u128,
    /// The most bytes all logs may hold; none is no limit.
    pub max_bytes: Option<u64>,
    /// The time of day at the start.
    pub wall: Timestamp,
    /// Settings.
    pub settings: Settings,
}

/// What the shell found in the data folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The topics.
    pub topics: Vec<RecoveredTopic>,
}

/// A topic as found in the data folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveredTopic {
    /// Its name, id and settings.
    pub definition: TopicDefinition,
    /// The segments of each partition, oldest first.
    pub partitions: Vec<Vec<RecoveredSegment>>,
}
