use std::collections::BTreeMap;

use groma_model::TopicId;

/// All that is kept of a topic beside its records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TopicDefinition {
    /// Its id.
    pub id: TopicId,
    /// Its name.
    pub name: String,
    /// How many partitions it has.
    pub partitions: i32,
    /// The settings given for it, by their names in Kafka.
    pub settings: BTreeMap<String, String>,
}
