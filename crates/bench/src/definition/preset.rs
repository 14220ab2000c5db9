use groma_scalability::Threshold;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::UseCase;

/// A named set of times and thresholds; what a benchmark file says itself wins over it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// 60 s and 240 s with looks at each minute, 1 % of the load.
    #[default]
    Default,
    /// The demo's: 3 s and 4 to 10 s, 3 % of the load.
    Quick,
    /// The Theodolite paper's: 60 s and 240 s, one look, 2,000 records per second.
    Paper,
}

/// What a preset fixes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Times {
    pub(super) warmup_ms: u64,
    pub(super) looks_ms: Vec<u64>,
    pub(super) threshold: Threshold,
    /// Event time of a UC2 window.
    window: &'static str,
    /// Time between commits.
    commit: &'static str,
}

impl Times {
    /// Settings of an instance of our own engine that runs `usecase`, unless the file says otherwise.
    pub(super) fn settings(&self, usecase: UseCase) -> Vec<(&'static str, &'static str)> {
        let mut settings =
            vec![("commit", self.commit), ("heartbeat.interval", "300ms"), ("memory.pretouch", PRETOUCHED)];
        settings.push(match usecase {
            UseCase::Uc1 => ("sink", "count"),
            UseCase::Uc2 => ("window", self.window),
        });
        settings
    }
}

impl Preset {
    pub(super) fn times(self) -> Times {
        match self {
            Self::Quick => Times {
                warmup_ms: 3000,
                looks_ms: vec![4000, 6000, 8000, 10_000],
                threshold: Threshold::Relative(0.03),
                window: "5s",
                commit: "1s",
            },
            Self::Default => Times {
                warmup_ms: 60_000,
                looks_ms: vec![60_000, 120_000, 180_000, 240_000],
                threshold: Threshold::Relative(0.01),
                window: "1m",
                commit: "1s",
            },
            Self::Paper => Times {
                warmup_ms: 60_000,
                looks_ms: vec![240_000],
                threshold: Threshold::Absolute(2000.0),
                window: "1m",
                commit: "100ms",
            },
        }
    }
}

/// The error that all looks of a cell share.
pub(super) const ERROR_SHARED: f64 = 0.04;
/// The error of a single look.
pub(super) const ERROR_ONCE: f64 = 0.01;
/// A multiple of 1, 2, 3 and 4.
pub(super) const PARTITIONS: u32 = 12;
/// Sensors.
pub(super) const KEYS: u32 = 10_000;
/// Cores of an instance.
pub(super) const CPU: f64 = 0.05;
/// With a 4 ms tick, finer periods do not hold.
pub(super) const PERIOD_US: u64 = 20_000;
/// Most instances tried.
pub(super) const INSTANCES: u32 = 4;
/// What an instance of 10,000 sensors comes to use: under a quota, the first use of a page is dear.
const PRETOUCHED: &str = "64MiB";
