//! Tasks with state: members report how far their state is, the leader says who runs a task, who keeps its state a
//! second time and who builds it up; see [`crate::tasks`].
//!
//! A running task that moves is given up in one round and granted in the next; standbys and warm-ups need no such care.
//! Where somebody warms up, all join again after the probing interval. How much warms up at a time is a limit of moves and
//! of move cost, as [`crate::policy::Incremental`] has it; what a task costs is the size of its state.

mod audit;
mod job;
mod lead;
mod past;
mod protocol;
mod report;

pub use audit::audit;
pub use job::{Job, Role, TaskList, Workplace};
pub use past::Given;
pub use protocol::Tasks;
pub use report::{Assignment, Report, running};
