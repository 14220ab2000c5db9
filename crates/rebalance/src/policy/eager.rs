use super::Policy;
use crate::embedded::Mode;
use crate::share::{Owners, Plan, Situation};

/// Everybody gives up everything before each join, so the whole target is granted at once: the baseline that stops the
/// world.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eager;

impl Policy for Eager {
    fn name(&self) -> &str {
        "eager"
    }

    fn mode(&self) -> Mode {
        Mode::Eager
    }

    fn plan(&self, _situation: &Situation, target: Owners) -> Plan {
        Plan::new(target.clone(), target)
    }
}
