use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use crate::definition::{self, Benchmark, Preset, Sut, SutKind};
use crate::experiment::{self, Bed, Campaign, Given, Kept, Later, Ticker};
use crate::interrupt::Interrupt;
use crate::load::block_on;
use crate::results::{Document, Folder, Run, SCHEMA};
use crate::{BenchError, machine, report as reports, tables};

/// What may be shown on stderr while something takes long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Screen {
    /// A bar on a terminal, else a plain line at most every 10 s.
    #[default]
    Progress,
    /// Nothing but errors.
    Quiet,
}

/// `bench run NAME|FILE`.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// A shipped benchmark's name or the path of a benchmark file.
    pub benchmark: String,
    /// Where cells, results and report go; made when missing.
    pub out: PathBuf,
    /// Keep finished cells of an earlier run in `out`.
    pub resume: bool,
    /// Settings below those of the file; none keeps the file's own choice.
    pub preset: Option<Preset>,
    /// A Kafka to run on (`HOST:PORT`); none starts the embedded broker.
    pub bootstrap: Option<String>,
    /// A client property file (librdkafka's and Java's keys) for `bootstrap`.
    pub client_config: Option<PathBuf>,
    /// What to show meanwhile.
    pub screen: Screen,
    /// Name and version of what the program is made of, for the results.
    pub versions: BTreeMap<String, String>,
}

/// `demo`.
#[derive(Clone, Debug)]
pub struct DemoRequest {
    /// Where cells, results and report go.
    pub out: PathBuf,
    /// What to show meanwhile.
    pub screen: Screen,
    /// Name and version of what the program is made of, for the results.
    pub versions: BTreeMap<String, String>,
}

/// A check of the measuring chain against a system of known capacity.
#[derive(Clone, Debug)]
pub struct KnownAnswerRequest {
    /// Where cells and results of all runs go.
    pub out: PathBuf,
    /// How many runs in a row.
    pub runs: u32,
    /// What to show meanwhile.
    pub screen: Screen,
    /// Name and version of what the program is made of, for the results.
    pub versions: BTreeMap<String, String>,
}

/// What a measuring command found.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// Tables for people, with a newline at the end.
    pub text: String,
    /// The same as one JSON document (what `results.json` holds).
    pub json: serde_json::Value,
    /// 0 when measured, 1 when what was measured falls short (no load got a demand, a known answer was missed).
    pub exit_code: u8,
}

/// What a run will do, and how long it will take.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// The benchmark's name.
    pub benchmark: String,
    /// Lines for people.
    #[serde(skip)]
    pub text: String,
    /// What may surprise, a sentence each.
    pub warnings: Vec<String>,
    /// The fewest cells the search can need.
    pub cells_min: u64,
    /// The most cells the search can need.
    pub cells_max: u64,
    /// The shortest time.
    pub elapsed_min_ms: u64,
    /// The longest time.
    pub elapsed_max_ms: u64,
}

/// Runs one benchmark: cells, `results.json` and `report.html` in `out`.
///
/// # Errors
/// A wrong benchmark file, a folder that cannot be written, a Kafka that does not answer, children that do not start;
/// [`BenchError::Interrupted`] with finished cells kept.
pub fn run(request: &RunRequest) -> Result<RunOutcome, BenchError> {
    let benchmark = definition::read(&request.benchmark, request.preset)?;
    let runs = named(&benchmark);
    let given =
        request.bootstrap.clone().map(|bootstrap| Given { bootstrap, client_config: request.client_config.clone() });
    let kept = if request.resume { Kept::Cells } else { Kept::Nothing };
    Session { out: &request.out, screen: request.screen, versions: &request.versions, given, kept }.carry_out(&runs)
}

