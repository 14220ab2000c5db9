//! One file for each API: what the node answers.

mod api_versions;
mod consumer_group_describe;
mod consumer_group_heartbeat;
mod create_partitions;
mod create_topics;
mod delete_groups;
mod delete_topics;
mod describe_cluster;
mod describe_configs;
mod describe_groups;
mod dispatch;
mod fetch;
mod find_coordinator;
mod group_calls;
mod init_producer_id;
mod list_groups;
mod list_offsets;
mod metadata;
mod offset_commit;
mod offset_delete;
mod offset_fetch;
mod operations;
mod produce;
mod topics_job;

pub(crate) use delete_groups::{DeleteGroupJob, DeleteGroupsJob};
pub(crate) use list_offsets::ListOffsetsJob;
pub(crate) use offset_commit::CommitJob;
pub(crate) use produce::ProduceJob;
pub(crate) use topics_job::TopicsJob;
