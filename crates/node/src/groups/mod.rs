//! Groups and their committed offsets: kept as records of `__consumer_offsets` in Kafka's schema, and read back from
//! there after a restart.

mod book;
mod compaction;
mod drive;
mod expiry;
mod keep;
mod record;
mod replay;
mod rounds;

pub(crate) use book::{CommittedOffset, Coordinated, Groups, Position};
pub(crate) use keep::{AfterStore, StoredGroup};
pub(crate) use record::{group_tombstone, offset_record, offset_tombstone};
