use super::generator::{Generator, Job, now_ns};
use super::report::LoadReport;
use super::request::LoadRequest;
use super::schedule::shares;
use super::serve::runtime;
use super::topic::{ensure, properties};
use crate::BenchError;
use crate::interrupt::Interrupt;

/// Generates load until the duration is over or the process is asked to stop; with the report of what was achieved.
///
/// # Errors
/// The Kafka cannot be reached or refuses the records.
pub fn run(request: &LoadRequest) -> Result<LoadReport, BenchError> {
    if request.rate == 0 || request.keys == 0 || request.partitions == 0 {
        return Err(BenchError::Usage("rate, keys and partitions must be above 0".to_owned()));
    }
    runtime()?.block_on(async {
        let interrupt = Interrupt::listen()?;
        let properties = properties(&request.bootstrap, request.client_config.as_ref())?;
        ensure(&properties, &request.topic, request.partitions).await?;
        let share = shares(request.rate, request.keys, request.duration_ms, 1);
        let job = Job {
            bootstrap: request.bootstrap.clone(),
            client_config: request.client_config.clone(),
            topic: request.topic.clone(),
            share: share[0],
        };
        let generator = Generator::connect(&job).await?;
        let report = generator.run(now_ns(), interrupt.wait()).await?;
        Ok(LoadReport::over(&[report]))
    })
}
