//! Benchmark files: what a user writes, and what a run makes of it.

mod auto;
mod benchmark;
pub(crate) mod bounds;
#[cfg(test)]
mod broken;
mod file;
mod preset;
mod quantity;
mod read;
mod shipped;

pub use auto::{Handled, loads as auto_loads};
pub use benchmark::{Benchmark, CommandSut, Dimension, Limits, Loads, Sut, SutKind, UseCase};
pub use bounds::whole;
pub use file::{BenchmarkFile, schema};
pub use preset::Preset;
pub use quantity::{Duration, Size};
pub use read::read;
pub use shipped::{Shipped, list};
