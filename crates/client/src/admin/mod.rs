//! Topics, groups and offsets of any Kafka, looked at and changed.

#[expect(clippy::module_inception, reason = "one noun per file, and this is the folder's")]
mod admin;
mod cluster;
mod groups;
mod mind;
mod nouns;
mod offsets;
mod reconciled;
mod topics;

pub use admin::Admin;
pub use nouns::{
    ClusterInfo, ConfigEntry, CoordinatorInfo, GroupInfo, GroupListing, GroupMemberInfo, ListedOffset, NewTopic,
    OffsetSpec, PartitionInfo, TopicInfo,
};
