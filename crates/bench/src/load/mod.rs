//! The load generator: open loop, on a schedule, with a report of what was achieved.

mod file;
mod report;
mod request;

pub use file::LoadFile;
pub use report::LoadReport;
pub use request::LoadRequest;

use crate::BenchError;

/// Generates load until the duration is over or the process is asked to stop; with the report of what was achieved.
///
/// # Errors
/// The Kafka cannot be reached or refuses the records.
pub fn run(request: &LoadRequest) -> Result<LoadReport, BenchError> {
    Err(BenchError::Usage(format!("{}: not available yet", request.topic)))
}
