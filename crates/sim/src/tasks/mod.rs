//! Groups of tasks with state in virtual time: states that are built up record by record, workers that are killed and come
//! back with a full or an empty disk, slow restores, and what must hold of all that.

mod check;
mod rule;
mod schedule;
mod site;
mod world;

pub use check::{TaskProperty, TaskViolation};
pub use rule::TaskRule;
pub use schedule::{TaskOutcome, TaskSchedule};
