//! What goes into the node and what comes out of it.

mod identity;
mod input;
mod output;

pub use identity::{Identity, Recovered, RecoveredTopic};
pub use input::{ConnectionId, EffectId, Input, StorageFailure};
pub use output::{Append, Notice, Offence, Output, Reason, RetireCause};
