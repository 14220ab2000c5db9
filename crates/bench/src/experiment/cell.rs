use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use groma_client::TopicPartition;
use groma_scalability::{
    Cause, CellId, Conditions, Cpu, Judge, Look as Judgement, Progress, Verdict, Warning, longest_gap_ms,
};

use super::bed::Bed;
use super::calibrate::FREE;
use super::instances::{Fleet as Instances, Program};
use super::meters::{Meters, Reading};
use super::names::Names;
use super::probe::{Look, Probe, wall_ms};
use super::screen::Ticker;
use super::strictness::Strictness;
use crate::BenchError;
use crate::definition::{Benchmark, Limits, Sut, SutKind};
use crate::limits::Throttle;
use crate::load::{Fleet as Generators, LoadReport, LoadRequest, now_ns};
use crate::results::{Basis, CellRecord, ScheduleError, Series, VerdictName};

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) benchmark: &'a Benchmark,
    pub(super) sut: &'a Sut,
    pub(super) run: &'a str,
    pub(super) limits: Limits,
    pub(super) strictness: Strictness,
}

/// A cell that is being measured.
struct Measurement<'a> {
    bed: &'a Bed,
    subject: Subject<'a>,
    cell: CellId,
    instances: Instances,
    generators: Generators,
    probe: Probe<'a>,
    meters: Meters,
    judge: Judge,
    series: Series,
    quota: Quota,
    /// When the measured window begins, in wall-clock ms.
    began_ms: f64,
    window: Option<Begin>,
    last: Option<Look>,
}

/// Whether the instances are held to their quota.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quota {
    /// From this wall-clock time on, in ms.
    From(f64),
    Set,
}

/// How things stood when the window began.
#[derive(Clone, Debug)]
struct Begin {
    look: Look,
    reading: Reading,
    generation: Option<i32>,
    /// What the coordinator said of the group, for engines that report no generation.
    group: Option<BTreeMap<String, Vec<TopicPartition>>>,
    throttle: Option<Throttle>,
}

/// Measures one repetition of a cell, once, and cleans up whatever happens.
pub(super) async fn measure(
    bed: &Bed,
    subject: Subject<'_>,
    cell: CellId,
    attempt: u32,
    ticker: &mut Ticker,
) -> Result<CellRecord, BenchError> {
    let names = Names::of(subject.run, cell, attempt);
    let clock = Instant::now();
    let measured = Measurement::run(bed, subject, (cell, &names), ticker).await;
    bed.clean(&names).await;
    let mut record = match measured {
        Ok(record) => record,
        Err(BenchError::Child(reason)) => not_run(subject, cell, reason),
        Err(error) => return Err(error),
    };
    record.attempts = attempt;
    record.elapsed_ms = millis(clock.elapsed());
    Ok(record)
}

