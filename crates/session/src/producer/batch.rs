use bytes::{Bytes, BytesMut};
use groma_model::Offset;
use groma_wire::records::{ProducerStamp, set_producer};

use super::ProduceError;

/// A closed batch on its way.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub(super) bytes: Bytes,
    pub(super) count: u32,
    /// The number of its first record within the partition.
    pub(super) first: u64,
    pub(super) stamp: Option<ProducerStamp>,
    pub(super) phase: Phase,
    pub(super) doubt: Doubt,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Ready,
    Sent,
    Done(Result<Option<Offset>, ProduceError>),
}

/// Whether the log may hold the batch although nobody said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    Absent,
    Possible,
}

impl Batch {
    pub(super) fn stamp(&mut self, stamp: ProducerStamp) {
        let mut bytes =
            std::mem::take(&mut self.bytes).try_into_mut().unwrap_or_else(|shared| BytesMut::from(&shared[..]));
        set_producer(&mut bytes, stamp);
        self.bytes = bytes.freeze();
        self.stamp = Some(stamp);
    }

    pub(super) const fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Done(_))
    }
}

/// The sequence `count` records after `sequence`; after the largest comes 0.
pub(super) const fn advance(sequence: i32, count: u32) -> i32 {
    ((sequence as i64 + count as i64) % (i32::MAX as i64 + 1)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_wrap_to_zero() {
        assert_eq!(advance(i32::MAX - 1, 1), i32::MAX);
        assert_eq!(advance(i32::MAX - 1, 2), 0);
        assert_eq!(advance(i32::MAX, 5), 4);
    }
}
