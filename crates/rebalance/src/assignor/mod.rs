//! Assignors: who is to own what in the end, regardless of how to get there.

mod range;
mod round_robin;
mod sticky;

use std::fmt::Debug;

pub use range::Range;
pub use round_robin::RoundRobin;
pub use sticky::Sticky;

use crate::share::{Owners, Situation};

/// Computes a target. Every resource whose kind somebody asks for gets exactly one owner, who asks for it; the same
/// situation always gives the same target.
pub trait Assignor: Debug + Send + Sync {
    /// The name under which the assignor is announced, e.g. `range`.
    fn name(&self) -> &str;

    /// The target: an entry for each resource.
    fn assign(&self, situation: &Situation) -> Owners;
}
