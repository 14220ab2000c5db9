//! A group in virtual time.

mod broker;
mod check;
mod client;
mod history;
mod network;
mod verbs;
mod waits;
mod world;

pub use check::{Property, Violation};
pub use waits::Bounds;
pub use world::{Cluster, Settings, WithoutCommitFence};
