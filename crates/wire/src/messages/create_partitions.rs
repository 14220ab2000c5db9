// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `CreatePartitionsRequest`, versions 0 to 3, flexible since 2.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CreatePartitionsRequest {
    /// `[]CreatePartitionsTopic`, all versions.
    pub topics: Vec<CreatePartitionsTopic>,
    /// `int32`, all versions.
    pub timeout_ms: i32,
    /// `bool`, all versions.
    pub validate_only: bool,
}

impl Item for CreatePartitionsRequest {
    const MIN_SIZE: usize = 7;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { topics: r.array(form, version)?, timeout_ms: r.i32()?, validate_only: r.bool()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.topics)?;
        w.i32(self.timeout_ms);
        w.i8(i8::from(self.validate_only));
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`CreatePartitionsRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatePartitionsTopic {
    /// `string`, all versions.
    pub name: String,
    /// `int32`, all versions.
    pub count: i32,
    /// `[]CreatePartitionsAssignment`, all versions.
    pub assignments: Option<Vec<CreatePartitionsAssignment>>,
}

impl Default for CreatePartitionsTopic {
    fn default() -> Self {
        Self { name: String::new(), count: 0, assignments: Some(vec![]) }
    }
}

impl Item for CreatePartitionsTopic {
    const MIN_SIZE: usize = 7;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.string(form)?, count: r.i32()?, assignments: r.nullable_array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.i32(self.count);
        w.nullable_array(form, version, self.assignments.as_deref())?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`CreatePartitionsRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CreatePartitionsAssignment {
    /// `[]int32`, all versions.
    pub broker_ids: Vec<i32>,
}

impl Item for CreatePartitionsAssignment {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { broker_ids: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.broker_ids)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for CreatePartitionsRequest {
    const NAME: &'static str = "CreatePartitionsRequest";
    const KEY: ApiKey = ApiKey::CreatePartitions;
    const VERSIONS: RangeInclusive<i16> = 0..=3;
    const FLEXIBLE_SINCE: i16 = 2;
}

impl Request for CreatePartitionsRequest {
    type Response = CreatePartitionsResponse;
}

/// Kafka's `CreatePartitionsResponse`, versions 0 to 3, flexible since 2.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CreatePartitionsResponse {
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `[]CreatePartitionsTopicResult`, all versions.
    pub results: Vec<CreatePartitionsTopicResult>,
}

impl Item for CreatePartitionsResponse {
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

/// A part of [`CreatePartitionsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CreatePartitionsTopicResult {
    /// `string`, all versions.
    pub name: String,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, all versions, default null.
    pub error_message: Option<String>,
}

impl Item for CreatePartitionsTopicResult {
    const MIN_SIZE: usize = 5;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.string(form)?, error_code: r.i16()?, error_message: r.nullable_string(form)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.i16(self.error_code);
        w.nullable_string(form, self.error_message.as_deref())?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for CreatePartitionsResponse {
    const NAME: &'static str = "CreatePartitionsResponse";
    const KEY: ApiKey = ApiKey::CreatePartitions;
    const VERSIONS: RangeInclusive<i16> = 0..=3;
    const FLEXIBLE_SINCE: i16 = 2;
}
