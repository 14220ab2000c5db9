use std::fmt::Debug;

use crate::share::{Owners, Situation};

/// Computes a target. Every resource whose kind somebody asks for gets exactly one owner, who asks for it; the same
/// situation always gives the same target.
pub trait Assignor: Debug + Send + Sync {
    /// The name under which the assignor is announced, e.g. `range`.
    fn name(&self) -> &str;

    /// The target: an entry for each resource.
    fn assign(&self, situation: &Situation) -> Owners;
}
