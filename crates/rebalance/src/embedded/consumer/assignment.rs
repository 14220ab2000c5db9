use bytes::{BufMut, Bytes};
use groma_model::{Span, TopicPartition};

use super::Partitions;
use super::bytes::{Cursor, put_nullable_bytes};
use super::note::decode_note;
use crate::embedded::{EmbeddedError, Waiting};

const WHAT: &str = "an assignment";

/// The leader's gift to a member: all it is to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Assignment {
    /// The partitions.
    pub partitions: Partitions,
    /// What only the assignor understands.
    pub user_data: Option<Bytes>,
}

impl Assignment {
    /// The newest version known here; all have the same layout.
    pub const VERSION: i16 = 3;

    /// Reads any version. No bytes at all are no assignment: what a coordinator gives to a member that the leader
    /// left out.
    ///
    /// # Errors
    /// The bytes are no assignment.
    pub fn decode(payload: &Bytes) -> Result<Self, EmbeddedError> {
        if payload.is_empty() {
            return Ok(Self::default());
        }
        let mut cursor = Cursor::new(WHAT, payload);
        cursor.version()?;
        let partitions = Partitions::checked(payload.slice_ref(Partitions::skip(&mut cursor)?), WHAT)?;
        Ok(Self { partitions, user_data: cursor.nullable_bytes()?.map(|data| payload.slice_ref(data)) })
    }

    /// What waits for its owner to come back, as a leader of our make tells its members.
    pub fn waits(&self) -> Vec<Waiting<TopicPartition>> {
        let note = self.user_data.as_ref().and_then(|data| decode_note(data, Span::ZERO));
        note.map(|(note, _)| note.waits).unwrap_or_default()
    }

    /// Writes the newest version.
    pub fn encode(&self) -> Bytes {
        let mut out = Vec::with_capacity(64);
        out.put_i16(Self::VERSION);
        self.partitions.write(&mut out);
        put_nullable_bytes(&mut out, self.user_data.as_ref());
        out.into()
    }
}
