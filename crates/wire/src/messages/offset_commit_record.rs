// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use groma_model::TopicId;

use crate::{Data, Form, Item, Reader, WireError, Writer};

/// Kafka's `OffsetCommitKey`, version 0, never flexible.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OffsetCommitKey {
    /// `string`, all versions.
    pub group: String,
    /// `string`, all versions.
    pub topic: String,
    /// `int32`, all versions.
    pub partition: i32,
}

impl Item for OffsetCommitKey {
    const MIN_SIZE: usize = 8;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        Ok(Self { group: r.string(form)?, topic: r.string(form)?, partition: r.i32()? })
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.string(form, &self.group)?;
        w.string(form, &self.topic)?;
        w.i32(self.partition);
        Ok(())
    }
}

impl Data for OffsetCommitKey {
    const NAME: &'static str = "OffsetCommitKey";
    const VERSIONS: RangeInclusive<i16> = 0..=0;
    const FLEXIBLE_SINCE: i16 = i16::MAX;
}

/// Kafka's `OffsetCommitValue`, versions 0 to 4, flexible since 4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetCommitValue {
    /// `int64`, all versions.
    pub offset: i64,
    /// `int32`, since version 3, default -1.
    pub leader_epoch: i32,
    /// `string`, all versions.
    pub metadata: String,
    /// `int64`, all versions.
    pub commit_timestamp: i64,
    /// `int64`, version 1, default -1.
    pub expire_timestamp: i64,
    /// `uuid`, since version 4, tag 0.
    pub topic_id: TopicId,
}

impl Default for OffsetCommitValue {
    fn default() -> Self {
        Self {
            offset: 0,
            leader_epoch: -1,
            metadata: String::new(),
            commit_timestamp: 0,
            expire_timestamp: -1,
            topic_id: TopicId::NONE,
        }
    }
}

impl Item for OffsetCommitValue {
    const MIN_SIZE: usize = 18;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value = Self {
            offset: r.i64()?,
            leader_epoch: if version >= 3 { r.i32()? } else { -1 },
            metadata: r.string(form)?,
            commit_timestamp: r.i64()?,
            expire_timestamp: if version == 1 { r.i64()? } else { -1 },
            topic_id: TopicId::NONE,
        };
        r.tags(form, |tag, r| {
            match tag {
                0 if version >= 4 => value.topic_id = r.uuid()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i64(self.offset);
        if version >= 3 {
            w.i32(self.leader_epoch);
        }
        w.string(form, &self.metadata)?;
        w.i64(self.commit_timestamp);
        if version == 1 {
            w.i64(self.expire_timestamp);
        }
        if form == Form::Compact {
            let mut tags = w.tags();
            if version >= 4 && self.topic_id != TopicId::NONE {
                tags.field(0, |w| {
                    w.uuid(self.topic_id);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }
}

impl Data for OffsetCommitValue {
    const NAME: &'static str = "OffsetCommitValue";
    const VERSIONS: RangeInclusive<i16> = 0..=4;
    const FLEXIBLE_SINCE: i16 = 4;
}
