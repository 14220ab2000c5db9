//! The load generator: open loop, on a schedule, with a report of what was achieved.
//!
//! The key space is split over as many processes as the load needs. All follow one [`Schedule`]: record `n` of a share
//! is due at a time that was fixed before the first was sent, and carries that time. A generator that is late catches
//! up at once, so its lateness shows in the report and never in the data.

mod errors;
mod file;
mod fleet;
mod generator;
mod report;
mod request;
mod run;
mod schedule;
mod serve;
mod stall;
mod topic;

pub(crate) use errors::kafka;
pub use file::LoadFile;
pub use fleet::Fleet;
pub use generator::Job;
pub(crate) use generator::now_ns;
pub use report::{LoadReport, ShareReport};
pub use request::{LoadRequest, range};
pub use run::{Generated, run};
pub use schedule::{Schedule, Share, Skew, shares};
pub(crate) use serve::{block_on, orders, serve};
pub(crate) use topic::{create_input, properties};
