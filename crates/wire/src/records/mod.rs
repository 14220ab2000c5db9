//! Record batches of format v2 ("magic 2"): read by borrowing, written without an allocation per record.
//!
//! ```
//! use groma_model::Timestamp;
//! use groma_wire::records::{BatchBuilder, BatchMeta, Scratch, batches};
//!
//! let mut builder = BatchBuilder::new();
//! builder.append(Timestamp(1_000), Some(b"sensor"), Some(b"10.0"));
//! let bytes = builder.finish(BatchMeta::default());
//!
//! let mut scratch = Scratch::default();
//! for batch in batches(&bytes) {
//!     for record in batch?.records(&mut scratch)? {
//!         assert_eq!(record?.value, Some(&b"10.0"[..]));
//!     }
//! }
//! # Ok::<(), groma_wire::records::RecordsError>(())
//! ```
//!
//! Reading checks, in this order: the length against the bytes at hand, the CRC32C, the size after decompression
//! against a limit, and each record's length against its batch. Nothing is allocated on the word of a count.

mod batch;
mod builder;
mod codec;
mod control;
mod error;
mod fetched;
mod header;
mod headers;
mod patch;
mod record;
mod scratch;
mod varint;

pub use batch::{Batch, Batches, batches};
pub use builder::{BatchBuilder, BatchMeta};
pub use codec::Compression;
pub use control::ControlRecord;
pub use error::RecordsError;
pub use fetched::FetchedBatch;
pub use header::{BatchHeader, BatchKind, HEADER_LEN, ProducerStamp, TimestampType};
pub use headers::{Header, Headers};
pub use patch::{set_append_time, set_base_offset, set_leader_epoch, set_producer};
pub use record::{Record, RecordCursor, RecordIter};
pub use scratch::Scratch;
