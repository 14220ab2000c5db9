//! What the node knows of a partition's log: its offsets, its segments, where each batch lies, its producers. The bytes
//! themselves are the shell's.

mod extent;
mod index;
mod partition;
mod producers;
mod segment;

pub use extent::{BatchExtent, FileRange, LogId, RecoveredSegment};
use index::Index;
pub(crate) use partition::{Found, Keep, PartitionLog, Stretch};
pub(crate) use producers::{Producers, SequenceCheck};
use segment::Segment;
