// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use groma_model::TopicId;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `ConsumerGroupHeartbeatRequest`, versions 0 to 1, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsumerGroupHeartbeatRequest {
    /// `string`, all versions.
    pub group_id: String,
    /// `string`, all versions.
    pub member_id: String,
    /// `int32`, all versions.
    pub member_epoch: i32,
    /// `string`, all versions, default null.
    pub instance_id: Option<String>,
    /// `string`, all versions, default null.
    pub rack_id: Option<String>,
    /// `int32`, all versions, default -1.
    pub rebalance_timeout_ms: i32,
    /// `[]string`, all versions, default null.
    pub subscribed_topic_names: Option<Vec<String>>,
    /// `string`, since version 1, default null.
    pub subscribed_topic_regex: Option<String>,
    /// `string`, all versions, default null.
    pub server_assignor: Option<String>,
    /// `[]TopicPartitions`, all versions, default null.
    pub topic_partitions: Option<Vec<ConsumerGroupHeartbeatRequestTopicPartitions>>,
}

impl Default for ConsumerGroupHeartbeatRequest {
    fn default() -> Self {
        Self {
            group_id: String::new(),
            member_id: String::new(),
            member_epoch: 0,
            instance_id: None,
            rack_id: None,
            rebalance_timeout_ms: -1,
            subscribed_topic_names: None,
            subscribed_topic_regex: None,
            server_assignor: None,
            topic_partitions: None,
        }
    }
}

impl Item for ConsumerGroupHeartbeatRequest {
    const MIN_SIZE: usize = 16;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            group_id: r.string(form)?,
            member_id: r.string(form)?,
            member_epoch: r.i32()?,
            instance_id: r.nullable_string(form)?,
            rack_id: r.nullable_string(form)?,
            rebalance_timeout_ms: r.i32()?,
            subscribed_topic_names: r.nullable_array(form, version)?,
            subscribed_topic_regex: if version >= 1 { r.nullable_string(form)? } else { None },
            server_assignor: r.nullable_string(form)?,
            topic_partitions: r.nullable_array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.string(form, &self.member_id)?;
        w.i32(self.member_epoch);
        w.nullable_string(form, self.instance_id.as_deref())?;
        w.nullable_string(form, self.rack_id.as_deref())?;
        w.i32(self.rebalance_timeout_ms);
        w.nullable_array(form, version, self.subscribed_topic_names.as_deref())?;
        if version >= 1 {
            w.nullable_string(form, self.subscribed_topic_regex.as_deref())?;
        } else if self.subscribed_topic_regex.is_some() {
            return Err(WireError::Unsupported {
                field: "ConsumerGroupHeartbeatRequest.subscribed_topic_regex",
                version,
            });
        }
        w.nullable_string(form, self.server_assignor.as_deref())?;
        w.nullable_array(form, version, self.topic_partitions.as_deref())?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ConsumerGroupHeartbeatRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupHeartbeatRequestTopicPartitions {
    /// `uuid`, all versions.
    pub topic_id: TopicId,
    /// `[]int32`, all versions.
    pub partitions: Vec<i32>,
}

impl Item for ConsumerGroupHeartbeatRequestTopicPartitions {
    const MIN_SIZE: usize = 18;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { topic_id: r.uuid()?, partitions: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.uuid(self.topic_id);
        w.array(form, version, &self.partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ConsumerGroupHeartbeatRequest {
    const NAME: &'static str = "ConsumerGroupHeartbeatRequest";
    const KEY: ApiKey = ApiKey::ConsumerGroupHeartbeat;
    const VERSIONS: RangeInclusive<i16> = 0..=1;
    const FLEXIBLE_SINCE: i16 = 0;
}

impl Request for ConsumerGroupHeartbeatRequest {
    type Response = ConsumerGroupHeartbeatResponse;
}

/// Kafka's `ConsumerGroupHeartbeatResponse`, versions 0 to 1, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupHeartbeatResponse {
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, all versions, default null.
    pub error_message: Option<String>,
    /// `string`, all versions, default null.
    pub member_id: Option<String>,
    /// `int32`, all versions.
    pub member_epoch: i32,
    /// `int32`, all versions.
    pub heartbeat_interval_ms: i32,
    /// `Assignment`, all versions, default null.
    pub assignment: Option<ConsumerGroupHeartbeatResponseAssignment>,
}

impl Item for ConsumerGroupHeartbeatResponse {
    const MIN_SIZE: usize = 18;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            throttle_time_ms: r.i32()?,
            error_code: r.i16()?,
            error_message: r.nullable_string(form)?,
            member_id: r.nullable_string(form)?,
            member_epoch: r.i32()?,
            heartbeat_interval_ms: r.i32()?,
            assignment: r.nullable_item(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.throttle_time_ms);
        w.i16(self.error_code);
        w.nullable_string(form, self.error_message.as_deref())?;
        w.nullable_string(form, self.member_id.as_deref())?;
        w.i32(self.member_epoch);
        w.i32(self.heartbeat_interval_ms);
        w.nullable_item(form, version, self.assignment.as_ref())?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ConsumerGroupHeartbeatResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupHeartbeatResponseAssignment {
    /// `[]TopicPartitions`, all versions.
    pub topic_partitions: Vec<ConsumerGroupHeartbeatResponseTopicPartitions>,
}

impl Item for ConsumerGroupHeartbeatResponseAssignment {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { topic_partitions: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.topic_partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ConsumerGroupHeartbeatResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupHeartbeatResponseTopicPartitions {
    /// `uuid`, all versions.
    pub topic_id: TopicId,
    /// `[]int32`, all versions.
    pub partitions: Vec<i32>,
}

impl Item for ConsumerGroupHeartbeatResponseTopicPartitions {
    const MIN_SIZE: usize = 18;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { topic_id: r.uuid()?, partitions: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.uuid(self.topic_id);
        w.array(form, version, &self.partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ConsumerGroupHeartbeatResponse {
    const NAME: &'static str = "ConsumerGroupHeartbeatResponse";
    const KEY: ApiKey = ApiKey::ConsumerGroupHeartbeat;
    const VERSIONS: RangeInclusive<i16> = 0..=1;
    const FLEXIBLE_SINCE: i16 = 0;
}
