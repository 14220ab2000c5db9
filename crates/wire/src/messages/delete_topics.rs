// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use groma_model::TopicId;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `DeleteTopicsRequest`, versions 1 to 6, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DeleteTopicsRequest {
    /// `[]DeleteTopicState`, since version 6.
    pub topics: Vec<DeleteTopicState>,
    /// `[]string`, up to version 5.
    pub topic_names: Vec<String>,
    /// `int32`, all versions.
    pub timeout_ms: i32,
}

impl Item for DeleteTopicsRequest {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            topics: if version >= 6 { r.array(form, version)? } else { vec![] },
            topic_names: if version <= 5 { r.array(form, version)? } else { vec![] },
            timeout_ms: r.i32()?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 6 {
            w.array(form, version, &self.topics)?;
        } else if !self.topics.is_empty() {
            return Err(WireError::Unsupported { field: "DeleteTopicsRequest.topics", version });
        }
        if version <= 5 {
            w.array(form, version, &self.topic_names)?;
        }
        w.i32(self.timeout_ms);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`DeleteTopicsRequest`], since version 6.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DeleteTopicState {
    /// `string`, since version 6, default null.
    pub name: Option<String>,
    /// `uuid`, since version 6.
    pub topic_id: TopicId,
}

impl Item for DeleteTopicState {
    const MIN_SIZE: usize = 18;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.nullable_string(form)?, topic_id: r.uuid()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.nullable_string(form, self.name.as_deref())?;
        w.uuid(self.topic_id);
        w.no_tags(form);
        Ok(())
    }
}

impl Message for DeleteTopicsRequest {
    const NAME: &'static str = "DeleteTopicsRequest";
    const KEY: ApiKey = ApiKey::DeleteTopics;
    const VERSIONS: RangeInclusive<i16> = 1..=6;
    const FLEXIBLE_SINCE: i16 = 4;
}

impl Request for DeleteTopicsRequest {
    type Response = DeleteTopicsResponse;
}

/// Kafka's `DeleteTopicsResponse`, versions 1 to 6, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DeleteTopicsResponse {
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `[]DeletableTopicResult`, all versions.
    pub responses: Vec<DeletableTopicResult>,
}

impl Item for DeleteTopicsResponse {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { throttle_time_ms: r.i32()?, responses: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.throttle_time_ms);
        w.array(form, version, &self.responses)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`DeleteTopicsResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletableTopicResult {
    /// `string`, all versions, null since version 6.
    pub name: Option<String>,
    /// `uuid`, since version 6.
    pub topic_id: TopicId,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, since version 5, default null.
    pub error_message: Option<String>,
}

impl Default for DeletableTopicResult {
    fn default() -> Self {
        Self { name: Some(String::new()), topic_id: TopicId::NONE, error_code: 0, error_message: None }
    }
}

impl Item for DeletableTopicResult {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            name: if version >= 6 { r.nullable_string(form)? } else { Some(r.string(form)?) },
            topic_id: if version >= 6 { r.uuid()? } else { TopicId::NONE },
            error_code: r.i16()?,
            error_message: if version >= 5 { r.nullable_string(form)? } else { None },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version >= 6 {
            w.nullable_string(form, self.name.as_deref())?;
        } else {
            w.string(form, self.name.as_deref().ok_or(WireError::Missing { field: "DeletableTopicResult.name" })?)?;
        }
        if version >= 6 {
            w.uuid(self.topic_id);
        }
        w.i16(self.error_code);
        if version >= 5 {
            w.nullable_string(form, self.error_message.as_deref())?;
        }
        w.no_tags(form);
        Ok(())
    }
}

impl Message for DeleteTopicsResponse {
    const NAME: &'static str = "DeleteTopicsResponse";
    const KEY: ApiKey = ApiKey::DeleteTopics;
    const VERSIONS: RangeInclusive<i16> = 1..=6;
    const FLEXIBLE_SINCE: i16 = 4;
}
