// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `LeaveGroupRequest`, versions 0 to 5, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LeaveGroupRequest {
    /// `string`, all versions.
    pub group_id: String,
    /// `string`, up to version 2.
    pub member_id: String,
    /// `[]MemberIdentity`, since version 3.
    pub members: Vec<MemberIdentity>,
}

impl Item for LeaveGroupRequest {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            group_id: r.string(form)?,
            member_id: if version <= 2 { r.string(form)? } else { String::new() },
            members: if version >= 3 { r.array(form, version)? } else { vec![] },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        if version <= 2 {
            w.string(form, &self.member_id)?;
        } else if !self.member_id.is_empty() {
            return Err(WireError::Unsupported { field: "LeaveGroupRequest.member_id", version });
        }
        if version >= 3 {
            w.array(form, version, &self.members)?;
        } else if !self.members.is_empty() {
            return Err(WireError::Unsupported { field: "LeaveGroupRequest.members", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`LeaveGroupRequest`], since version 3.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct MemberIdentity {
    /// `string`, since version 3.
    pub member_id: String,
    /// `string`, since version 3, default null.
    pub group_instance_id: Option<String>,
    /// `string`, since version 5, default null.
    pub reason: Option<String>,
}

impl Item for MemberIdentity {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            member_id: r.string(form)?,
            group_instance_id: r.nullable_string(form)?,
            reason: if version >= 5 { r.nullable_string(form)? } else { None },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.member_id)?;
        w.nullable_string(form, self.group_instance_id.as_deref())?;
        if version >= 5 {
            w.nullable_string(form, self.reason.as_deref())?;
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for LeaveGroupRequest {
    const NAME: &'static str = "LeaveGroupRequest";
    const KEY: ApiKey = ApiKey::LeaveGroup;
    const VERSIONS: RangeInclusive<i16> = 0..=5;
    const FLEXIBLE_SINCE: i16 = 4;
}

impl Request for LeaveGroupRequest {
    type Response = LeaveGroupResponse;
}

/// Kafka's `LeaveGroupResponse`, versions 0 to 5, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LeaveGroupResponse {
    /// `int32`, since version 1.
    pub throttle_time_ms: i32,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `[]MemberResponse`, since version 3.
    pub members: Vec<MemberResponse>,
}

impl Item for LeaveGroupResponse {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            throttle_time_ms: if version >= 1 { r.i32()? } else { 0 },
            error_code: r.i16()?,
            members: if version >= 3 { r.array(form, version)? } else { vec![] },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 1 {
            w.i32(self.throttle_time_ms);
        }
        w.i16(self.error_code);
        if version >= 3 {
            w.array(form, version, &self.members)?;
        } else if !self.members.is_empty() {
            return Err(WireError::Unsupported { field: "LeaveGroupResponse.members", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`LeaveGroupResponse`], since version 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberResponse {
    /// `string`, since version 3.
    pub member_id: String,
    /// `string`, since version 3.
    pub group_instance_id: Option<String>,
    /// `int16`, since version 3.
    pub error_code: i16,
}

impl Default for MemberResponse {
    fn default() -> Self {
        Self { member_id: String::new(), group_instance_id: Some(String::new()), error_code: 0 }
    }
}

impl Item for MemberResponse {
    const MIN_SIZE: usize = 5;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value =
            Self { member_id: r.string(form)?, group_instance_id: r.nullable_string(form)?, error_code: r.i16()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.member_id)?;
        w.nullable_string(form, self.group_instance_id.as_deref())?;
        w.i16(self.error_code);
        w.no_tags(form);
        Ok(())
    }
}

impl Message for LeaveGroupResponse {
    const NAME: &'static str = "LeaveGroupResponse";
    const KEY: ApiKey = ApiKey::LeaveGroup;
    const VERSIONS: RangeInclusive<i16> = 0..=5;
    const FLEXIBLE_SINCE: i16 = 4;
}
