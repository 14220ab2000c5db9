// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use bytes::Bytes;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `JoinGroupRequest`, versions 0 to 9, flexible since 6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinGroupRequest {
    /// `string`, all versions.
    pub group_id: String,
    /// `int32`, all versions.
    pub session_timeout_ms: i32,
    /// `int32`, since version 1, default -1.
    pub rebalance_timeout_ms: i32,
    /// `string`, all versions.
    pub member_id: String,
    /// `string`, since version 5, default null.
    pub group_instance_id: Option<String>,
    /// `string`, all versions.
    pub protocol_type: String,
    /// `[]JoinGroupRequestProtocol`, all versions.
    pub protocols: Vec<JoinGroupRequestProtocol>,
    /// `string`, since version 8, default null.
    pub reason: Option<String>,
}

impl Default for JoinGroupRequest {
    fn default() -> Self {
        Self {
            group_id: String::new(),
            session_timeout_ms: 0,
            rebalance_timeout_ms: -1,
            member_id: String::new(),
            group_instance_id: None,
            protocol_type: String::new(),
            protocols: vec![],
            reason: None,
        }
    }
}

impl Item for JoinGroupRequest {
    const MIN_SIZE: usize = 14;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            group_id: r.string(form)?,
            session_timeout_ms: r.i32()?,
            rebalance_timeout_ms: if version >= 1 { r.i32()? } else { -1 },
            member_id: r.string(form)?,
            group_instance_id: if version >= 5 { r.nullable_string(form)? } else { None },
            protocol_type: r.string(form)?,
            protocols: r.array(form, version)?,
            reason: if version >= 8 { r.nullable_string(form)? } else { None },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.i32(self.session_timeout_ms);
        if version >= 1 {
            w.i32(self.rebalance_timeout_ms);
        }
        w.string(form, &self.member_id)?;
        if version >= 5 {
            w.nullable_string(form, self.group_instance_id.as_deref())?;
        } else if self.group_instance_id.is_some() {
            return Err(WireError::Unsupported { field: "JoinGroupRequest.group_instance_id", version });
        }
        w.string(form, &self.protocol_type)?;
        w.array(form, version, &self.protocols)?;
        if version >= 8 {
            w.nullable_string(form, self.reason.as_deref())?;
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`JoinGroupRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct JoinGroupRequestProtocol {
    /// `string`, all versions.
    pub name: String,
    /// `bytes`, all versions.
    pub metadata: Bytes,
}

impl Item for JoinGroupRequestProtocol {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.string(form)?, metadata: r.bytes(form)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.bytes(form, &self.metadata)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for JoinGroupRequest {
    const NAME: &'static str = "JoinGroupRequest";
    const KEY: ApiKey = ApiKey::JoinGroup;
    const VERSIONS: RangeInclusive<i16> = 0..=9;
    const FLEXIBLE_SINCE: i16 = 6;
}

impl Request for JoinGroupRequest {
    type Response = JoinGroupResponse;
}

/// Kafka's `JoinGroupResponse`, versions 0 to 9, flexible since 6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinGroupResponse {
    /// `int32`, since version 2.
    pub throttle_time_ms: i32,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `int32`, all versions, default -1.
    pub generation_id: i32,
    /// `string`, since version 7, default null.
    pub protocol_type: Option<String>,
    /// `string`, all versions, null since version 7.
    pub protocol_name: Option<String>,
    /// `string`, all versions.
    pub leader: String,
    /// `bool`, since version 9, default false.
    pub skip_assignment: bool,
    /// `string`, all versions.
    pub member_id: String,
    /// `[]JoinGroupResponseMember`, all versions.
    pub members: Vec<JoinGroupResponseMember>,
}

impl Default for JoinGroupResponse {
    fn default() -> Self {
        Self {
            throttle_time_ms: 0,
            error_code: 0,
            generation_id: -1,
            protocol_type: None,
            protocol_name: Some(String::new()),
            leader: String::new(),
            skip_assignment: false,
            member_id: String::new(),
            members: vec![],
        }
    }
}

impl Item for JoinGroupResponse {
    const MIN_SIZE: usize = 15;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            throttle_time_ms: if version >= 2 { r.i32()? } else { 0 },
            error_code: r.i16()?,
            generation_id: r.i32()?,
            protocol_type: if version >= 7 { r.nullable_string(form)? } else { None },
            protocol_name: if version >= 7 { r.nullable_string(form)? } else { Some(r.string(form)?) },
            leader: r.string(form)?,
            skip_assignment: if version >= 9 { r.bool()? } else { false },
            member_id: r.string(form)?,
            members: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 2 {
            w.i32(self.throttle_time_ms);
        }
        w.i16(self.error_code);
        w.i32(self.generation_id);
        if version >= 7 {
            w.nullable_string(form, self.protocol_type.as_deref())?;
        }
        if version >= 7 {
            w.nullable_string(form, self.protocol_name.as_deref())?;
        } else {
            w.string(
                form,
                self.protocol_name.as_deref().ok_or(WireError::Missing { field: "JoinGroupResponse.protocol_name" })?,
            )?;
        }
        w.string(form, &self.leader)?;
        if version >= 9 {
            w.i8(i8::from(self.skip_assignment));
        } else if self.skip_assignment {
            return Err(WireError::Unsupported { field: "JoinGroupResponse.skip_assignment", version });
        }
        w.string(form, &self.member_id)?;
        w.array(form, version, &self.members)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`JoinGroupResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct JoinGroupResponseMember {
    /// `string`, all versions.
    pub member_id: String,
    /// `string`, since version 5, default null.
    pub group_instance_id: Option<String>,
    /// `bytes`, all versions.
    pub metadata: Bytes,
}

impl Item for JoinGroupResponseMember {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            member_id: r.string(form)?,
            group_instance_id: if version >= 5 { r.nullable_string(form)? } else { None },
            metadata: r.bytes(form)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.member_id)?;
        if version >= 5 {
            w.nullable_string(form, self.group_instance_id.as_deref())?;
        }
        w.bytes(form, &self.metadata)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for JoinGroupResponse {
    const NAME: &'static str = "JoinGroupResponse";
    const KEY: ApiKey = ApiKey::JoinGroup;
    const VERSIONS: RangeInclusive<i16> = 0..=9;
    const FLEXIBLE_SINCE: i16 = 6;
}
