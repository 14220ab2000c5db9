//! Embedded protocols: how reports and plans travel as opaque bytes inside the group membership protocol.
//!
//! [`consumer`] is Kafka's own, [`proposed`] that of the paper which introduced incremental cooperative rebalancing,
//! [`custom`] shares out whatever an application can name; these three lead by the same assignors and policies.
//! [`tasks`] shares out tasks with state, by where that is. [`connect_holdings`] and [`connect_delay`] read what workers
//! of Kafka Connect have, and what waits.

pub mod consumer;
pub mod custom;
pub mod proposed;
pub mod tasks;

mod connect;
mod error;
mod protocol;
mod shape;

pub use connect::{connect_delay, connect_holdings};
pub use error::EmbeddedError;
pub use protocol::{
    Bell, Council, Decision, Embedded, Grant, GrantChange, HeldBack, Mode, Note, Offence, Owner, PolicyUsed, Report,
    Rounds, Trail, Waiting,
};
pub use shape::Shape;
