// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use groma_model::TopicId;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `OffsetFetchRequest`, versions 1 to 10, flexible since 6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetFetchRequest {
    /// `string`, up to version 7.
    pub group_id: String,
    /// `[]OffsetFetchRequestTopic`, up to version 7, null versions 2 to 7.
    pub topics: Option<Vec<OffsetFetchRequestTopic>>,
    /// `[]OffsetFetchRequestGroup`, since version 8.
    pub groups: Vec<OffsetFetchRequestGroup>,
    /// `bool`, since version 7, default false.
    pub require_stable: bool,
}

impl Default for OffsetFetchRequest {
    fn default() -> Self {
        Self { group_id: String::new(), topics: Some(vec![]), groups: vec![], require_stable: false }
    }
}

impl Item for OffsetFetchRequest {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            group_id: if version <= 7 { r.string(form)? } else { String::new() },
            topics: if version <= 7 {
                if version >= 2 { r.nullable_array(form, version)? } else { Some(r.array(form, version)?) }
            } else {
                Some(vec![])
            },
            groups: if version >= 8 { r.array(form, version)? } else { vec![] },
            require_stable: if version >= 7 { r.bool()? } else { false },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version <= 7 {
            w.string(form, &self.group_id)?;
        } else if !self.group_id.is_empty() {
            return Err(WireError::Unsupported { field: "OffsetFetchRequest.group_id", version });
        }
        if version <= 7 {
            if version >= 2 {
                w.nullable_array(form, version, self.topics.as_deref())?;
            } else {
                w.array(
                    form,
                    version,
                    self.topics.as_deref().ok_or(WireError::Missing { field: "OffsetFetchRequest.topics" })?,
                )?;
            }
        } else if self.topics.as_ref().is_none_or(|value| !value.is_empty()) {
            return Err(WireError::Unsupported { field: "OffsetFetchRequest.topics", version });
        }
        if version >= 8 {
            w.array(form, version, &self.groups)?;
        } else if !self.groups.is_empty() {
            return Err(WireError::Unsupported { field: "OffsetFetchRequest.groups", version });
        }
        if version >= 7 {
            w.i8(i8::from(self.require_stable));
        } else if self.require_stable {
            return Err(WireError::Unsupported { field: "OffsetFetchRequest.require_stable", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`OffsetFetchRequest`], up to version 7.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetFetchRequestTopic {
    /// `string`, up to version 7.
    pub name: String,
    /// `[]int32`, up to version 7.
    pub partition_indexes: Vec<i32>,
}

impl Item for OffsetFetchRequestTopic {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.string(form)?, partition_indexes: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.array(form, version, &self.partition_indexes)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`OffsetFetchRequest`], since version 8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetFetchRequestGroup {
    /// `string`, since version 8.
    pub group_id: String,
    /// `string`, since version 9, default null.
    pub member_id: Option<String>,
    /// `int32`, since version 9, default -1.
    pub member_epoch: i32,
    /// `[]OffsetFetchRequestTopics`, since version 8.
    pub topics: Option<Vec<OffsetFetchRequestTopics>>,
}

impl Default for OffsetFetchRequestGroup {
    fn default() -> Self {
        Self { group_id: String::new(), member_id: None, member_epoch: -1, topics: Some(vec![]) }
    }
}

impl Item for OffsetFetchRequestGroup {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            group_id: r.string(form)?,
            member_id: if version >= 9 { r.nullable_string(form)? } else { None },
            member_epoch: if version >= 9 { r.i32()? } else { -1 },
            topics: r.nullable_array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        if version >= 9 {
            w.nullable_string(form, self.member_id.as_deref())?;
        }
        if version >= 9 {
            w.i32(self.member_epoch);
        }
        w.nullable_array(form, version, self.topics.as_deref())?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`OffsetFetchRequest`], since version 8.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetFetchRequestTopics {
    /// `string`, versions 8 to 9.
    pub name: String,
    /// `uuid`, since version 10.
    pub topic_id: TopicId,
    /// `[]int32`, since version 8.
    pub partition_indexes: Vec<i32>,
}

impl Item for OffsetFetchRequestTopics {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            name: if version <= 9 { r.string(form)? } else { String::new() },
            topic_id: if version >= 10 { r.uuid()? } else { TopicId::NONE },
            partition_indexes: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version <= 9 {
            w.string(form, &self.name)?;
        }
        if version >= 10 {
            w.uuid(self.topic_id);
        }
        w.array(form, version, &self.partition_indexes)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for OffsetFetchRequest {
    const NAME: &'static str = "OffsetFetchRequest";
    const KEY: ApiKey = ApiKey::OffsetFetch;
    const VERSIONS: RangeInclusive<i16> = 1..=10;
    const FLEXIBLE_SINCE: i16 = 6;
}

impl Request for OffsetFetchRequest {
    type Response = OffsetFetchResponse;
}

/// Kafka's `OffsetFetchResponse`, versions 1 to 10, flexible since 6.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetFetchResponse {
    /// `int32`, since version 3.
    pub throttle_time_ms: i32,
    /// `[]OffsetFetchResponseTopic`, up to version 7.
    pub topics: Vec<OffsetFetchResponseTopic>,
    /// `int16`, versions 2 to 7, default 0.
    pub error_code: i16,
    /// `[]OffsetFetchResponseGroup`, since version 8.
    pub groups: Vec<OffsetFetchResponseGroup>,
}

impl Item for OffsetFetchResponse {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            throttle_time_ms: if version >= 3 { r.i32()? } else { 0 },
            topics: if version <= 7 { r.array(form, version)? } else { vec![] },
            error_code: if (2..=7).contains(&version) { r.i16()? } else { 0 },
            groups: if version >= 8 { r.array(form, version)? } else { vec![] },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 3 {
            w.i32(self.throttle_time_ms);
        }
        if version <= 7 {
            w.array(form, version, &self.topics)?;
        } else if !self.topics.is_empty() {
            return Err(WireError::Unsupported { field: "OffsetFetchResponse.topics", version });
        }
        if (2..=7).contains(&version) {
            w.i16(self.error_code);
        }
        if version >= 8 {
            w.array(form, version, &self.groups)?;
        } else if !self.groups.is_empty() {
            return Err(WireError::Unsupported { field: "OffsetFetchResponse.groups", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`OffsetFetchResponse`], up to version 7.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetFetchResponseTopic {
    /// `string`, up to version 7.
    pub name: String,
    /// `[]OffsetFetchResponsePartition`, up to version 7.
    pub partitions: Vec<OffsetFetchResponsePartition>,
}

impl Item for OffsetFetchResponseTopic {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.string(form)?, partitions: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.array(form, version, &self.partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`OffsetFetchResponse`], up to version 7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetFetchResponsePartition {
    /// `int32`, up to version 7.
    pub partition_index: i32,
    /// `int64`, up to version 7.
    pub committed_offset: i64,
    /// `int32`, versions 5 to 7, default -1.
    pub committed_leader_epoch: i32,
    /// `string`, up to version 7.
    pub metadata: Option<String>,
    /// `int16`, up to version 7.
    pub error_code: i16,
}

impl Default for OffsetFetchResponsePartition {
    fn default() -> Self {
        Self {
            partition_index: 0,
            committed_offset: 0,
            committed_leader_epoch: -1,
            metadata: Some(String::new()),
            error_code: 0,
        }
    }
}

impl Item for OffsetFetchResponsePartition {
    const MIN_SIZE: usize = 16;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            partition_index: r.i32()?,
            committed_offset: r.i64()?,
            committed_leader_epoch: if version >= 5 { r.i32()? } else { -1 },
            metadata: r.nullable_string(form)?,
            error_code: r.i16()?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.partition_index);
        w.i64(self.committed_offset);
        if version >= 5 {
            w.i32(self.committed_leader_epoch);
        }
        w.nullable_string(form, self.metadata.as_deref())?;
        w.i16(self.error_code);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`OffsetFetchResponse`], since version 8.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetFetchResponseGroup {
    /// `string`, since version 8.
    pub group_id: String,
    /// `[]OffsetFetchResponseTopics`, since version 8.
    pub topics: Vec<OffsetFetchResponseTopics>,
    /// `int16`, since version 8, default 0.
    pub error_code: i16,
}

impl Item for OffsetFetchResponseGroup {
    const MIN_SIZE: usize = 5;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { group_id: r.string(form)?, topics: r.array(form, version)?, error_code: r.i16()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.array(form, version, &self.topics)?;
        w.i16(self.error_code);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`OffsetFetchResponse`], since version 8.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetFetchResponseTopics {
    /// `string`, versions 8 to 9.
    pub name: String,
    /// `uuid`, since version 10.
    pub topic_id: TopicId,
    /// `[]OffsetFetchResponsePartitions`, since version 8.
    pub partitions: Vec<OffsetFetchResponsePartitions>,
}

impl Item for OffsetFetchResponseTopics {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            name: if version <= 9 { r.string(form)? } else { String::new() },
            topic_id: if version >= 10 { r.uuid()? } else { TopicId::NONE },
            partitions: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version <= 9 {
            w.string(form, &self.name)?;
        }
        if version >= 10 {
            w.uuid(self.topic_id);
        }
        w.array(form, version, &self.partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`OffsetFetchResponse`], since version 8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetFetchResponsePartitions {
    /// `int32`, since version 8.
    pub partition_index: i32,
    /// `int64`, since version 8.
    pub committed_offset: i64,
    /// `int32`, since version 8, default -1.
    pub committed_leader_epoch: i32,
    /// `string`, since version 8.
    pub metadata: Option<String>,
    /// `int16`, since version 8.
    pub error_code: i16,
}

impl Default for OffsetFetchResponsePartitions {
    fn default() -> Self {
        Self {
            partition_index: 0,
            committed_offset: 0,
            committed_leader_epoch: -1,
            metadata: Some(String::new()),
            error_code: 0,
        }
    }
}

impl Item for OffsetFetchResponsePartitions {
    const MIN_SIZE: usize = 20;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self {
            partition_index: r.i32()?,
            committed_offset: r.i64()?,
            committed_leader_epoch: r.i32()?,
            metadata: r.nullable_string(form)?,
            error_code: r.i16()?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.partition_index);
        w.i64(self.committed_offset);
        w.i32(self.committed_leader_epoch);
        w.nullable_string(form, self.metadata.as_deref())?;
        w.i16(self.error_code);
        w.no_tags(form);
        Ok(())
    }
}

impl Message for OffsetFetchResponse {
    const NAME: &'static str = "OffsetFetchResponse";
    const KEY: ApiKey = ApiKey::OffsetFetch;
    const VERSIONS: RangeInclusive<i16> = 1..=10;
    const FLEXIBLE_SINCE: i16 = 6;
}
