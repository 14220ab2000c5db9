use bytes::{BufMut, Bytes};
use groma_model::{Span, TopicPartition};

use crate::embedded::consumer::Partitions;
use crate::embedded::consumer::bytes::{Cursor, put_nullable_bytes};
use crate::embedded::{EmbeddedError, GrantChange, Shape};

const WHAT: &str = "an assignment";

/// What a leader gives a member, and takes.
///
/// Big-endian: Version int16, AssignedTopicPartitions and RevokeTopicPartitions, each an array of topics with an array
/// of int32; since version 2 ScheduledRebalanceTimeout int32, in ms; since version 3, which is ours, the leader's note
/// as nullable bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Assignment {
    /// `AssignedTopicPartitions`: all it is to hold, or what is added to it.
    pub assigned: Partitions,
    /// `RevokeTopicPartitions`: what it is to give up before it joins again.
    pub revoked: Partitions,
    /// `ScheduledRebalanceTimeout`: after how long to join again; none if there is no need to.
    pub timeout: Option<Span>,
    /// The leader's note.
    pub note: Option<Bytes>,
}

impl Assignment {
    /// The newest layout known here.
    pub const VERSION: i16 = 3;

    /// Reads any version; what a newer one appends is ignored. No bytes at all are no assignment: what a coordinator
    /// gives to a member that the leader left out.
    ///
    /// # Errors
    /// The bytes are no assignment.
    pub fn decode(payload: &Bytes) -> Result<Self, EmbeddedError> {
        let mut read = Self::default();
        if payload.is_empty() {
            return Ok(read);
        }
        let mut cursor = Cursor::new(WHAT, payload);
        let version = cursor.version()?;
        read.assigned = Partitions::checked(payload.slice_ref(Partitions::skip(&mut cursor)?), WHAT)?;
        read.revoked = Partitions::checked(payload.slice_ref(Partitions::skip(&mut cursor)?), WHAT)?;
        if version >= 2 {
            let millis = u64::try_from(cursor.i32()?).map_err(|_| EmbeddedError::Length { what: WHAT })?;
            read.timeout = (millis > 0).then(|| Span::from_millis(millis));
        }
        if version >= 3 {
            read.note = cursor.nullable_bytes()?.map(|note| payload.slice_ref(note));
        }
        Ok(read)
    }

    /// Writes the given version. Times are whole milliseconds, rounded up.
    pub fn encode(&self, version: i16) -> Bytes {
        let mut out = Vec::with_capacity(64);
        out.put_i16(version);
        self.assigned.write(&mut out);
        self.revoked.write(&mut out);
        if version >= 2 {
            let millis = self.timeout.map_or(0, |span| span.0.div_ceil(1_000_000).min(i32::MAX as u64));
            out.put_i32(millis as i32);
        }
        if version >= 3 {
            put_nullable_bytes(&mut out, self.note.as_ref());
        }
        out.into()
    }

    /// What it means for a member.
    pub(in crate::embedded) fn change(&self, shape: Shape) -> GrantChange<TopicPartition> {
        let assigned = self.assigned.iter().collect();
        match shape {
            Shape::Full => GrantChange::Full(assigned),
            Shape::Delta => GrantChange::Delta { start: assigned, stop: self.revoked.iter().collect() },
        }
    }
}
