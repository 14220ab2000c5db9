use bytes::Bytes;

use crate::messages::{GroupMetadataKey, OffsetCommitKey};
use crate::{Data, Reader, WireError, Writer};

/// The key of a record in `__consumer_offsets`: two bytes that say what the record is, then the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OffsetsKey {
    /// A committed offset; the value is an [`OffsetCommitValue`](crate::messages::OffsetCommitValue).
    OffsetCommit(OffsetCommitKey),
    /// A group; the value is a [`GroupMetadataValue`](crate::messages::GroupMetadataValue).
    GroupMetadata(GroupMetadataKey),
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
        match self {
            Self::OffsetCommit(key) => {
                w.i16(OFFSET_COMMIT);
                key.encode(&mut w, 0)?;
            }
            Self::GroupMetadata(key) => {
                w.i16(GROUP_METADATA);
                key.encode(&mut w, 0)?;
            }
        }
        w.into_bytes()
    }
}

/// Written by old brokers; the same key as [`OFFSET_COMMIT`].
const LEGACY_OFFSET_COMMIT: i16 = 0;
const OFFSET_COMMIT: i16 = 1;
const GROUP_METADATA: i16 = 2;
