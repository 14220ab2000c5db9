use std::time::Duration;

use super::fleet::Fleet;
use super::generator::{Generator, Job, now_ns};
use super::report::LoadReport;
use super::request::LoadRequest;
use super::serve::{GRACE, runtime};
use super::topic::{ensure, properties};
use crate::BenchError;
use crate::interrupt::Interrupt;
use crate::limits::Limited;

/// What was generated, and whether that was all.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    /// What was achieved.
    pub report: LoadReport,
    /// Whether the process was asked to stop before the duration was over.
    pub is_interrupted: bool,
}

/// Generates load until the duration is over or the process is asked to stop.
///
/// # Errors
/// The Kafka cannot be reached or refuses the records.
pub fn run(request: &LoadRequest) -> Result<Generated, BenchError> {
    request.check()?;
    runtime()?.block_on(async {
        let interrupt = Interrupt::listen()?;
        let properties = properties(&request.bootstrap, request.client_config.as_ref())?;
        let partitions = ensure(&properties, &request.topic, request.partitions).await?;
        let request = LoadRequest { partitions, ..request.clone() };
        let report = match request.shares().as_slice() {
            [share] => {
                let job = Job {
                    bootstrap: request.bootstrap.clone(),
                    client_config: request.client_config.clone(),
                    topic: request.topic.clone(),
                    share: *share,
                };
                let generator = Generator::connect(&job).await?;
                LoadReport::over(&[generator.run(now_ns(), interrupt.wait()).await?])
            }
            _ => by_several(&request, &interrupt).await?,
        };
        Ok(Generated { report, is_interrupted: interrupt.has_come() })
    })
}

/// One process cannot send that much: several do, on one schedule.
async fn by_several(request: &LoadRequest, interrupt: &Interrupt) -> Result<LoadReport, BenchError> {
    let logs = std::env::temp_dir().join(format!("groma-load-{}", std::process::id()));
    std::fs::create_dir_all(&logs).map_err(|e| {
        BenchError::file_mended("make the folder", &logs, e, "let TMPDIR name a folder that can be written")
    })?;
    let mut fleet = Fleet::start(request, &Limited::default(), &logs).await?;
    fleet.go(now_ns()).await?;
    let patience = Duration::from_millis(request.duration_ms) + GRACE;
    let report = tokio::select! {
        report = fleet.report(patience) => Some(report),
        () = interrupt.wait() => None,
    };
    let report = match report {
        Some(report) => {
            fleet.end().await;
            report
        }
        None => fleet.stop().await,
    };
    let _ = std::fs::remove_dir_all(&logs);
    report
}
