use bytes::Bytes;
use groma_model::Offset;
use groma_wire::ErrorCode;
use groma_wire::records::{BatchHeader, BatchKind, batches, set_append_time};

use crate::call::Refusal;
use crate::contract::{Append, EffectId, Notice, Output};
use crate::effects::Written;
use crate::log::{BatchExtent, LogId, SequenceCheck};
use crate::node::Node;
use crate::topic::{TimestampType, TopicLimits};

/// A batch that passed the checks which need no log.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub(crate) header: BatchHeader,
    pub(crate) bytes: Bytes,
}

/// What becomes of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Verdict {
    /// It is to be written.
    Write(Written),
    /// It was written before, at this offset.
    Duplicate(Offset),
}

impl Checked {
    /// One whole batch of format 2, undamaged, plain, not larger than allowed.
    pub(crate) fn new(bytes: Bytes, limits: &TopicLimits) -> Result<Self, Refusal> {
        let mut found = batches(&bytes);
        let batch = match found.next() {
            Some(Ok(batch)) => batch,
            Some(Err(error)) => return Err(Refusal::because(ErrorCode::CorruptMessage, error.to_string())),
            None => {
                return Err(Refusal::because(ErrorCode::InvalidRecord, "a partition's data must be one record batch"));
            }
        };
        let header = batch.header;
        if !found.rest().is_empty() {
            return Err(Refusal::because(
                ErrorCode::InvalidRecord,
                "a partition's data must be exactly one record batch",
            ));
        }
        if bytes.len() > limits.batch_bytes_max as usize {
            let message =
                format!("a batch of {} bytes is above max.message.bytes={}", bytes.len(), limits.batch_bytes_max);
            return Err(Refusal::because(ErrorCode::MessageTooLarge, message));
        }
        if header.count == 0 || header.last_offset_delta != header.count - 1 {
            return Err(Refusal::because(
                ErrorCode::InvalidRecord,
                "a batch must number its records from 0 without gaps",
            ));
        }
        match header.kind {
            BatchKind::Plain => {}
            BatchKind::Transactional => return Err(ErrorCode::InvalidTxnState.into()),
            BatchKind::Control => {
                return Err(Refusal::because(ErrorCode::InvalidRecord, "clients may not write control batches"));
            }
        }
        batch.verify().map_err(|error| Refusal::because(ErrorCode::CorruptMessage, error.to_string()))?;
        Ok(Self { header, bytes })
    }
}

impl Node {
    /// Decides on a batch: a duplicate, refused, or given its place in the log.
    pub(crate) fn admit(&mut self, log: LogId, batch: &mut Checked) -> Result<Verdict, Refusal> {
        let wall = self.wall();
        let limits = self.topics.get(log.topic).ok_or(ErrorCode::UnknownTopicOrPartition)?.limits;
        let known = self.topics.log(log).ok_or(ErrorCode::UnknownTopicOrPartition)?;
        if let Some(stamp) = batch.header.producer {
            match known.producers.check(stamp, batch.header.count) {
                SequenceCheck::Next => {}
                SequenceCheck::Duplicate(offset) => return Ok(Verdict::Duplicate(offset)),
                SequenceCheck::OutOfOrder => return Err(ErrorCode::OutOfOrderSequenceNumber.into()),
                SequenceCheck::Fenced => return Err(ErrorCode::InvalidProducerEpoch.into()),
            }
        }
        let size = batch.bytes.len() as u32;
        self.take_room(size)?;
        if limits.timestamps == TimestampType::LogAppend {
            let mut copy = batch.bytes.to_vec();
            set_append_time(&mut copy, wall);
            batch.bytes = Bytes::from(copy);
            batch.header.max_timestamp = wall;
        }
        let berth = match self.topics.log_mut(log) {
            Some(open) => open.reserve(batch.header.count, size, limits.segment_bytes),
            None => return Err(ErrorCode::UnknownTopicOrPartition.into()),
        };
        let extent = BatchExtent {
            base_offset: berth.base_offset,
            last_offset: Offset(berth.base_offset.0 + i64::from(batch.header.last_offset_delta)),
            size,
            max_timestamp: batch.header.max_timestamp,
            producer: batch.header.producer,
        };
        Ok(Verdict::Write(Written { log, segment: berth.segment, position: berth.position, batch: extent }))
    }

    /// Asks the shell to write an admitted batch.
    pub(crate) fn write(&mut self, effect: EffectId, written: Written, batch: Bytes) {
        let mut head = [0; Append::HEAD];
        head[..8].copy_from_slice(&written.batch.base_offset.0.to_be_bytes());
        head[8..12].copy_from_slice(&batch[8..12]);
        head[12..].copy_from_slice(&LEADER_EPOCH.to_be_bytes());
        let Written { log, segment, position, .. } = written;
        self.emit(Output::Append(Append { effect, log, segment, position, head, batch }));
    }

    fn take_room(&mut self, size: u32) -> Result<(), Refusal> {
        let bytes = self.storage.bytes + u64::from(size);
        match self.identity.max_bytes {
            Some(max_bytes) if bytes > max_bytes => {
                if !self.storage.told_full {
                    self.storage.told_full = true;
                    self.tell(Notice::Full { max_bytes });
                }
                let message =
                    format!("the logs hold {max_bytes} bytes, which is all they may: delete topics or raise the limit");
                Err(Refusal::because(ErrorCode::KafkaStorageError, message))
            }
            _ => {
                self.storage.bytes = bytes;
                Ok(())
            }
        }
    }
}

/// The only leader there ever is.
pub(crate) const LEADER_EPOCH: i32 = 0;
