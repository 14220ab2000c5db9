// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `InitProducerIdRequest`, versions 0 to 5, flexible since 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitProducerIdRequest {
    /// `string`, all versions.
    pub transactional_id: Option<String>,
    /// `int32`, all versions.
    pub transaction_timeout_ms: i32,
    /// `int64`, since version 3, default -1.
    pub producer_id: i64,
    /// `int16`, since version 3, default -1.
    pub producer_epoch: i16,
}

impl Default for InitProducerIdRequest {
    fn default() -> Self {
        Self { transactional_id: Some(String::new()), transaction_timeout_ms: 0, producer_id: -1, producer_epoch: -1 }
    }
}

impl Item for InitProducerIdRequest {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            transactional_id: r.nullable_string(form)?,
            transaction_timeout_ms: r.i32()?,
            producer_id: if version >= 3 { r.i64()? } else { -1 },
            producer_epoch: if version >= 3 { r.i16()? } else { -1 },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.nullable_string(form, self.transactional_id.as_deref())?;
        w.i32(self.transaction_timeout_ms);
        if version >= 3 {
            w.i64(self.producer_id);
        } else if self.producer_id != -1 {
            return Err(WireError::Unsupported { field: "InitProducerIdRequest.producer_id", version });
        }
        if version >= 3 {
            w.i16(self.producer_epoch);
        } else if self.producer_epoch != -1 {
            return Err(WireError::Unsupported { field: "InitProducerIdRequest.producer_epoch", version });
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for InitProducerIdRequest {
    const NAME: &'static str = "InitProducerIdRequest";
    const KEY: ApiKey = ApiKey::InitProducerId;
    const VERSIONS: RangeInclusive<i16> = 0..=5;
    const FLEXIBLE_SINCE: i16 = 2;
}

impl Request for InitProducerIdRequest {
    type Response = InitProducerIdResponse;
}

/// Kafka's `InitProducerIdResponse`, versions 0 to 5, flexible since 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitProducerIdResponse {
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `int64`, all versions, default -1.
    pub producer_id: i64,
    /// `int16`, all versions.
    pub producer_epoch: i16,
}

impl Default for InitProducerIdResponse {
    fn default() -> Self {
        Self { throttle_time_ms: 0, error_code: 0, producer_id: -1, producer_epoch: 0 }
    }
}

impl Item for InitProducerIdResponse {
    const MIN_SIZE: usize = 16;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value =
            Self { throttle_time_ms: r.i32()?, error_code: r.i16()?, producer_id: r.i64()?, producer_epoch: r.i16()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.throttle_time_ms);
        w.i16(self.error_code);
        w.i64(self.producer_id);
        w.i16(self.producer_epoch);
        w.no_tags(form);
        Ok(())
    }
}

impl Message for InitProducerIdResponse {
    const NAME: &'static str = "InitProducerIdResponse";
    const KEY: ApiKey = ApiKey::InitProducerId;
    const VERSIONS: RangeInclusive<i16> = 0..=5;
    const FLEXIBLE_SINCE: i16 = 2;
}
