//! Kafka bytes to typed values and back; record batches read without copying.
//!
//! - [`messages`]: the requests and responses, written by `cargo xtask codegen` from the message definitions that
//!   Kafka ships inside its client library.
//! - [`Reader`] and [`Writer`]: the primitive types of the protocol. A reader never trusts a length it has not seen the
//!   bytes of; a writer leaves gaps for record batches, so that a payload is never copied into a frame.
//! - [`frame_request`], [`frame_response`], [`FrameDecoder`]: frames with their 4-byte size and their headers.
//! - [`ErrorCode`]: Kafka's error codes and, in one table, who is to blame and what to do.
//! - [`OffsetsKey`]: the keys of the records in `__consumer_offsets`.
//! - [`records`]: record batches.
//!
//! ```
//! use groma_wire::messages::HeartbeatRequest;
//! use groma_wire::{Message, Reader, Writer};
//!
//! let beat = HeartbeatRequest { group_id: "g".to_owned(), generation_id: 3, ..HeartbeatRequest::default() };
//! let mut w = Writer::new();
//! beat.encode(&mut w, 4)?;
//! let mut r = Reader::new(w.into_bytes()?);
//! assert_eq!(HeartbeatRequest::decode(&mut r, 4)?, beat);
//! r.finish()?;
//! # Ok::<(), groma_wire::WireError>(())
//! ```

pub mod messages;
pub mod records;

mod error;
mod error_code;
mod form;
mod frame;
mod header;
mod item;
mod message;
mod offsets_key;
mod payload;
mod reader;
mod tags;
mod writer;

pub use error::WireError;
pub use error_code::{Blame, ErrorCode, Reaction};
pub use form::Form;
pub use frame::{FrameDecoder, FrameError, frame_request, frame_response, open_response};
pub use header::{RequestHeader, ResponseHeader};
pub use item::Item;
pub use message::{Data, Message, Request};
pub use messages::ApiKey;
pub use offsets_key::OffsetsKey;
pub use payload::{Records, SHARED_FROM, Segment};
pub use reader::Reader;
pub use tags::Tags;
pub use writer::Writer;
