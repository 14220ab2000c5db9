use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use groma_scalability::{CellTime, Instances, Load, Outcome, Search, Verdict, capacity, demand, estimate};

use super::bed::Bed;
use super::calibrate;
use super::cell::{self, Subject};
use super::forecast::forecast;
use super::screen::{Ahead, Later, Ticker, minutes};
use crate::BenchError;
use crate::definition::bounds::TRIES;
use crate::definition::{Benchmark, Handled, Limits, Loads, Sut, SutKind, auto_loads};
use crate::limits::LimitKind;
use crate::machine;
use crate::results::{CellRecord, CellRow, Folder, ImpliedRow, Run, VALIDITY, VerdictName};

/// One benchmark of one system under test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Campaign<'a> {
    pub(crate) benchmark: &'a Benchmark,
    pub(crate) sut: &'a Sut,
    pub(crate) run: &'a str,
    pub(crate) folder: &'a Folder,
    /// What an earlier run found, where it is to be resumed and its results are there.
    pub(crate) earlier: Option<&'a Run>,
    /// What becomes of cells that are stored.
    pub(crate) kept: Kept,
    /// What is measured after it.
    pub(crate) later: Later,
}

/// What of an earlier run is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Nothing,
    Cells,
}

/// What is measured at which loads.
#[derive(Clone, Debug)]
struct Course {
    limits: Limits,
    loads: Vec<Load>,
    calibrated_per_s: Option<f64>,
}

/// Measures cell by cell until the search is done; `save` is handed the run after every cell.
pub(crate) async fn measure(
    bed: &Bed,
    campaign: Campaign<'_>,
    ticker: &mut Ticker,
    save: &mut dyn FnMut(&Run) -> Result<(), BenchError>,
) -> Result<Run, BenchError> {
    let clock = Instant::now();
    ticker.begin(campaign.ahead()?, campaign.later);
    for warning in campaign.benchmark.warnings() {
        ticker.say(&format!("{}: {warning}", campaign.run));
    }
    let course = tokio::select! {
        course = campaign.course(bed, ticker) => course?,
        () = overdue(bed) => return Err(BenchError::Interrupted),
    };
    let mut state = State::new(campaign, bed, &course)?;
    ticker.say(&state.announcement());
    while let Some(id) = state.search.next() {
        ticker.expect(state.ahead());
        let record = tokio::select! {
            record = state.cell(id, ticker) => record?,
            () = overdue(bed) => return Err(BenchError::Interrupted),
        };
        campaign.folder.save_cell(&record)?;
        ticker.say(&line(&record));
        state.observe(record);
        save(&state.run(clock.elapsed().as_millis()))?;
    }
    Ok(state.run(clock.elapsed().as_millis()))
}

/// What is under way is given this long to stop its processes and take away what it made.
async fn overdue(bed: &Bed) {
    bed.interrupt.wait().await;
    tokio::time::sleep(BREAKING_OFF).await;
}

struct State<'a> {
    campaign: Campaign<'a>,
    bed: &'a Bed,
    course: &'a Course,
    search: Search,
    records: Vec<CellRecord>,
}

