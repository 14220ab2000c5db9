//! The node over files in memory.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod apis;
mod desk;
mod rounds;
mod storage;
