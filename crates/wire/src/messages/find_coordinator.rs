// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `FindCoordinatorRequest`, versions 0 to 6, flexible since 3.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FindCoordinatorRequest {
    /// `string`, up to version 3.
    pub key: String,
    /// `int8`, since version 1, default 0.
    pub key_type: i8,
    /// `[]string`, since version 4.
    pub coordinator_keys: Vec<String>,
}

impl Item for FindCoordinatorRequest {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            key: if version <= 3 { r.string(form)? } else { String::new() },
            key_type: if version >= 1 { r.i8()? } else { 0 },
            coordinator_keys: if version >= 4 { r.array(form, version)? } else { vec![] },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version <= 3 {
            w.string(form, &self.key)?;
        } else if !self.key.is_empty() {
            return Err(WireError::Unsupported { field: "FindCoordinatorRequest.key", version });
        }
        if version >= 1 {
            w.i8(self.key_type);
        } else if self.key_type != 0 {
            return Err(WireError::Unsupported { field: "FindCoordinatorRequest.key_type", version });
        }
        if version >= 4 {
            w.array(form, version, &self.coordinator_keys)?;
        } else if !self.coordinator_keys.is_empty() {
            return Err(WireError::Unsupported { field: "FindCoordinatorRequest.coordinator_keys", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for FindCoordinatorRequest {
    const NAME: &'static str = "FindCoordinatorRequest";
    const KEY: ApiKey = ApiKey::FindCoordinator;
    const VERSIONS: RangeInclusive<i16> = 0..=6;
    const FLEXIBLE_SINCE: i16 = 3;
}

impl Request for FindCoordinatorRequest {
    type Response = FindCoordinatorResponse;
}

/// Kafka's `FindCoordinatorResponse`, versions 0 to 6, flexible since 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindCoordinatorResponse {
    /// `int32`, since version 1.
    pub throttle_time_ms: i32,
    /// `int16`, up to version 3.
    pub error_code: i16,
    /// `string`, versions 1 to 3.
    pub error_message: Option<String>,
    /// `int32`, up to version 3.
    pub node_id: i32,
    /// `string`, up to version 3.
    pub host: String,
    /// `int32`, up to version 3.
    pub port: i32,
    /// `[]Coordinator`, since version 4.
    pub coordinators: Vec<Coordinator>,
}

impl Default for FindCoordinatorResponse {
    fn default() -> Self {
        Self {
            throttle_time_ms: 0,
            error_code: 0,
            error_message: Some(String::new()),
            node_id: 0,
            host: String::new(),
            port: 0,
            coordinators: vec![],
        }
    }
}

impl Item for FindCoordinatorResponse {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            throttle_time_ms: if version >= 1 { r.i32()? } else { 0 },
            error_code: if version <= 3 { r.i16()? } else { 0 },
            error_message: if (1..=3).contains(&version) { r.nullable_string(form)? } else { Some(String::new()) },
            node_id: if version <= 3 { r.i32()? } else { 0 },
            host: if version <= 3 { r.string(form)? } else { String::new() },
            port: if version <= 3 { r.i32()? } else { 0 },
            coordinators: if version >= 4 { r.array(form, version)? } else { vec![] },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 1 {
            w.i32(self.throttle_time_ms);
        }
        if version <= 3 {
            w.i16(self.error_code);
        } else if self.error_code != 0 {
            return Err(WireError::Unsupported { field: "FindCoordinatorResponse.error_code", version });
        }
        if (1..=3).contains(&version) {
            w.nullable_string(form, self.error_message.as_deref())?;
        }
        if version <= 3 {
            w.i32(self.node_id);
        } else if self.node_id != 0 {
            return Err(WireError::Unsupported { field: "FindCoordinatorResponse.node_id", version });
        }
        if version <= 3 {
            w.string(form, &self.host)?;
        } else if !self.host.is_empty() {
            return Err(WireError::Unsupported { field: "FindCoordinatorResponse.host", version });
        }
        if version <= 3 {
            w.i32(self.port);
        } else if self.port != 0 {
            return Err(WireError::Unsupported { field: "FindCoordinatorResponse.port", version });
        }
        if version >= 4 {
            w.array(form, version, &self.coordinators)?;
        } else if !self.coordinators.is_empty() {
            return Err(WireError::Unsupported { field: "FindCoordinatorResponse.coordinators", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`FindCoordinatorResponse`], since version 4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinator {
    /// `string`, since version 4.
    pub key: String,
    /// `int32`, since version 4.
    pub node_id: i32,
    /// `string`, since version 4.
    pub host: String,
    /// `int32`, since version 4.
    pub port: i32,
    /// `int16`, since version 4.
    pub error_code: i16,
    /// `string`, since version 4.
    pub error_message: Option<String>,
}

impl Default for Coordinator {
    fn default() -> Self {
        Self {
            key: String::new(),
            node_id: 0,
            host: String::new(),
            port: 0,
            error_code: 0,
            error_message: Some(String::new()),
        }
    }
}

impl Item for Coordinator {
    const MIN_SIZE: usize = 14;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self {
            key: r.string(form)?,
            node_id: r.i32()?,
            host: r.string(form)?,
            port: r.i32()?,
            error_code: r.i16()?,
            error_message: r.nullable_string(form)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.key)?;
        w.i32(self.node_id);
        w.string(form, &self.host)?;
        w.i32(self.port);
        w.i16(self.error_code);
        w.nullable_string(form, self.error_message.as_deref())?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for FindCoordinatorResponse {
    const NAME: &'static str = "FindCoordinatorResponse";
    const KEY: ApiKey = ApiKey::FindCoordinator;
    const VERSIONS: RangeInclusive<i16> = 0..=6;
    const FLEXIBLE_SINCE: i16 = 3;
}
