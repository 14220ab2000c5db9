use bytes::Bytes;

use crate::messages::{
    ConsumerGroupCurrentMemberAssignmentKey, ConsumerGroupMemberMetadataKey, ConsumerGroupMetadataKey,
    ConsumerGroupTargetAssignmentMemberKey, ConsumerGroupTargetAssignmentMetadataKey, GroupMetadataKey,
    OffsetCommitKey,
};
use crate::{Data, Reader, WireError, Writer};

/// The key of a record in `__consumer_offsets`: two bytes that say what the record is, then the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OffsetsKey {
    /// A committed offset; the value is an [`OffsetCommitValue`](crate::messages::OffsetCommitValue).
    OffsetCommit(OffsetCommitKey),
    /// A group; the value is a [`GroupMetadataValue`](crate::messages::GroupMetadataValue).
    GroupMetadata(GroupMetadataKey),
    /// A group whose coordinator shares out (KIP-848), as are the kinds below; the value is a
    /// [`ConsumerGroupMetadataValue`](crate::messages::ConsumerGroupMetadataValue).
    EpochOfGroup(ConsumerGroupMetadataKey),
    /// A member of such a group; the value is a
    /// [`ConsumerGroupMemberMetadataValue`](crate::messages::ConsumerGroupMemberMetadataValue).
    Member(ConsumerGroupMemberMetadataKey),
    /// That everybody's target was decided; the value is a
    /// [`ConsumerGroupTargetAssignmentMetadataValue`](crate::messages::ConsumerGroupTargetAssignmentMetadataValue).
    EpochOfTarget(ConsumerGroupTargetAssignmentMetadataKey),
    /// What a member is to have; the value is a
    /// [`ConsumerGroupTargetAssignmentMemberValue`](crate::messages::ConsumerGroupTargetAssignmentMemberValue).
    TargetOfMember(ConsumerGroupTargetAssignmentMemberKey),
    /// What a member has; the value is a
    /// [`ConsumerGroupCurrentMemberAssignmentValue`](crate::messages::ConsumerGroupCurrentMemberAssignmentValue).
    CurrentOfMember(ConsumerGroupCurrentMemberAssignmentKey),
}

impl OffsetsKey {
    /// Reads a key.
    ///
    /// # Errors
    /// [`WireError::UnknownKey`] for records of another kind, which a reader may pass over; others when the bytes are
    /// not a key.
    pub fn from_bytes(bytes: Bytes) -> Result<Self, WireError> {
        let mut r = Reader::new(bytes);
        let key = match r.i16()? {
            LEGACY_OFFSET_COMMIT | OFFSET_COMMIT => Self::OffsetCommit(OffsetCommitKey::decode(&mut r, 0)?),
            GROUP_METADATA => Self::GroupMetadata(GroupMetadataKey::decode(&mut r, 0)?),
            GROUP_EPOCH => Self::EpochOfGroup(ConsumerGroupMetadataKey::decode(&mut r, 0)?),
            MEMBER => Self::Member(ConsumerGroupMemberMetadataKey::decode(&mut r, 0)?),
            TARGET_EPOCH => Self::EpochOfTarget(ConsumerGroupTargetAssignmentMetadataKey::decode(&mut r, 0)?),
            TARGET => Self::TargetOfMember(ConsumerGroupTargetAssignmentMemberKey::decode(&mut r, 0)?),
            CURRENT => Self::CurrentOfMember(ConsumerGroupCurrentMemberAssignmentKey::decode(&mut r, 0)?),
            key => return Err(WireError::UnknownKey { key }),
        };
        r.finish()?;
        Ok(key)
    }

    /// The bytes of the key.
    ///
    /// # Errors
    /// When a name is longer than 32,767 bytes.
    pub fn to_bytes(&self) -> Result<Bytes, WireError> {
        let mut w = Writer::new();
        w.i16(self.kind());
        match self {
            Self::OffsetCommit(key) => key.encode(&mut w, 0),
            Self::GroupMetadata(key) => key.encode(&mut w, 0),
            Self::EpochOfGroup(key) => key.encode(&mut w, 0),
            Self::Member(key) => key.encode(&mut w, 0),
            Self::EpochOfTarget(key) => key.encode(&mut w, 0),
            Self::TargetOfMember(key) => key.encode(&mut w, 0),
            Self::CurrentOfMember(key) => key.encode(&mut w, 0),
        }?;
        w.into_bytes()
    }

    const fn kind(&self) -> i16 {
        match self {
            Self::OffsetCommit(_) => OFFSET_COMMIT,
            Self::GroupMetadata(_) => GROUP_METADATA,
            Self::EpochOfGroup(_) => GROUP_EPOCH,
            Self::Member(_) => MEMBER,
            Self::EpochOfTarget(_) => TARGET_EPOCH,
            Self::TargetOfMember(_) => TARGET,
            Self::CurrentOfMember(_) => CURRENT,
        }
    }
}

/// Written by old brokers; the same key as [`OFFSET_COMMIT`].
const LEGACY_OFFSET_COMMIT: i16 = 0;
const OFFSET_COMMIT: i16 = 1;
const GROUP_METADATA: i16 = 2;
const GROUP_EPOCH: i16 = 3;
const MEMBER: i16 = 5;
const TARGET_EPOCH: i16 = 6;
const TARGET: i16 = 7;
const CURRENT: i16 = 8;
