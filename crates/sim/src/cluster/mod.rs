//! A group in virtual time.

mod breach;
mod broker;
mod check;
mod client;
mod clock;
mod dialect;
mod history;
mod network;
mod sticky;
mod verbs;
mod waits;
mod words;
mod world;

pub use check::{Property, Violation};
pub(crate) use check::{claims, decision_faults};
pub use waits::Bounds;
pub(crate) use waits::{note_of, plan_faults};
pub(crate) use words::Words;
pub use world::{Cluster, Dialect, Make, Reports, Settings, WithoutCommitFence};
