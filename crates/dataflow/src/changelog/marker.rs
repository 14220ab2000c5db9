use groma_model::{Generation, Offset, Timestamp};
use groma_wire::records::BatchBuilder;

use super::fields::{Fields, put_optional};
use super::flush_id::FlushId;
use crate::{Counters, Tally};

pub(super) const MARKER: u8 = 2;
pub(super) const FENCE: u8 = 3;
const FORMAT: u8 = 1;

/// The end of a flush: everything up to `position` is in the state, the results and the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Which flush.
    pub id: FlushId,
    /// Number of entries that belong to it.
    pub entries: u64,
    /// Next input record to read.
    pub position: Option<Offset>,
    /// The largest timestamp accepted.
    pub stream_time: Option<Timestamp>,
    /// What happened to the records so far.
    pub counters: Counters,
}

impl Marker {
    /// Reads a marker's value.
    pub(super) fn parse(value: &[u8]) -> Option<Self> {
        let mut fields = Fields(value);
        if fields.byte()? != FORMAT {
            return None;
        }
        let id = FlushId { generation: Generation(fields.i32()?), number: fields.u64()? };
        let entries = fields.u64()?;
        let position = fields.optional()?.map(Offset);
        let stream_time = fields.optional()?.map(Timestamp);
        let records = fields.u64()?;
        let mut tallies = [Tally::default(); 5];
        for tally in &mut tallies {
            *tally = Tally { count: fields.u64()?, last: fields.optional()?.map(Offset) };
        }
        Some(Self { id, entries, position, stream_time, counters: Counters::from_tallies(records, tallies) })
    }

    fn encode(&self) -> Vec<u8> {
        let mut value = vec![FORMAT];
        value.extend_from_slice(&self.id.generation.0.to_be_bytes());
        value.extend_from_slice(&self.id.number.to_be_bytes());
        value.extend_from_slice(&self.entries.to_be_bytes());
        put_optional(&mut value, self.position.map(|offset| offset.0));
        put_optional(&mut value, self.stream_time.map(|time| time.0));
        value.extend_from_slice(&self.counters.records.to_be_bytes());
        for tally in self.counters.tallies() {
            value.extend_from_slice(&tally.count.to_be_bytes());
            put_optional(&mut value, tally.last.map(|offset| offset.0));
        }
        value
    }
}

/// Adds `marker` to a batch for the changelog.
pub fn append_marker(batch: &mut BatchBuilder, marker: &Marker) {
    let time = marker.stream_time.unwrap_or_default();
    batch.append(time, Some(&[MARKER]), Some(&marker.encode()));
}

/// Adds to a batch for the changelog the fence that an owner of `generation` writes before it restores.
pub fn append_fence(batch: &mut BatchBuilder, generation: Generation) {
    let [a, b, c, d] = generation.0.to_be_bytes();
    batch.append(Timestamp(0), Some(&[FENCE]), Some(&[FORMAT, a, b, c, d]));
}

/// Reads a fence's value.
pub(super) fn parse_fence(value: &[u8]) -> Option<Generation> {
    let mut fields = Fields(value);
    let format = fields.byte()?;
    let generation = Generation(fields.i32()?);
    (format == FORMAT).then_some(generation)
}
