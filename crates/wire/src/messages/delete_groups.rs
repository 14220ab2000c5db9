// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `DeleteGroupsRequest`, versions 0 to 3, flexible since 2.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DeleteGroupsRequest {
    /// `[]string`, all versions.
    pub groups_names: Vec<String>,
}

impl Item for DeleteGroupsRequest {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { groups_names: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.groups_names)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for DeleteGroupsRequest {
    const NAME: &'static str = "DeleteGroupsRequest";
    const KEY: ApiKey = ApiKey::DeleteGroups;
    const VERSIONS: RangeInclusive<i16> = 0..=3;
    const FLEXIBLE_SINCE: i16 = 2;
}

impl Request for DeleteGroupsRequest {
    type Response = DeleteGroupsResponse;
}

/// Kafka's `DeleteGroupsResponse`, versions 0 to 3, flexible since 2.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DeleteGroupsResponse {
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `[]DeletableGroupResult`, all versions.
    pub results: Vec<DeletableGroupResult>,
}

impl Item for DeleteGroupsResponse {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { throttle_time_ms: r.i32()?, results: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.throttle_time_ms);
        w.array(form, version, &self.results)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`DeleteGroupsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DeletableGroupResult {
    /// `string`, all versions.
    pub group_id: String,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, since version 3, default null.
    pub error_message: Option<String>,
}

impl Item for DeletableGroupResult {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            group_id: r.string(form)?,
            error_code: r.i16()?,
            error_message: if version >= 3 { r.nullable_string(form)? } else { None },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.i16(self.error_code);
        if version >= 3 {
            w.nullable_string(form, self.error_message.as_deref())?;
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for DeleteGroupsResponse {
    const NAME: &'static str = "DeleteGroupsResponse";
    const KEY: ApiKey = ApiKey::DeleteGroups;
    const VERSIONS: RangeInclusive<i16> = 0..=3;
    const FLEXIBLE_SINCE: i16 = 2;
}
