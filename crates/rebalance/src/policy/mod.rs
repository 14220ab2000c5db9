//! Policies: how to get from what is held to the target.
//!
//! A policy never grants what somebody else may still be running, and whatever it revokes or withholds is bound to
//! another round: the member that has to give it up joins again once it has.

mod contract;
mod eager;
mod two_round;

pub use contract::Policy;
pub use eager::Eager;
pub use two_round::TwoRound;
