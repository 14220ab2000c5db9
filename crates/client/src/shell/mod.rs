//! Sockets, timers and wake-ups around a deciding machine.
//!
//! The machine lives behind one short lock that is never held across an await. Whoever hands something in also carries
//! out what comes out, so a frame from the socket turns into the next request without a detour over another task.

mod link;
mod mind;
#[expect(clippy::module_inception, reason = "one noun per file, and this is the folder's")]
mod shell;

pub(crate) use mind::{Mind, Todo};
pub(crate) use shell::Shell;
