//! Topics: their names, ids, settings and partitions.

mod config;
mod definition;
mod key;
mod name;
mod topics;

pub(crate) use config::{TimestampType, TopicConfig, TopicLimits};
pub use definition::TopicDefinition;
pub(crate) use key::{TOPIC_KEYS, TopicKey};
pub(crate) use name::{OFFSETS_TOPIC, check_name};
pub(crate) use topics::{PARTITIONS_MAX, Topic, Topics};
