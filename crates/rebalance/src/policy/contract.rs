use std::fmt::Debug;

use crate::embedded::Mode;
use crate::share::{Owners, Plan, Situation};

/// Turns held resources and a target into the plan of one round.
pub trait Policy: Debug + Send + Sync {
    /// Whether members keep what they hold over a join under this policy.
    fn mode(&self) -> Mode;

    /// The plan of this round. `target` has an entry for each resource.
    fn plan(&self, situation: &Situation, target: Owners) -> Plan;
}
