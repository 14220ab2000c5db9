//! The consumer's mind: membership, positions, fetches, commits.

mod commits;
#[expect(clippy::module_inception, reason = "one noun per file, and this is the folder's")]
mod consumer;
mod error;
mod event;
mod fetch_request;
mod fetcher;
mod membership;
mod offsets;
mod partition;
mod tag;

pub use commits::CommitId;
pub use consumer::Consumer;
pub use error::{CommitError, ConsumeError};
pub use event::{Chunk, ConsumerEvent};
pub use groma_rebalance::member::{Phase, ReleaseId};
