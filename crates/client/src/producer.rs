use bytes::Bytes;
use groma_model::Offset;

use crate::{ClientConfig, ClientError, ProducerConfig};

/// A batching producer. `send` appends into the open batch of the partition and returns; what was acknowledged is told
/// by one watermark per partition.
#[derive(Debug)]
pub struct Producer {}

/// A topic as a producer knows it: its name and the number of its partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicHandle {
    name: String,
    partitions: Vec<PartitionHandle>,
}

/// A partition as a producer knows it: a small number, valid for the producer that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartitionHandle(pub(crate) u32);

/// A record's place in the order of its partition: the number of records handed to it before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket {
    /// Where the record went.
    pub partition: PartitionHandle,
    /// Records handed to that partition before this one.
    pub number: u64,
}

/// How far a partition's records have got, counted in records since the producer began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Handed to the producer.
    pub appended: u64,
    /// Decided: every record before this one is acknowledged or failed.
    pub settled: u64,
    /// Failed among the settled.
    pub failed: u64,
}

/// Where one record went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The record's offset; none with `Acks::None`.
    pub offset: Option<Offset>,
}

impl TopicHandle {
    /// The topic's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its partitions in order.
    pub fn partitions(&self) -> &[PartitionHandle] {
        &self.partitions
    }

    /// The partition Kafka's own clients put `key` into (murmur2).
    pub fn partition_for(&self, key: &[u8]) -> PartitionHandle {
        let _ = key;
        todo!()
    }
}

impl Producer {
    /// A producer for the cluster, once a broker has answered.
    ///
    /// # Errors
    /// `Unreachable` after `bootstrap_timeout`; `Config` for settings that contradict each other.
    pub async fn connect(cluster: &ClientConfig, config: ProducerConfig) -> Result<Self, ClientError> {
        let _ = (cluster, config);
        todo!()
    }

    /// The topic's partitions; waits up to the request timeout for a topic that does not exist yet.
    ///
    /// # Errors
    /// `UnknownTopic` when it does not appear.
    pub async fn topic(&self, name: &str) -> Result<TopicHandle, ClientError> {
        let _ = name;
        todo!()
    }

    /// Appends one record; waits only while the buffer is full.
    ///
    /// # Errors
    /// `RecordTooLarge`; `Closed`.
    pub async fn send(
        &self,
        to: PartitionHandle,
        timestamp_ms: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
    ) -> Result<Ticket, ClientError> {
        let _ = (to, timestamp_ms, key, value);
        todo!()
    }

    /// Appends one record without waiting; `None` when the buffer is full.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn try_send(
        &self,
        to: PartitionHandle,
        timestamp_ms: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
    ) -> Result<Option<Ticket>, ClientError> {
        let _ = (to, timestamp_ms, key, value);
        todo!()
    }

    /// Appends a record to the partition of its key.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub async fn send_keyed(
        &self,
        topic: &TopicHandle,
        timestamp_ms: i64,
        key: &[u8],
        value: &[u8],
    ) -> Result<Ticket, ClientError> {
        self.send(topic.partition_for(key), timestamp_ms, Some(key), Some(value)).await
    }

    /// Appends a record without a key: one partition until its batch is full, then the next.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub async fn send_keyless(
        &self,
        topic: &TopicHandle,
        timestamp_ms: i64,
        value: &[u8],
    ) -> Result<Ticket, ClientError> {
        let _ = (topic, timestamp_ms, value);
        todo!()
    }

    /// Appends a finished record batch (base offset 0, no producer id): header patched, CRC computed again, payload left
    /// as it is. Returns the ticket of its first record.
    ///
    /// # Errors
    /// `Records` when the bytes are not exactly one batch; else as [`Self::send`].
    pub async fn send_batch(&self, to: PartitionHandle, batch: Bytes) -> Result<Ticket, ClientError> {
        let _ = (to, batch);
        todo!()
    }

    /// How far the partition has got.
    pub fn progress(&self, partition: PartitionHandle) -> Progress {
        let _ = partition;
        todo!()
    }

    /// Waits until the record is acknowledged and gives its offset.
    ///
    /// # Errors
    /// What its batch failed with.
    pub async fn delivered(&self, ticket: Ticket) -> Result<Delivered, ClientError> {
        let _ = ticket;
        todo!()
    }

    /// Sends everything out and waits until it is settled.
    ///
    /// # Errors
    /// The first failure since the last flush.
    pub async fn flush(&self) -> Result<(), ClientError> {
        todo!()
    }
}
