use std::time::{Duration, Instant};

use super::bed::Bed;
use super::cell::{Subject, settle};
use super::instances::{Fleet as Instances, Program};
use super::meters::Reading;
use super::names::Names;
use super::probe::Probe;
use super::screen::Ticker;
use crate::BenchError;
use crate::load::{Fleet as Generators, LoadRequest, now_ns};

/// What one instance handles, and what a record costs everything else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Capacity {
    /// Records per second of one instance.
    pub(super) per_s: f64,
    /// Processor time of broker and generator per record, in seconds.
    pub(super) cost_s: f64,
}

/// Measures how fast one instance drains a backlog.
pub(super) async fn capacity(bed: &Bed, subject: Subject<'_>, ticker: &mut Ticker) -> Result<Capacity, BenchError> {
    let mut records = BACKLOG;
    for attempt in 1..=ATTEMPTS {
        ticker.show(&format!("{}: measuring what one instance handles", subject.run));
        let names = Names::of_calibration(subject.run, attempt);
        let drained = drain(bed, subject, &names, records).await;
        bed.clean(&names).await;
        let drained = drained?;
        if drained.seconds >= SHORTEST_S || attempt == ATTEMPTS {
            let per_s = drained.records as f64 / drained.seconds.max(f64::EPSILON);
            return Ok(Capacity { per_s, cost_s: drained.cost_s });
        }
        records *= GROWTH;
    }
    Err(BenchError::Machine("one instance's capacity could not be measured; give `loads` as a list".to_owned()))
}

struct Drained {
    records: i64,
    seconds: f64,
    cost_s: f64,
}

async fn drain(bed: &Bed, subject: Subject<'_>, names: &Names, records: u64) -> Result<Drained, BenchError> {
    let benchmark = subject.benchmark;
    bed.make_topics(names, benchmark.partitions).await?;
    let mut probe = Probe::connect(bed, names, benchmark.partitions).await?;
    let program = Program { sut: subject.sut, usecase: benchmark.usecase, limits: subject.limits, names };
    let mut instances = Instances::start(bed, program, 1).await?;
    settle(&mut probe, 1, benchmark.partitions).await?;
    instances.limit()?;
    let cost_s = fill(bed, subject, names, (records, &instances)).await?;
    let drained = follow(&mut probe, &mut instances, records).await;
    instances.stop().await;
    let (records, seconds) = drained?;
    Ok(Drained { records, seconds, cost_s })
}

/// Puts a backlog on the input, as fast as it goes; with the processor time that took, per record.
async fn fill(bed: &Bed, subject: Subject<'_>, names: &Names, what: (u64, &Instances)) -> Result<f64, BenchError> {
    let (records, instances) = what;
    let request = LoadRequest {
        bootstrap: bed.bootstrap.clone(),
        client_config: bed.client_config.clone(),
        topic: names.input.clone(),
        partitions: subject.benchmark.partitions,
        rate: records * 1000 / BACKLOG_MS,
        keys: subject.benchmark.keys,
        duration_ms: BACKLOG_MS,
    };
    let mut generators = Generators::start(&request, &bed.beside(), &bed.logs).await?;
    let before = Reading::take(bed, &generators, instances);
    generators.go(now_ns() - i64::try_from(BACKLOG_MS).unwrap_or(0) * 1_000_000).await?;
    let report = generators.report(FILL).await?;
    let after = Reading::take(bed, &generators, instances);
    generators.end().await;
    let used = after.since(&before, bed, 0.0);
    let cores = used.broker_cores + used.generator_cores;
    Ok(cores * (after.at_ms - before.at_ms) / 1000.0 / report.achieved_records.max(1) as f64)
}

/// Records that were processed, and in how many seconds, while the backlog lasted.
async fn follow(probe: &mut Probe<'_>, instances: &mut Instances, backlog: u64) -> Result<(i64, f64), BenchError> {
    let begun = Instant::now();
    let mut first = None;
    let mut last = None;
    while begun.elapsed() < SETTLING + DRAIN {
        probe.look().await?;
        if let Some(error) = instances.death().await {
            return Err(error);
        }
        let Some(now) = probe.track.processed() else { continue };
        if now.1 >= i64::try_from(backlog).unwrap_or(i64::MAX) {
            break;
        }
        if begun.elapsed() >= SETTLING {
            first = first.or(Some(now));
            last = Some(now);
        }
    }
    let (Some((t0, n0)), Some((t1, n1))) = (first, last) else { return Ok((0, 0.0)) };
    Ok((n1 - n0, (t1 - t0) / 1000.0))
}

/// Records of the first backlog: four seconds of an instance that handles half a million a second.
const BACKLOG: u64 = 2_000_000;
const GROWTH: u64 = 4;
const ATTEMPTS: u32 = 3;
/// The event time that a backlog spans.
const BACKLOG_MS: u64 = 4000;
const FILL: Duration = Duration::from_secs(60);
/// From the end of filling until the drain is steady.
const SETTLING: Duration = Duration::from_millis(500);
const DRAIN: Duration = Duration::from_secs(4);
const SHORTEST_S: f64 = 2.0;
