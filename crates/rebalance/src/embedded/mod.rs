//! Embedded protocols: how reports and plans travel as opaque bytes inside the group membership protocol.

pub mod consumer;

mod error;
mod protocol;

pub use error::EmbeddedError;
pub use protocol::{
    Bell, Council, Decision, Embedded, Grant, GrantChange, Mode, Note, Offence, Owner, PolicyUsed, Report, Rounds,
    Trail, Waiting,
};
