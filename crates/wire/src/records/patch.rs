use groma_model::{Offset, Timestamp};

use super::header::{
    APPEND_TIME_BIT, AT_ATTRIBUTES, AT_CRC, AT_LEADER_EPOCH, AT_MAX_TIMESTAMP, AT_PRODUCER_ID, CRC_START, HEADER_LEN,
    ProducerStamp,
};

/// Sets a batch's base offset, which its CRC does not cover; bytes too short for a batch are left alone.
pub fn set_base_offset(batch: &mut [u8], offset: Offset) {
    put(batch, 0, &offset.0.to_be_bytes());
}

/// Sets a batch's leader epoch, which its CRC does not cover; bytes too short for a batch are left alone.
pub fn set_leader_epoch(batch: &mut [u8], epoch: i32) {
    put(batch, AT_LEADER_EPOCH, &epoch.to_be_bytes());
}

/// Makes `time` the timestamp of all records of a batch and renews its CRC.
pub fn set_append_time(batch: &mut [u8], time: Timestamp) {
    if batch.len() < HEADER_LEN {
        return;
    }
    batch[AT_ATTRIBUTES + 1] |= APPEND_TIME_BIT as u8;
    put(batch, AT_MAX_TIMESTAMP, &time.0.to_be_bytes());
    renew_crc(batch);
}

/// Sets the producer of a batch and renews its CRC.
pub fn set_producer(batch: &mut [u8], stamp: ProducerStamp) {
    if batch.len() < HEADER_LEN {
        return;
    }
    put(batch, AT_PRODUCER_ID, &stamp.id.to_be_bytes());
    put(batch, AT_PRODUCER_ID + 8, &stamp.epoch.to_be_bytes());
    put(batch, AT_PRODUCER_ID + 10, &stamp.base_sequence.to_be_bytes());
    renew_crc(batch);
}

fn renew_crc(batch: &mut [u8]) {
    let crc = crc32c::crc32c(&batch[CRC_START..]);
    put(batch, AT_CRC, &crc.to_be_bytes());
}

fn put(batch: &mut [u8], at: usize, value: &[u8]) {
    if let Some(field) = batch.get_mut(at..at + value.len()) {
        field.copy_from_slice(value);
    }
}
