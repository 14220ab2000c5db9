use groma_model::Offset;
use groma_session::producer::{SlotId, partition_of};

/// A topic as a producer knows it: its name and its partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicHandle {
    pub(super) name: String,
    pub(super) partitions: Vec<SlotId>,
}

/// Where one record went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The record's offset; none with `Acks::None`, and none for a record whose acknowledgement is long past.
    pub offset: Option<Offset>,
}

impl TopicHandle {
    /// The topic's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its partitions in order; there is at least one.
    pub fn partitions(&self) -> &[SlotId] {
        &self.partitions
    }

    /// The partition Kafka's own clients put `key` into (murmur2).
    pub fn partition_for(&self, key: &[u8]) -> SlotId {
        let index = partition_of(key, self.partitions.len());
        self.partitions.get(index).copied().unwrap_or(SlotId(u32::MAX))
    }
}
