// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.

use std::ops::RangeInclusive;

use groma_model::TopicId;

use crate::{ApiKey, Form, Item, Message, Reader, Records, Request, WireError, Writer};

/// Kafka's `FetchRequest`, versions 4 to 18, flexible since 12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchRequest {
    /// `string`, since version 12, tag 0, default null.
    pub cluster_id: Option<String>,
    /// `int32`, up to version 14, default -1.
    pub replica_id: i32,
    /// `ReplicaState`, since version 15, tag 1.
    pub replica_state: ReplicaState,
    /// `int32`, all versions.
    pub max_wait_ms: i32,
    /// `int32`, all versions.
    pub min_bytes: i32,
    /// `int32`, all versions, default 0x7fffffff.
    pub max_bytes: i32,
    /// `int8`, all versions, default 0.
    pub isolation_level: i8,
    /// `int32`, since version 7, default 0.
    pub session_id: i32,
    /// `int32`, since version 7, default -1.
    pub session_epoch: i32,
    /// `[]FetchTopic`, all versions.
    pub topics: Vec<FetchTopic>,
    /// `[]ForgottenTopic`, since version 7.
    pub forgotten_topics_data: Vec<ForgottenTopic>,
    /// `string`, since version 11.
    pub rack_id: String,
}

impl Default for FetchRequest {
    fn default() -> Self {
        Self {
            cluster_id: None,
            replica_id: -1,
            replica_state: ReplicaState::default(),
            max_wait_ms: 0,
            min_bytes: 0,
            max_bytes: i32::MAX,
            isolation_level: 0,
            session_id: 0,
            session_epoch: -1,
            topics: vec![],
            forgotten_topics_data: vec![],
            rack_id: String::new(),
        }
    }
}

