//! Random schedules: faults and changes by a seed, then peace, then the accounts.

mod contender;
mod faults;
mod last;
mod mutation;
mod rogue;
mod run;
mod shrink;
mod step;

pub use contender::Contender;
pub use faults::Faults;
pub use mutation::{Mutation, Policy};
pub use run::{Outcome, Schedule};
pub use shrink::Shrunk;
pub use step::{Change, Step};
