// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use bytes::Bytes;

use crate::{Data, Form, Item, Reader, WireError, Writer};

/// Kafka's `GroupMetadataKey`, version 0, never flexible.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GroupMetadataKey {
    /// `string`, all versions.
    pub group: String,
}

impl Item for GroupMetadataKey {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        Ok(Self { group: r.string(form)? })
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.group)?;
        Ok(())
    }
}

impl Data for GroupMetadataKey {
    const NAME: &'static str = "GroupMetadataKey";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}

/// Kafka's `GroupMetadataValue`, versions 0 to 4, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupMetadataValue {
    /// `string`, all versions.
    pub protocol_type: String,
    /// `int32`, all versions.
    pub generation: i32,
    /// `string`, all versions.
    pub protocol: Option<String>,
    /// `string`, all versions.
    pub leader: Option<String>,
    /// `int64`, since version 2, default -1.
    pub current_state_timestamp: i64,
    /// `[]MemberMetadata`, all versions.
    pub members: Vec<MemberMetadata>,
}

impl Default for GroupMetadataValue {
    fn default() -> Self {
        Self {
            protocol_type: String::new(),
            generation: 0,
            protocol: Some(String::new()),
            leader: Some(String::new()),
            current_state_timestamp: -1,
            members: vec![],
        }
    }
}

impl Item for GroupMetadataValue {
    const MIN_SIZE: usize = 14;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            protocol_type: r.string(form)?,
            generation: r.i32()?,
            protocol: r.nullable_string(form)?,
            leader: r.nullable_string(form)?,
            current_state_timestamp: if version >= 2 { r.i64()? } else { -1 },
            members: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.protocol_type)?;
        w.i32(self.generation);
        w.nullable_string(form, self.protocol.as_deref())?;
        w.nullable_string(form, self.leader.as_deref())?;
        if version >= 2 {
            w.i64(self.current_state_timestamp);
        }
        w.array(form, version, &self.members)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`GroupMetadataValue`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberMetadata {
    /// `string`, all versions.
    pub member_id: String,
    /// `string`, since version 3, default null.
    pub group_instance_id: Option<String>,
    /// `string`, all versions.
    pub client_id: String,
    /// `string`, all versions.
    pub client_host: String,
    /// `int32`, since version 1, default -1.
    pub rebalance_timeout: i32,
    /// `int32`, all versions.
    pub session_timeout: i32,
    /// `bytes`, all versions.
    pub subscription: Bytes,
    /// `bytes`, all versions.
    pub assignment: Bytes,
}

impl Default for MemberMetadata {
    fn default() -> Self {
        Self {
            member_id: String::new(),
            group_instance_id: None,
            client_id: String::new(),
            client_host: String::new(),
            rebalance_timeout: -1,
            session_timeout: 0,
            subscription: Bytes::new(),
            assignment: Bytes::new(),
        }
    }
}

impl Item for MemberMetadata {
    const MIN_SIZE: usize = 15;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            member_id: r.string(form)?,
            group_instance_id: if version >= 3 { r.nullable_string(form)? } else { None },
            client_id: r.string(form)?,
            client_host: r.string(form)?,
            rebalance_timeout: if version >= 1 { r.i32()? } else { -1 },
            session_timeout: r.i32()?,
            subscription: r.bytes(form)?,
            assignment: r.bytes(form)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.member_id)?;
        if version >= 3 {
            w.nullable_string(form, self.group_instance_id.as_deref())?;
        }
        w.string(form, &self.client_id)?;
        w.string(form, &self.client_host)?;
        if version >= 1 {
            w.i32(self.rebalance_timeout);
        }
        w.i32(self.session_timeout);
        w.bytes(form, &self.subscription)?;
        w.bytes(form, &self.assignment)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Data for GroupMetadataValue {
    const NAME: &'static str = "GroupMetadataValue";
    const VERSIONS: RangeInclusive<i16> = 0..=4;
    const FLEXIBLE_SINCE: i16 = 4;
}
