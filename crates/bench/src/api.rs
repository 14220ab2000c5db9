use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::BenchError;
use crate::definition::Preset;

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
}

/// `demo`.
#[derive(Clone, Debug)]
pub struct DemoRequest {
    /// Where cells, results and report go.
    pub out: PathBuf,
    /// What to show meanwhile.
    pub screen: Screen,
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
    /// The fewest cells the search can need.
    pub cells_min: u64,
    /// The most cells the search can need.
    pub cells_max: u64,
    /// The shortest time.
    pub elapsed_min_ms: u64,
    /// The longest time.
    pub elapsed_max_ms: u64,
}

/// One line of `doctor`.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub name: &'static str,
    /// What was found, with the mend where something is missing.
    pub value: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<14} {}", self.name, self.value)
    }
}

/// Runs one benchmark: cells, `results.json` and `report.html` in `out`.
pub fn run(request: &RunRequest) -> Result<RunOutcome, BenchError> {
    Err(BenchError::Usage(format!("{}: not available yet", request.benchmark)))
}

/// Measures UC1 and UC2 over a small grid on this machine and writes a report.
pub fn demo(request: &DemoRequest) -> Result<RunOutcome, BenchError> {
    Err(BenchError::Usage(format!("{}: not available yet", request.out.display())))
}

/// Measures a synthetic system whose demand is known, and compares.
pub fn known_answer(request: &KnownAnswerRequest) -> Result<RunOutcome, BenchError> {
    Err(BenchError::Usage(format!("{}: not available yet", request.out.display())))
}

/// What `benchmark` will do, without doing it.
pub fn plan(benchmark: &str, _preset: Option<Preset>) -> Result<Plan, BenchError> {
    Err(BenchError::Usage(format!("{benchmark}: not available yet")))
}

/// Writes `report.html` again from what `dir` holds; gives its path.
pub fn report(dir: &Path) -> Result<PathBuf, BenchError> {
    Ok(dir.join("report.html"))
}

/// What this machine allows, one finding per line.
pub fn doctor() -> Vec<Finding> {
    Vec::new()
}
