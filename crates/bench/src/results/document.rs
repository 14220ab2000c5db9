use std::collections::BTreeMap;

use groma_scalability::{CapacityPoint, DemandPoint, Instances, Load, Status, Threshold};
use serde::{Deserialize, Serialize};

use super::cell::{Basis, CellRecord, VerdictName};

/// The version of the layout of `results.json`.
pub const SCHEMA: u32 = 1;
/// Where [`Run::configuration`] says that its cells are no measurement; nothing is there otherwise.
pub(crate) const VALIDITY: &str = "validity";

/// `results.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// [`SCHEMA`].
    pub schema: u32,
    /// One per benchmark and system under test.
    pub runs: Vec<Run>,
    /// Where it was measured.
    pub machine: Machine,
    /// Name and version of what took part.
    pub versions: BTreeMap<String, String>,
}

impl Document {
    /// Puts `run` in the place of an earlier one of its name, or at the end.
    pub fn replace(&mut self, run: Run) {
        match self.runs.iter_mut().find(|known| known.run == run.run) {
            Some(known) => *known = run,
            None => self.runs.push(run),
        }
    }

    /// Drops the runs whose names are `due` to be measured anew; results of others in the same folder stay.
    pub fn forget(&mut self, due: impl Fn(&str) -> bool) {
        self.runs.retain(|run| !due(&run.run));
    }
}

impl Run {
    /// Whether a stored cell is one of this run, and not left from an earlier one of the same name.
    pub fn has(&self, cell: &CellRecord) -> bool {
        let same = |row: &CellRow| {
            (row.load, row.resources, row.repetition) == (cell.load, cell.resources, cell.repetition)
                && row.elapsed_ms == cell.elapsed_ms
        };
        self.cells.iter().any(same)
    }
}

/// One benchmark of one system under test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The name that its cell files begin with.
    pub run: String,
    /// The benchmark's name.
    pub benchmark: String,
    /// The system under test.
    pub sut: String,
    /// Settings that bear on the result, for people.
    pub configuration: BTreeMap<String, String>,
    /// The unit of loads.
    pub unit: String,
    /// Processor quota of one instance; none when unlimited.
    pub quota_cores: Option<f64>,
    /// Over which period the quota is shared out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quota_period_us: Option<u64>,
    /// What holds the instances to it.
    pub limit: String,
    /// What one instance handled when its capacity was measured beforehand, in records per second.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub calibrated_per_s: Option<f64>,
    /// Warm-up of each cell.
    pub warmup_ms: u64,
    /// The longest measured window.
    pub duration_ms: u64,
    /// The slope from which on a cell fails.
    pub threshold: Threshold,
    /// Loads of the grid.
    pub loads: Vec<Load>,
    /// Resources of the grid.
    pub resources: Vec<Instances>,
    /// Cells by experiment.
    pub cells: Vec<CellRow>,
    /// Cells that follow from others by monotony.
    pub implied: Vec<ImpliedRow>,
    /// Demand of each load.
    pub demand: Vec<DemandRow>,
    /// Capacity of each number of instances.
    pub capacity: Vec<CapacityRow>,
    /// Time the run took.
    pub elapsed_ms: u64,
}

/// A cell in `results.json`; all that is known of it is in its own file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellRow {
    /// The load asked.
    pub load: Load,
    /// The instances.
    pub resources: Instances,
    /// Counted from 1.
    pub repetition: u32,
    /// The verdict.
    pub verdict: VerdictName,
    /// Why it is invalid; null otherwise.
    pub cause: Option<String>,
    /// Doubts that do not make it invalid.
    pub warnings: Vec<String>,
    /// By which positions it was judged.
    pub basis: Basis,
    /// Lag samples fitted.
    pub samples: usize,
    /// The slope of lag, records per second.
    pub slope_per_s: Option<f64>,
    /// Lower end of its interval.
    pub slope_low: Option<f64>,
    /// Upper end of its interval.
    pub slope_high: Option<f64>,
    /// Records per second that the generator achieved.
    pub achieved_load: Option<f64>,
    /// The instances' processor time as a share of their quota.
    pub sut_busy: Option<f64>,
    /// Busy share of the core of broker and generator.
    pub generator_busy: Option<f64>,
    /// Time the cell took.
    pub elapsed_ms: u64,
    /// How often it was run.
    pub attempts: u32,
}

/// A cell that was not tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImpliedRow {
    /// The load.
    pub load: Load,
    /// The instances.
    pub resources: Instances,
    /// What follows.
    pub verdict: VerdictName,
}

/// The demand of one load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DemandRow {
    /// The load.
    pub load: Load,
    /// The smallest passing count above which no tested count fails.
    pub resources: Option<Instances>,
    /// The same if every open cell passed.
    pub low: Option<Instances>,
    /// The same if every open cell failed.
    pub high: Option<Instances>,
}

/// The capacity of one number of instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapacityRow {
    /// The instances.
    pub resources: Instances,
    /// The largest passing load below which no load fails.
    pub load: Option<Load>,
    /// The same if every open cell failed.
    pub low: Option<Load>,
    /// The same if every open cell passed.
    pub high: Option<Load>,
}

/// The machine measured on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Processor model.
    pub processor: String,
    /// Number of cores.
    pub cores: u32,
    /// Memory.
    pub memory_bytes: u64,
    /// Kernel name and release.
    pub kernel: String,
    /// Operating system.
    pub system: String,
    /// Scheduler ticks per second as far as known.
    pub clock_ticks_per_s: u32,
}

impl From<&CellRecord> for CellRow {
    fn from(cell: &CellRecord) -> Self {
        let seen = cell.conditions.as_ref();
        Self {
            load: cell.load,
            resources: cell.resources,
            repetition: cell.repetition,
            verdict: cell.verdict,
            cause: cell.cause.clone(),
            warnings: cell.warnings.clone(),
            basis: cell.basis,
            samples: cell.trend.map_or(0, |t| t.samples),
            slope_per_s: cell.trend.map(|t| t.slope_per_s),
            slope_low: cell.trend.map(|t| t.slope_low),
            slope_high: cell.trend.map(|t| t.slope_high),
            achieved_load: seen.map(|c| c.achieved_per_s),
            sut_busy: seen.map(|c| c.cpu.instances),
            generator_busy: seen.map(|c| c.cpu.generator_core),
            elapsed_ms: cell.elapsed_ms,
            attempts: cell.attempts,
        }
    }
}

impl From<DemandPoint> for DemandRow {
    fn from(point: DemandPoint) -> Self {
        Self { load: point.load, resources: point.resources, low: point.low, high: point.high }
    }
}

impl From<CapacityPoint> for CapacityRow {
    fn from(point: CapacityPoint) -> Self {
        Self { resources: point.resources, load: point.load, low: point.low, high: point.high }
    }
}

impl ImpliedRow {
    /// The implied cells of a search's matrix.
    pub fn of(search: &groma_scalability::Search) -> Vec<Self> {
        let implied = search.matrix().into_iter().filter_map(|cell| match cell.status {
            Status::Implied(verdict) => {
                Some(Self { load: cell.load, resources: cell.resources, verdict: (&verdict).into() })
            }
            Status::Tested(_) | Status::Untested => None,
        });
        implied.collect()
    }
}

impl Run {
    /// Whether at least one load got a demand.
    pub fn has_demand(&self) -> bool {
        self.demand.iter().any(|row| row.resources.is_some())
    }
}
