//! Policies: how to get from what is held to the target.
//!
//! A policy never grants what somebody else may still be running, and whatever it revokes or withholds is bound to
//! another round: the member that has to give it up joins again once it has.

mod eager;
mod two_round;

use std::fmt::Debug;

pub use eager::Eager;
pub use two_round::TwoRound;

use crate::embedded::Mode;
use crate::share::{Owners, Plan, Situation};

/// Turns held resources and a target into the plan of one round.
pub trait Policy: Debug + Send + Sync {
    /// Whether members keep what they hold over a join under this policy.
    fn mode(&self) -> Mode;

    /// The plan of this round. `target` has an entry for each resource.
    fn plan(&self, situation: &Situation, target: Owners) -> Plan;
}
