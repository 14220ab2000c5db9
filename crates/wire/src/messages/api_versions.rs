// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `ApiVersionsRequest`, versions 0 to 5, flexible since 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiVersionsRequest {
    /// `string`, since version 3.
    pub client_software_name: String,
    /// `string`, since version 3.
    pub client_software_version: String,
    /// `string`, since version 5, default null.
    pub cluster_id: Option<String>,
    /// `int32`, since version 5, default -1.
    pub node_id: i32,
}

impl Default for ApiVersionsRequest {
    fn default() -> Self {
        Self {
            client_software_name: String::new(),
            client_software_version: String::new(),
            cluster_id: None,
            node_id: -1,
        }
    }
}

impl Item for ApiVersionsRequest {
    const MIN_SIZE: usize = 0;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            client_software_name: if version >= 3 { r.string(form)? } else { String::new() },
            client_software_version: if version >= 3 { r.string(form)? } else { String::new() },
            cluster_id: if version >= 5 { r.nullable_string(form)? } else { None },
            node_id: if version >= 5 { r.i32()? } else { -1 },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 3 {
            w.string(form, &self.client_software_name)?;
        }
        if version >= 3 {
            w.string(form, &self.client_software_version)?;
        }
        if version >= 5 {
            w.nullable_string(form, self.cluster_id.as_deref())?;
        }
        if version >= 5 {
            w.i32(self.node_id);
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ApiVersionsRequest {
    const NAME: &'static str = "ApiVersionsRequest";
    const KEY: ApiKey = ApiKey::ApiVersions;
    const VERSIONS: RangeInclusive<i16> = 0..=5;
    const FLEXIBLE_SINCE: i16 = 3;
}

impl Request for ApiVersionsRequest {
    type Response = ApiVersionsResponse;
}

/// Kafka's `ApiVersionsResponse`, versions 0 to 5, flexible since 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiVersionsResponse {
    /// `int16`, all versions.
    pub error_code: i16,
    /// `[]ApiVersion`, all versions.
    pub api_keys: Vec<ApiVersion>,
    /// `int32`, since version 1.
    pub throttle_time_ms: i32,
    /// `[]SupportedFeatureKey`, since version 3, tag 0.
    pub supported_features: Vec<SupportedFeatureKey>,
    /// `int64`, since version 3, tag 1, default -1.
    pub finalized_features_epoch: i64,
    /// `[]FinalizedFeatureKey`, since version 3, tag 2.
    pub finalized_features: Vec<FinalizedFeatureKey>,
    /// `bool`, since version 3, tag 3, default false.
    pub zk_migration_ready: bool,
}

impl Default for ApiVersionsResponse {
    fn default() -> Self {
        Self {
            error_code: 0,
            api_keys: vec![],
            throttle_time_ms: 0,
            supported_features: vec![],
            finalized_features_epoch: -1,
            finalized_features: vec![],
            zk_migration_ready: false,
        }
    }
}

impl Item for ApiVersionsResponse {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value = Self {
            error_code: r.i16()?,
            api_keys: r.array(form, version)?,
            throttle_time_ms: if version >= 1 { r.i32()? } else { 0 },
            supported_features: vec![],
            finalized_features_epoch: -1,
            finalized_features: vec![],
            zk_migration_ready: false,
        };
        r.tags(form, |tag, r| {
            match tag {
                0 if version >= 3 => value.supported_features = r.array(form, version)?,
                1 if version >= 3 => value.finalized_features_epoch = r.i64()?,
                2 if version >= 3 => value.finalized_features = r.array(form, version)?,
                3 if version >= 3 => value.zk_migration_ready = r.bool()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i16(self.error_code);
        w.array(form, version, &self.api_keys)?;
        if version >= 1 {
            w.i32(self.throttle_time_ms);
        }
        if form == Form::Compact {
            let mut tags = w.tags();
            if version >= 3 && !self.supported_features.is_empty() {
                tags.field(0, |w| w.array(form, version, &self.supported_features))?;
            }
            if version >= 3 && self.finalized_features_epoch != -1 {
                tags.field(1, |w| {
                    w.i64(self.finalized_features_epoch);
                    Ok(())
                })?;
            }
            if version >= 3 && !self.finalized_features.is_empty() {
                tags.field(2, |w| w.array(form, version, &self.finalized_features))?;
            }
            if version >= 3 && self.zk_migration_ready {
                tags.field(3, |w| {
                    w.i8(i8::from(self.zk_migration_ready));
                    Ok(())
                })?;
            }
        }
        Ok(())
    }
}

/// A part of [`ApiVersionsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ApiVersion {
    /// `int16`, all versions.
    pub api_key: i16,
    /// `int16`, all versions.
    pub min_version: i16,
    /// `int16`, all versions.
    pub max_version: i16,
}

impl Item for ApiVersion {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { api_key: r.i16()?, min_version: r.i16()?, max_version: r.i16()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i16(self.api_key);
        w.i16(self.min_version);
        w.i16(self.max_version);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ApiVersionsResponse`], since version 3.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SupportedFeatureKey {
    /// `string`, since version 3.
    pub name: String,
    /// `int16`, since version 3.
    pub min_version: i16,
    /// `int16`, since version 3.
    pub max_version: i16,
}

impl Item for SupportedFeatureKey {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.string(form)?, min_version: r.i16()?, max_version: r.i16()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.i16(self.min_version);
        w.i16(self.max_version);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ApiVersionsResponse`], since version 3.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FinalizedFeatureKey {
    /// `string`, since version 3.
    pub name: String,
    /// `int16`, since version 3.
    pub max_version_level: i16,
    /// `int16`, since version 3.
    pub min_version_level: i16,
}

impl Item for FinalizedFeatureKey {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.string(form)?, max_version_level: r.i16()?, min_version_level: r.i16()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.i16(self.max_version_level);
        w.i16(self.min_version_level);
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ApiVersionsResponse {
    const NAME: &'static str = "ApiVersionsResponse";
    const KEY: ApiKey = ApiKey::ApiVersions;
    const VERSIONS: RangeInclusive<i16> = 0..=5;
    const FLEXIBLE_SINCE: i16 = 3;
}
