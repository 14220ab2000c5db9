//! Load x resources grids: lag trends, verdicts, search, demand and capacity.
//!
//! How a benchmark decides whether `r` instances keep up with a load of `l` records per second:
//!
//! ```text
//! lag samples after warm-up -> Trend (slope and interval) -> Verdict of a repetition -> Verdict of a cell
//!                                     Conditions (everything that may spoil it) -> Invalid(cause)
//! Search: which cell next, which cells are implied -> Demand and Capacity
//! ```
//!
//! Nothing here reads a clock, sleeps, or draws chance of its own: samples, conditions and seeds come in as values.

mod cell;
mod chance;
mod conditions;
mod estimate;
mod judge;
mod looks;
mod metric;
mod quantity;
mod queue;
mod search;
mod series;
mod threshold;
mod trend;
mod verdict;

pub use cell::{CellId, Outcome, combine};
pub use chance::Chance;
pub use conditions::{Conditions, Cpu, Validity};
pub use estimate::{CellTime, Estimate, estimate};
pub use judge::{Judge, Look, Progress};
pub use looks::{LookError, Looks};
pub use metric::{CapacityPoint, DemandPoint, Judged, capacity, demand};
pub use quantity::{Instances, Load};
pub use queue::{QueueModel, Saw};
pub use search::{Grid, GridError, MatrixCell, Restriction, Search, Status, Strategy};
pub use series::{MIN_SAMPLES, Sample, longest_gap_ms};
pub use threshold::Threshold;
pub use trend::Trend;
pub use verdict::{Cause, Verdict, Warning};
