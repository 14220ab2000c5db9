// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use groma_model::TopicId;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `MetadataRequest`, versions 0 to 13, flexible since 9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataRequest {
    /// `[]MetadataRequestTopic`, all versions, null since version 1.
    pub topics: Option<Vec<MetadataRequestTopic>>,
    /// `bool`, since version 4, default true.
    pub allow_auto_topic_creation: bool,
    /// `bool`, versions 8 to 10.
    pub include_cluster_authorized_operations: bool,
    /// `bool`, since version 8.
    pub include_topic_authorized_operations: bool,
}

impl Default for MetadataRequest {
    fn default() -> Self {
        Self {
            topics: Some(vec![]),
            allow_auto_topic_creation: true,
            include_cluster_authorized_operations: false,
            include_topic_authorized_operations: false,
        }
    }
}

impl Item for MetadataRequest {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            topics: if version >= 1 { r.nullable_array(form, version)? } else { Some(r.array(form, version)?) },
            allow_auto_topic_creation: if version >= 4 { r.bool()? } else { true },
            include_cluster_authorized_operations: if (8..=10).contains(&version) { r.bool()? } else { false },
            include_topic_authorized_operations: if version >= 8 { r.bool()? } else { false },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 1 {
            w.nullable_array(form, version, self.topics.as_deref())?;
        } else {
            w.array(
                form,
                version,
                self.topics.as_deref().ok_or(WireError::Missing { field: "MetadataRequest.topics" })?,
            )?;
        }
        if version >= 4 {
            w.i8(i8::from(self.allow_auto_topic_creation));
        } else if !self.allow_auto_topic_creation {
            return Err(WireError::Unsupported { field: "MetadataRequest.allow_auto_topic_creation", version });
        }
        if (8..=10).contains(&version) {
            w.i8(i8::from(self.include_cluster_authorized_operations));
        } else if self.include_cluster_authorized_operations {
            return Err(WireError::Unsupported {
                field: "MetadataRequest.include_cluster_authorized_operations",
                version,
            });
        }
        if version >= 8 {
            w.i8(i8::from(self.include_topic_authorized_operations));
        } else if self.include_topic_authorized_operations {
            return Err(WireError::Unsupported {
                field: "MetadataRequest.include_topic_authorized_operations",
                version,
            });
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`MetadataRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataRequestTopic {
    /// `uuid`, since version 10.
    pub topic_id: TopicId,
    /// `string`, all versions, null since version 10.
    pub name: Option<String>,
}

impl Default for MetadataRequestTopic {
    fn default() -> Self {
        Self { topic_id: TopicId::NONE, name: Some(String::new()) }
    }
}

impl Item for MetadataRequestTopic {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            topic_id: if version >= 10 { r.uuid()? } else { TopicId::NONE },
            name: if version >= 10 { r.nullable_string(form)? } else { Some(r.string(form)?) },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 10 {
            w.uuid(self.topic_id);
        }
        if version >= 10 {
            w.nullable_string(form, self.name.as_deref())?;
        } else {
            w.string(form, self.name.as_deref().ok_or(WireError::Missing { field: "MetadataRequestTopic.name" })?)?;
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for MetadataRequest {
    const NAME: &'static str = "MetadataRequest";
    const KEY: ApiKey = ApiKey::Metadata;
    const VERSIONS: RangeInclusive<i16> = 0..=13;
    const FLEXIBLE_SINCE: i16 = 9;
}

impl Request for MetadataRequest {
    type Response = MetadataResponse;
}

/// Kafka's `MetadataResponse`, versions 0 to 13, flexible since 9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataResponse {
    /// `int32`, since version 3.
    pub throttle_time_ms: i32,
    /// `[]MetadataResponseBroker`, all versions.
    pub brokers: Vec<MetadataResponseBroker>,
    /// `string`, since version 2, default null.
    pub cluster_id: Option<String>,
    /// `int32`, since version 1, default -1.
    pub controller_id: i32,
    /// `[]MetadataResponseTopic`, all versions.
    pub topics: Vec<MetadataResponseTopic>,
    /// `int32`, versions 8 to 10, default -2147483648.
    pub cluster_authorized_operations: i32,
    /// `int16`, since version 13.
    pub error_code: i16,
}

impl Default for MetadataResponse {
    fn default() -> Self {
        Self {
            throttle_time_ms: 0,
            brokers: vec![],
            cluster_id: None,
            controller_id: -1,
            topics: vec![],
            cluster_authorized_operations: i32::MIN,
            error_code: 0,
        }
    }
}

impl Item for MetadataResponse {
    const MIN_SIZE: usize = 8;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            throttle_time_ms: if version >= 3 { r.i32()? } else { 0 },
            brokers: r.array(form, version)?,
            cluster_id: if version >= 2 { r.nullable_string(form)? } else { None },
            controller_id: if version >= 1 { r.i32()? } else { -1 },
            topics: r.array(form, version)?,
            cluster_authorized_operations: if (8..=10).contains(&version) { r.i32()? } else { i32::MIN },
            error_code: if version >= 13 { r.i16()? } else { 0 },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 3 {
            w.i32(self.throttle_time_ms);
        }
        w.array(form, version, &self.brokers)?;
        if version >= 2 {
            w.nullable_string(form, self.cluster_id.as_deref())?;
        }
        if version >= 1 {
            w.i32(self.controller_id);
        }
        w.array(form, version, &self.topics)?;
        if (8..=10).contains(&version) {
            w.i32(self.cluster_authorized_operations);
        } else if self.cluster_authorized_operations != i32::MIN {
            return Err(WireError::Unsupported { field: "MetadataResponse.cluster_authorized_operations", version });
        }
        if version >= 13 {
            w.i16(self.error_code);
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`MetadataResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct MetadataResponseBroker {
    /// `int32`, all versions.
    pub node_id: i32,
    /// `string`, all versions.
    pub host: String,
    /// `int32`, all versions.
    pub port: i32,
    /// `string`, since version 1, default null.
    pub rack: Option<String>,
}

impl Item for MetadataResponseBroker {
    const MIN_SIZE: usize = 10;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            node_id: r.i32()?,
            host: r.string(form)?,
            port: r.i32()?,
            rack: if version >= 1 { r.nullable_string(form)? } else { None },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.node_id);
        w.string(form, &self.host)?;
        w.i32(self.port);
        if version >= 1 {
            w.nullable_string(form, self.rack.as_deref())?;
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`MetadataResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataResponseTopic {
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, all versions, null since version 12.
    pub name: Option<String>,
    /// `uuid`, since version 10.
    pub topic_id: TopicId,
    /// `bool`, since version 1, default false.
    pub is_internal: bool,
    /// `[]MetadataResponsePartition`, all versions.
    pub partitions: Vec<MetadataResponsePartition>,
    /// `int32`, since version 8, default -2147483648.
    pub topic_authorized_operations: i32,
}

impl Default for MetadataResponseTopic {
    fn default() -> Self {
        Self {
            error_code: 0,
            name: Some(String::new()),
            topic_id: TopicId::NONE,
            is_internal: false,
            partitions: vec![],
            topic_authorized_operations: i32::MIN,
        }
    }
}

impl Item for MetadataResponseTopic {
    const MIN_SIZE: usize = 8;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            error_code: r.i16()?,
            name: if version >= 12 { r.nullable_string(form)? } else { Some(r.string(form)?) },
            topic_id: if version >= 10 { r.uuid()? } else { TopicId::NONE },
            is_internal: if version >= 1 { r.bool()? } else { false },
            partitions: r.array(form, version)?,
            topic_authorized_operations: if version >= 8 { r.i32()? } else { i32::MIN },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i16(self.error_code);
        if version >= 12 {
            w.nullable_string(form, self.name.as_deref())?;
        } else {
            w.string(form, self.name.as_deref().ok_or(WireError::Missing { field: "MetadataResponseTopic.name" })?)?;
        }
        if version >= 10 {
            w.uuid(self.topic_id);
        }
        if version >= 1 {
            w.i8(i8::from(self.is_internal));
        }
        w.array(form, version, &self.partitions)?;
        if version >= 8 {
            w.i32(self.topic_authorized_operations);
        } else if self.topic_authorized_operations != i32::MIN {
            return Err(WireError::Unsupported { field: "MetadataResponseTopic.topic_authorized_operations", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`MetadataResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataResponsePartition {
    /// `int16`, all versions.
    pub error_code: i16,
    /// `int32`, all versions.
    pub partition_index: i32,
    /// `int32`, all versions.
    pub leader_id: i32,
    /// `int32`, since version 7, default -1.
    pub leader_epoch: i32,
    /// `[]int32`, all versions.
    pub replica_nodes: Vec<i32>,
    /// `[]int32`, all versions.
    pub isr_nodes: Vec<i32>,
    /// `[]int32`, since version 5.
    pub offline_replicas: Vec<i32>,
}

impl Default for MetadataResponsePartition {
    fn default() -> Self {
        Self {
            error_code: 0,
            partition_index: 0,
            leader_id: 0,
            leader_epoch: -1,
            replica_nodes: vec![],
            isr_nodes: vec![],
            offline_replicas: vec![],
        }
    }
}

impl Item for MetadataResponsePartition {
    const MIN_SIZE: usize = 18;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            error_code: r.i16()?,
            partition_index: r.i32()?,
            leader_id: r.i32()?,
            leader_epoch: if version >= 7 { r.i32()? } else { -1 },
            replica_nodes: r.array(form, version)?,
            isr_nodes: r.array(form, version)?,
            offline_replicas: if version >= 5 { r.array(form, version)? } else { vec![] },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i16(self.error_code);
        w.i32(self.partition_index);
        w.i32(self.leader_id);
        if version >= 7 {
            w.i32(self.leader_epoch);
        }
        w.array(form, version, &self.replica_nodes)?;
        w.array(form, version, &self.isr_nodes)?;
        if version >= 5 {
            w.array(form, version, &self.offline_replicas)?;
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for MetadataResponse {
    const NAME: &'static str = "MetadataResponse";
    const KEY: ApiKey = ApiKey::Metadata;
    const VERSIONS: RangeInclusive<i16> = 0..=13;
    const FLEXIBLE_SINCE: i16 = 9;
}