impl Campaign<'_> {
    /// What is to come before anything is known.
    fn ahead(&self) -> Result<Ahead, BenchError> {
        let forecast = forecast(self.benchmark).map_err(|e| BenchError::Usage(format!("{}: {e}", self.run)))?;
        Ok(Ahead { done: 0, most: forecast.cells_max, left: Duration::from_millis(forecast.elapsed_max_ms) })
    }

    async fn course(&self, bed: &Bed, ticker: &mut Ticker) -> Result<Course, BenchError> {
        let limits = match self.sut.kind {
            SutKind::Synthetic { .. } => Limits { cpu: None, ..self.benchmark.limits },
            SutKind::Command(_) if self.is_unlimited(bed) => Limits { cpu: None, ..self.benchmark.limits },
            SutKind::Groma | SutKind::Command(_) => self.benchmark.limits,
        };
        match (&self.benchmark.loads, self.earlier) {
            (Loads::List(loads), _) => Ok(Course { limits, loads: loads.clone(), calibrated_per_s: None }),
            (Loads::Auto, Some(earlier)) => Ok(Course {
                limits: Limits {
                    cpu: earlier.quota_cores.or(limits.cpu),
                    period_us: earlier.quota_period_us.unwrap_or(limits.period_us),
                    ..limits
                },
                loads: earlier.loads.clone(),
                calibrated_per_s: earlier.calibrated_per_s,
            }),
            (Loads::Auto, None) => self.calibrate(bed, limits, ticker).await,
        }
    }

    /// Whether nothing here can hold this engine to the limits asked for.
    fn is_unlimited(&self, bed: &Bed) -> bool {
        let foreign = matches!(self.sut.kind, SutKind::Command(_));
        foreign && bed.limiter.kind() == LimitKind::OwnBudget && self.benchmark.limits.cpu.is_some()
    }

    /// What holds the instances to their limits, for people.
    fn limit(&self, bed: &Bed, limits: &Limits) -> String {
        if self.is_unlimited(bed) {
            return "none: nothing on this machine can limit a foreign engine".to_owned();
        }
        bed.limiter.kind().describe(limits)
    }

    /// Finds loads that span the instances, and halves the quota where broker and generator could not bear the largest.
    async fn calibrate(&self, bed: &Bed, limits: Limits, ticker: &mut Ticker) -> Result<Course, BenchError> {
        let counts: Vec<u32> = self.benchmark.instances.iter().map(|i| i.0).collect();
        let most = counts.iter().copied().max().unwrap_or(1);
        let mut limits = limits;
        for _ in 0..HALVINGS {
            let strictness = bed.strictness;
            let subject = Subject { benchmark: self.benchmark, sut: self.sut, run: self.run, limits, strictness };
            let one = calibrate::capacity(bed, subject, (1, calibrate::first_guess(limits)), ticker).await?;
            let guessed = auto_loads(&counts, Handled::independent(one.per_s, most));
            let largest = guessed.last().map_or(0.0, |load| load.0 as f64);
            if limits.cpu.is_none() || largest * one.cost_s <= GENERATOR_SHARE {
                let all = calibrate::capacity(bed, subject, (most, TOO_MUCH * largest), ticker).await?;
                let handled = Handled { one_per_s: one.per_s, most, most_per_s: all.per_s };
                let loads = auto_loads(&counts, handled);
                return Ok(Course { limits, loads, calibrated_per_s: Some(one.per_s) });
            }
            limits = Limits { cpu: limits.cpu.map(|cores| cores / 2.0), period_us: limits.period_us * 2, ..limits };
        }
        Err(BenchError::Machine(format!(
            "{}: broker and generator cannot bear the load that {most} instances handle; give a smaller `limits: cpu`",
            self.run
        )))
    }
}

impl<'a> State<'a> {
    fn new(campaign: Campaign<'a>, bed: &'a Bed, course: &'a Course) -> Result<Self, BenchError> {
        let benchmark = campaign.benchmark;
        let grid = benchmark.grid(course.loads.clone());
        let grid = grid.map_err(|e| BenchError::Usage(format!("{}: {e}", campaign.run)))?;
        let search = Search::new(grid, benchmark.strategy, benchmark.restriction, benchmark.threshold);
        let mut state = Self { campaign, bed, course, search, records: Vec::new() };
        if campaign.kept == Kept::Cells {
            let fingerprint = state.subject().fingerprint();
            for record in campaign.folder.cells(campaign.run)? {
                let grid = state.search.grid();
                let is_due = grid.loads().contains(&record.load) && grid.resources().contains(&record.resources);
                if is_due && record.fingerprint == fingerprint && record.verdict != VerdictName::Invalid {
                    state.observe(record);
                }
            }
        }
        Ok(state)
    }

