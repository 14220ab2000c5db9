//! The Theodolite benchmark: experiments from real processes, lag probes, stored cells, reports.
//!
//! The entry points are plain blocking functions; each makes the runtime it needs:
//!
//! - [`run`], [`demo`], [`known_answer`]: measure, store cells, write a report;
//! - [`plan`], [`list`], [`report()`], [`doctor`]: look ahead, look around, look back;
//! - [`load::run`]: the load generator alone;
//! - [`hidden_command`] and [`follow_parent`]: what the binary must call first in `main`, so that it can serve as
//!   its own child process.

mod api;
pub mod child;
pub mod definition;
mod doctor;
mod error;
mod experiment;
mod interrupt;
pub mod limits;
pub mod machine;
pub mod report;
pub mod results;
mod synthetic;
mod tables;
mod yaml;

pub mod load;

pub use api::{
    DemoRequest, KnownAnswerRequest, Plan, RunOutcome, RunRequest, Screen, demo, known_answer, plan, report, run,
};
pub use child::{follow_parent, hidden_command};
pub use definition::{Preset, Shipped, list};
pub use doctor::{Finding, doctor};
pub use error::BenchError;
pub use interrupt::{Asked, Interrupt};
