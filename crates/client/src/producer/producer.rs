use std::time::Duration;

use bytes::Bytes;
use groma_model::{Timestamp, TopicPartition};
use groma_session::producer::{AppendError, Producer as Machine, ProducerInput, Progress, SlotId, Sticky, Ticket};

use super::mind::ProducerMind;
use super::{Delivered, TopicHandle};
use crate::config::{check_client, check_producer};
use crate::error::contacted;
use crate::shell::Shell;
use crate::{ClientConfig, ClientError, ProducerConfig};

/// A batching producer. `send` appends into the open batch of the partition and returns; what was acknowledged is told
/// by one watermark per partition, see [`Producer::progress`].
///
/// Dropping it drops what is not yet acknowledged: call [`Producer::flush`] first.
#[derive(Debug)]
pub struct Producer {
    shell: Shell<ProducerMind>,
    topic_patience: Duration,
    batch_bytes: usize,
}

impl Producer {
    /// A producer for the cluster, once a broker has answered.
    ///
    /// # Errors
    /// `Unreachable` after `bootstrap_timeout`; `Config` for settings that contradict each other.
    pub async fn connect(cluster: &ClientConfig, config: ProducerConfig) -> Result<Self, ClientError> {
        check_client(cluster)?;
        check_producer(&config)?;
        let batch_bytes = config.batch_bytes;
        let mind = ProducerMind { producer: Machine::new(cluster, config), sticky: Sticky::default() };
        let shell = Shell::start(mind, cluster.max_frame_bytes);
        shell.with(|mind, now| mind.producer.start(now));
        shell.wait_for(|mind, _| contacted(cluster, mind.producer.contact())).await?;
        Ok(Self { shell, topic_patience: Duration::from_nanos(cluster.request_timeout.0), batch_bytes })
    }

    /// The topic's partitions; waits up to the request timeout for a topic that does not exist yet. A broker with
    /// auto-creation makes it.
    ///
    /// # Errors
    /// `UnknownTopic` when it does not appear.
    pub async fn topic(&self, name: &str) -> Result<TopicHandle, ClientError> {
        self.shell.with(|mind, now| mind.producer.handle(now, ProducerInput::Want(name.to_owned())));
        let known = self.shell.wait_for(|mind, _| mind.producer.topic(name).filter(|slots| !slots.is_empty()));
        let partitions = tokio::time::timeout(self.topic_patience, known).await;
        let partitions = partitions.map_err(|_| ClientError::UnknownTopic { topic: name.to_owned() })?;
        Ok(TopicHandle { name: name.to_owned(), partitions })
    }

    /// Appends one record; waits only while the buffer is full.
    ///
    /// # Errors
    /// `RecordTooLarge`; `NotAssigned` for a handle of another producer.
    #[inline]
    pub async fn send(
        &self,
        to: SlotId,
        timestamp_ms: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
    ) -> Result<Ticket, ClientError> {
        match self.append(to, Timestamp(timestamp_ms), key, value) {
            Ok(Taken { ticket, eager: Eager::No }) => return Ok(ticket),
            Ok(Taken { ticket, eager: Eager::Yes }) => {
                tokio::task::yield_now().await;
                return Ok(ticket);
            }
            Err(AppendError::Full) => {}
            Err(error) => return Err(append_error(error, to)),
        }
        let look = |mind: &mut ProducerMind, now| {
            let appended = append(mind, now, to, (Timestamp(timestamp_ms), key, value));
            (!matches!(appended, Err(AppendError::Full))).then_some(appended)
        };
        let taken = self.shell.wait_for(look).await;
        taken.map(|taken| taken.ticket).map_err(|error| append_error(error, to))
    }

    /// Appends one record without waiting; `None` when the buffer is full.
    ///
    /// # Errors
    /// As [`Self::send`].
    #[inline]
    pub fn try_send(
        &self,
        to: SlotId,
        timestamp_ms: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
    ) -> Result<Option<Ticket>, ClientError> {
        match self.append(to, Timestamp(timestamp_ms), key, value) {
            Ok(taken) => Ok(Some(taken.ticket)),
            Err(AppendError::Full) => Ok(None),
            Err(error) => Err(append_error(error, to)),
        }
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
        let partitions = topic.partitions();
        let index = self.shell.peek(|mind| mind.sticky.choose(value.len(), self.batch_bytes, partitions.len()));
        self.send(partitions.get(index).copied().unwrap_or(SlotId(u32::MAX)), timestamp_ms, None, Some(value)).await
    }

