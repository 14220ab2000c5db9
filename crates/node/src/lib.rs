//! The mind of a single-node Kafka broker: topics, appends, offsets, group coordinators, without I/O.
//!
//! [`Node`] follows the contract of every deciding machine: [`Node::handle`] takes what happened, [`Node::poll`] yields
//! what is to be done, [`Node::deadline`] says when to come back. Frames come in as bytes and go out as [`Segment`]s, so
//! that record batches are never copied: a Fetch answer names ranges of files ([`FileRange`]), which the shell sends.
//!
//! Durable state is what lies in the logs, and changes only when the shell reports that a batch is written. After a
//! restart the node is made from the batches' headers ([`Recovered`]) and the records of `__consumer_offsets`
//! ([`Input::Replay`]), by the same code.

mod api;
mod append;
mod call;
mod contract;
mod effects;
mod entropy;
mod fetches;
mod groups;
mod log;
mod node;
mod retention;
mod settings;
mod topic;

pub use contract::{
    Append, ConnectionId, EffectId, Identity, Input, Notice, Offence, Output, Reason, Recovered, RecoveredTopic,
    RetireCause, StorageFailure,
};
pub use groma_wire::Segment;
pub use log::{BatchExtent, FileRange, LogId, RecoveredSegment};
pub use node::Node;
pub use settings::{SettingError, Settings};
pub use topic::TopicDefinition;
