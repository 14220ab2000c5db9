use groma_scalability::{CellId, Conditions, Instances, Load, Outcome, Sample, Trend, Verdict};
use serde::{Deserialize, Serialize};

/// A verdict as result files name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictName {
    /// The instances keep up.
    Pass,
    /// The instances fall behind.
    Fail,
    /// The interval contains the threshold.
    Undecided,
    /// Something else limited the cell.
    Invalid,
}

/// By which positions lag was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// What the instances said they had processed.
    Processed,
    /// What the group had committed.
    Committed,
}

/// One repetition of one cell, whole: the file `cells/RUN-LOAD-RESOURCES-REPETITION.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellRecord {
    /// The run it belongs to.
    pub run: String,
    /// Hash of every setting that bears on the cell; a resumed run takes only cells with its own.
    pub fingerprint: String,
    /// The load asked.
    pub load: Load,
    /// The instances.
    pub resources: Instances,
    /// Counted from 1.
    pub repetition: u32,
    /// How often it was run; more than once after a disturbance that may pass by.
    pub attempts: u32,
    /// The verdict.
    pub verdict: VerdictName,
    /// Why the cell is invalid.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cause: Option<String>,
    /// Doubts that do not make it invalid.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
    /// By which positions it was judged.
    pub basis: Basis,
    /// The fitted line, in records per second and records.
    pub trend: Option<Line>,
    /// The threshold at this load, in records per second.
    pub threshold_per_s: f64,
    /// What else was seen.
    pub conditions: Option<Conditions>,
    /// Send time minus intended time of the generator.
    pub schedule_error: Option<ScheduleError>,
    /// Periods in which the limit held an instance back, of all periods.
    pub throttled_share: Option<f64>,
    /// From the first process started to the last topic deleted, in milliseconds.
    pub elapsed_ms: u64,
    /// The measured window in milliseconds.
    pub window_ms: u64,
    /// Lag and per-second figures.
    pub series: Series,
}

/// The line through the lag samples of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Records per second.
    pub slope_per_s: f64,
    /// Lower end of the slope's interval.
    pub slope_low: f64,
    /// Upper end of the slope's interval.
    pub slope_high: f64,
    /// Lag at the window's begin.
    pub intercept: f64,
    /// Samples fitted.
    pub samples: usize,
}

/// How late the generator was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleError {
    /// Median, in microseconds.
    pub p50_us: u64,
    /// 99th percentile, in microseconds.
    pub p99_us: u64,
    /// Maximum, in microseconds.
    pub max_us: u64,
}

/// What was recorded over time; times are milliseconds since the measured window began, negative in the warm-up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Lag over processed offsets.
    pub processed: Lag,
    /// Lag over committed offsets.
    pub committed: Lag,
    /// Figures of each second.
    pub seconds: Vec<Second>,
}

/// Lag samples as parallel lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lag {
    /// When each was read.
    pub at_ms: Vec<f64>,
    /// Records.
    pub lag: Vec<f64>,
}

/// What machine, broker, generator and instances used in one second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Second {
    /// The second's end.
    pub at_ms: f64,
    /// All cores' busy share.
    pub host_busy: f64,
    /// All cores' stolen share.
    pub steal: f64,
    /// Busy share of the core that broker and generator share.
    pub generator_core: f64,
    /// Memory of the host that is in use.
    pub host_memory_bytes: u64,
    /// The broker's processor time, in cores.
    pub broker_cores: f64,
    /// The generators' processor time, in cores.
    pub generator_cores: f64,
    /// The instances' processor time, in cores.
    pub sut_cores: f64,
    /// The broker's resident memory.
    pub broker_rss_bytes: u64,
    /// The generators' resident memory.
    pub generator_rss_bytes: u64,
    /// The instances' resident memory.
    pub sut_rss_bytes: u64,
    /// Bytes the broker read and wrote, over sockets and to files; 0 where the system does not say.
    pub broker_io_bytes: u64,
    /// The same of the generators.
    pub generator_io_bytes: u64,
    /// Bytes the broker read from and wrote to disks.
    pub broker_disk_bytes: u64,
    /// The same of the generators.
    pub generator_disk_bytes: u64,
    /// Bytes the host received and sent over all interfaces, loopback included.
    pub network_bytes: u64,
    /// Bytes the host read from and wrote to disks.
    pub disk_bytes: u64,
}

impl CellRecord {
    /// Which cell this is.
    pub const fn id(&self) -> CellId {
        CellId { load: self.load, resources: self.resources, repetition: self.repetition }
    }

    /// What a search makes of it; none for an invalid cell, whose cause is only kept as text.
    pub fn outcome(&self) -> Option<Outcome> {
        let verdict = match self.verdict {
            VerdictName::Pass => Verdict::Pass,
            VerdictName::Fail => Verdict::Fail,
            VerdictName::Undecided => Verdict::Undecided,
            VerdictName::Invalid => return None,
        };
        Some(Outcome { verdict, trend: self.trend.map(Line::trend) })
    }

    /// The lag it was judged by.
    pub const fn judged(&self) -> &Lag {
        match self.basis {
            Basis::Processed => &self.series.processed,
            Basis::Committed => &self.series.committed,
        }
    }
}

impl Line {
    const fn trend(self) -> Trend {
        Trend {
            slope: self.slope_per_s,
            low: self.slope_low,
            high: self.slope_high,
            intercept: self.intercept,
            samples: self.samples,
        }
    }
}

impl From<Trend> for Line {
    fn from(trend: Trend) -> Self {
        Self {
            slope_per_s: trend.slope,
            slope_low: trend.low,
            slope_high: trend.high,
            intercept: trend.intercept,
            samples: trend.samples,
        }
    }
}

impl From<&Verdict> for VerdictName {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::Fail => Self::Fail,
            Verdict::Undecided => Self::Undecided,
            Verdict::Invalid(_) => Self::Invalid,
        }
    }
}

impl Lag {
    /// Adds one sample.
    pub fn push(&mut self, sample: Sample) {
        self.at_ms.push((sample.at_ms * 100.0).round() / 100.0);
        self.lag.push(sample.lag);
    }

    /// The samples from the window's begin on.
    pub fn window(&self) -> Vec<Sample> {
        let all = self.at_ms.iter().zip(&self.lag).map(|(&at_ms, &lag)| Sample { at_ms, lag });
        all.filter(|s| s.at_ms >= 0.0).collect()
    }
}
