//! The changelog of a task's state: entries, the marker that makes a flush whole, and fences between owners.
//!
//! | record | key | value |
//! |---|---|---|
//! | entry | 1, window start (8 bytes), the key | generation (4), flush number (8), the state |
//! | marker | 2 | format 1 (1), generation, flush number, number of entries, position, stream time, counters |
//! | fence | 3 | format 1 (1), generation (4) |
//!
//! Numbers are big-endian. A flush is its entries, and then, once these and the results are acknowledged, its marker.
//! An owner writes a fence before it restores and reads up to it, so that whatever an earlier owner still writes comes
//! after the fence and is passed over by everyone. The topic must keep everything (`cleanup.policy=delete`,
//! `retention.ms=-1`): compaction would let the entries of a flush that never got its marker replace those of one that did.

mod entry;
mod fields;
mod flush_id;
mod marker;
mod restorer;

pub use entry::Entry;
pub(crate) use entry::append_entry;
pub use flush_id::FlushId;
pub use marker::{Marker, append_fence, append_marker};
pub use restorer::{ChangelogError, Restorer};