/// Measures UC1 and UC2 over a small grid on this machine and writes a report.
///
/// # Errors
/// As [`run`].
pub fn demo(request: &DemoRequest) -> Result<RunOutcome, BenchError> {
    let benchmarks = [definition::read("uc2", Some(Preset::Quick))?, definition::read("uc1", Some(Preset::Quick))?];
    let runs: Vec<_> = benchmarks.iter().flat_map(named).collect();
    Session { out: &request.out, screen: request.screen, versions: &request.versions, given: None, kept: Kept::Nothing }
        .carry_out(&runs)
}

/// Measures a synthetic system whose demand is known, and compares.
///
/// # Errors
/// As [`run`].
pub fn known_answer(request: &KnownAnswerRequest) -> Result<RunOutcome, BenchError> {
    let benchmark = definition::read("known_answer", None)?;
    let sut = benchmark.suts.first().ok_or_else(|| BenchError::Usage("known_answer names no engine".to_owned()))?;
    let runs: Vec<_> =
        (1..=request.runs.max(1)).map(|n| (format!("{}-{n}", benchmark.name), &benchmark, sut)).collect();
    let session = Session {
        out: &request.out,
        screen: request.screen,
        versions: &request.versions,
        given: None,
        kept: Kept::Nothing,
    };
    let mut outcome = session.carry_out(&runs)?;
    let compared = tables::known_answer(&session.folder()?.results()?, sut);
    outcome.text = compared.text;
    outcome.exit_code = u8::from(compared.wrong > 0);
    Ok(outcome)
}

/// What `benchmark` will do, without doing it.
///
/// # Errors
/// A wrong benchmark file.
pub fn plan(benchmark: &str, preset: Option<Preset>) -> Result<Plan, BenchError> {
    let benchmark = definition::read(benchmark, preset)?;
    let each = experiment::forecast(&benchmark).map_err(|e| BenchError::Usage(format!("{}: {e}", benchmark.name)))?;
    let suts = benchmark.suts.len() as u64;
    let mut plan = Plan {
        benchmark: benchmark.name.clone(),
        text: String::new(),
        warnings: benchmark.warnings(),
        cells_min: each.cells_min * suts,
        cells_max: each.cells_max * suts,
        elapsed_min_ms: each.elapsed_min_ms * suts,
        elapsed_max_ms: each.elapsed_max_ms * suts,
    };
    plan.text = tables::plan(&benchmark, &plan);
    Ok(plan)
}

/// Writes `report.html` again from what `dir` holds; gives its path.
///
/// # Errors
/// A folder without results, or with files that cannot be read.
pub fn report(dir: &Path) -> Result<PathBuf, BenchError> {
    let folder = Folder::open(dir)?;
    write_report(&folder, &folder.results()?)
}

/// A run by its name, with its benchmark and system under test.
type Named<'a> = (String, &'a Benchmark, &'a Sut);

/// Where a benchmark runs and writes to.
#[derive(Clone, Debug)]
struct Session<'a> {
    out: &'a Path,
    screen: Screen,
    versions: &'a BTreeMap<String, String>,
    given: Option<Given>,
    kept: Kept,
}

