//! Theodolite's use cases as topologies, each with a slow reference oracle.
//!
//! - [`UseCase`] names them; [`UseCase::task`] makes the task of one input partition.
//! - [`format`](mod@format): the records on the wire, as Theodolite's benchmarks write them.
//! - [`load`]: what the load generator sends; [`household`]: readings of a real household.
//! - [`uc1`], [`uc2`]: topology, and in `reference` the definition in plain, slow steps that results are held against.
//! - [`progress`]: what instances say of themselves ten times a second.
//! - [`speed`]: the work that `groma speed` measures.

pub mod format;
pub mod household;
pub mod load;
pub mod progress;
pub mod speed;
pub mod uc1;
pub mod uc2;

mod settings;
mod use_case;

pub use settings::{Settings, Target};
pub use use_case::UseCase;
