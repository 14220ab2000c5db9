// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use groma_model::TopicId;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `OffsetCommitRequest`, versions 2 to 10, flexible since 8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetCommitRequest {
    /// `string`, all versions.
    pub group_id: String,
    /// `int32`, all versions, default -1.
    pub generation_id_or_member_epoch: i32,
    /// `string`, all versions.
    pub member_id: String,
    /// `string`, since version 7, default null.
    pub group_instance_id: Option<String>,
    /// `int64`, up to version 4, default -1.
    pub retention_time_ms: i64,
    /// `[]OffsetCommitRequestTopic`, all versions.
    pub topics: Vec<OffsetCommitRequestTopic>,
}

impl Default for OffsetCommitRequest {
    fn default() -> Self {
        Self {
            group_id: String::new(),
            generation_id_or_member_epoch: -1,
            member_id: String::new(),
            group_instance_id: None,
            retention_time_ms: -1,
            topics: vec![],
        }
    }
}

impl Item for OffsetCommitRequest {
    const MIN_SIZE: usize = 9;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            group_id: r.string(form)?,
            generation_id_or_member_epoch: r.i32()?,
            member_id: r.string(form)?,
            group_instance_id: if version >= 7 { r.nullable_string(form)? } else { None },
            retention_time_ms: if version <= 4 { r.i64()? } else { -1 },
            topics: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.i32(self.generation_id_or_member_epoch);
        w.string(form, &self.member_id)?;
        if version >= 7 {
            w.nullable_string(form, self.group_instance_id.as_deref())?;
        } else if self.group_instance_id.is_some() {
            return Err(WireError::Unsupported { field: "OffsetCommitRequest.group_instance_id", version });
        }
        if version <= 4 {
            w.i64(self.retention_time_ms);
        }
        w.array(form, version, &self.topics)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`OffsetCommitRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetCommitRequestTopic {
    /// `string`, up to version 9.
    pub name: String,
    /// `uuid`, since version 10.
    pub topic_id: TopicId,
    /// `[]OffsetCommitRequestPartition`, all versions.
    pub partitions: Vec<OffsetCommitRequestPartition>,
}

impl Item for OffsetCommitRequestTopic {
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

/// A part of [`OffsetCommitRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetCommitRequestPartition {
    /// `int32`, all versions.
    pub partition_index: i32,
    /// `int64`, all versions.
    pub committed_offset: i64,
    /// `int32`, since version 6, default -1.
    pub committed_leader_epoch: i32,
    /// `string`, all versions.
    pub committed_metadata: Option<String>,
}

impl Default for OffsetCommitRequestPartition {
    fn default() -> Self {
        Self {
            partition_index: 0,
            committed_offset: 0,
            committed_leader_epoch: -1,
            committed_metadata: Some(String::new()),
        }
    }
}

impl Item for OffsetCommitRequestPartition {
    const MIN_SIZE: usize = 14;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            partition_index: r.i32()?,
            committed_offset: r.i64()?,
            committed_leader_epoch: if version >= 6 { r.i32()? } else { -1 },
            committed_metadata: r.nullable_string(form)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.partition_index);
        w.i64(self.committed_offset);
        if version >= 6 {
            w.i32(self.committed_leader_epoch);
        }
        w.nullable_string(form, self.committed_metadata.as_deref())?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for OffsetCommitRequest {
    const NAME: &'static str = "OffsetCommitRequest";
    const KEY: ApiKey = ApiKey::OffsetCommit;
    const VERSIONS: RangeInclusive<i16> = 2..=10;
    const FLEXIBLE_SINCE: i16 = 8;
}

impl Request for OffsetCommitRequest {
    type Response = OffsetCommitResponse;
}

/// Kafka's `OffsetCommitResponse`, versions 2 to 10, flexible since 8.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetCommitResponse {
    /// `int32`, since version 3.
    pub throttle_time_ms: i32,
    /// `[]OffsetCommitResponseTopic`, all versions.
    pub topics: Vec<OffsetCommitResponseTopic>,
}

impl Item for OffsetCommitResponse {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { throttle_time_ms: if version >= 3 { r.i32()? } else { 0 }, topics: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 3 {
            w.i32(self.throttle_time_ms);
        }
        w.array(form, version, &self.topics)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`OffsetCommitResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetCommitResponseTopic {
    /// `string`, up to version 9.
    pub name: String,
    /// `uuid`, since version 10.
    pub topic_id: TopicId,
    /// `[]OffsetCommitResponsePartition`, all versions.
    pub partitions: Vec<OffsetCommitResponsePartition>,
}

impl Item for OffsetCommitResponseTopic {
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

/// A part of [`OffsetCommitResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetCommitResponsePartition {
    /// `int32`, all versions.
    pub partition_index: i32,
    /// `int16`, all versions.
    pub error_code: i16,
}

impl Item for OffsetCommitResponsePartition {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { partition_index: r.i32()?, error_code: r.i16()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.partition_index);
        w.i16(self.error_code);
        w.no_tags(form);
        Ok(())
    }
}

impl Message for OffsetCommitResponse {
    const NAME: &'static str = "OffsetCommitResponse";
    const KEY: ApiKey = ApiKey::OffsetCommit;
    const VERSIONS: RangeInclusive<i16> = 2..=10;
    const FLEXIBLE_SINCE: i16 = 8;
}
