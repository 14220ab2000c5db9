// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use bytes::Bytes;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `DescribeGroupsRequest`, versions 0 to 6, flexible since 5.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DescribeGroupsRequest {
    /// `[]string`, all versions.
    pub groups: Vec<String>,
    /// `bool`, since version 3.
    pub include_authorized_operations: bool,
}

impl Item for DescribeGroupsRequest {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            groups: r.array(form, version)?,
            include_authorized_operations: if version >= 3 { r.bool()? } else { false },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.groups)?;
        if version >= 3 {
            w.i8(i8::from(self.include_authorized_operations));
        } else if self.include_authorized_operations {
            return Err(WireError::Unsupported {
                field: "DescribeGroupsRequest.include_authorized_operations",
                version,
            });
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for DescribeGroupsRequest {
    const NAME: &'static str = "DescribeGroupsRequest";
    const KEY: ApiKey = ApiKey::DescribeGroups;
    const VERSIONS: RangeInclusive<i16> = 0..=6;
    const FLEXIBLE_SINCE: i16 = 5;
}

impl Request for DescribeGroupsRequest {
    type Response = DescribeGroupsResponse;
}

/// Kafka's `DescribeGroupsResponse`, versions 0 to 6, flexible since 5.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DescribeGroupsResponse {
    /// `int32`, since version 1.
    pub throttle_time_ms: i32,
    /// `[]DescribedGroup`, all versions.
    pub groups: Vec<DescribeGroupsResponseDescribedGroup>,
}

impl Item for DescribeGroupsResponse {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { throttle_time_ms: if version >= 1 { r.i32()? } else { 0 }, groups: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 1 {
            w.i32(self.throttle_time_ms);
        }
        w.array(form, version, &self.groups)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`DescribeGroupsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeGroupsResponseDescribedGroup {
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, since version 6, default null.
    pub error_message: Option<String>,
    /// `string`, all versions.
    pub group_id: String,
    /// `string`, all versions.
    pub group_state: String,
    /// `string`, all versions.
    pub protocol_type: String,
    /// `string`, all versions.
    pub protocol_data: String,
    /// `[]DescribedGroupMember`, all versions.
    pub members: Vec<DescribedGroupMember>,
    /// `int32`, since version 3, default -2147483648.
    pub authorized_operations: i32,
}

impl Default for DescribeGroupsResponseDescribedGroup {
    fn default() -> Self {
        Self {
            error_code: 0,
            error_message: None,
            group_id: String::new(),
            group_state: String::new(),
            protocol_type: String::new(),
            protocol_data: String::new(),
            members: vec![],
            authorized_operations: i32::MIN,
        }
    }
}

impl Item for DescribeGroupsResponseDescribedGroup {
    const MIN_SIZE: usize = 12;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            error_code: r.i16()?,
            error_message: if version >= 6 { r.nullable_string(form)? } else { None },
            group_id: r.string(form)?,
            group_state: r.string(form)?,
            protocol_type: r.string(form)?,
            protocol_data: r.string(form)?,
            members: r.array(form, version)?,
            authorized_operations: if version >= 3 { r.i32()? } else { i32::MIN },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i16(self.error_code);
        if version >= 6 {
            w.nullable_string(form, self.error_message.as_deref())?;
        } else if self.error_message.is_some() {
            return Err(WireError::Unsupported {
                field: "DescribeGroupsResponseDescribedGroup.error_message",
                version,
            });
        }
        w.string(form, &self.group_id)?;
        w.string(form, &self.group_state)?;
        w.string(form, &self.protocol_type)?;
        w.string(form, &self.protocol_data)?;
        w.array(form, version, &self.members)?;
        if version >= 3 {
            w.i32(self.authorized_operations);
        } else if self.authorized_operations != i32::MIN {
            return Err(WireError::Unsupported {
                field: "DescribeGroupsResponseDescribedGroup.authorized_operations",
                version,
            });
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`DescribeGroupsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DescribedGroupMember {
    /// `string`, all versions.
    pub member_id: String,
    /// `string`, since version 4, default null.
    pub group_instance_id: Option<String>,
    /// `string`, all versions.
    pub client_id: String,
    /// `string`, all versions.
    pub client_host: String,
    /// `bytes`, all versions.
    pub member_metadata: Bytes,
    /// `bytes`, all versions.
    pub member_assignment: Bytes,
}

impl Item for DescribedGroupMember {
    const MIN_SIZE: usize = 7;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            member_id: r.string(form)?,
            group_instance_id: if version >= 4 { r.nullable_string(form)? } else { None },
            client_id: r.string(form)?,
            client_host: r.string(form)?,
            member_metadata: r.bytes(form)?,
            member_assignment: r.bytes(form)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.member_id)?;
        if version >= 4 {
            w.nullable_string(form, self.group_instance_id.as_deref())?;
        }
        w.string(form, &self.client_id)?;
        w.string(form, &self.client_host)?;
        w.bytes(form, &self.member_metadata)?;
        w.bytes(form, &self.member_assignment)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for DescribeGroupsResponse {
    const NAME: &'static str = "DescribeGroupsResponse";
    const KEY: ApiKey = ApiKey::DescribeGroups;
    const VERSIONS: RangeInclusive<i16> = 0..=6;
    const FLEXIBLE_SINCE: i16 = 5;
}