impl Session<'_> {
    fn folder(&self) -> Result<Folder, BenchError> {
        Folder::create(self.out)
    }

    fn carry_out(&self, runs: &[Named<'_>]) -> Result<RunOutcome, BenchError> {
        runs.iter().try_for_each(|(_, _, sut)| startable(sut))?;
        let folder = self.folder()?;
        let mut earlier = folder.earlier_results()?;
        if let (Kept::Nothing, Some(document)) = (self.kept, &mut earlier) {
            document.forget(|run| runs.iter().any(|(name, ..)| name == run));
        }
        let measured = block_on(self.measure(&folder, runs, earlier.as_ref()));
        let document = measured.inspect_err(|_| folder.forget_empty())?;
        write_report(&folder, &document)?;
        Ok(RunOutcome {
            text: tables::demand(&document),
            json: serde_json::to_value(&document).map_err(|e| BenchError::Usage(e.to_string()))?,
            exit_code: u8::from(!document.runs.iter().all(Run::has_demand)),
        })
    }

    async fn measure(
        &self,
        folder: &Folder,
        runs: &[Named<'_>],
        earlier: Option<&Document>,
    ) -> Result<Document, BenchError> {
        let interrupt = Interrupt::listen()?;
        let mut document = earlier.cloned().unwrap_or_else(empty_document);
        document.machine = machine::describe();
        let Some((_, first, _)) = runs.first() else { return Ok(document) };
        let bed = Bed::make(first, self.given.clone(), folder.logs_path(), interrupt.clone());
        let bed = interrupt.or_interrupted(bed).await?;
        document.versions.clone_from(self.versions);
        document.versions.insert("kernel".to_owned(), document.machine.kernel.clone());
        document.versions.insert("kafka".to_owned(), bed.kafka.clone());
        let measured = self.measure_all(&bed, folder, (runs, earlier), &mut document).await;
        let death = bed.close().await;
        match (measured, death) {
            (Err(BenchError::Kafka(_)), Some(death)) => Err(death),
            (measured, _) => measured.map(|()| document),
        }
    }

    async fn measure_all(
        &self,
        bed: &Bed,
        folder: &Folder,
        (runs, earlier): (&[Named<'_>], Option<&Document>),
        document: &mut Document,
    ) -> Result<(), BenchError> {
        let mut ticker = Ticker::new(self.screen);
        bed.make_progress().await?;
        for (index, (name, benchmark, sut)) in runs.iter().enumerate() {
            let earlier = earlier.and_then(|document| document.runs.iter().find(|run| run.run == *name));
            let campaign = Campaign {
                benchmark,
                sut,
                run: name,
                folder,
                earlier,
                kept: self.kept,
                later: later(&runs[index + 1..]),
            };
            if self.kept == Kept::Nothing {
                folder.clear_cells(name)?;
            }
            let mut save = |run: &Run| {
                document.replace(run.clone());
                folder.save_results(document)?;
                write_report(folder, document).map(|_| ())
            };
            let run = experiment::measure(bed, campaign, &mut ticker, &mut save).await?;
            save(&run)?;
        }
        Ok(())
    }
}

/// A command that cannot be started is told before anything is measured.
fn startable(sut: &Sut) -> Result<(), BenchError> {
    let SutKind::Command(command) = &sut.kind else { return Ok(()) };
    let Some(program) = command.command.first().filter(|program| !program.contains('{')) else { return Ok(()) };
    if machine::is_program(program) {
        return Ok(());
    }
    let mend = "give the path of a file that may be executed, or a name on the search path, in `sut: command`";
    Err(BenchError::Usage(format!("the engine {} cannot be started: `{program}` is no program here; {mend}", sut.name)))
}

fn named(benchmark: &Benchmark) -> Vec<Named<'_>> {
    let several = benchmark.suts.len() > 1;
    let name = |sut: &Sut| if several { format!("{}-{}", benchmark.name, sut.name) } else { benchmark.name.clone() };
    benchmark.suts.iter().map(|sut| (name(sut), benchmark, sut)).collect()
}

/// What these runs take at most.
fn later(runs: &[Named<'_>]) -> Later {
    let forecasts = runs.iter().filter_map(|(_, benchmark, _)| experiment::forecast(benchmark).ok());
    forecasts.fold(Later::default(), |sum, one| Later {
        most: sum.most + one.cells_max,
        left: sum.left + Duration::from_millis(one.elapsed_max_ms),
    })
}

fn empty_document() -> Document {
    Document { schema: SCHEMA, runs: Vec::new(), machine: machine::describe(), versions: BTreeMap::new() }
}

fn write_report(folder: &Folder, document: &Document) -> Result<PathBuf, BenchError> {
    let mut cells = BTreeMap::new();
    for run in &document.runs {
        let mut stored = folder.cells(&run.run)?;
        stored.retain(|cell| run.has(cell));
        cells.insert(run.run.clone(), stored);
    }
    folder.save_picture(&reports::picture(document))?;
    folder.save_report(&reports::html(document, &cells))
}
