//! What the machine and its processes use, read from `/proc`.

mod describe;
mod host;
mod process;
mod programs;
mod scratch;

pub use describe::describe;
pub use host::{CoreTimes, Host};
pub use process::{Usage, usage};
pub use programs::{find_program, is_program};
pub use scratch::scratch;
