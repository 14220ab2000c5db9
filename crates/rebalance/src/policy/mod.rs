//! Policies: how to get from what is held to the target.
//!
//! A policy never grants what somebody else may still be running, and whatever it revokes or withholds is bound to
//! another round: the member that has to give it up joins again once it has, or an alarm calls all.

mod abilities;
mod check;
mod contract;
mod deferred;
mod eager;
mod incremental;
mod settings;
mod two_round;

pub use abilities::Abilities;
pub use check::PlanFault;
pub(crate) use check::check;
pub use contract::Policy;
pub use deferred::{Deferred, DelaySource, Returner};
pub use eager::Eager;
pub use incremental::{Incremental, Limit};
pub use settings::{Misfit, PolicyName, PolicySettings, ProtocolCap};
pub use two_round::TwoRound;