impl Item for FetchRequest {
    const MIN_SIZE: usize = 21;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value = Self {
            cluster_id: None,
            replica_id: if version <= 14 { r.i32()? } else { -1 },
            replica_state: ReplicaState::default(),
            max_wait_ms: r.i32()?,
            min_bytes: r.i32()?,
            max_bytes: r.i32()?,
            isolation_level: r.i8()?,
            session_id: if version >= 7 { r.i32()? } else { 0 },
            session_epoch: if version >= 7 { r.i32()? } else { -1 },
            topics: r.array(form, version)?,
            forgotten_topics_data: if version >= 7 { r.array(form, version)? } else { vec![] },
            rack_id: if version >= 11 { r.string(form)? } else { String::new() },
        };
        r.tags(form, |tag, r| {
            match tag {
                0 if version >= 12 => value.cluster_id = r.nullable_string(form)?,
                1 if version >= 15 => value.replica_state = Item::read(r, form, version)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version <= 14 {
            w.i32(self.replica_id);
        } else if self.replica_id != -1 {
            return Err(WireError::Unsupported { field: "FetchRequest.replica_id", version });
        }
        if version < 15 && self.replica_state != ReplicaState::default() {
            return Err(WireError::Unsupported { field: "FetchRequest.replica_state", version });
        }
        w.i32(self.max_wait_ms);
        w.i32(self.min_bytes);
        w.i32(self.max_bytes);
        w.i8(self.isolation_level);
        if version >= 7 {
            w.i32(self.session_id);
        }
        if version >= 7 {
            w.i32(self.session_epoch);
        }
        w.array(form, version, &self.topics)?;
        if version >= 7 {
            w.array(form, version, &self.forgotten_topics_data)?;
        } else if !self.forgotten_topics_data.is_empty() {
            return Err(WireError::Unsupported { field: "FetchRequest.forgotten_topics_data", version });
        }
        if version >= 11 {
            w.string(form, &self.rack_id)?;
        }
        if form == Form::Compact {
            let mut tags = w.tags();
            if version >= 12 && self.cluster_id.is_some() {
                tags.field(0, |w| w.nullable_string(form, self.cluster_id.as_deref()))?;
            }
            if version >= 15 && self.replica_state != ReplicaState::default() {
                tags.field(1, |w| self.replica_state.write(w, form, version))?;
            }
        }
        Ok(())
    }
}

/// A part of [`FetchRequest`], since version 15.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaState {
    /// `int32`, since version 15, default -1.
    pub replica_id: i32,
    /// `int64`, since version 15, default -1.
    pub replica_epoch: i64,
}

impl Default for ReplicaState {
    fn default() -> Self {
        Self { replica_id: -1, replica_epoch: -1 }
    }
}

impl Item for ReplicaState {
    const MIN_SIZE: usize = 13;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { replica_id: r.i32()?, replica_epoch: r.i64()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.replica_id);
        w.i64(self.replica_epoch);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`FetchRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FetchTopic {
    /// `string`, up to version 12.
    pub topic: String,
    /// `uuid`, since version 13.
    pub topic_id: TopicId,
    /// `[]FetchPartition`, all versions.
    pub partitions: Vec<FetchPartition>,
}

impl Item for FetchTopic {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            topic: if version <= 12 { r.string(form)? } else { String::new() },
            topic_id: if version >= 13 { r.uuid()? } else { TopicId::NONE },
            partitions: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version <= 12 {
            w.string(form, &self.topic)?;
        }
        if version >= 13 {
            w.uuid(self.topic_id);
        }
        w.array(form, version, &self.partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`FetchRequest`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchPartition {
    /// `int32`, all versions.
    pub partition: i32,
    /// `int32`, since version 9, default -1.
    pub current_leader_epoch: i32,
    /// `int64`, all versions.
    pub fetch_offset: i64,
    /// `int32`, since version 12, default -1.
    pub last_fetched_epoch: i32,
    /// `int64`, since version 5, default -1.
    pub log_start_offset: i64,
    /// `int32`, all versions.
    pub partition_max_bytes: i32,
    /// `uuid`, since version 17, tag 0.
    pub replica_directory_id: TopicId,
    /// `int64`, since version 18, tag 1, default 9223372036854775807.
    pub high_watermark: i64,
}

impl Default for FetchPartition {
    fn default() -> Self {
        Self {
            partition: 0,
            current_leader_epoch: -1,
            fetch_offset: 0,
            last_fetched_epoch: -1,
            log_start_offset: -1,
            partition_max_bytes: 0,
            replica_directory_id: TopicId::NONE,
            high_watermark: i64::MAX,
        }
    }
}

impl Item for FetchPartition {
    const MIN_SIZE: usize = 16;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value = Self {
            partition: r.i32()?,
            current_leader_epoch: if version >= 9 { r.i32()? } else { -1 },
            fetch_offset: r.i64()?,
            last_fetched_epoch: if version >= 12 { r.i32()? } else { -1 },
            log_start_offset: if version >= 5 { r.i64()? } else { -1 },
            partition_max_bytes: r.i32()?,
            replica_directory_id: TopicId::NONE,
            high_watermark: i64::MAX,
        };
        r.tags(form, |tag, r| {
            match tag {
                0 if version >= 17 => value.replica_directory_id = r.uuid()?,
                1 if version >= 18 => value.high_watermark = r.i64()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.partition);
        if version >= 9 {
            w.i32(self.current_leader_epoch);
        }
        w.i64(self.fetch_offset);
        if version >= 12 {
            w.i32(self.last_fetched_epoch);
        } else if self.last_fetched_epoch != -1 {
            return Err(WireError::Unsupported { field: "FetchPartition.last_fetched_epoch", version });
        }
        if version >= 5 {
            w.i64(self.log_start_offset);
        }
        w.i32(self.partition_max_bytes);
        if form == Form::Compact {
            let mut tags = w.tags();
            if version >= 17 && self.replica_directory_id != TopicId::NONE {
                tags.field(0, |w| {
                    w.uuid(self.replica_directory_id);
                    Ok(())
                })?;
            }
            if version >= 18 && self.high_watermark != i64::MAX {
                tags.field(1, |w| {
                    w.i64(self.high_watermark);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }
}

/// A part of [`FetchRequest`], since version 7.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ForgottenTopic {
    /// `string`, versions 7 to 12.
    pub topic: String,
    /// `uuid`, since version 13.
    pub topic_id: TopicId,
    /// `[]int32`, since version 7.
    pub partitions: Vec<i32>,
}

impl Item for ForgottenTopic {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            topic: if version <= 12 { r.string(form)? } else { String::new() },
            topic_id: if version >= 13 { r.uuid()? } else { TopicId::NONE },
            partitions: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version <= 12 {
            w.string(form, &self.topic)?;
        }
        if version >= 13 {
            w.uuid(self.topic_id);
        }
        w.array(form, version, &self.partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

impl Message for FetchRequest {
    const NAME: &'static str = "FetchRequest";
    const KEY: ApiKey = ApiKey::Fetch;
    const VERSIONS: RangeInclusive<i16> = 4..=18;
    const FLEXIBLE_SINCE: i16 = 12;
}

impl Request for FetchRequest {
    type Response = FetchResponse;
}

/// Kafka's `FetchResponse`, versions 4 to 18, flexible since 12.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FetchResponse {
    /// `int32`, all versions.
    pub throttle_time_ms: i32,
    /// `int16`, since version 7.
    pub error_code: i16,
    /// `int32`, since version 7, default 0.
    pub session_id: i32,
    /// `[]FetchableTopicResponse`, all versions.
    pub responses: Vec<FetchableTopicResponse>,
    /// `[]NodeEndpoint`, since version 16, tag 0.
    pub node_endpoints: Vec<FetchResponseNodeEndpoint>,
}

impl Item for FetchResponse {
    const MIN_SIZE: usize = 8;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value = Self {
            throttle_time_ms: r.i32()?,
            error_code: if version >= 7 { r.i16()? } else { 0 },
            session_id: if version >= 7 { r.i32()? } else { 0 },
            responses: r.array(form, version)?,
            node_endpoints: vec![],
        };
        r.tags(form, |tag, r| {
            match tag {
                0 if version >= 16 => value.node_endpoints = r.array(form, version)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.throttle_time_ms);
        if version >= 7 {
            w.i16(self.error_code);
        }
        if version >= 7 {
            w.i32(self.session_id);
        } else if self.session_id != 0 {
            return Err(WireError::Unsupported { field: "FetchResponse.session_id", version });
        }
        w.array(form, version, &self.responses)?;
        if version < 16 && !self.node_endpoints.is_empty() {
            return Err(WireError::Unsupported { field: "FetchResponse.node_endpoints", version });
        }
        if form == Form::Compact {
            let mut tags = w.tags();
            if version >= 16 && !self.node_endpoints.is_empty() {
                tags.field(0, |w| w.array(form, version, &self.node_endpoints))?;
            }
        }
        Ok(())
    }
}

/// A part of [`FetchResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FetchableTopicResponse {
    /// `string`, up to version 12.
    pub topic: String,
    /// `uuid`, since version 13.
    pub topic_id: TopicId,
    /// `[]PartitionData`, all versions.
    pub partitions: Vec<PartitionData>,
}

impl Item for FetchableTopicResponse {
    const MIN_SIZE: usize = 3;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let value = Self {
            topic: if version <= 12 { r.string(form)? } else { String::new() },
            topic_id: if version >= 13 { r.uuid()? } else { TopicId::NONE },
            partitions: r.array(form, version)?,
        };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        if version <= 12 {
            w.string(form, &self.topic)?;
        }
        if version >= 13 {
            w.uuid(self.topic_id);
        }
        w.array(form, version, &self.partitions)?;
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`FetchResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionData {
    /// `int32`, all versions.
    pub partition_index: i32,
    /// `int16`, all versions.
    pub error_code: i16,
    /// `int64`, all versions.
    pub high_watermark: i64,
    /// `int64`, all versions, default -1.
    pub last_stable_offset: i64,
    /// `int64`, since version 5, default -1.
    pub log_start_offset: i64,
    /// `EpochEndOffset`, since version 12, tag 0.
    pub diverging_epoch: EpochEndOffset,
    /// `LeaderIdAndEpoch`, since version 12, tag 1.
    pub current_leader: FetchResponseLeaderIdAndEpoch,
    /// `SnapshotId`, since version 12, tag 2.
    pub snapshot_id: SnapshotId,
    /// `[]AbortedTransaction`, all versions.
    pub aborted_transactions: Option<Vec<AbortedTransaction>>,
    /// `int32`, since version 11, default -1.
    pub preferred_read_replica: i32,
    /// `records`, all versions.
    pub records: Option<Records>,
}

impl Default for PartitionData {
    fn default() -> Self {
        Self {
            partition_index: 0,
            error_code: 0,
            high_watermark: 0,
            last_stable_offset: -1,
            log_start_offset: -1,
            diverging_epoch: EpochEndOffset::default(),
            current_leader: FetchResponseLeaderIdAndEpoch::default(),
            snapshot_id: SnapshotId::default(),
            aborted_transactions: Some(vec![]),
            preferred_read_replica: -1,
            records: None,
        }
    }
}

impl Item for PartitionData {
    const MIN_SIZE: usize = 30;

    fn read(r: &mut Reader, form: Form, version: i16) -> Result<Self, WireError> {
        let mut value = Self {
            partition_index: r.i32()?,
            error_code: r.i16()?,
            high_watermark: r.i64()?,
            last_stable_offset: r.i64()?,
            log_start_offset: if version >= 5 { r.i64()? } else { -1 },
            diverging_epoch: EpochEndOffset::default(),
            current_leader: FetchResponseLeaderIdAndEpoch::default(),
            snapshot_id: SnapshotId::default(),
            aborted_transactions: r.nullable_array(form, version)?,
            preferred_read_replica: if version >= 11 { r.i32()? } else { -1 },
            records: r.records(form)?,
        };
        r.tags(form, |tag, r| {
            match tag {
                0 if version >= 12 => value.diverging_epoch = Item::read(r, form, version)?,
                1 if version >= 12 => value.current_leader = Item::read(r, form, version)?,
                2 if version >= 12 => value.snapshot_id = Item::read(r, form, version)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, version: i16) -> Result<(), WireError> {
        w.i32(self.partition_index);
        w.i16(self.error_code);
        w.i64(self.high_watermark);
        w.i64(self.last_stable_offset);
        if version >= 5 {
            w.i64(self.log_start_offset);
        }
        if version < 12 && self.diverging_epoch != EpochEndOffset::default() {
            return Err(WireError::Unsupported { field: "PartitionData.diverging_epoch", version });
        }
        if version < 12 && self.current_leader != FetchResponseLeaderIdAndEpoch::default() {
            return Err(WireError::Unsupported { field: "PartitionData.current_leader", version });
        }
        if version < 12 && self.snapshot_id != SnapshotId::default() {
            return Err(WireError::Unsupported { field: "PartitionData.snapshot_id", version });
        }
        w.nullable_array(form, version, self.aborted_transactions.as_deref())?;
        if version >= 11 {
            w.i32(self.preferred_read_replica);
        } else if self.preferred_read_replica != -1 {
            return Err(WireError::Unsupported { field: "PartitionData.preferred_read_replica", version });
        }
        w.records(form, self.records.as_ref())?;
        if form == Form::Compact {
            let mut tags = w.tags();
            if version >= 12 && self.diverging_epoch != EpochEndOffset::default() {
                tags.field(0, |w| self.diverging_epoch.write(w, form, version))?;
            }
            if version >= 12 && self.current_leader != FetchResponseLeaderIdAndEpoch::default() {
                tags.field(1, |w| self.current_leader.write(w, form, version))?;
            }
            if version >= 12 && self.snapshot_id != SnapshotId::default() {
                tags.field(2, |w| self.snapshot_id.write(w, form, version))?;
            }
        }
        Ok(())
    }
}

/// A part of [`FetchResponse`], since version 12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpochEndOffset {
    /// `int32`, since version 12, default -1.
    pub epoch: i32,
    /// `int64`, since version 12, default -1.
    pub end_offset: i64,
}

impl Default for EpochEndOffset {
    fn default() -> Self {
        Self { epoch: -1, end_offset: -1 }
    }
}

impl Item for EpochEndOffset {
    const MIN_SIZE: usize = 13;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { epoch: r.i32()?, end_offset: r.i64()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i32(self.epoch);
        w.i64(self.end_offset);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`FetchResponse`], since version 12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchResponseLeaderIdAndEpoch {
    /// `int32`, since version 12, default -1.
    pub leader_id: i32,
    /// `int32`, since version 12, default -1.
    pub leader_epoch: i32,
}

impl Default for FetchResponseLeaderIdAndEpoch {
    fn default() -> Self {
        Self { leader_id: -1, leader_epoch: -1 }
    }
}

impl Item for FetchResponseLeaderIdAndEpoch {
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

/// A part of [`FetchResponse`], since version 12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotId {
    /// `int64`, since version 12, default -1.
    pub end_offset: i64,
    /// `int32`, since version 12, default -1.
    pub epoch: i32,
}

impl Default for SnapshotId {
    fn default() -> Self {
        Self { end_offset: -1, epoch: -1 }
    }
}

impl Item for SnapshotId {
    const MIN_SIZE: usize = 13;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { end_offset: r.i64()?, epoch: r.i32()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i64(self.end_offset);
        w.i32(self.epoch);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`FetchResponse`], all versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct AbortedTransaction {
    /// `int64`, all versions.
    pub producer_id: i64,
    /// `int64`, all versions.
    pub first_offset: i64,
}

impl Item for AbortedTransaction {
    const MIN_SIZE: usize = 16;

    fn read(r: &mut Reader, form: Form, _version: i16) -> Result<Self, WireError> {
        let value = Self { producer_id: r.i64()?, first_offset: r.i64()? };
        r.skip_tags(form)?;
        Ok(value)
    }

    fn write(&self, w: &mut Writer, form: Form, _version: i16) -> Result<(), WireError> {
        w.i64(self.producer_id);
        w.i64(self.first_offset);
        w.no_tags(form);
        Ok(())
    }
}

/// A part of [`FetchResponse`], since version 16.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FetchResponseNodeEndpoint {
    /// `int32`, since version 16.
    pub node_id: i32,
    /// `string`, since version 16.
    pub host: String,
    /// `int32`, since version 16.
    pub port: i32,
    /// `string`, since version 16, default null.
    pub rack: Option<String>,
}

impl Item for FetchResponseNodeEndpoint {
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

impl Message for FetchResponse {
    const NAME: &'static str = "FetchResponse";
    const KEY: ApiKey = ApiKey::Fetch;
    const VERSIONS: RangeInclusive<i16> = 4..=18;
    const FLEXIBLE_SINCE: i16 = 12;
}
