//! Connections without sockets: which are open, what versions they speak, what is in flight on them.

mod address;
mod backoff;
mod call;
mod ending;
mod link;
mod network;
mod versions;

pub use address::Address;
pub use backoff::{Backoff, Jitter};
pub use call::{Api, Call, Reply};
pub use ending::Ending;
pub use link::{Lane, LinkId, Peer};
pub use network::{Answer, CallError, CallId, NetInput, NetOutput, Network, Sent};
pub use versions::Versions;