    /// Appends a finished record batch (base offset 0, no producer id): header patched, CRC computed again, payload left
    /// as it is. Returns the ticket of its first record.
    ///
    /// # Errors
    /// `Records` when the bytes are not exactly one batch; else as [`Self::send`].
    pub async fn send_batch(&self, to: SlotId, batch: Bytes) -> Result<Ticket, ClientError> {
        let mut waiting = Some(batch);
        let look = |mind: &mut ProducerMind, now| {
            let batch = waiting.take()?;
            match mind.producer.append_batch(now, to, batch) {
                Ok(ticket) => Some(Ok(ticket)),
                Err((AppendError::Full, batch)) => {
                    waiting = Some(batch);
                    None
                }
                Err((error, _)) => Some(Err(error)),
            }
        };
        let ticket = self.shell.wait_for(look).await;
        ticket.map_err(|error| append_error(error, to))
    }

    /// How far the partition has got.
    pub fn progress(&self, partition: SlotId) -> Progress {
        self.shell.peek(|mind| mind.producer.progress(partition))
    }

    /// Waits until the record is acknowledged and gives its offset. To wait for single records soon, set `linger` low.
    ///
    /// # Errors
    /// What its batch failed with.
    pub async fn delivered(&self, ticket: Ticket) -> Result<Delivered, ClientError> {
        let outcome = self.shell.wait_for(|mind, _| mind.producer.outcome(ticket)).await;
        outcome.map(|offset| Delivered { offset }).map_err(ClientError::of_produce)
    }

    /// Waits until more than `settled` records of the partition are settled.
    pub async fn settled_beyond(&self, partition: SlotId, settled: u64) -> Progress {
        let look = |mind: &mut ProducerMind, _| {
            Some(mind.producer.progress(partition)).filter(|progress| progress.settled > settled)
        };
        self.shell.wait_for(look).await
    }

    /// Sends everything out and waits until it is settled.
    ///
    /// # Errors
    /// The first failure since the last flush.
    pub async fn flush(&self) -> Result<(), ClientError> {
        self.shell.with(|mind, now| mind.producer.handle(now, ProducerInput::Flush));
        self.shell.wait_for(|mind, _| mind.producer.is_settled().then_some(())).await;
        match self.shell.peek(|mind| mind.producer.take_failure()) {
            Some(error) => Err(ClientError::of_produce(error)),
            None => Ok(()),
        }
    }

    #[inline]
    fn append(
        &self,
        to: SlotId,
        timestamp: Timestamp,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
    ) -> Result<Taken, AppendError> {
        match self.shell.peek(|mind| mind.producer.append(to, timestamp, key, value)) {
            Ok(appended) if !appended.notable => {
                Ok(Taken { ticket: Ticket { partition: to, number: appended.number }, eager: Eager::No })
            }
            Ok(appended) => {
                self.shell.with(|mind, now| mind.producer.handle(now, ProducerInput::Noted(to)));
                Ok(Taken { ticket: Ticket { partition: to, number: appended.number }, eager: Eager::Yes })
            }
            Err(AppendError::Unfit) => self.shell.with(|mind, now| append(mind, now, to, (timestamp, key, value))),
            Err(error) => Err(error),
        }
    }
}

/// A record that was appended.
struct Taken {
    ticket: Ticket,
    eager: Eager,
}

/// Whether the connection has something to do, so that an application that only ever sends should let it.
enum Eager {
    No,
    Yes,
}

type Record<'a> = (Timestamp, Option<&'a [u8]>, Option<&'a [u8]>);

fn append(
    mind: &mut ProducerMind,
    now: groma_model::Time,
    to: SlotId,
    record: Record<'_>,
) -> Result<Taken, AppendError> {
    let (timestamp, key, value) = record;
    let mut appended = mind.producer.append(to, timestamp, key, value);
    if appended == Err(AppendError::Unfit) {
        mind.producer.handle(now, ProducerInput::Close(to));
        appended = mind.producer.append(to, timestamp, key, value);
    }
    let appended = appended?;
    if appended.notable {
        mind.producer.handle(now, ProducerInput::Noted(to));
    }
    Ok(Taken { ticket: Ticket { partition: to, number: appended.number }, eager: Eager::Yes })
}

fn append_error(error: AppendError, to: SlotId) -> ClientError {
    let partition = TopicPartition::new("of another producer", i32::try_from(to.0).unwrap_or(i32::MAX));
    match error {
        AppendError::TooLarge { bytes, limit } => ClientError::RecordTooLarge { bytes, limit },
        AppendError::NotABatch => {
            ClientError::Records { partition, offence: "not exactly one record batch".to_owned() }
        }
        AppendError::UnknownSlot | AppendError::Full | AppendError::Unfit => ClientError::NotAssigned { partition },
    }
}
