// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::fmt;
use std::ops::RangeInclusive;

use super::{
    ApiVersionsRequest, ConsumerGroupDescribeRequest, ConsumerGroupHeartbeatRequest, CreatePartitionsRequest,
    CreateTopicsRequest, DeleteGroupsRequest, DeleteTopicsRequest, DescribeClusterRequest, DescribeConfigsRequest,
    DescribeGroupsRequest, FetchRequest, FindCoordinatorRequest, HeartbeatRequest, InitProducerIdRequest,
    JoinGroupRequest, LeaveGroupRequest, ListGroupsRequest, ListOffsetsRequest, MetadataRequest, OffsetCommitRequest,
    OffsetDeleteRequest, OffsetFetchRequest, ProduceRequest, SyncGroupRequest,
};
use crate::Message;

/// The APIs of Kafka's protocol that are known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApiKey {
    /// Key 0, versions 3 to 13.
    Produce,
    /// Key 1, versions 4 to 18.
    Fetch,
    /// Key 2, versions 1 to 11.
    ListOffsets,
    /// Key 3, versions 0 to 13.
    Metadata,
    /// Key 8, versions 2 to 10.
    OffsetCommit,
    /// Key 9, versions 1 to 10.
    OffsetFetch,
    /// Key 10, versions 0 to 6.
    FindCoordinator,
    /// Key 11, versions 0 to 9.
    JoinGroup,
    /// Key 12, versions 0 to 4.
    Heartbeat,
    /// Key 13, versions 0 to 5.
    LeaveGroup,
    /// Key 14, versions 0 to 5.
    SyncGroup,
    /// Key 15, versions 0 to 6.
    DescribeGroups,
    /// Key 16, versions 0 to 5.
    ListGroups,
    /// Key 18, versions 0 to 5.
    ApiVersions,
    /// Key 19, versions 2 to 7.
    CreateTopics,
    /// Key 20, versions 1 to 6.
    DeleteTopics,
    /// Key 22, versions 0 to 5.
    InitProducerId,
    /// Key 32, versions 1 to 4.
    DescribeConfigs,
    /// Key 37, versions 0 to 3.
    CreatePartitions,
    /// Key 42, versions 0 to 3.
    DeleteGroups,
    /// Key 47, versions 0.
    OffsetDelete,
    /// Key 60, versions 0 to 2.
    DescribeCluster,
    /// Key 68, versions 0 to 1.
    ConsumerGroupHeartbeat,
    /// Key 69, versions 0 to 1.
    ConsumerGroupDescribe,
}

impl ApiKey {
    /// Every API known, in rising order of keys.
    pub const ALL: &[Self] = &[
        Self::Produce,
        Self::Fetch,
        Self::ListOffsets,
        Self::Metadata,
        Self::OffsetCommit,
        Self::OffsetFetch,
        Self::FindCoordinator,
        Self::JoinGroup,
        Self::Heartbeat,
        Self::LeaveGroup,
        Self::SyncGroup,
        Self::DescribeGroups,
        Self::ListGroups,
        Self::ApiVersions,
        Self::CreateTopics,
        Self::DeleteTopics,
        Self::InitProducerId,
        Self::DescribeConfigs,
        Self::CreatePartitions,
        Self::DeleteGroups,
        Self::OffsetDelete,
        Self::DescribeCluster,
        Self::ConsumerGroupHeartbeat,
        Self::ConsumerGroupDescribe,
    ];

    /// The API of a key on the wire, if it is known.
    pub const fn from_i16(key: i16) -> Option<Self> {
        match key {
            0 => Some(Self::Produce),
            1 => Some(Self::Fetch),
            2 => Some(Self::ListOffsets),
            3 => Some(Self::Metadata),
            8 => Some(Self::OffsetCommit),
            9 => Some(Self::OffsetFetch),
            10 => Some(Self::FindCoordinator),
            11 => Some(Self::JoinGroup),
            12 => Some(Self::Heartbeat),
            13 => Some(Self::LeaveGroup),
            14 => Some(Self::SyncGroup),
            15 => Some(Self::DescribeGroups),
            16 => Some(Self::ListGroups),
            18 => Some(Self::ApiVersions),
            19 => Some(Self::CreateTopics),
            20 => Some(Self::DeleteTopics),
            22 => Some(Self::InitProducerId),
            32 => Some(Self::DescribeConfigs),
            37 => Some(Self::CreatePartitions),
            42 => Some(Self::DeleteGroups),
            47 => Some(Self::OffsetDelete),
            60 => Some(Self::DescribeCluster),
            68 => Some(Self::ConsumerGroupHeartbeat),
            69 => Some(Self::ConsumerGroupDescribe),
            _ => None,
        }
    }

    /// The key on the wire.
    pub const fn code(self) -> i16 {
        match self {
            Self::Produce => 0,
            Self::Fetch => 1,
            Self::ListOffsets => 2,
            Self::Metadata => 3,
            Self::OffsetCommit => 8,
            Self::OffsetFetch => 9,
            Self::FindCoordinator => 10,
            Self::JoinGroup => 11,
            Self::Heartbeat => 12,
            Self::LeaveGroup => 13,
            Self::SyncGroup => 14,
            Self::DescribeGroups => 15,
            Self::ListGroups => 16,
            Self::ApiVersions => 18,
            Self::CreateTopics => 19,
            Self::DeleteTopics => 20,
            Self::InitProducerId => 22,
            Self::DescribeConfigs => 32,
            Self::CreatePartitions => 37,
            Self::DeleteGroups => 42,
            Self::OffsetDelete => 47,
            Self::DescribeCluster => 60,
            Self::ConsumerGroupHeartbeat => 68,
            Self::ConsumerGroupDescribe => 69,
        }
    }

