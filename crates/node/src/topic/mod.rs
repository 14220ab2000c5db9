//! Topics: their names, ids, settings and partitions.

mod config;
mod definition;
mod key;
mod name;
mod topics;

pub(crate) use config::{TimestampType, TopicConfig, TopicLimits};
pub use definition::TopicDefinition;
pub(crate) use key::{TOPIC_KEYS, TopicKey};
pub(crate) use name::check_name;
pub(crate) use topics::{PARTITIONS_MAX, Topic, Topics};

/// The topic that holds groups and their offsets, as in Kafka.
pub(crate) const OFFSETS_TOPIC: &str = "__consumer_offsets";
