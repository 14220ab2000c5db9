// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `HeartbeatRequest`, versions 0 to 4, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HeartbeatRequest {
    /// `string`, all versions.
    pub group_id: String,
    /// `int32`, all versions.
    pub generation_id: i32,
    /// `string`, all versions.
    pub member_id: String,
    /// `string`, since version 3, default null.
    pub group_instance_id: Option<String>,
}

impl Item for HeartbeatRequest {
    const MIN_SIZE: usize = 8;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            group_id: r.string(form)?,
            generation_id: r.i32()?,
            member_id: r.string(form)?,
            group_instance_id: if version >= 3 { r.nullable_string(form)? } else { None },
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
            return Err(WireError::Unsupported { field: "HeartbeatRequest.group_instance_id", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for HeartbeatRequest {
    const NAME: &'static str = "HeartbeatRequest";
    const KEY: ApiKey = ApiKey::Heartbeat;
    const VERSIONS: RangeInclusive<i16> = 0..=4;
    const FLEXIBLE_SINCE: i16 = 4;
}

impl Request for HeartbeatRequest {
    type Response = HeartbeatResponse;
}

/// Kafka's `HeartbeatResponse`, versions 0 to 4, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HeartbeatResponse {
    /// `int32`, since version 1.
    pub throttle_time_ms: i32,
    /// `int16`, all versions.
    pub error_code: i16,
}

impl Item for HeartbeatResponse {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { throttle_time_ms: if version >= 1 { r.i32()? } else { 0 }, error_code: r.i16()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 1 {
            w.i32(self.throttle_time_ms);
        }
        w.i16(self.error_code);
        w.no_tags(form);
        Ok(())
    }
}

impl Message for HeartbeatResponse {
    const NAME: &'static str = "HeartbeatResponse";
    const KEY: ApiKey = ApiKey::Heartbeat;
    const VERSIONS: RangeInclusive<i16> = 0..=4;
    const FLEXIBLE_SINCE: i16 = 4;
}