    /// The versions known, which are those that Kafka 4.4 serves.
    pub const fn versions(self) -> RangeInclusive<i16> {
        match self {
            Self::Produce => ProduceRequest::VERSIONS,
            Self::Fetch => FetchRequest::VERSIONS,
            Self::ListOffsets => ListOffsetsRequest::VERSIONS,
            Self::Metadata => MetadataRequest::VERSIONS,
            Self::OffsetCommit => OffsetCommitRequest::VERSIONS,
            Self::OffsetFetch => OffsetFetchRequest::VERSIONS,
            Self::FindCoordinator => FindCoordinatorRequest::VERSIONS,
            Self::JoinGroup => JoinGroupRequest::VERSIONS,
            Self::Heartbeat => HeartbeatRequest::VERSIONS,
            Self::LeaveGroup => LeaveGroupRequest::VERSIONS,
            Self::SyncGroup => SyncGroupRequest::VERSIONS,
            Self::DescribeGroups => DescribeGroupsRequest::VERSIONS,
            Self::ListGroups => ListGroupsRequest::VERSIONS,
            Self::ApiVersions => ApiVersionsRequest::VERSIONS,
            Self::CreateTopics => CreateTopicsRequest::VERSIONS,
            Self::DeleteTopics => DeleteTopicsRequest::VERSIONS,
            Self::InitProducerId => InitProducerIdRequest::VERSIONS,
            Self::DescribeConfigs => DescribeConfigsRequest::VERSIONS,
            Self::CreatePartitions => CreatePartitionsRequest::VERSIONS,
            Self::DeleteGroups => DeleteGroupsRequest::VERSIONS,
            Self::OffsetDelete => OffsetDeleteRequest::VERSIONS,
            Self::DescribeCluster => DescribeClusterRequest::VERSIONS,
            Self::ConsumerGroupHeartbeat => ConsumerGroupHeartbeatRequest::VERSIONS,
            Self::ConsumerGroupDescribe => ConsumerGroupDescribeRequest::VERSIONS,
        }
    }

    /// The first flexible version (KIP-482), `i16::MAX` if there is none.
    pub const fn flexible_since(self) -> i16 {
        match self {
            Self::Produce => ProduceRequest::FLEXIBLE_SINCE,
            Self::Fetch => FetchRequest::FLEXIBLE_SINCE,
            Self::ListOffsets => ListOffsetsRequest::FLEXIBLE_SINCE,
            Self::Metadata => MetadataRequest::FLEXIBLE_SINCE,
            Self::OffsetCommit => OffsetCommitRequest::FLEXIBLE_SINCE,
            Self::OffsetFetch => OffsetFetchRequest::FLEXIBLE_SINCE,
            Self::FindCoordinator => FindCoordinatorRequest::FLEXIBLE_SINCE,
            Self::JoinGroup => JoinGroupRequest::FLEXIBLE_SINCE,
            Self::Heartbeat => HeartbeatRequest::FLEXIBLE_SINCE,
            Self::LeaveGroup => LeaveGroupRequest::FLEXIBLE_SINCE,
            Self::SyncGroup => SyncGroupRequest::FLEXIBLE_SINCE,
            Self::DescribeGroups => DescribeGroupsRequest::FLEXIBLE_SINCE,
            Self::ListGroups => ListGroupsRequest::FLEXIBLE_SINCE,
            Self::ApiVersions => ApiVersionsRequest::FLEXIBLE_SINCE,
            Self::CreateTopics => CreateTopicsRequest::FLEXIBLE_SINCE,
            Self::DeleteTopics => DeleteTopicsRequest::FLEXIBLE_SINCE,
            Self::InitProducerId => InitProducerIdRequest::FLEXIBLE_SINCE,
            Self::DescribeConfigs => DescribeConfigsRequest::FLEXIBLE_SINCE,
            Self::CreatePartitions => CreatePartitionsRequest::FLEXIBLE_SINCE,
            Self::DeleteGroups => DeleteGroupsRequest::FLEXIBLE_SINCE,
            Self::OffsetDelete => OffsetDeleteRequest::FLEXIBLE_SINCE,
            Self::DescribeCluster => DescribeClusterRequest::FLEXIBLE_SINCE,
            Self::ConsumerGroupHeartbeat => ConsumerGroupHeartbeatRequest::FLEXIBLE_SINCE,
            Self::ConsumerGroupDescribe => ConsumerGroupDescribeRequest::FLEXIBLE_SINCE,
        }
    }

    /// Kafka's name of the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Produce => "Produce",
            Self::Fetch => "Fetch",
            Self::ListOffsets => "ListOffsets",
            Self::Metadata => "Metadata",
            Self::OffsetCommit => "OffsetCommit",
            Self::OffsetFetch => "OffsetFetch",
            Self::FindCoordinator => "FindCoordinator",
            Self::JoinGroup => "JoinGroup",
            Self::Heartbeat => "Heartbeat",
            Self::LeaveGroup => "LeaveGroup",
            Self::SyncGroup => "SyncGroup",
            Self::DescribeGroups => "DescribeGroups",
            Self::ListGroups => "ListGroups",
            Self::ApiVersions => "ApiVersions",
            Self::CreateTopics => "CreateTopics",
            Self::DeleteTopics => "DeleteTopics",
            Self::InitProducerId => "InitProducerId",
            Self::DescribeConfigs => "DescribeConfigs",
            Self::CreatePartitions => "CreatePartitions",
            Self::DeleteGroups => "DeleteGroups",
            Self::OffsetDelete => "OffsetDelete",
            Self::DescribeCluster => "DescribeCluster",
            Self::ConsumerGroupHeartbeat => "ConsumerGroupHeartbeat",
            Self::ConsumerGroupDescribe => "ConsumerGroupDescribe",
        }
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
