//! What is kept for each key and window.

mod aggregate_trait;
mod stats;

pub use aggregate_trait::Aggregate;
pub use stats::{Stats, StatsAggregate};
