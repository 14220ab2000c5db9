// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use bytes::Bytes;

use crate::{Data, Form, Item, Reader, WireError, Writer};

/// Kafka's `ConsumerProtocolSubscription`, versions 0 to 3, never flexible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsumerProtocolSubscription {
    /// `[]string`, all versions.
    pub topics: Vec<String>,
    /// `bytes`, all versions, default null.
    pub user_data: Option<Bytes>,
    /// `[]TopicPartition`, since version 1.
    pub owned_partitions: Vec<ConsumerProtocolSubscriptionTopicPartition>,
    /// `int32`, since version 2, default -1.
    pub generation_id: i32,
    /// `string`, since version 3, default null.
    pub rack_id: Option<String>,
}

impl Default for ConsumerProtocolSubscription {
    fn default() -> Self {
        Self { topics: vec![], user_data: None, owned_partitions: vec![], generation_id: -1, rack_id: None }
    }
}

impl Item for ConsumerProtocolSubscription {
    const MIN_SIZE: usize = 8;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        Ok(Self {
            topics: r.array(form, version)?,
            user_data: r.nullable_bytes(form)?,
            owned_partitions: if version >= 1 { r.array(form, version)? } else { vec![] },
            generation_id: if version >= 2 { r.i32()? } else { -1 },
            rack_id: if version >= 3 { r.nullable_string(form)? } else { None },
        })
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.topics)?;
        w.nullable_bytes(form, self.user_data.as_deref())?;
        if version >= 1 {
            w.array(form, version, &self.owned_partitions)?;
        }
        if version >= 2 {
            w.i32(self.generation_id);
        }
        if version >= 3 {
            w.nullable_string(form, self.rack_id.as_deref())?;
        }
        Ok(())
    }
}

/// A part of [`ConsumerProtocolSubscription`], since version 1.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerProtocolSubscriptionTopicPartition {
    /// `string`, since version 1.
    pub topic: String,
    /// `[]int32`, since version 1.
    pub partitions: Vec<i32>,
}

impl Item for ConsumerProtocolSubscriptionTopicPartition {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        Ok(Self { topic: r.string(form)?, partitions: r.array(form, version)? })
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.topic)?;
        w.array(form, version, &self.partitions)?;
        Ok(())
    }
}

impl Data for ConsumerProtocolSubscription {
    const NAME: &'static str = "ConsumerProtocolSubscription";
    const VERSIONS: RangeInclusive<i16> = 0..=3;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}

/// Kafka's `ConsumerProtocolAssignment`, versions 0 to 3, never flexible.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerProtocolAssignment {
    /// `[]TopicPartition`, all versions.
    pub assigned_partitions: Vec<ConsumerProtocolAssignmentTopicPartition>,
    /// `bytes`, all versions, default null.
    pub user_data: Option<Bytes>,
}

impl Item for ConsumerProtocolAssignment {
    const MIN_SIZE: usize = 8;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        Ok(Self { assigned_partitions: r.array(form, version)?, user_data: r.nullable_bytes(form)? })
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.array(form, version, &self.assigned_partitions)?;
        w.nullable_bytes(form, self.user_data.as_deref())?;
        Ok(())
    }
}

/// A part of [`ConsumerProtocolAssignment`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConsumerProtocolAssignmentTopicPartition {
    /// `string`, all versions.
    pub topic: String,
    /// `[]int32`, all versions.
    pub partitions: Vec<i32>,
}

impl Item for ConsumerProtocolAssignmentTopicPartition {
    const MIN_SIZE: usize = 6;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        Ok(Self { topic: r.string(form)?, partitions: r.array(form, version)? })
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.string(form, &self.topic)?;
        w.array(form, version, &self.partitions)?;
        Ok(())
    }
}

impl Data for ConsumerProtocolAssignment {
    const NAME: &'static str = "ConsumerProtocolAssignment";
    const VERSIONS: RangeInclusive<i16> = 0..=3;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}
