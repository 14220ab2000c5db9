//! A partition's log with Kafka's rules for idempotent producers.

use std::collections::BTreeMap;

use bytes::Bytes;
use groma_wire::ErrorCode;
use groma_wire::records::{Scratch, batches, set_base_offset};

#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) batches: Vec<Bytes>,
    pub(crate) end: i64,
    producers: BTreeMap<i64, History>,
}

#[derive(Debug)]
struct History {
    epoch: i16,
    /// First sequence, last sequence and offset of the newest batches, five at most.
    recent: Vec<(i32, i32, i64)>,
}

impl Log {
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<i64, ErrorCode> {
        let batch = batches(bytes).next().and_then(Result::ok).ok_or(ErrorCode::CorruptMessage)?;
        batch.verify().map_err(|_| ErrorCode::CorruptMessage)?;
        let offset = self.end;
        if let Some(stamp) = batch.header.producer {
            let last = stamp.base_sequence + batch.header.count - 1;
            let history = self.producers.entry(stamp.id).or_insert(History { epoch: stamp.epoch, recent: Vec::new() });
            if stamp.epoch < history.epoch {
                return Err(ErrorCode::InvalidProducerEpoch);
            }
            if stamp.epoch > history.epoch {
                history.epoch = stamp.epoch;
                history.recent.clear();
            }
            let twin = history.recent.iter().find(|(first, end, _)| (*first, *end) == (stamp.base_sequence, last));
            if let Some((_, _, offset)) = twin {
                return Ok(*offset);
            }
            let expected = history.recent.last().map_or(0, |(_, end, _)| end + 1);
            if stamp.base_sequence != expected {
                return Err(ErrorCode::OutOfOrderSequenceNumber);
            }
            history.recent.push((stamp.base_sequence, last, offset));
            if history.recent.len() > 5 {
                history.recent.remove(0);
            }
        }
        self.end += i64::from(batch.header.count);
        let mut stored = bytes.to_vec();
        set_base_offset(&mut stored, groma_model::Offset(offset));
        self.batches.push(stored.into());
        Ok(offset)
    }

    pub(crate) fn values(&self) -> Vec<u64> {
        let mut scratch = Scratch::default();
        let mut values = Vec::new();
        for bytes in &self.batches {
            for batch in batches(bytes) {
                for record in batch.expect("stored").records(&mut scratch).expect("stored") {
                    let value = record.expect("stored").value.expect("a value").try_into().expect("8 bytes");
                    values.push(u64::from_be_bytes(value));
                }
            }
        }
        values
    }

    /// Whole batches from `offset` on, at most so many.
    pub(crate) fn read(&self, offset: i64, count: usize) -> Bytes {
        let after = |bytes: &&Bytes| {
            let header = batches(bytes).next().expect("stored").expect("stored").header;
            header.base_offset.0 + i64::from(header.last_offset_delta) >= offset
        };
        self.batches.iter().filter(after).take(count).flatten().copied().collect::<Vec<u8>>().into()
    }
}
