//! One file for each API: what the node answers.

mod api_versions;
mod create_partitions;
mod create_topics;
mod delete_topics;
mod describe_cluster;
mod describe_configs;
mod dispatch;
mod fetch;
mod init_producer_id;
mod list_offsets;
mod metadata;
mod operations;
mod produce;
mod topics_job;

pub(crate) use list_offsets::ListOffsetsJob;
pub(crate) use produce::ProduceJob;
pub(crate) use topics_job::TopicsJob;
