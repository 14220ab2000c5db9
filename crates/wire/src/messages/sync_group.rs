// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use bytes::Bytes;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `SyncGroupRequest`, versions 0 to 5, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SyncGroupRequest {
    /// `string`, all versions.
    pub group_id: String,
    /// `int32`, all versions.
    pub generation_id: i32,
    /// `string`, all versions.
    pub member_id: String,
    /// `string`, since version 3, default null.
    pub group_instance_id: Option<String>,
    /// `string`, since version 5, default null.
    pub protocol_type: Option<String>,
    /// `string`, since version 5, default null.
    pub protocol_name: Option<String>,
    /// `[]SyncGroupRequestAssignment`, all versions.
    pub assignments: Vec<SyncGroupRequestAssignment>,
}

impl Item for SyncGroupRequest {
    const MIN_SIZE: usize = 9;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            group_id: r.string(form)?,
            generation_id: r.i32()?,
            member_id: r.string(form)?,
            group_instance_id: if version >= 3 { r.nullable_string(form)? } else { None },
            protocol_type: if version >= 5 { r.nullable_string(form)? } else { None },
            protocol_name: if version >= 5 { r.nullable_string(form)? } else { None },
            assignments: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.i32(self.generation_id);
        w.string(form, &self.member_id)?;
        if version >= 3 {
            w.nullable_string(form, self.group_instance_id.as_deref())?;
        } else if self.group_instance_id.is_some() {
            return Err(WireError::Unsupported { field: "SyncGroupRequest.group_instance_id", version });
        }
        if version >= 5 {
            w.nullable_string(form, self.protocol_type.as_deref())?;
        }
        if version >= 5 {
            w.nullable_string(form, self.protocol_name.as_deref())?;
        }
        w.array(form, version, &self.assignments)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`SyncGroupRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SyncGroupRequestAssignment {
    /// `string`, all versions.
    pub member_id: String,
    /// `bytes`, all versions.
    pub assignment: Bytes,
}

impl Item for SyncGroupRequestAssignment {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { member_id: r.string(form)?, assignment: r.bytes(form)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.member_id)?;
        w.bytes(form, &self.assignment)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for SyncGroupRequest {
    const NAME: &'static str = "SyncGroupRequest";
    const KEY: ApiKey = ApiKey::SyncGroup;
    const VERSIONS: RangeInclusive<i16> = 0..=5;
    const FLEXIBLE_SINCE: i16 = 4;
}

impl Request for SyncGroupRequest {
    type Response = SyncGroupResponse;
}

/// Kafka's `SyncGroupResponse`, versions 0 to 5, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SyncGroupResponse {
    /// `int32`, since version 1.
    pub throttle_time_ms: i32,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, since version 5, default null.
    pub protocol_type: Option<String>,
    /// `string`, since version 5, default null.
    pub protocol_name: Option<String>,
    /// `bytes`, all versions.
    pub assignment: Bytes,
}

impl Item for SyncGroupResponse {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            throttle_time_ms: if version >= 1 { r.i32()? } else { 0 },
            error_code: r.i16()?,
            protocol_type: if version >= 5 { r.nullable_string(form)? } else { None },
            protocol_name: if version >= 5 { r.nullable_string(form)? } else { None },
            assignment: r.bytes(form)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 1 {
            w.i32(self.throttle_time_ms);
        }
        w.i16(self.error_code);
        if version >= 5 {
            w.nullable_string(form, self.protocol_type.as_deref())?;
        }
        if version >= 5 {
            w.nullable_string(form, self.protocol_name.as_deref())?;
        }
        w.bytes(form, &self.assignment)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for SyncGroupResponse {
    const NAME: &'static str = "SyncGroupResponse";
    const KEY: ApiKey = ApiKey::SyncGroup;
    const VERSIONS: RangeInclusive<i16> = 0..=5;
    const FLEXIBLE_SINCE: i16 = 4;
}
