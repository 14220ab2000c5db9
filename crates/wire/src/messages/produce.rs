// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use groma_model::TopicId;

use crate::{ApiKey, Form, Item, Message, Reader, Records, Request, WireError, Writer};

/// Kafka's `ProduceRequest`, versions 3 to 13, flexible since 9.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProduceRequest {
    /// `string`, all versions, default null.
    pub transactional_id: Option<String>,
    /// `int16`, all versions.
    pub acks: i16,
    /// `int32`, all versions.
    pub timeout_ms: i32,
    /// `[]TopicProduceData`, all versions.
    pub topic_data: Vec<TopicProduceData>,
}

impl Item for ProduceRequest {
    const MIN_SIZE: usize = 9;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            transactional_id: r.nullable_string(form)?,
            acks: r.i16()?,
            timeout_ms: r.i32()?,
            topic_data: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.nullable_string(form, self.transactional_id.as_deref())?;
        w.i16(self.acks);
        w.i32(self.timeout_ms);
        w.array(form, version, &self.topic_data)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ProduceRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TopicProduceData {
    /// `string`, up to version 12.
    pub name: String,
    /// `uuid`, since version 13.
    pub topic_id: TopicId,
    /// `[]PartitionProduceData`, all versions.
    pub partition_data: Vec<PartitionProduceData>,
}

impl Item for TopicProduceData {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            name: if version <= 12 { r.string(form)? } else { String::new() },
            topic_id: if version >= 13 { r.uuid()? } else { TopicId::NONE },
            partition_data: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version <= 12 {
            w.string(form, &self.name)?;
        }
        if version >= 13 {
            w.uuid(self.topic_id);
        }
        w.array(form, version, &self.partition_data)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ProduceRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PartitionProduceData {
    /// `int32`, all versions.
    pub index: i32,
    /// `records`, all versions.
    pub records: Option<Records>,
}

impl Item for PartitionProduceData {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { index: r.i32()?, records: r.records(form)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.index);
        w.records(form, self.records.as_ref())?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ProduceRequest {
    const NAME: &'static str = "ProduceRequest";
    const KEY: ApiKey = ApiKey::Produce;
    const VERSIONS: RangeInclusive<i16> = 3..=13;
    const FLEXIBLE_SINCE: i16 = 9;
}

impl Request for ProduceRequest {
    type Response = ProduceResponse;
}

/// Kafka's `ProduceResponse`, versions 3 to 13, flexible since 9.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProduceResponse {
    /// `[]TopicProduceResponse`, all versions.
    pub responses: Vec<TopicProduceResponse>,
    /// `int32`, all versions, default 0.
    pub throttle_time_ms: i32,
    /// `[]NodeEndpoint`, since version 10, tag 0.
    pub node_endpoints: Vec<ProduceResponseNodeEndpoint>,
}

impl Item for ProduceResponse {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value = Self { responses: r.array(form, version)?, throttle_time_ms: r.i32()?, node_endpoints: vec![] };
        r.tags(form, |tag, r| {
            match tag {
                0 if version >= 10 => value.node_endpoints = r.array(form, version)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.responses)?;
        w.i32(self.throttle_time_ms);
        if version < 10 && !self.node_endpoints.is_empty() {
            return Err(WireError::Unsupported { field: "ProduceResponse.node_endpoints", version });
        }
        if form == Form::Compact {
            let mut tags = w.tags();
            if version >= 10 && !self.node_endpoints.is_empty() {
                tags.field(0, |w| w.array(form, version, &self.node_endpoints))?;
            }
        }
        Ok(())
    }
}

/// A part of [`ProduceResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TopicProduceResponse {
    /// `string`, up to version 12.
    pub name: String,
    /// `uuid`, since version 13.
    pub topic_id: TopicId,
    /// `[]PartitionProduceResponse`, all versions.
    pub partition_responses: Vec<PartitionProduceResponse>,
}

impl Item for TopicProduceResponse {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            name: if version <= 12 { r.string(form)? } else { String::new() },
            topic_id: if version >= 13 { r.uuid()? } else { TopicId::NONE },
            partition_responses: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version <= 12 {
            w.string(form, &self.name)?;
        }
        if version >= 13 {
            w.uuid(self.topic_id);
        }
        w.array(form, version, &self.partition_responses)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ProduceResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionProduceResponse {
    /// `int32`, all versions.
    pub index: i32,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `int64`, all versions.
    pub base_offset: i64,
    /// `int64`, all versions, default -1.
    pub log_append_time_ms: i64,
    /// `int64`, since version 5, default -1.
    pub log_start_offset: i64,
    /// `[]BatchIndexAndErrorMessage`, since version 8.
    pub record_errors: Vec<BatchIndexAndErrorMessage>,
    /// `string`, since version 8, default null.
    pub error_message: Option<String>,
    /// `LeaderIdAndEpoch`, since version 10, tag 0.
    pub current_leader: ProduceResponseLeaderIdAndEpoch,
}

impl Default for PartitionProduceResponse {
    fn default() -> Self {
        Self {
            index: 0,
            error_code: 0,
            base_offset: 0,
            log_append_time_ms: -1,
            log_start_offset: -1,
            record_errors: vec![],
            error_message: None,
            current_leader: ProduceResponseLeaderIdAndEpoch::default(),
        }
    }
}

impl Item for PartitionProduceResponse {
    const MIN_SIZE: usize = 22;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value = Self {
            index: r.i32()?,
            error_code: r.i16()?,
            base_offset: r.i64()?,
            log_append_time_ms: r.i64()?,
            log_start_offset: if version >= 5 { r.i64()? } else { -1 },
            record_errors: if version >= 8 { r.array(form, version)? } else { vec![] },
            error_message: if version >= 8 { r.nullable_string(form)? } else { None },
            current_leader: ProduceResponseLeaderIdAndEpoch::default(),
        };
        r.tags(form, |tag, r| {
            match tag {
                0 if version >= 10 => value.current_leader = Item::read(r, form, version)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.index);
        w.i16(self.error_code);
        w.i64(self.base_offset);
        w.i64(self.log_append_time_ms);
        if version >= 5 {
            w.i64(self.log_start_offset);
        }
        if version >= 8 {
            w.array(form, version, &self.record_errors)?;
        }
        if version >= 8 {
            w.nullable_string(form, self.error_message.as_deref())?;
        }
        if version < 10 && self.current_leader != ProduceResponseLeaderIdAndEpoch::default() {
            return Err(WireError::Unsupported { field: "PartitionProduceResponse.current_leader", version });
        }
        if form == Form::Compact {
            let mut tags = w.tags();
            if version >= 10 && self.current_leader != ProduceResponseLeaderIdAndEpoch::default() {
                tags.field(0, |w| self.current_leader.write(w, form, version))?;
            }
        }
        Ok(())
    }
}

/// A part of [`ProduceResponse`], since version 8.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BatchIndexAndErrorMessage {
    /// `int32`, since version 8.
    pub batch_index: i32,
    /// `string`, since version 8, default null.
    pub batch_index_error_message: Option<String>,
}

impl Item for BatchIndexAndErrorMessage {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { batch_index: r.i32()?, batch_index_error_message: r.nullable_string(form)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.batch_index);
        w.nullable_string(form, self.batch_index_error_message.as_deref())?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ProduceResponse`], since version 10.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProduceResponseLeaderIdAndEpoch {
    /// `int32`, since version 10, default -1.
    pub leader_id: i32,
    /// `int32`, since version 10, default -1.
    pub leader_epoch: i32,
}

impl Default for ProduceResponseLeaderIdAndEpoch {
    fn default() -> Self {
        Self { leader_id: -1, leader_epoch: -1 }
    }
}

impl Item for ProduceResponseLeaderIdAndEpoch {
    const MIN_SIZE: usize = 9;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { leader_id: r.i32()?, leader_epoch: r.i32()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.leader_id);
        w.i32(self.leader_epoch);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ProduceResponse`], since version 10.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProduceResponseNodeEndpoint {
    /// `int32`, since version 10.
    pub node_id: i32,
    /// `string`, since version 10.
    pub host: String,
    /// `int32`, since version 10.
    pub port: i32,
    /// `string`, since version 10, default null.
    pub rack: Option<String>,
}

impl Item for ProduceResponseNodeEndpoint {
    const MIN_SIZE: usize = 11;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { node_id: r.i32()?, host: r.string(form)?, port: r.i32()?, rack: r.nullable_string(form)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.node_id);
        w.string(form, &self.host)?;
        w.i32(self.port);
        w.nullable_string(form, self.rack.as_deref())?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ProduceResponse {
    const NAME: &'static str = "ProduceResponse";
    const KEY: ApiKey = ApiKey::Produce;
    const VERSIONS: RangeInclusive<i16> = 3..=13;
    const FLEXIBLE_SINCE: i16 = 9;
}
