use bytes::{BufMut, Bytes};

use super::TopicPartitions;
use super::bytes::{Source, put_nullable_bytes};
use crate::embedded::EmbeddedError;

/// The leader's gift to a member: all it is to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Assignment {
    /// The partitions.
    pub partitions: Vec<TopicPartitions>,
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
        let mut source = Source::new("an assignment", payload);
        source.version()?;
        Ok(Self { partitions: TopicPartitions::read_all(&mut source)?, user_data: source.nullable_bytes()? })
    }

    /// Writes the newest version.
    pub fn encode(&self) -> Bytes {
        let mut out = Vec::with_capacity(64);
        out.put_i16(Self::VERSION);
        TopicPartitions::write_all(&self.partitions, &mut out);
        put_nullable_bytes(&mut out, self.user_data.as_ref());
        out.into()
    }
}
