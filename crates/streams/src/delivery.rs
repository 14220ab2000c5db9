use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use groma_client::{ClientError, Compression, Producer, Ticket, TopicHandle};
use groma_dataflow::{Destination, Outbox, Parcel, Policy};
use groma_model::Partition;
use groma_wire::records::{BatchBuilder, BatchMeta};
use tokio::task::JoinHandle;

use crate::{Fault, FaultPoint, InstanceConfig};

/// Sends what tasks have written, and knows what is on its way.
#[derive(Debug)]
pub(crate) struct Delivery {
    producer: Arc<Producer>,
    output: TopicHandle,
    changelog: Option<TopicHandle>,
    dead_letters: Option<TopicHandle>,
    compression: Compression,
    fault: Option<Arc<Fault>>,
    /// The last record of each partition that was sent since [`Self::settle`].
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
        Ok(Self {
            producer,
            output,
            changelog,
            dead_letters,
            compression,
            fault: config.fault.clone(),
            sent: BTreeMap::new(),
        })
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

    /// Waits for everything that was sent since the last call, on a task of its own.
    pub(crate) fn settle(&mut self) -> Settling {
        let tickets = std::mem::take(&mut self.sent).into_values().collect();
        self.wait(tickets, FaultPoint::EntriesPartlyAcked)
    }

    /// As [`Self::settle`], for the changelog alone.
    pub(crate) fn settle_changelog(&mut self) -> Settling {
        let is_changelog = |to: &Destination| matches!(to, Destination::Changelog(_));
        let tickets = self.sent.iter().filter(|(to, _)| is_changelog(to)).map(|(_, ticket)| *ticket).collect();
        self.sent.retain(|to, _| !is_changelog(to));
        self.wait(tickets, FaultPoint::MarkersPartlyAcked)
    }

    fn wait(&self, tickets: Vec<Ticket>, partly: FaultPoint) -> Settling {
        let sent = Sent { producer: Arc::clone(&self.producer), tickets };
        tokio::spawn(sent.acknowledged(self.fault.clone(), partly))
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

/// Waits for acknowledgements, on a task of its own.
pub(crate) type Settling = JoinHandle<Result<(), ClientError>>;

/// The last records sent to each partition: when each is acknowledged, everything is.
#[derive(Debug)]
struct Sent {
    producer: Arc<Producer>,
    tickets: Vec<Ticket>,
}

impl Sent {
    /// Waits until all of them are acknowledged, and passes `partly` when the first is.
    ///
    /// # Errors
    /// What the first of them failed with.
    async fn acknowledged(self, fault: Option<Arc<Fault>>, partly: FaultPoint) -> Result<(), ClientError> {
        for (i, ticket) in self.tickets.into_iter().enumerate() {
            self.producer.delivered(ticket).await?;
            if i == 0 {
                Fault::pass(fault.as_deref(), partly);
            }
        }
        Ok(())
    }
}