    const fn subject(&self) -> Subject<'a> {
        let Campaign { benchmark, sut, run, .. } = self.campaign;
        Subject { benchmark, sut, run, limits: self.course.limits, strictness: self.bed.strictness }
    }

    /// Measures a cell, and again where a disturbance may have passed.
    async fn cell(&self, id: groma_scalability::CellId, ticker: &mut Ticker) -> Result<CellRecord, BenchError> {
        let mut attempt = 1;
        loop {
            let record = cell::measure(self.bed, self.subject(), id, attempt, ticker).await?;
            if attempt == TRIES || !record.is_worth_another_try() {
                return match (&record.cause, record.conditions.is_none()) {
                    (Some(cause), true) => Err(BenchError::Child(cause.clone())),
                    _ => Ok(record),
                };
            }
            ticker.say(&format!("{}; once more", line(&record)));
            attempt += 1;
        }
    }

    fn observe(&mut self, record: CellRecord) {
        let invalid = || Outcome {
            verdict: Verdict::Invalid(groma_scalability::Cause::NotRun {
                reason: record.cause.clone().unwrap_or_default(),
            }),
            trend: None,
        };
        self.search.observe(record.id(), record.outcome().unwrap_or_else(invalid));
        self.records.push(record);
    }

    /// What is done of the search, and how much longer it takes at most.
    fn ahead(&self) -> Ahead {
        let benchmark = self.campaign.benchmark;
        let spent_ms: u64 = self.records.iter().map(|record| record.elapsed_ms).sum();
        let done = self.records.len() as u64;
        let each_ms = spent_ms.checked_div(done).unwrap_or_else(|| benchmark.warmup_ms + benchmark.looks.window_ms());
        let time = CellTime { fixed_ms: each_ms, shortest_ms: 0, longest_ms: 0 };
        let all = estimate(self.search.grid(), benchmark.strategy, benchmark.restriction, time);
        let most = all.cells_max.max(done + 1);
        Ahead { done, most, left: Duration::from_millis((most - done) * each_ms) }
    }

    fn announcement(&self) -> String {
        let loads: Vec<String> = self.course.loads.iter().map(ToString::to_string).collect();
        let resources: Vec<String> = self.campaign.benchmark.instances.iter().map(ToString::to_string).collect();
        let calibrated = self.course.calibrated_per_s.map(|c| format!("one instance handles about {c:.0} records/s; "));
        let Ahead { most, left, .. } = self.ahead();
        format!(
            "{}: {}loads {} records/s on {} instances, {}; at most {most} cells, {}",
            self.campaign.run,
            calibrated.unwrap_or_default(),
            loads.join(", "),
            resources.join(", "),
            self.campaign.limit(self.bed, &self.course.limits),
            minutes(left)
        )
    }

    fn run(&self, elapsed_ms: u128) -> Run {
        let benchmark = self.campaign.benchmark;
        let (loads, resources): (Vec<Load>, Vec<Instances>) =
            (self.search.grid().loads().to_vec(), self.search.grid().resources().to_vec());
        let known = self.search.known();
        Run {
            run: self.campaign.run.to_owned(),
            benchmark: benchmark.name.clone(),
            sut: self.campaign.sut.name.clone(),
            configuration: self.configuration(),
            unit: "records/s".to_owned(),
            quota_cores: self.course.limits.cpu,
            quota_period_us: self.course.limits.cpu.map(|_| self.course.limits.period_us),
            limit: self.campaign.limit(self.bed, &self.course.limits),
            calibrated_per_s: self.course.calibrated_per_s,
            warmup_ms: benchmark.warmup_ms,
            duration_ms: benchmark.looks.window_ms(),
            threshold: benchmark.threshold,
            cells: self.records.iter().map(CellRow::from).collect(),
            implied: ImpliedRow::of(&self.search),
            demand: demand(&loads, &known).into_iter().map(Into::into).collect(),
            capacity: capacity(&resources, &known).into_iter().map(Into::into).collect(),
            loads,
            resources,
            elapsed_ms: u64::try_from(elapsed_ms).unwrap_or(u64::MAX),
        }
    }

    fn configuration(&self) -> BTreeMap<String, String> {
        let benchmark = self.campaign.benchmark;
        let mut configuration = self.campaign.sut.settings.clone();
        configuration.insert("use case".to_owned(), benchmark.usecase.name().to_owned());
        configuration.insert("partitions".to_owned(), benchmark.partitions.to_string());
        configuration.insert("keys".to_owned(), benchmark.keys.to_string());
        configuration.insert("dimension".to_owned(), benchmark.dimension.to_string());
        if let Some(doubt) = self.bed.strictness.doubt() {
            configuration.insert(VALIDITY.to_owned(), doubt.to_owned());
        }
        if self.bed.broker_id().is_some() {
            configuration.insert("embedded broker's records".to_owned(), machine::scratch().display().to_string());
        }
        configuration
    }
}

/// A cell in one line.
fn line(record: &CellRecord) -> String {
    let verdict = match (&record.verdict, &record.cause) {
        (VerdictName::Invalid, Some(cause)) => format!("invalid ({cause})"),
        (VerdictName::Pass, _) => "pass".to_owned(),
        (VerdictName::Fail, _) => "fail".to_owned(),
        _ => "undecided".to_owned(),
    };
    let slope = record.trend.map_or_else(String::new, |trend| {
        format!(
            ", lag grows {:.0} records/s ({:.0} to {:.0}, threshold {:.0})",
            whole(trend.slope_per_s),
            whole(trend.slope_low),
            whole(trend.slope_high),
            record.threshold_per_s
        )
    });
    let busy = record
        .conditions
        .as_ref()
        .map_or_else(String::new, |seen| format!(", instances {:.0} % busy", seen.cpu.instances * 100.0));
    let warnings: String = record.warnings.iter().map(|warning| format!("; {warning}")).collect();
    format!(
        "{}: {} records/s on {} instances: {verdict}{slope}{busy}{warnings}",
        record.run, record.load, record.resources
    )
}

/// Without a fraction, and without the sign of a nought.
fn whole(value: f64) -> f64 {
    value.round() + 0.0
}

/// Share of the second core that broker and generator may take at the largest load: as far below what makes a cell
/// invalid as one measurement of their cost is off another, and no lower, since under half the quota an instance that
/// is overloaded tells its progress too rarely.
const GENERATOR_SHARE: f64 = 0.75;
/// More than the most handle, even where each adds more than the first alone.
const TOO_MUCH: f64 = 1.5;
const BREAKING_OFF: Duration = Duration::from_secs(15);
const HALVINGS: u32 = 4;
