//! Assignors: who is to own what in the end, regardless of how to get there.

mod contract;
mod nearer;
mod range;
mod round_robin;
mod sticky;
mod weighted;

pub use contract::{Assignor, TargetFault, check};
pub use range::Range;
pub use round_robin::RoundRobin;
pub use sticky::Sticky;
pub use weighted::Weighted;
