use groma_model::{Offset, Timestamp};

use super::BatchExtent;

/// Where each batch of a segment lies, in about five bytes per batch: anchors every [`BLOCK`] batches, and between them
/// differences as variable-length numbers. Offsets, positions and running maxima of time only grow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Index {
    anchors: Vec<Anchor>,
    steps: Vec<u8>,
    tail: Place,
    in_block: u32,
}

/// A batch's place in its segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) offset: i64,
    pub(crate) position: u64,
    pub(crate) size: u32,
    /// The largest record time in this batch.
    pub(crate) max_timestamp: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Anchor {
    first: Place,
    /// The largest record time of its block and all before it.
    newest: i64,
    /// Where its block's steps begin.
    at: usize,
}

/// Batches between two anchors: a look-up walks at most so many steps.
const BLOCK: u32 = 64;

impl Index {
    /// Notes the batch that follows all noted so far.
    pub(crate) fn push(&mut self, batch: &BatchExtent) {
        let place = Place {
            offset: batch.base_offset.0,
            position: self.tail.position + u64::from(self.tail.size),
            size: batch.size,
            max_timestamp: batch.max_timestamp.0,
        };
        let newest = self.newest().map_or(place.max_timestamp, |newest| newest.max(place.max_timestamp));
        match self.anchors.last_mut() {
            Some(anchor) if self.in_block < BLOCK => {
                anchor.newest = newest;
                write_number(&mut self.steps, place.offset.wrapping_sub(self.tail.offset) as u64);
                write_number(&mut self.steps, u64::from(place.size));
                write_number(&mut self.steps, zigzag(place.max_timestamp.wrapping_sub(self.tail.max_timestamp)));
                self.in_block += 1;
            }
            _ => {
                self.anchors.push(Anchor { first: place, newest, at: self.steps.len() });
                self.in_block = 1;
            }
        }
        self.tail = place;
    }

    /// The largest record time of all batches.
    pub(crate) fn newest(&self) -> Option<i64> {
        self.anchors.last().map(|anchor| anchor.newest)
    }

    /// The last batch that begins at or before `offset`: the one that holds it, if any does.
    pub(crate) fn at_offset(&self, offset: Offset) -> Option<Place> {
        let block = self.anchors.partition_point(|anchor| anchor.first.offset <= offset.0).checked_sub(1)?;
        self.block(block).take_while(|place| place.offset <= offset.0).last()
    }

    /// The last batch that begins at or before the byte `position`.
    pub(crate) fn at_position(&self, position: u64) -> Option<Place> {
        let block = self.anchors.partition_point(|anchor| anchor.first.position <= position).checked_sub(1)?;
        self.block(block).take_while(|place| place.position <= position).last()
    }

    /// The first batch that holds a record of `time` or later.
    pub(crate) fn since(&self, time: Timestamp) -> Option<Place> {
        let block = self.anchors.partition_point(|anchor| anchor.newest < time.0);
        self.anchors.get(block)?;
        self.block(block).find(|place| place.max_timestamp >= time.0)
    }

    /// All batches of one block, in order.
    fn block(&self, block: usize) -> impl Iterator<Item = Place> + '_ {
        let anchor = &self.anchors[block];
        let end = self.anchors.get(block + 1).map_or(self.steps.len(), |next| next.at);
        let mut steps = &self.steps[anchor.at..end];
        let mut place = anchor.first;
        std::iter::once(place).chain(std::iter::from_fn(move || {
            let offset = place.offset.wrapping_add(read_number(&mut steps)? as i64);
            let position = place.position + u64::from(place.size);
            let size = read_number(&mut steps)? as u32;
            let max_timestamp = place.max_timestamp.wrapping_add(unzigzag(read_number(&mut steps)?));
            place = Place { offset, position, size, max_timestamp };
            Some(place)
        }))
    }
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

fn write_number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(batches: i64) -> Index {
        let mut index = Index::default();
        for n in 0..batches {
            index.push(&BatchExtent {
                base_offset: Offset(1000 + n * 10),
                last_offset: Offset(1000 + n * 10 + 9),
                size: 100 + (n % 3) as u32,
                max_timestamp: Timestamp(if n % 7 == 0 { n * 50 } else { n * 50 - 200 }),
                producer: None,
            });
        }
        index
    }

    #[test]
    fn every_offset_finds_its_batch() {
        let index = filled(1000);
        let mut position = 0;
        for n in 0..1000 {
            for within in [0, 9] {
                let place = index.at_offset(Offset(1000 + n * 10 + within)).unwrap();
                assert_eq!((place.offset, place.position), (1000 + n * 10, position));
                assert_eq!(index.at_position(position + 99).unwrap(), place);
            }
            position += 100 + (n as u64 % 3);
        }
        assert_eq!(index.at_offset(Offset(999)), None);
    }

    #[test]
    fn every_time_finds_the_first_batch_that_reaches_it() {
        let index = filled(1000);
        let times: Vec<i64> = (0..1000).map(|n| if n % 7 == 0 { n * 50 } else { n * 50 - 200 }).collect();
        for wanted in (-500..51_000).step_by(13) {
            let expected = times.iter().position(|time| *time >= wanted).map(|n| 1000 + n as i64 * 10);
            assert_eq!(index.since(Timestamp(wanted)).map(|place| place.offset), expected, "{wanted}");
        }
        assert_eq!(index.newest(), times.iter().max().copied());
    }

    #[test]
    fn a_batch_costs_few_bytes() {
        let index = filled(100_000);
        let bytes = index.steps.len() + index.anchors.len() * size_of::<Anchor>();
        assert!(bytes < 600_000, "{bytes}");
    }
}
