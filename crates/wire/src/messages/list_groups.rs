// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `ListGroupsRequest`, versions 0 to 5, flexible since 3.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ListGroupsRequest {
    /// `[]string`, since version 4.
    pub states_filter: Vec<String>,
    /// `[]string`, since version 5.
    pub types_filter: Vec<String>,
}

impl Item for ListGroupsRequest {
    const MIN_SIZE: usize = 0;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            states_filter: if version >= 4 { r.array(form, version)? } else { vec![] },
            types_filter: if version >= 5 { r.array(form, version)? } else { vec![] },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 4 {
            w.array(form, version, &self.states_filter)?;
        } else if !self.states_filter.is_empty() {
            return Err(WireError::Unsupported { field: "ListGroupsRequest.states_filter", version });
        }
        if version >= 5 {
            w.array(form, version, &self.types_filter)?;
        } else if !self.types_filter.is_empty() {
            return Err(WireError::Unsupported { field: "ListGroupsRequest.types_filter", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ListGroupsRequest {
    const NAME: &'static str = "ListGroupsRequest";
    const KEY: ApiKey = ApiKey::ListGroups;
    const VERSIONS: RangeInclusive<i16> = 0..=5;
    const FLEXIBLE_SINCE: i16 = 3;
}

impl Request for ListGroupsRequest {
    type Response = ListGroupsResponse;
}

/// Kafka's `ListGroupsResponse`, versions 0 to 5, flexible since 3.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ListGroupsResponse {
    /// `int32`, since version 1.
    pub throttle_time_ms: i32,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `[]ListedGroup`, all versions.
    pub groups: Vec<ListedGroup>,
}

impl Item for ListGroupsResponse {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            throttle_time_ms: if version >= 1 { r.i32()? } else { 0 },
            error_code: r.i16()?,
            groups: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 1 {
            w.i32(self.throttle_time_ms);
        }
        w.i16(self.error_code);
        w.array(form, version, &self.groups)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ListGroupsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ListedGroup {
    /// `string`, all versions.
    pub group_id: String,
    /// `string`, all versions.
    pub protocol_type: String,
    /// `string`, since version 4.
    pub group_state: String,
    /// `string`, since version 5.
    pub group_type: String,
}

impl Item for ListedGroup {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            group_id: r.string(form)?,
            protocol_type: r.string(form)?,
            group_state: if version >= 4 { r.string(form)? } else { String::new() },
            group_type: if version >= 5 { r.string(form)? } else { String::new() },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.string(form, &self.protocol_type)?;
        if version >= 4 {
            w.string(form, &self.group_state)?;
        }
        if version >= 5 {
            w.string(form, &self.group_type)?;
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ListGroupsResponse {
    const NAME: &'static str = "ListGroupsResponse";
    const KEY: ApiKey = ApiKey::ListGroups;
    const VERSIONS: RangeInclusive<i16> = 0..=5;
    const FLEXIBLE_SINCE: i16 = 3;
}
