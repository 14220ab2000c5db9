//! Topics: their names, ids, settings and partitions.

mod config;
mod definition;
mod key;
mod topics;

pub(crate) use config::{TimestampType, TopicConfig, TopicLimits};
pub use definition::TopicDefinition;
pub(crate) use key::{TOPIC_KEYS, TopicKey};
pub(crate) use topics::{OFFSETS_TOPIC, PARTITIONS_MAX, Topic, Topics};
