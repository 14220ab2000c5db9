// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use bytes::Bytes;
use groma_model::TopicId;

use crate::{Data, Form, Item, Reader, WireError, Writer};

/// Kafka's `ConsumerGroupMetadataKey`, version 0, never flexible.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupMetadataKey {
    /// `string`, all versions.
    pub group_id: String,
}

impl Item for ConsumerGroupMetadataKey {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        Ok(Self { group_id: r.string(form)? })
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        Ok(())
    }
}

impl Data for ConsumerGroupMetadataKey {
    const NAME: &'static str = "ConsumerGroupMetadataKey";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}

/// Kafka's `ConsumerGroupMetadataValue`, version 0, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupMetadataValue {
    /// `int32`, all versions.
    pub epoch: i32,
    /// `int64`, all versions, tag 0, default 0.
    pub metadata_hash: i64,
}

impl Item for ConsumerGroupMetadataValue {
    const MIN_SIZE: usize = 5;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let mut value = Self { epoch: r.i32()?, metadata_hash: 0 };
        r.tags(form, |tag, r| {
            match tag {
                0 => value.metadata_hash = r.i64()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.epoch);
        if form == Form::Compact {
            let mut tags = w.tags();
            if self.metadata_hash != 0 {
                tags.field(0, |w| {
                    w.i64(self.metadata_hash);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }
}

impl Data for ConsumerGroupMetadataValue {
    const NAME: &'static str = "ConsumerGroupMetadataValue";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = 0;
}

/// Kafka's `ConsumerGroupMemberMetadataKey`, version 0, never flexible.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupMemberMetadataKey {
    /// `string`, all versions.
    pub group_id: String,
    /// `string`, all versions.
    pub member_id: String,
}

impl Item for ConsumerGroupMemberMetadataKey {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        Ok(Self { group_id: r.string(form)?, member_id: r.string(form)? })
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.string(form, &self.member_id)?;
        Ok(())
    }
}

impl Data for ConsumerGroupMemberMetadataKey {
    const NAME: &'static str = "ConsumerGroupMemberMetadataKey";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}

/// Kafka's `ConsumerGroupMemberMetadataValue`, version 0, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsumerGroupMemberMetadataValue {
    /// `string`, all versions.
    pub instance_id: Option<String>,
    /// `string`, all versions.
    pub rack_id: Option<String>,
    /// `string`, all versions.
    pub client_id: String,
    /// `string`, all versions.
    pub client_host: String,
    /// `[]string`, all versions.
    pub subscribed_topic_names: Vec<String>,
    /// `string`, all versions.
    pub subscribed_topic_regex: Option<String>,
    /// `int32`, all versions, default -1.
    pub rebalance_timeout_ms: i32,
    /// `string`, all versions.
    pub server_assignor: Option<String>,
    /// `ClassicMemberMetadata`, all versions, tag 0.
    pub classic_member_metadata: Option<ClassicMemberMetadata>,
}

impl Default for ConsumerGroupMemberMetadataValue {
    fn default() -> Self {
        Self {
            instance_id: Some(String::new()),
            rack_id: Some(String::new()),
            client_id: String::new(),
            client_host: String::new(),
            subscribed_topic_names: vec![],
            subscribed_topic_regex: Some(String::new()),
            rebalance_timeout_ms: -1,
            server_assignor: Some(String::new()),
            classic_member_metadata: Some(ClassicMemberMetadata::default()),
        }
    }
}

impl Item for ConsumerGroupMemberMetadataValue {
    const MIN_SIZE: usize = 12;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value = Self {
            instance_id: r.nullable_string(form)?,
            rack_id: r.nullable_string(form)?,
            client_id: r.string(form)?,
            client_host: r.string(form)?,
            subscribed_topic_names: r.array(form, version)?,
            subscribed_topic_regex: r.nullable_string(form)?,
            rebalance_timeout_ms: r.i32()?,
            server_assignor: r.nullable_string(form)?,
            classic_member_metadata: Some(ClassicMemberMetadata::default()),
        };
        r.tags(form, |tag, r| {
            match tag {
                0 => value.classic_member_metadata = r.nullable_tagged_item(form, version)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.nullable_string(form, self.instance_id.as_deref())?;
        w.nullable_string(form, self.rack_id.as_deref())?;
        w.string(form, &self.client_id)?;
        w.string(form, &self.client_host)?;
        w.array(form, version, &self.subscribed_topic_names)?;
        w.nullable_string(form, self.subscribed_topic_regex.as_deref())?;
        w.i32(self.rebalance_timeout_ms);
        w.nullable_string(form, self.server_assignor.as_deref())?;
        if form == Form::Compact {
            let mut tags = w.tags();
            if self.classic_member_metadata != Some(ClassicMemberMetadata::default()) {
                tags.field(0, |w| w.nullable_tagged_item(form, version, self.classic_member_metadata.as_ref()))?;
            }
        }
        Ok(())
    }
}

/// A part of [`ConsumerGroupMemberMetadataValue`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ClassicMemberMetadata {
    /// `int32`, all versions.
    pub session_timeout_ms: i32,
    /// `[]ClassicProtocol`, all versions.
    pub supported_protocols: Vec<ClassicProtocol>,
}

impl Item for ClassicMemberMetadata {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { session_timeout_ms: r.i32()?, supported_protocols: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.session_timeout_ms);
        w.array(form, version, &self.supported_protocols)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ConsumerGroupMemberMetadataValue`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ClassicProtocol {
    /// `string`, all versions.
    pub name: String,
    /// `bytes`, all versions.
    pub metadata: Bytes,
}

impl Item for ClassicProtocol {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { name: r.string(form)?, metadata: r.bytes(form)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.name)?;
        w.bytes(form, &self.metadata)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Data for ConsumerGroupMemberMetadataValue {
    const NAME: &'static str = "ConsumerGroupMemberMetadataValue";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = 0;
}

/// Kafka's `ConsumerGroupTargetAssignmentMetadataKey`, version 0, never flexible.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupTargetAssignmentMetadataKey {
    /// `string`, all versions.
    pub group_id: String,
}

impl Item for ConsumerGroupTargetAssignmentMetadataKey {
    const MIN_SIZE: usize = 2;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        Ok(Self { group_id: r.string(form)? })
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        Ok(())
    }
}

impl Data for ConsumerGroupTargetAssignmentMetadataKey {
    const NAME: &'static str = "ConsumerGroupTargetAssignmentMetadataKey";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}

/// Kafka's `ConsumerGroupTargetAssignmentMetadataValue`, version 0, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupTargetAssignmentMetadataValue {
    /// `int32`, all versions.
    pub assignment_epoch: i32,
    /// `int64`, all versions, tag 0, default 0.
    pub assignment_timestamp: i64,
}

impl Item for ConsumerGroupTargetAssignmentMetadataValue {
    const MIN_SIZE: usize = 5;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let mut value = Self { assignment_epoch: r.i32()?, assignment_timestamp: 0 };
        r.tags(form, |tag, r| {
            match tag {
                0 => value.assignment_timestamp = r.i64()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.assignment_epoch);
        if form == Form::Compact {
            let mut tags = w.tags();
            if self.assignment_timestamp != 0 {
                tags.field(0, |w| {
                    w.i64(self.assignment_timestamp);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }
}

impl Data for ConsumerGroupTargetAssignmentMetadataValue {
    const NAME: &'static str = "ConsumerGroupTargetAssignmentMetadataValue";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = 0;
}

/// Kafka's `ConsumerGroupTargetAssignmentMemberKey`, version 0, never flexible.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupTargetAssignmentMemberKey {
    /// `string`, all versions.
    pub group_id: String,
    /// `string`, all versions.
    pub member_id: String,
}

impl Item for ConsumerGroupTargetAssignmentMemberKey {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        Ok(Self { group_id: r.string(form)?, member_id: r.string(form)? })
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.string(form, &self.member_id)?;
        Ok(())
    }
}

impl Data for ConsumerGroupTargetAssignmentMemberKey {
    const NAME: &'static str = "ConsumerGroupTargetAssignmentMemberKey";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}

/// Kafka's `ConsumerGroupTargetAssignmentMemberValue`, version 0, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupTargetAssignmentMemberValue {
    /// `[]TopicPartition`, all versions.
    pub topic_partitions: Vec<ConsumerGroupTargetAssignmentMemberValueTopicPartition>,
}

impl Item for ConsumerGroupTargetAssignmentMemberValue {
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

/// A part of [`ConsumerGroupTargetAssignmentMemberValue`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupTargetAssignmentMemberValueTopicPartition {
    /// `uuid`, all versions.
    pub topic_id: TopicId,
    /// `[]int32`, all versions.
    pub partitions: Vec<i32>,
}

impl Item for ConsumerGroupTargetAssignmentMemberValueTopicPartition {
    const MIN_SIZE: usize = 18;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self { topic_id: r.uuid()?, partitions: r.array(form, version)? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.uuid(self.topic_id);
        w.array(form, version, &self.partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Data for ConsumerGroupTargetAssignmentMemberValue {
    const NAME: &'static str = "ConsumerGroupTargetAssignmentMemberValue";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = 0;
}

/// Kafka's `ConsumerGroupCurrentMemberAssignmentKey`, version 0, never flexible.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupCurrentMemberAssignmentKey {
    /// `string`, all versions.
    pub group_id: String,
    /// `string`, all versions.
    pub member_id: String,
}

impl Item for ConsumerGroupCurrentMemberAssignmentKey {
    const MIN_SIZE: usize = 4;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        Ok(Self { group_id: r.string(form)?, member_id: r.string(form)? })
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.group_id)?;
        w.string(form, &self.member_id)?;
        Ok(())
    }
}

impl Data for ConsumerGroupCurrentMemberAssignmentKey {
    const NAME: &'static str = "ConsumerGroupCurrentMemberAssignmentKey";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}

/// Kafka's `ConsumerGroupCurrentMemberAssignmentValue`, version 0, flexible in all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerGroupCurrentMemberAssignmentValue {
    /// `int32`, all versions.
    pub member_epoch: i32,
    /// `int32`, all versions.
    pub previous_member_epoch: i32,
    /// `int8`, all versions.
    pub state: i8,
    /// `[]TopicPartitions`, all versions.
    pub assigned_partitions: Vec<ConsumerGroupCurrentMemberAssignmentValueTopicPartitions>,
    /// `[]TopicPartitions`, all versions.
    pub partitions_pending_revocation: Vec<ConsumerGroupCurrentMemberAssignmentValueTopicPartitions>,
}

impl Item for ConsumerGroupCurrentMemberAssignmentValue {
    const MIN_SIZE: usize = 12;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            member_epoch: r.i32()?,
            previous_member_epoch: r.i32()?,
            state: r.i8()?,
            assigned_partitions: r.array(form, version)?,
            partitions_pending_revocation: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.member_epoch);
        w.i32(self.previous_member_epoch);
        w.i8(self.state);
        w.array(form, version, &self.assigned_partitions)?;
        w.array(form, version, &self.partitions_pending_revocation)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`ConsumerGroupCurrentMemberAssignmentValue`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsumerGroupCurrentMemberAssignmentValueTopicPartitions {
    /// `uuid`, all versions.
    pub topic_id: TopicId,
    /// `[]int32`, all versions.
    pub partitions: Vec<i32>,
    /// `[]int32`, all versions, tag 0.
    pub assignment_epochs: Option<Vec<i32>>,
}

impl Default for ConsumerGroupCurrentMemberAssignmentValueTopicPartitions {
    fn default() -> Self {
        Self { topic_id: TopicId::NONE, partitions: vec![], assignment_epochs: Some(vec![]) }
    }
}

impl Item for ConsumerGroupCurrentMemberAssignmentValueTopicPartitions {
    const MIN_SIZE: usize = 18;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value =
            Self { topic_id: r.uuid()?, partitions: r.array(form, version)?, assignment_epochs: Some(vec![]) };
        r.tags(form, |tag, r| {
            match tag {
                0 => value.assignment_epochs = r.nullable_array(form, version)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.uuid(self.topic_id);
        w.array(form, version, &self.partitions)?;
        if form == Form::Compact {
            let mut tags = w.tags();
            if self.assignment_epochs.as_ref().is_none_or(|value| !value.is_empty()) {
                tags.field(0, |w| w.nullable_array(form, version, self.assignment_epochs.as_deref()))?;
            }
        }
        Ok(())
    }
}

impl Data for ConsumerGroupCurrentMemberAssignmentValue {
    const NAME: &'static str = "ConsumerGroupCurrentMemberAssignmentValue";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = 0;
}
