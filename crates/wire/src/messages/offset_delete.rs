// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `OffsetDeleteRequest`, version 0, never flexible.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetDeleteRequest {
    /// `string`, all versions.
    pub group_id: String,
    /// `[]OffsetDeleteRequestTopic`, all versions.
    pub topics: Vec<OffsetDeleteRequestTopic>,
}

impl Item for OffsetDeleteRequest {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        Ok(Self { group_id: r.string(form)?, topics: r.array(form, version)? })
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.array(form, version, &self.topics)?;
        Ok(())
    }
}

/// A part of [`OffsetDeleteRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetDeleteRequestTopic {
    /// `string`, all versions.
    pub name: String,
    /// `[]OffsetDeleteRequestPartition`, all versions.
    pub partitions: Vec<OffsetDeleteRequestPartition>,
}

impl Item for OffsetDeleteRequestTopic {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        Ok(Self { name: r.string(form)?, partitions: r.array(form, version)? })
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.array(form, version, &self.partitions)?;
        Ok(())
    }
}

/// A part of [`OffsetDeleteRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetDeleteRequestPartition {
    /// `int32`, all versions.
    pub partition_index: i32,
}

impl Item for OffsetDeleteRequestPartition {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, _form: Form, _version: i16) -> Result<Self, WireError> {
        Ok(Self { partition_index: r.i32()? })
    }

    fn write(&self, w: &mut Writer, _form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.partition_index);
        Ok(())
    }
}

impl Message for OffsetDeleteRequest {
    const NAME: &'static str = "OffsetDeleteRequest";
    const KEY: ApiKey = ApiKey::OffsetDelete;
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}

impl Request for OffsetDeleteRequest {
    type Response = OffsetDeleteResponse;
}

/// Kafka's `OffsetDeleteResponse`, version 0, never flexible.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetDeleteResponse {
    /// `int16`, all versions.
    pub error_code: i16,
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `[]OffsetDeleteResponseTopic`, all versions.
    pub topics: Vec<OffsetDeleteResponseTopic>,
}

impl Item for OffsetDeleteResponse {
    const MIN_SIZE: usize = 10;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        Ok(Self { error_code: r.i16()?, throttle_time_ms: r.i32()?, topics: r.array(form, version)? })
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i16(self.error_code);
        w.i32(self.throttle_time_ms);
        w.array(form, version, &self.topics)?;
        Ok(())
    }
}

/// A part of [`OffsetDeleteResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetDeleteResponseTopic {
    /// `string`, all versions.
    pub name: String,
    /// `[]OffsetDeleteResponsePartition`, all versions.
    pub partitions: Vec<OffsetDeleteResponsePartition>,
}

impl Item for OffsetDeleteResponseTopic {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        Ok(Self { name: r.string(form)?, partitions: r.array(form, version)? })
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.array(form, version, &self.partitions)?;
        Ok(())
    }
}

/// A part of [`OffsetDeleteResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetDeleteResponsePartition {
    /// `int32`, all versions.
    pub partition_index: i32,
    /// `int16`, all versions.
    pub error_code: i16,
}

impl Item for OffsetDeleteResponsePartition {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, _form: Form, _version: i16) -> Result<Self, WireError> {
        Ok(Self { partition_index: r.i32()?, error_code: r.i16()? })
    }

    fn write(&self, w: &mut Writer, _form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.partition_index);
        w.i16(self.error_code);
        Ok(())
    }
}

impl Message for OffsetDeleteResponse {
    const NAME: &'static str = "OffsetDeleteResponse";
    const KEY: ApiKey = ApiKey::OffsetDelete;
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}
