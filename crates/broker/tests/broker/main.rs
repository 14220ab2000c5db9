//! A broker over real sockets, files and processes.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod client;
mod limits;
mod lives;
mod process;
mod starts;
mod waits;
