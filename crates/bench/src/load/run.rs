use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::fleet::Fleet;
use super::generator::{Generator, Job, now_ns};
use super::report::LoadReport;
use super::request::LoadRequest;
use super::serve::{GRACE, block_on};
use super::topic::{ensure, properties};
use crate::experiment::{Ticker, minutes};
use crate::interrupt::Interrupt;
use crate::limits::Limited;
use crate::{BenchError, Screen};

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
/// The Kafka cannot be reached or refuses the records; `Interrupted` when it was not yet reached.
pub fn run(request: &LoadRequest, screen: Screen) -> Result<Generated, BenchError> {
    request.check()?;
    let interrupt = Interrupt::listen()?;
    block_on(async {
        let properties = properties(&request.bootstrap, request.client_config.as_ref())?;
        let topic = ensure(&properties, &request.topic, request.partitions);
        let partitions = interrupt.or_interrupted(topic).await?;
        let request = LoadRequest { partitions, ..request.clone() };
        let report = tokio::select! {
            report = generate(&request, &interrupt) => report?,
            () = tell(&request, Ticker::new(screen)) => return Err(BenchError::Interrupted),
        };
        Ok(Generated { report, is_interrupted: interrupt.asked().is_some() })
    })
}

async fn generate(request: &LoadRequest, interrupt: &Interrupt) -> Result<LoadReport, BenchError> {
    let shares = request.shares();
    let [share] = shares.as_slice() else { return by_several(request, interrupt).await };
    let job = Job {
        bootstrap: request.bootstrap.clone(),
        client_config: request.client_config.clone(),
        topic: request.topic.clone(),
        share: *share,
    };
    let generator = interrupt.or_interrupted(Generator::connect(&job)).await?;
    Ok(LoadReport::over(&[generator.run(now_ns(), interrupt.wait()).await?]))
}

/// Says how far the schedule is, until it is dropped.
async fn tell(request: &LoadRequest, mut ticker: Ticker) {
    let began = Instant::now();
    let mut ticks = tokio::time::interval(SECOND);
    while let Some(left) = Duration::from_millis(request.duration_ms).checked_sub(began.elapsed()) {
        ticks.tick().await;
        let due = request.rate * u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX) / 1000;
        ticker.show(&format!("{}: {due} records due so far, {} left", request.topic, minutes(left)));
    }
    ticker.show(&format!("{}: waiting for the last records to be acknowledged", request.topic));
    std::future::pending().await
}

/// One process cannot send that much: several do, on one schedule.
async fn by_several(request: &LoadRequest, interrupt: &Interrupt) -> Result<LoadReport, BenchError> {
    let logs = Logs::create()?;
    let mut fleet = interrupt.or_interrupted(Fleet::start(request, &Limited::default(), &logs.0)).await?;
    fleet.go(now_ns()).await?;
    let patience = Duration::from_millis(request.duration_ms) + GRACE;
    match interrupt.unless_asked(fleet.report(patience)).await {
        Some(report) => {
            fleet.end().await;
            report
        }
        None => fleet.stop().await,
    }
}

/// A folder for the logs of generator processes, removed when dropped.
struct Logs(PathBuf);

impl Logs {
    fn create() -> Result<Self, BenchError> {
        let folder = std::env::temp_dir().join(format!("groma-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| {
            BenchError::file_mended("make the folder", &folder, e, "let TMPDIR name a folder that can be written")
        })?;
        Ok(Self(folder))
    }
}

impl Drop for Logs {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SECOND: Duration = Duration::from_secs(1);
