// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use groma_model::TopicId;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `CreateTopicsRequest`, versions 2 to 7, flexible since 5.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateTopicsRequest {
    /// `[]CreatableTopic`, all versions.
    pub topics: Vec<CreatableTopic>,
    /// `int32`, all versions, default 60000.
    pub timeout_ms: i32,
    /// `bool`, all versions, default false.
    pub validate_only: bool,
}

impl Default for CreateTopicsRequest {
    fn default() -> Self {
        Self { topics: vec![], timeout_ms: 60000, validate_only: false }
    }
}

impl Item for CreateTopicsRequest {
    const MIN_SIZE: usize = 7;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { topics: r.array(form, version)?, timeout_ms: r.i32()?, validate_only: r.bool()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.topics)?;
        w.i32(self.timeout_ms);
        w.i8(i8::from(self.validate_only));
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`CreateTopicsRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CreatableTopic {
    /// `string`, all versions.
    pub name: String,
    /// `int32`, all versions.
    pub num_partitions: i32,
    /// `int16`, all versions.
    pub replication_factor: i16,
    /// `[]CreatableReplicaAssignment`, all versions.
    pub assignments: Vec<CreatableReplicaAssignment>,
    /// `[]CreatableTopicConfig`, all versions.
    pub configs: Vec<CreatableTopicConfig>,
}

impl Item for CreatableTopic {
    const MIN_SIZE: usize = 10;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            name: r.string(form)?,
            num_partitions: r.i32()?,
            replication_factor: r.i16()?,
            assignments: r.array(form, version)?,
            configs: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.i32(self.num_partitions);
        w.i16(self.replication_factor);
        w.array(form, version, &self.assignments)?;
        w.array(form, version, &self.configs)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`CreateTopicsRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CreatableReplicaAssignment {
    /// `int32`, all versions.
    pub partition_index: i32,
    /// `[]int32`, all versions.
    pub broker_ids: Vec<i32>,
}

impl Item for CreatableReplicaAssignment {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { partition_index: r.i32()?, broker_ids: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.partition_index);
        w.array(form, version, &self.broker_ids)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`CreateTopicsRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatableTopicConfig {
    /// `string`, all versions.
    pub name: String,
    /// `string`, all versions.
    pub value: Option<String>,
}

impl Default for CreatableTopicConfig {
    fn default() -> Self {
        Self { name: String::new(), value: Some(String::new()) }
    }
}

impl Item for CreatableTopicConfig {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.string(form)?, value: r.nullable_string(form)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.nullable_string(form, self.value.as_deref())?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for CreateTopicsRequest {
    const NAME: &'static str = "CreateTopicsRequest";
    const KEY: ApiKey = ApiKey::CreateTopics;
    const VERSIONS: RangeInclusive<i16> = 2..=7;
    const FLEXIBLE_SINCE: i16 = 5;
}

impl Request for CreateTopicsRequest {
    type Response = CreateTopicsResponse;
}

/// Kafka's `CreateTopicsResponse`, versions 2 to 7, flexible since 5.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CreateTopicsResponse {
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `[]CreatableTopicResult`, all versions.
    pub topics: Vec<CreatableTopicResult>,
}

impl Item for CreateTopicsResponse {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { throttle_time_ms: r.i32()?, topics: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.throttle_time_ms);
        w.array(form, version, &self.topics)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`CreateTopicsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatableTopicResult {
    /// `string`, all versions.
    pub name: String,
    /// `uuid`, since version 7.
    pub topic_id: TopicId,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, all versions.
    pub error_message: Option<String>,
    /// `int16`, since version 5, tag 0.
    pub topic_config_error_code: i16,
    /// `int32`, since version 5, default -1.
    pub num_partitions: i32,
    /// `int16`, since version 5, default -1.
    pub replication_factor: i16,
    /// `[]CreatableTopicConfigs`, since version 5.
    pub configs: Option<Vec<CreatableTopicConfigs>>,
}

impl Default for CreatableTopicResult {
    fn default() -> Self {
        Self {
            name: String::new(),
            topic_id: TopicId::NONE,
            error_code: 0,
            error_message: Some(String::new()),
            topic_config_error_code: 0,
            num_partitions: -1,
            replication_factor: -1,
            configs: Some(vec![]),
        }
    }
}

impl Item for CreatableTopicResult {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value = Self {
            name: r.string(form)?,
            topic_id: if version >= 7 { r.uuid()? } else { TopicId::NONE },
            error_code: r.i16()?,
            error_message: r.nullable_string(form)?,
            topic_config_error_code: 0,
            num_partitions: if version >= 5 { r.i32()? } else { -1 },
            replication_factor: if version >= 5 { r.i16()? } else { -1 },
            configs: if version >= 5 { r.nullable_array(form, version)? } else { Some(vec![]) },
        };
        r.tags(form, |tag, r| {
            match tag {
                0 if version >= 5 => value.topic_config_error_code = r.i16()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        if version >= 7 {
            w.uuid(self.topic_id);
        }
        w.i16(self.error_code);
        w.nullable_string(form, self.error_message.as_deref())?;
        if version >= 5 {
            w.i32(self.num_partitions);
        }
        if version >= 5 {
            w.i16(self.replication_factor);
        }
        if version >= 5 {
            w.nullable_array(form, version, self.configs.as_deref())?;
        }
        if form == Form::Compact {
            let mut tags = w.tags();
            if version >= 5 && self.topic_config_error_code != 0 {
                tags.field(0, |w| {
                    w.i16(self.topic_config_error_code);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }
}

/// A part of [`CreateTopicsResponse`], since version 5.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatableTopicConfigs {
    /// `string`, since version 5.
    pub name: String,
    /// `string`, since version 5.
    pub value: Option<String>,
    /// `bool`, since version 5.
    pub read_only: bool,
    /// `int8`, since version 5, default -1.
    pub config_source: i8,
    /// `bool`, since version 5.
    pub is_sensitive: bool,
}

impl Default for CreatableTopicConfigs {
    fn default() -> Self {
        Self {
            name: String::new(),
            value: Some(String::new()),
            read_only: false,
            config_source: -1,
            is_sensitive: false,
        }
    }
}

impl Item for CreatableTopicConfigs {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self {
            name: r.string(form)?,
            value: r.nullable_string(form)?,
            read_only: r.bool()?,
            config_source: r.i8()?,
            is_sensitive: r.bool()?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.nullable_string(form, self.value.as_deref())?;
        w.i8(i8::from(self.read_only));
        w.i8(self.config_source);
        w.i8(i8::from(self.is_sensitive));
        w.no_tags(form);
        Ok(())
    }
}

impl Message for CreateTopicsResponse {
    const NAME: &'static str = "CreateTopicsResponse";
    const KEY: ApiKey = ApiKey::CreateTopics;
    const VERSIONS: RangeInclusive<i16> = 2..=7;
    const FLEXIBLE_SINCE: i16 = 5;
}
