// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use groma_model::TopicId;

use crate::{ApiKey, Form, Item, Message, Reader, Request, WireError, Writer};

/// Kafka's `ConsumerGroupDescribeRequest`, versions 0 to 1, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupDescribeRequest {
    /// `[]string`, all versions.
    pub group_ids: Vec<String>,
    /// `bool`, all versions.
    pub include_authorized_operations: bool,
}

impl Item for ConsumerGroupDescribeRequest {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { group_ids: r.array(form, version)?, include_authorized_operations: r.bool()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.group_ids)?;
        w.i8(i8::from(self.include_authorized_operations));
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ConsumerGroupDescribeRequest {
    const NAME: &'static str = "ConsumerGroupDescribeRequest";
    const KEY: ApiKey = ApiKey::ConsumerGroupDescribe;
    const VERSIONS: RangeInclusive<i16> = 0..=1;
    const FLEXIBLE_SINCE: i16 = 0;
}

impl Request for ConsumerGroupDescribeRequest {
    type Response = ConsumerGroupDescribeResponse;
}

/// Kafka's `ConsumerGroupDescribeResponse`, versions 0 to 1, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupDescribeResponse {
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `[]DescribedGroup`, all versions.
    pub groups: Vec<ConsumerGroupDescribeResponseDescribedGroup>,
}

impl Item for ConsumerGroupDescribeResponse {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { throttle_time_ms: r.i32()?, groups: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.throttle_time_ms);
        w.array(form, version, &self.groups)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ConsumerGroupDescribeResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsumerGroupDescribeResponseDescribedGroup {
    /// `int16`, all versions.
    pub error_code: i16,
    /// `string`, all versions, default null.
    pub error_message: Option<String>,
    /// `string`, all versions.
    pub group_id: String,
    /// `string`, all versions.
    pub group_state: String,
    /// `int32`, all versions.
    pub group_epoch: i32,
    /// `int32`, all versions.
    pub assignment_epoch: i32,
    /// `string`, all versions.
    pub assignor_name: String,
    /// `[]Member`, all versions.
    pub members: Vec<Member>,
    /// `int32`, all versions, default -2147483648.
    pub authorized_operations: i32,
}

impl Default for ConsumerGroupDescribeResponseDescribedGroup {
    fn default() -> Self {
        Self {
            error_code: 0,
            error_message: None,
            group_id: String::new(),
            group_state: String::new(),
            group_epoch: 0,
            assignment_epoch: 0,
            assignor_name: String::new(),
            members: vec![],
            authorized_operations: i32::MIN,
        }
    }
}

impl Item for ConsumerGroupDescribeResponseDescribedGroup {
    const MIN_SIZE: usize = 20;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            error_code: r.i16()?,
            error_message: r.nullable_string(form)?,
            group_id: r.string(form)?,
            group_state: r.string(form)?,
            group_epoch: r.i32()?,
            assignment_epoch: r.i32()?,
            assignor_name: r.string(form)?,
            members: r.array(form, version)?,
            authorized_operations: r.i32()?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i16(self.error_code);
        w.nullable_string(form, self.error_message.as_deref())?;
        w.string(form, &self.group_id)?;
        w.string(form, &self.group_state)?;
        w.i32(self.group_epoch);
        w.i32(self.assignment_epoch);
        w.string(form, &self.assignor_name)?;
        w.array(form, version, &self.members)?;
        w.i32(self.authorized_operations);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ConsumerGroupDescribeResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// `string`, all versions.
    pub member_id: String,
    /// `string`, all versions, default null.
    pub instance_id: Option<String>,
    /// `string`, all versions, default null.
    pub rack_id: Option<String>,
    /// `int32`, all versions.
    pub member_epoch: i32,
    /// `string`, all versions.
    pub client_id: String,
    /// `string`, all versions.
    pub client_host: String,
    /// `[]string`, all versions.
    pub subscribed_topic_names: Vec<String>,
    /// `string`, all versions, default null.
    pub subscribed_topic_regex: Option<String>,
    /// `Assignment`, all versions.
    pub assignment: ConsumerGroupDescribeResponseAssignment,
    /// `Assignment`, all versions.
    pub target_assignment: ConsumerGroupDescribeResponseAssignment,
    /// `int8`, since version 1, default -1.
    pub member_type: i8,
}

impl Default for Member {
    fn default() -> Self {
        Self {
            member_id: String::new(),
            instance_id: None,
            rack_id: None,
            member_epoch: 0,
            client_id: String::new(),
            client_host: String::new(),
            subscribed_topic_names: vec![],
            subscribed_topic_regex: None,
            assignment: ConsumerGroupDescribeResponseAssignment::default(),
            target_assignment: ConsumerGroupDescribeResponseAssignment::default(),
            member_type: -1,
        }
    }
}

impl Item for Member {
    const MIN_SIZE: usize = 16;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            member_id: r.string(form)?,
            instance_id: r.nullable_string(form)?,
            rack_id: r.nullable_string(form)?,
            member_epoch: r.i32()?,
            client_id: r.string(form)?,
            client_host: r.string(form)?,
            subscribed_topic_names: r.array(form, version)?,
            subscribed_topic_regex: r.nullable_string(form)?,
            assignment: Item::read(r, form, version)?,
            target_assignment: Item::read(r, form, version)?,
            member_type: if version >= 1 { r.i8()? } else { -1 },
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.member_id)?;
        w.nullable_string(form, self.instance_id.as_deref())?;
        w.nullable_string(form, self.rack_id.as_deref())?;
        w.i32(self.member_epoch);
        w.string(form, &self.client_id)?;
        w.string(form, &self.client_host)?;
        w.array(form, version, &self.subscribed_topic_names)?;
        w.nullable_string(form, self.subscribed_topic_regex.as_deref())?;
        self.assignment.write(w, form, version)?;
        self.target_assignment.write(w, form, version)?;
        if version >= 1 {
            w.i8(self.member_type);
        }
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ConsumerGroupDescribeResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupDescribeResponseTopicPartitions {
    /// `uuid`, all versions.
    pub topic_id: TopicId,
    /// `string`, all versions.
    pub topic_name: String,
    /// `[]int32`, all versions.
    pub partitions: Vec<i32>,
}

impl Item for ConsumerGroupDescribeResponseTopicPartitions {
    const MIN_SIZE: usize = 19;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { topic_id: r.uuid()?, topic_name: r.string(form)?, partitions: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.uuid(self.topic_id);
        w.string(form, &self.topic_name)?;
        w.array(form, version, &self.partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ConsumerGroupDescribeResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupDescribeResponseAssignment {
    /// `[]TopicPartitions`, all versions.
    pub topic_partitions: Vec<ConsumerGroupDescribeResponseTopicPartitions>,
}

impl Item for ConsumerGroupDescribeResponseAssignment {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { topic_partitions: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.topic_partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for ConsumerGroupDescribeResponse {
    const NAME: &'static str = "ConsumerGroupDescribeResponse";
    const KEY: ApiKey = ApiKey::ConsumerGroupDescribe;
    const VERSIONS: RangeInclusive<i16> = 0..=1;
    const FLEXIBLE_SINCE: i16 = 0;
}
