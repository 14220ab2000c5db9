// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `DescribeConfigsRequest`, versions 1 to 4, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DescribeConfigsRequest {
    /// `[]DescribeConfigsResource`, all versions.
    pub resources: Vec<DescribeConfigsResource>,
    /// `bool`, all versions, default false.
    pub include_synonyms: bool,
    /// `bool`, since version 3, default false.
    pub include_documentation: bool,
}

impl Item for DescribeConfigsRequest {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            resources: r.array(form, version)?,
            include_synonyms: r.bool()?,
            include_documentation: if version >= 3 { r.bool()? } else { false },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.resources)?;
        w.i8(i8::from(self.include_synonyms));
        if version >= 3 {
            w.i8(i8::from(self.include_documentation));
        } else if self.include_documentation {
            return Err(WireError::Unsupported { field: "DescribeConfigsRequest.include_documentation", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`DescribeConfigsRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeConfigsResource {
    /// `int8`, all versions.
    pub resource_type: i8,
    /// `string`, all versions.
    pub resource_name: String,
    /// `[]string`, all versions.
    pub configuration_keys: Option<Vec<String>>,
}

impl Default for DescribeConfigsResource {
    fn default() -> Self {
        Self { resource_type: 0, resource_name: String::new(), configuration_keys: Some(vec![]) }
    }
}

impl Item for DescribeConfigsResource {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            resource_type: r.i8()?,
            resource_name: r.string(form)?,
            configuration_keys: r.nullable_array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i8(self.resource_type);
        w.string(form, &self.resource_name)?;
        w.nullable_array(form, version, self.configuration_keys.as_deref())?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for DescribeConfigsRequest {
    const NAME: &'static str = "DescribeConfigsRequest";
    const KEY: ApiKey = ApiKey::DescribeConfigs;
    const VERSIONS: RangeInclusive<i16> = 1..=4;
    const FLEXIBLE_SINCE: i16 = 4;
}

impl Request for DescribeConfigsRequest {
    type Response = DescribeConfigsResponse;
}

/// Kafka's `DescribeConfigsResponse`, versions 1 to 4, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DescribeConfigsResponse {
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `[]DescribeConfigsResult`, all versions.
    pub results: Vec<DescribeConfigsResult>,
}

impl Item for DescribeConfigsResponse {
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

/// A part of [`DescribeConfigsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeConfigsResult {
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, all versions.
    pub error_message: Option<String>,
    /// `int8`, all versions.
    pub resource_type: i8,
    /// `string`, all versions.
    pub resource_name: String,
    /// `[]DescribeConfigsResourceResult`, all versions.
    pub configs: Vec<DescribeConfigsResourceResult>,
}

impl Default for DescribeConfigsResult {
    fn default() -> Self {
        Self {
            error_code: 0,
            error_message: Some(String::new()),
            resource_type: 0,
            resource_name: String::new(),
            configs: vec![],
        }
    }
}

impl Item for DescribeConfigsResult {
    const MIN_SIZE: usize = 7;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            error_code: r.i16()?,
            error_message: r.nullable_string(form)?,
            resource_type: r.i8()?,
            resource_name: r.string(form)?,
            configs: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i16(self.error_code);
        w.nullable_string(form, self.error_message.as_deref())?;
        w.i8(self.resource_type);
        w.string(form, &self.resource_name)?;
        w.array(form, version, &self.configs)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`DescribeConfigsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeConfigsResourceResult {
    /// `string`, all versions.
    pub name: String,
    /// `string`, all versions.
    pub value: Option<String>,
    /// `bool`, all versions.
    pub read_only: bool,
    /// `int8`, all versions, default -1.
    pub config_source: i8,
    /// `bool`, all versions.
    pub is_sensitive: bool,
    /// `[]DescribeConfigsSynonym`, all versions.
    pub synonyms: Vec<DescribeConfigsSynonym>,
    /// `int8`, since version 3, default 0.
    pub config_type: i8,
    /// `string`, since version 3.
    pub documentation: Option<String>,
}

impl Default for DescribeConfigsResourceResult {
    fn default() -> Self {
        Self {
            name: String::new(),
            value: Some(String::new()),
            read_only: false,
            config_source: -1,
            is_sensitive: false,
            synonyms: vec![],
            config_type: 0,
            documentation: Some(String::new()),
        }
    }
}

impl Item for DescribeConfigsResourceResult {
    const MIN_SIZE: usize = 9;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            name: r.string(form)?,
            value: r.nullable_string(form)?,
            read_only: r.bool()?,
            config_source: r.i8()?,
            is_sensitive: r.bool()?,
            synonyms: r.array(form, version)?,
            config_type: if version >= 3 { r.i8()? } else { 0 },
            documentation: if version >= 3 { r.nullable_string(form)? } else { Some(String::new()) },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.nullable_string(form, self.value.as_deref())?;
        w.i8(i8::from(self.read_only));
        w.i8(self.config_source);
        w.i8(i8::from(self.is_sensitive));
        w.array(form, version, &self.synonyms)?;
        if version >= 3 {
            w.i8(self.config_type);
        }
        if version >= 3 {
            w.nullable_string(form, self.documentation.as_deref())?;
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`DescribeConfigsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeConfigsSynonym {
    /// `string`, all versions.
    pub name: String,
    /// `string`, all versions.
    pub value: Option<String>,
    /// `int8`, all versions.
    pub source: i8,
}

impl Default for DescribeConfigsSynonym {
    fn default() -> Self {
        Self { name: String::new(), value: Some(String::new()), source: 0 }
    }
}

impl Item for DescribeConfigsSynonym {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.string(form)?, value: r.nullable_string(form)?, source: r.i8()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.nullable_string(form, self.value.as_deref())?;
        w.i8(self.source);
        w.no_tags(form);
        Ok(())
    }
}

impl Message for DescribeConfigsResponse {
    const NAME: &'static str = "DescribeConfigsResponse";
    const KEY: ApiKey = ApiKey::DescribeConfigs;
    const VERSIONS: RangeInclusive<i16> = 1..=4;
    const FLEXIBLE_SINCE: i16 = 4;
}
