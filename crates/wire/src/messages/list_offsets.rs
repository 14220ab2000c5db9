// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `ListOffsetsRequest`, versions 1 to 11, flexible since 6.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ListOffsetsRequest {
    /// `int32`, all versions.
    pub replica_id: i32,
    /// `int8`, since version 2.
    pub isolation_level: i8,
    /// `[]ListOffsetsTopic`, all versions.
    pub topics: Vec<ListOffsetsTopic>,
    /// `int32`, since version 10.
    pub timeout_ms: i32,
}

impl Item for ListOffsetsRequest {
    const MIN_SIZE: usize = 7;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            replica_id: r.i32()?,
            isolation_level: if version >= 2 { r.i8()? } else { 0 },
            topics: r.array(form, version)?,
            timeout_ms: if version >= 10 { r.i32()? } else { 0 },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.replica_id);
        if version >= 2 {
            w.i8(self.isolation_level);
        } else if self.isolation_level != 0 {
            return Err(WireError::Unsupported { field: "ListOffsetsRequest.isolation_level", version });
        }
        w.array(form, version, &self.topics)?;
        if version >= 10 {
            w.i32(self.timeout_ms);
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ListOffsetsRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ListOffsetsTopic {
    /// `string`, all versions.
    pub name: String,
    /// `[]ListOffsetsPartition`, all versions.
    pub partitions: Vec<ListOffsetsPartition>,
}

impl Item for ListOffsetsTopic {
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

/// A part of [`ListOffsetsRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListOffsetsPartition {
    /// `int32`, all versions.
    pub partition_index: i32,
    /// `int32`, since version 4, default -1.
    pub current_leader_epoch: i32,
    /// `int64`, all versions.
    pub timestamp: i64,
}

impl Default for ListOffsetsPartition {
    fn default() -> Self {
        Self { partition_index: 0, current_leader_epoch: -1, timestamp: 0 }
    }
}

impl Item for ListOffsetsPartition {
    const MIN_SIZE: usize = 12;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            partition_index: r.i32()?,
            current_leader_epoch: if version >= 4 { r.i32()? } else { -1 },
            timestamp: r.i64()?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.partition_index);
        if version >= 4 {
            w.i32(self.current_leader_epoch);
        }
        w.i64(self.timestamp);
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ListOffsetsRequest {
    const NAME: &'static str = "ListOffsetsRequest";
    const KEY: ApiKey = ApiKey::ListOffsets;
    const VERSIONS: RangeInclusive<i16> = 1..=11;
    const FLEXIBLE_SINCE: i16 = 6;
}

impl Request for ListOffsetsRequest {
    type Response = ListOffsetsResponse;
}

/// Kafka's `ListOffsetsResponse`, versions 1 to 11, flexible since 6.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ListOffsetsResponse {
    /// `int32`, since version 2.
    pub throttle_time_ms: i32,
    /// `[]ListOffsetsTopicResponse`, all versions.
    pub topics: Vec<ListOffsetsTopicResponse>,
}

impl Item for ListOffsetsResponse {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { throttle_time_ms: if version >= 2 { r.i32()? } else { 0 }, topics: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 2 {
            w.i32(self.throttle_time_ms);
        }
        w.array(form, version, &self.topics)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ListOffsetsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ListOffsetsTopicResponse {
    /// `string`, all versions.
    pub name: String,
    /// `[]ListOffsetsPartitionResponse`, all versions.
    pub partitions: Vec<ListOffsetsPartitionResponse>,
}

impl Item for ListOffsetsTopicResponse {
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

/// A part of [`ListOffsetsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListOffsetsPartitionResponse {
    /// `int32`, all versions.
    pub partition_index: i32,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `int64`, all versions, default -1.
    pub timestamp: i64,
    /// `int64`, all versions, default -1.
    pub offset: i64,
    /// `int32`, since version 4, default -1.
    pub leader_epoch: i32,
}

impl Default for ListOffsetsPartitionResponse {
    fn default() -> Self {
        Self { partition_index: 0, error_code: 0, timestamp: -1, offset: -1, leader_epoch: -1 }
    }
}

impl Item for ListOffsetsPartitionResponse {
    const MIN_SIZE: usize = 22;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            partition_index: r.i32()?,
            error_code: r.i16()?,
            timestamp: r.i64()?,
            offset: r.i64()?,
            leader_epoch: if version >= 4 { r.i32()? } else { -1 },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.partition_index);
        w.i16(self.error_code);
        w.i64(self.timestamp);
        w.i64(self.offset);
        if version >= 4 {
            w.i32(self.leader_epoch);
        } else if self.leader_epoch != -1 {
            return Err(WireError::Unsupported { field: "ListOffsetsPartitionResponse.leader_epoch", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ListOffsetsResponse {
    const NAME: &'static str = "ListOffsetsResponse";
    const KEY: ApiKey = ApiKey::ListOffsets;
    const VERSIONS: RangeInclusive<i16> = 1..=11;
    const FLEXIBLE_SINCE: i16 = 6;
}
