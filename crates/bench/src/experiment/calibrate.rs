use std::time::Duration;

use super::bed::Bed;
use super::cell::{Subject, prepare, settle};
use super::instances::{Fleet as Instances, Program};
use super::meters::Reading;
use super::names::Names;
use super::probe::Probe;
use super::screen::Ticker;
use crate::BenchError;
use crate::definition::Limits;
use crate::load::{Fleet as Generators, LoadRequest, now_ns};

/// What instances handle together, and what a record costs everything else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Capacity {
    /// Records per second of all.
    pub(super) per_s: f64,
    /// Processor time of broker and generator per record, in seconds.
    pub(super) cost_s: f64,
}

/// Measures how many records per second so many instances handle under a load that is too much for them, beginning
/// with a load of `guess_per_s`.
///
/// A live load, not a stored backlog: what an instance handles depends on the size of the batches that it is given.
pub(super) async fn capacity(
    bed: &Bed,
    subject: Subject<'_>,
    (instances, guess_per_s): (u32, f64),
    ticker: &mut Ticker,
) -> Result<Capacity, BenchError> {
    let mut rate = guess_per_s;
    for attempt in 1..=ATTEMPTS {
        ticker.show(&format!("{}: measuring what {instances} handle, at {rate:.0} records/s", subject.run));
        let names = Names::of_calibration(subject.run, instances, attempt);
        let seen = overload(bed, subject, (&names, instances), rate).await;
        bed.clean(&names).await;
        let seen = seen?;
        if seen.per_s < OVERLOADED * rate {
            return Ok(seen);
        }
        rate *= GROWTH;
    }
    Err(BenchError::Machine(format!(
        "{}: {instances} instances handle more than can be generated here, {rate:.0} records/s; \
         give a smaller `limits: cpu`, or `loads` as a list",
        subject.run
    )))
}

/// A load that is too much for one instance of any engine known.
pub(super) fn first_guess(limits: Limits) -> f64 {
    (limits.cpu.unwrap_or(1.0) * GUESS_PER_CORE).min(GUESS_MOST)
}

async fn overload(
    bed: &Bed,
    subject: Subject<'_>,
    (names, count): (&Names, u32),
    rate: f64,
) -> Result<Capacity, BenchError> {
    let benchmark = subject.benchmark;
    let mut probe = bed.guard(prepare(bed, names, benchmark.partitions)).await?;
    let program = Program { sut: subject.sut, usecase: benchmark.usecase, limits: subject.limits, names };
    let mut instances = Instances::start(bed, program, count).await?;
    let seen = under_load(&mut probe, &mut instances, subject, (names, count, rate));
    let seen = bed.guard(seen).await;
    instances.stop(bed.grace()).await;
    seen
}

async fn under_load(
    probe: &mut Probe<'_>,
    instances: &mut Instances,
    subject: Subject<'_>,
    (names, count, rate): (&Names, u32, f64),
) -> Result<Capacity, BenchError> {
    let (bed, benchmark) = (probe.bed, subject.benchmark);
    settle(probe, count, benchmark.partitions).await?;
    let request = LoadRequest {
        bootstrap: bed.bootstrap.clone(),
        client_config: bed.client_config.clone(),
        topic: names.input.clone(),
        partitions: benchmark.partitions,
        rate: rate as u64,
        keys: benchmark.keys,
        duration_ms: (FREE + SETTLING + MEASURED + SPARE).as_millis() as u64,
        skew_percent: benchmark.skew_percent,
    };
    let mut generators = Generators::start(&request, &bed.beside(), &bed.logs).await?;
    generators.go(now_ns()).await?;
    let seen = between(probe, instances, &generators).await;
    generators.stop().await?;
    let (before, after) = seen?;
    let (Some((t0, n0)), Some((t1, n1))) = (before.1, after.1) else {
        let text = format!("{}: the instance reports no progress; give `loads` as a list", subject.run);
        return Err(BenchError::Machine(text));
    };
    let used = after.0.since(&before.0, bed, 0.0);
    let per_s = (n1 - n0) as f64 * 1000.0 / (t1 - t0).max(1.0);
    Ok(Capacity { per_s, cost_s: (used.broker_cores + used.generator_cores) / rate })
}

/// All clocks at one moment, and records processed by then.
type Standing = (Reading, Option<(f64, i64)>);

/// How things stand at the begin and at the end of what is measured.
async fn between(
    probe: &mut Probe<'_>,
    instances: &mut Instances,
    generators: &Generators,
) -> Result<(Standing, Standing), BenchError> {
    follow(probe, instances, FREE).await?;
    instances.limit()?;
    follow(probe, instances, SETTLING).await?;
    let before = (Reading::take(probe.bed, generators, instances), probe.track.processed());
    follow(probe, instances, MEASURED).await?;
    let after = (Reading::take(probe.bed, generators, instances), probe.track.processed());
    Ok((before, after))
}

async fn follow(probe: &mut Probe<'_>, instances: &mut Instances, time: Duration) -> Result<(), BenchError> {
    let until = tokio::time::Instant::now() + time;
    while tokio::time::Instant::now() < until {
        probe.look().await?;
        if let Some(error) = instances.death().await {
            return Err(error);
        }
    }
    Ok(())
}

/// More than any engine known handles on one core; a faster one gets a larger load at the next attempt.
const GUESS_PER_CORE: f64 = 20_000_000.0;
/// As much as one core surely generates and serves.
const GUESS_MOST: f64 = 1_000_000.0;
/// Up to this share of the load an instance counts as overloaded.
const OVERLOADED: f64 = 0.9;
const GROWTH: f64 = 2.0;
const ATTEMPTS: u32 = 3;
/// How long instances run without a quota first: memory is touched and code is loaded once, not under a hundredth of
/// a core.
pub(super) const FREE: Duration = Duration::from_millis(1500);
const SETTLING: Duration = Duration::from_millis(1500);
const MEASURED: Duration = Duration::from_secs(5);
/// How long it takes at least: for one instance, and for the most.
pub(super) const CALIBRATION_MS: u64 = 2 * (FREE.as_millis() + SETTLING.as_millis() + MEASURED.as_millis()) as u64;
const SPARE: Duration = Duration::from_secs(5);