impl<'a> Measurement<'a> {
    async fn run(
        bed: &'a Bed,
        subject: Subject<'a>,
        named: (CellId, &'a Names),
        ticker: &mut Ticker,
    ) -> Result<CellRecord, BenchError> {
        let mut measurement = Self::start(bed, subject, named).await?;
        let seen = async {
            let judgement = measurement.watch(ticker).await?;
            Ok((judgement, measurement.conditions().await?))
        };
        let seen = bed.guard(seen).await;
        let throttled = measurement.throttled_share();
        let Self { generators, instances, series, last, .. } = measurement;
        let report = bed.guard(generators.stop()).await;
        instances.stop(bed.grace()).await;
        let (judgement, conditions) = seen?;
        let window_ms = last.map_or(0.0, |look| look.at_ms) - measurement.began_ms;
        let outcome = Outcome { judgement, conditions, report: report?, throttled, series, window_ms };
        Ok(record(subject, named.0, outcome))
    }

    async fn start(bed: &'a Bed, subject: Subject<'a>, named: (CellId, &'a Names)) -> Result<Self, BenchError> {
        let (cell, names) = named;
        let benchmark = subject.benchmark;
        let mut probe = bed.guard(prepare(bed, names, benchmark.partitions)).await?;
        let program = Program { sut: subject.sut, usecase: benchmark.usecase, limits: subject.limits, names };
        let instances = Instances::start(bed, program, cell.resources.0).await?;
        let started = bed.guard(generate(&mut probe, subject, named)).await;
        let (generators, start_ns) = match started {
            Ok(started) => started,
            Err(error) => {
                instances.stop(bed.grace()).await;
                return Err(error);
            }
        };
        let began_ms = start_ns as f64 / 1e6 + benchmark.warmup_ms as f64;
        let meters = Meters::new(Reading::take(bed, &generators, &instances));
        let judge = Judge::new(benchmark.looks.clone(), benchmark.threshold, cell.load);
        let (series, window, last) = (Series::default(), None, None);
        let free_until_ms = began_ms - (benchmark.warmup_ms as f64 - FREE.as_millis() as f64).max(0.0);
        let quota = Quota::From(free_until_ms);
        Ok(Self {
            bed,
            subject,
            cell,
            instances,
            generators,
            probe,
            meters,
            judge,
            series,
            quota,
            began_ms,
            window,
            last,
        })
    }

    /// Watches until a planned look decides, or the last one has been taken.
    async fn watch(&mut self, ticker: &mut Ticker) -> Result<Judgement, BenchError> {
        let Progress::Until { mut due_ms } = self.judge.start() else { unreachable!("a judge starts by waiting") };
        let mut failing: Option<Instant> = None;
        loop {
            let look = match self.probe.look().await {
                Ok(look) => look,
                Err(error) if failing.get_or_insert_with(Instant::now).elapsed() > PROBE_PATIENCE => return Err(error),
                Err(error) => {
                    ticker.say(&format!("{error}; waiting for it"));
                    continue;
                }
            };
            failing = None;
            self.set_quota()?;
            let was_warm = self.window.is_some();
            self.take_note(look);
            self.ask_for_group().await;
            if self.window.is_some() && !was_warm {
                ticker.mark(&format!("{}: the measured window begins", self.title()));
            }
            if let Some(error) = self.generators.failure().await {
                return Err(error);
            }
            if self.instances.alive() < self.cell.resources.0 {
                return self.on_death().await;
            }
            ticker.show(&self.headline(look));
            if look.at_ms - self.began_ms >= due_ms as f64 {
                match self.judge.look(&self.lag().window()) {
                    Progress::Until { due_ms: next_ms } => due_ms = next_ms,
                    Progress::Done(judgement) => return Ok(judgement),
                }
            }
        }
    }

    /// An instance that ends before the window is an error, one that ends inside it makes the cell invalid.
    async fn on_death(&mut self) -> Result<Judgement, BenchError> {
        match (&self.window, self.instances.death().await) {
            (None, Some(error)) => Err(error),
            _ => Ok(Judgement { verdict: Verdict::Undecided, trend: None }),
        }
    }

    /// When the window begins: foreign engines report no generation, so their group is asked for.
    async fn ask_for_group(&mut self) {
        let Some(begin) = &mut self.window else { return };
        if begin.generation.is_none() && begin.group.is_none() {
            begin.group = self.probe.group().await;
        }
    }

    /// Rounds of the group since the window began, or one where its members or what they hold have changed.
    async fn rounds(&self) -> Option<u32> {
        let begin = self.window.as_ref()?;
        if let (Some(now), Some(then)) = (self.probe.track.generation(), begin.generation) {
            return Some(u32::try_from(now - then).unwrap_or(0));
        }
        let (then, now) = (begin.group.as_ref()?, self.probe.group().await?);
        let is_group = !then.is_empty() || !now.is_empty();
        is_group.then(|| u32::from(now != *then))
    }

    fn set_quota(&mut self) -> Result<(), BenchError> {
        match self.quota {
            Quota::From(at_ms) if wall_ms() >= at_ms => {
                self.quota = Quota::Set;
                self.instances.limit()
            }
            Quota::From(_) | Quota::Set => Ok(()),
        }
    }

    fn take_note(&mut self, look: Look) {
        let since = |sample: groma_scalability::Sample| groma_scalability::Sample {
            at_ms: sample.at_ms - self.began_ms,
            ..sample
        };
        if let Some(sample) = look.processed {
            self.series.processed.push(since(sample));
        }
        if let Some(sample) = look.committed {
            self.series.committed.push(since(sample));
        }
        self.last = Some(look);
        if self.window.is_none() && look.at_ms >= self.began_ms {
            self.window = Some(Begin {
                look,
                reading: self.reading(),
                generation: self.probe.track.generation(),
                group: None,
                throttle: self.instances.throttle(),
            });
        }
        if wall_ms() - self.meters.at_ms() >= SECOND_MS {
            let now = self.reading();
            self.series.seconds.push(self.meters.second(self.bed, now, self.began_ms));
        }
    }

    fn reading(&self) -> Reading {
        Reading::take(self.bed, &self.generators, &self.instances)
    }

    const fn basis(&self) -> Basis {
        if self.series.processed.lag.is_empty() { Basis::Committed } else { Basis::Processed }
    }

    const fn lag(&self) -> &crate::results::Lag {
        match self.basis() {
            Basis::Processed => &self.series.processed,
            Basis::Committed => &self.series.committed,
        }
    }

    fn headline(&self, look: Look) -> String {
        let lag = look.processed.or(look.committed).map_or(0.0, |sample| sample.lag);
        let second = (look.at_ms - self.began_ms) / 1000.0;
        let when = if second < 0.0 { "warm-up".to_owned() } else { format!("second {second:.0}") };
        format!("{}, {when}, lag {lag:.0}", self.title())
    }

    fn title(&self) -> String {
        format!("{}: {} records/s on {} instances", self.subject.run, self.cell.load, self.cell.resources)
    }

    async fn conditions(&mut self) -> Result<Conditions, BenchError> {
        let now = self.reading();
        let alive = self.instances.alive();
        let deleted_records = self.probe.deleted().await?;
        let samples = self.lag().window();
        let end_ms = self.last.map_or(self.began_ms, |look| look.at_ms);
        let begin = self.window.as_ref();
        Ok(Conditions {
            asked: self.cell.load,
            achieved_per_s: begin.zip(self.last).map_or(0.0, |(begin, last)| per_s(begin.look, last)),
            cpu: begin.map(|begin| self.cpu(&begin.reading, &now)).unwrap_or_default(),
            instances: self.cell.resources,
            alive,
            rebalanced: self.rounds().await,
            partitions: self.subject.benchmark.partitions,
            deleted_records,
            longest_gap_ms: longest_gap_ms(&samples, end_ms - self.began_ms),
            samples: samples.len(),
        })
    }

    fn cpu(&self, begin: &Reading, now: &Reading) -> Cpu {
        let used = now.since(begin, self.bed, self.began_ms);
        let took_ns = (now.at_ms - begin.at_ms).max(1.0) * 1e6;
        let quota = self.subject.limits.cpu.unwrap_or(1.0) * f64::from(self.cell.resources.0);
        Cpu {
            generator_core: now.bottleneck_since(begin, self.bed),
            steal: used.steal,
            instances: now.instances_ns(begin) as f64 / (took_ns * quota),
        }
    }

    fn throttled_share(&self) -> Option<f64> {
        let (begin, end) = (self.window.as_ref()?.throttle?, self.instances.throttle()?);
        let periods = end.periods.saturating_sub(begin.periods);
        (periods > 0).then(|| end.throttled.saturating_sub(begin.throttled) as f64 / periods as f64)
    }
}

/// Makes the topics of a cell, and a probe of them.
pub(super) async fn prepare<'a>(bed: &'a Bed, names: &'a Names, partitions: u32) -> Result<Probe<'a>, BenchError> {
    bed.make_topics(names, partitions).await?;
    Probe::connect(bed, names, partitions).await
}

/// Starts the load of a cell once its instances have settled; with the schedule's start, in ns since the Unix epoch.
async fn generate(
    probe: &mut Probe<'_>,
    subject: Subject<'_>,
    (cell, names): (CellId, &Names),
) -> Result<(Generators, i64), BenchError> {
    let (bed, benchmark) = (probe.bed, subject.benchmark);
    if !matches!(subject.sut.kind, SutKind::Command(_)) {
        settle(probe, cell.resources.0.min(benchmark.partitions), benchmark.partitions).await?;
    }
    let request = LoadRequest {
        bootstrap: bed.bootstrap.clone(),
        client_config: bed.client_config.clone(),
        topic: names.input.clone(),
        partitions: benchmark.partitions,
        rate: cell.load.0,
        keys: benchmark.keys_at(cell.load),
        duration_ms: benchmark.warmup_ms + benchmark.looks.window_ms() + SPARE_MS,
        skew_percent: benchmark.skew_percent,
    };
    let mut generators = Generators::start(&request, &bed.beside(), &bed.logs).await?;
    let start_ns = now_ns() + START_DELAY_NS;
    generators.go(start_ns).await?;
    Ok((generators, start_ns))
}

/// Waits until every instance is in the group's generation and every partition has a reader.
pub(super) async fn settle(probe: &mut Probe<'_>, instances: u32, partitions: u32) -> Result<(), BenchError> {
    let deadline = Instant::now() + SETTLE;
    while !probe.track.is_settled(instances, partitions) {
        if Instant::now() >= deadline {
            let text = format!("the {instances} instances did not share out {partitions} partitions within 30 s");
            return Err(BenchError::Child(text));
        }
        probe.look().await?;
    }
    Ok(())
}

/// All that a measurement yields.
struct Outcome {
    judgement: Judgement,
    conditions: Conditions,
    report: LoadReport,
    throttled: Option<f64>,
    series: Series,
    window_ms: f64,
}

fn record(subject: Subject<'_>, cell: CellId, outcome: Outcome) -> CellRecord {
    let Outcome { judgement, conditions, report, throttled, series, window_ms } = outcome;
    let cause = subject.strictness.validity().cause(&conditions);
    let verdict = cause.map_or(judgement.verdict, Verdict::Invalid);
    let mut warnings = Warning::about(&verdict, &conditions);
    let has_quota = subject.limits.cpu.is_some();
    warnings.retain(|warning| has_quota || !matches!(warning, Warning::NotCpuBound { .. }));
    let doubts = subject.strictness.doubt().map(str::to_owned);
    let warnings = warnings.iter().map(ToString::to_string).chain(doubts).collect();
    let basis = if series.processed.lag.is_empty() { Basis::Committed } else { Basis::Processed };
    CellRecord {
        warnings,
        basis,
        trend: judgement.trend.map(Into::into),
        conditions: Some(conditions),
        schedule_error: Some(ScheduleError {
            p50_us: report.schedule_error_p50_us,
            p99_us: report.schedule_error_p99_us,
            max_us: report.schedule_error_max_us,
        }),
        throttled_share: throttled,
        window_ms: window_ms.max(0.0) as u64,
        series,
        ..empty(subject, cell, &verdict)
    }
}

fn not_run(subject: Subject<'_>, cell: CellId, reason: String) -> CellRecord {
    empty(subject, cell, &Verdict::Invalid(Cause::NotRun { reason }))
}

fn empty(subject: Subject<'_>, cell: CellId, verdict: &Verdict) -> CellRecord {
    let cause = match verdict {
        Verdict::Invalid(cause) => Some(cause.to_string()),
        _ => None,
    };
    CellRecord {
        run: subject.run.to_owned(),
        fingerprint: subject.fingerprint(),
        load: cell.load,
        resources: cell.resources,
        repetition: cell.repetition,
        attempts: 1,
        verdict: verdict.into(),
        cause,
        warnings: Vec::new(),
        basis: Basis::Processed,
        trend: None,
        threshold_per_s: subject.benchmark.threshold.at(cell.load),
        conditions: None,
        schedule_error: None,
        throttled_share: None,
        elapsed_ms: 0,
        window_ms: 0,
        series: Series::default(),
    }
}

impl Subject<'_> {
    /// A hash of every setting that bears on a cell beside load and instances.
    pub(super) fn fingerprint(&self) -> String {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut benchmark = self.benchmark.clone();
        benchmark.loads = crate::definition::Loads::Auto;
        benchmark.instances.clear();
        benchmark.suts.clear();
        let mut hasher = DefaultHasher::new();
        (env!("CARGO_PKG_VERSION"), format!("{benchmark:?} {:?} {:?}", self.sut, self.limits)).hash(&mut hasher);
        self.strictness.doubt().inspect(|doubt| doubt.hash(&mut hasher));
        format!("{:016x}", hasher.finish())
    }
}

impl CellRecord {
    /// Whether the same cell, run again, may well be decided.
    pub(super) fn is_worth_another_try(&self) -> bool {
        let has_room = self.conditions.as_ref().is_none_or(|seen| seen.instances.0 <= seen.partitions);
        matches!(self.verdict, VerdictName::Invalid | VerdictName::Undecided) && has_room
    }
}

fn per_s(first: Look, last: Look) -> f64 {
    let took_ms = last.at_ms - first.at_ms;
    if took_ms > 0.0 { (last.total - first.total) as f64 * 1000.0 / took_ms } else { 0.0 }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// How long the probe may fail; a silence longer than the limit makes the cell invalid before that.
const PROBE_PATIENCE: Duration = Duration::from_secs(5);
const SETTLE: Duration = Duration::from_secs(30);
const SECOND_MS: f64 = 1000.0;
/// How much longer than the longest window the generator could go on.
const SPARE_MS: u64 = 5000;
const START_DELAY_NS: i64 = 100_000_000;
