use bytes::{BufMut, Bytes};

use crate::embedded::EmbeddedError;
use crate::embedded::consumer::bytes::put_nullable_bytes;
use crate::embedded::consumer::{self, Partitions, Topics};

/// A member's report: what it asks for and what it holds.
///
/// Big-endian: Version int16, SubscribeTopics array of strings, PartitionAssignorData bytes, AssignedTopicPartitions
/// array of topics, each with an array of int32. It is version 1 of the consumer's subscription.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Subscription {
    /// `SubscribeTopics`.
    pub topics: Topics,
    /// `PartitionAssignorData`: here the generation in which the claims were confirmed, and what members carry from
    /// leader to leader.
    pub assignor_data: Option<Bytes>,
    /// `AssignedTopicPartitions`: what it holds.
    pub assigned: Partitions,
}

impl Subscription {
    /// The version written.
    pub const VERSION: i16 = 1;

    /// Reads any version; what a newer one appends is ignored.
    ///
    /// # Errors
    /// The bytes are no subscription.
    pub fn decode(payload: &Bytes) -> Result<Self, EmbeddedError> {
        let read = consumer::Subscription::decode(payload)?;
        Ok(Self { topics: read.topics, assignor_data: read.user_data, assigned: read.owned })
    }

    /// Writes it; equal reports give equal bytes.
    pub fn encode(&self) -> Bytes {
        let mut out = Vec::with_capacity(64);
        out.put_i16(Self::VERSION);
        self.topics.write(&mut out);
        put_nullable_bytes(&mut out, self.assignor_data.as_ref());
        self.assigned.write(&mut out);
        out.into()
    }
}
