//! The cluster as a session knows it: brokers, topics, leaders, and calls to any of them.

#[expect(clippy::module_inception, reason = "one noun per file, and this is the folder's")]
mod cluster;
mod metadata;

pub use cluster::{AutoCreate, Cluster, ClusterEvent, Contact, Route, Target, Unreached};
pub use metadata::{Metadata, PartitionMetadata, TopicMetadata};
