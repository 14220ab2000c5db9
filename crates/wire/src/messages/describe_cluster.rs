// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `DescribeClusterRequest`, versions 0 to 2, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeClusterRequest {
    /// `bool`, all versions.
    pub include_cluster_authorized_operations: bool,
    /// `int8`, since version 1, default 1.
    pub endpoint_type: i8,
    /// `bool`, since version 2.
    pub include_fenced_brokers: bool,
}

impl Default for DescribeClusterRequest {
    fn default() -> Self {
        Self { include_cluster_authorized_operations: false, endpoint_type: 1, include_fenced_brokers: false }
    }
}

impl Item for DescribeClusterRequest {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            include_cluster_authorized_operations: r.bool()?,
            endpoint_type: if version >= 1 { r.i8()? } else { 1 },
            include_fenced_brokers: if version >= 2 { r.bool()? } else { false },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i8(i8::from(self.include_cluster_authorized_operations));
        if version >= 1 {
            w.i8(self.endpoint_type);
        } else if self.endpoint_type != 1 {
            return Err(WireError::Unsupported { field: "DescribeClusterRequest.endpoint_type", version });
        }
        if version >= 2 {
            w.i8(i8::from(self.include_fenced_brokers));
        } else if self.include_fenced_brokers {
            return Err(WireError::Unsupported { field: "DescribeClusterRequest.include_fenced_brokers", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for DescribeClusterRequest {
    const NAME: &'static str = "DescribeClusterRequest";
    const KEY: ApiKey = ApiKey::DescribeCluster;
    const VERSIONS: RangeInclusive<i16> = 0..=2;
    const FLEXIBLE_SINCE: i16 = 0;
}

impl Request for DescribeClusterRequest {
    type Response = DescribeClusterResponse;
}

/// Kafka's `DescribeClusterResponse`, versions 0 to 2, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeClusterResponse {
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, all versions, default null.
    pub error_message: Option<String>,
    /// `int8`, since version 1, default 1.
    pub endpoint_type: i8,
    /// `string`, all versions.
    pub cluster_id: String,
    /// `int32`, all versions, default -1.
    pub controller_id: i32,
    /// `[]DescribeClusterBroker`, all versions.
    pub brokers: Vec<DescribeClusterBroker>,
    /// `int32`, all versions, default -2147483648.
    pub cluster_authorized_operations: i32,
}

impl Default for DescribeClusterResponse {
    fn default() -> Self {
        Self {
            throttle_time_ms: 0,
            error_code: 0,
            error_message: None,
            endpoint_type: 1,
            cluster_id: String::new(),
            controller_id: -1,
            brokers: vec![],
            cluster_authorized_operations: i32::MIN,
        }
    }
}

impl Item for DescribeClusterResponse {
    const MIN_SIZE: usize = 18;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            throttle_time_ms: r.i32()?,
            error_code: r.i16()?,
            error_message: r.nullable_string(form)?,
            endpoint_type: if version >= 1 { r.i8()? } else { 1 },
            cluster_id: r.string(form)?,
            controller_id: r.i32()?,
            brokers: r.array(form, version)?,
            cluster_authorized_operations: r.i32()?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.throttle_time_ms);
        w.i16(self.error_code);
        w.nullable_string(form, self.error_message.as_deref())?;
        if version >= 1 {
            w.i8(self.endpoint_type);
        } else if self.endpoint_type != 1 {
            return Err(WireError::Unsupported { field: "DescribeClusterResponse.endpoint_type", version });
        }
        w.string(form, &self.cluster_id)?;
        w.i32(self.controller_id);
        w.array(form, version, &self.brokers)?;
        w.i32(self.cluster_authorized_operations);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`DescribeClusterResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DescribeClusterBroker {
    /// `int32`, all versions.
    pub broker_id: i32,
    /// `string`, all versions.
    pub host: String,
    /// `int32`, all versions.
    pub port: i32,
    /// `string`, all versions, default null.
    pub rack: Option<String>,
    /// `bool`, since version 2.
    pub is_fenced: bool,
}

impl Item for DescribeClusterBroker {
    const MIN_SIZE: usize = 11;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            broker_id: r.i32()?,
            host: r.string(form)?,
            port: r.i32()?,
            rack: r.nullable_string(form)?,
            is_fenced: if version >= 2 { r.bool()? } else { false },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.broker_id);
        w.string(form, &self.host)?;
        w.i32(self.port);
        w.nullable_string(form, self.rack.as_deref())?;
        if version >= 2 {
            w.i8(i8::from(self.is_fenced));
        } else if self.is_fenced {
            return Err(WireError::Unsupported { field: "DescribeClusterBroker.is_fenced", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for DescribeClusterResponse {
    const NAME: &'static str = "DescribeClusterResponse";
    const KEY: ApiKey = ApiKey::DescribeCluster;
    const VERSIONS: RangeInclusive<i16> = 0..=2;
    const FLEXIBLE_SINCE: i16 = 0;
}
