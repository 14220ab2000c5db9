use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use groma_client::{ClientError, Compression, Producer, Ticket, TopicHandle};
use groma_dataflow::{Destination, Outbox, Parcel, Policy};
use groma_model::Partition;
use groma_wire::records::{BatchBuilder, BatchMeta};

use crate::InstanceConfig;

/// Sends what tasks have written, and knows what is on its way.
#[derive(Debug)]
pub(crate) struct Delivery {
    producer: Arc<Producer>,
    output: TopicHandle,
    changelog: Option<TopicHandle>,
    dead_letters: Option<TopicHandle>,
    compression: Compression,
    /// The last record of each partition that was sent since [`Self::take_sent`].
    sent: BTreeMap<Destination, Ticket>,
}

impl Delivery {
    pub(crate) async fn open(producer: Arc<Producer>, config: &InstanceConfig) -> Result<Self, ClientError> {
        let output = producer.topic(&config.output).await?;
        let stateful = config.use_case.is_stateful();
        let changelog = if stateful { Some(producer.topic(&config.changelog()).await?) } else { None };
        let dead = config.use_case_settings().rejects == Policy::DeadLetter;
        let dead_letters = if dead { Some(producer.topic(&config.dead_letters()).await?) } else { None };
        let compression = config.compression;
        Ok(Self { producer, output, changelog, dead_letters, compression, sent: BTreeMap::new() })
    }

    pub(crate) fn output_partitions(&self) -> usize {
        self.output.partitions().len()
    }

    /// Sends the batches that are full.
    pub(crate) async fn send_full(&mut self, out: &mut Outbox) -> Result<(), ClientError> {
        while let Some(parcel) = out.take_full() {
            self.send(parcel, out).await?;
        }
        Ok(())
    }

    /// Sends everything.
    pub(crate) async fn send_all(&mut self, out: &mut Outbox) -> Result<(), ClientError> {
        while let Some(parcel) = out.take() {
            self.send(parcel, out).await?;
        }
        Ok(())
    }

    /// Sends one batch to a partition of the changelog.
    pub(crate) async fn send_changelog(
        &mut self,
        partition: Partition,
        mut batch: BatchBuilder,
    ) -> Result<Option<Ticket>, ClientError> {
        let records = batch.len() as u64;
        let bytes = batch.finish(BatchMeta::default());
        let destination = Destination::Changelog(partition);
        self.send_bytes(destination, bytes, records).await?;
        Ok(self.sent.get(&destination).copied())
    }

    /// What was sent since the last call: when each of these is acknowledged, all of it is.
    pub(crate) fn take_sent(&mut self) -> Sent {
        Sent { producer: Arc::clone(&self.producer), tickets: std::mem::take(&mut self.sent).into_values().collect() }
    }

    /// As [`Self::take_sent`], of the changelog alone.
    pub(crate) fn take_sent_changelog(&mut self) -> Sent {
        let all = std::mem::take(&mut self.sent);
        let (changelog, others) = all.into_iter().partition(|(to, _)| matches!(to, Destination::Changelog(_)));
        self.sent = others;
        let changelog: BTreeMap<Destination, Ticket> = changelog;
        Sent { producer: Arc::clone(&self.producer), tickets: changelog.into_values().collect() }
    }

    async fn send(&mut self, mut parcel: Parcel, out: &mut Outbox) -> Result<(), ClientError> {
        let records = parcel.batch.len() as u64;
        let meta = BatchMeta { compression: self.compression, ..BatchMeta::default() };
        let bytes = parcel.batch.finish(meta);
        out.recycle(parcel.batch);
        self.send_bytes(parcel.destination, bytes, records).await
    }

    async fn send_bytes(&mut self, to: Destination, bytes: Bytes, records: u64) -> Result<(), ClientError> {
        let (topic, partition) = match to {
            Destination::Output(partition) => (Some(&self.output), partition),
            Destination::Changelog(partition) => (self.changelog.as_ref(), partition),
            Destination::DeadLetter(partition) => (self.dead_letters.as_ref(), partition),
        };
        let index = usize::try_from(partition.0).unwrap_or(usize::MAX);
        let slot = topic.and_then(|topic| topic.partitions().get(index).copied()).ok_or(ClientError::Closed)?;
        let first = self.producer.send_batch(slot, bytes).await?;
        self.sent.insert(to, Ticket { number: first.number + records.saturating_sub(1), ..first });
        Ok(())
    }
}

/// Records on their way.
#[derive(Debug)]
pub(crate) struct Sent {
    producer: Arc<Producer>,
    tickets: Vec<Ticket>,
}

impl Sent {
    /// Waits until all of them are acknowledged.
    ///
    /// # Errors
    /// What the first of them failed with.
    pub(crate) async fn acknowledged(self) -> Result<(), ClientError> {
        for ticket in self.tickets {
            self.producer.delivered(ticket).await?;
        }
        Ok(())
    }
}
