//! Child processes: started inside their limits, awaited until ready, never left behind.

mod follow;
mod hidden;
mod process;
mod spawn;

pub use follow::follow_parent;
pub use hidden::hidden_command;
pub(crate) use hidden::{LOAD, SYNTHETIC};
pub use process::Child;
pub(crate) use spawn::own_program;
pub use spawn::{Ready, Spawn};
