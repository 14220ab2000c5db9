// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

//! Kafka's requests, responses and records, one module for each pair, all re-exported here.
//!
//! Structs and fields are named as in Kafka's definitions; a nested struct whose name occurs in several messages has its
//! message's name in front. `Default` gives the defaults of the definitions. A field that a version does not have reads
//! as its default; writing a version that cannot carry a field is an error unless Kafka marks the field as ignorable.

#![expect(clippy::struct_excessive_bools, reason = "Kafka's definitions say which fields there are")]

mod api_key;
mod api_versions;
mod consumer_group_describe;
mod consumer_group_heartbeat;
mod consumer_group_record;
mod consumer_protocol;
mod create_partitions;
mod create_topics;
mod delete_groups;
mod delete_topics;
mod describe_cluster;
mod describe_configs;
mod describe_groups;
mod fetch;
mod find_coordinator;
mod group_metadata;
mod heartbeat;
mod init_producer_id;
mod join_group;
mod leave_group;
mod list_groups;
mod list_offsets;
mod metadata;
mod offset_commit;
mod offset_commit_record;
mod offset_delete;
mod offset_fetch;
mod produce;
mod sync_group;

pub use api_key::*;
pub use api_versions::*;
pub use consumer_group_describe::*;
pub use consumer_group_heartbeat::*;
pub use consumer_group_record::*;
pub use consumer_protocol::*;
pub use create_partitions::*;
pub use create_topics::*;
pub use delete_groups::*;
pub use delete_topics::*;
pub use describe_cluster::*;
pub use describe_configs::*;
pub use describe_groups::*;
pub use fetch::*;
pub use find_coordinator::*;
pub use group_metadata::*;
pub use heartbeat::*;
pub use init_producer_id::*;
pub use join_group::*;
pub use leave_group::*;
pub use list_groups::*;
pub use list_offsets::*;
pub use metadata::*;
pub use offset_commit::*;
pub use offset_commit_record::*;
pub use offset_delete::*;
pub use offset_fetch::*;
pub use produce::*;
pub use sync_group::*;
