use std::collections::BTreeMap;
use std::fmt;

use groma_scalability::{Grid, Instances, Load, Looks, Restriction, Strategy, Threshold};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A benchmark with every setting filled in and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Benchmark {
    /// Its name.
    pub name: String,
    /// What it measures, in one line.
    pub about: String,
    /// The systems under test, at least one.
    pub suts: Vec<Sut>,
    /// The program that the instances run.
    pub usecase: UseCase,
    /// What grows with the load.
    pub dimension: Dimension,
    /// Which loads are tried.
    pub loads: Loads,
    /// Which numbers of instances are tried, ascending.
    pub instances: Vec<Instances>,
    /// Partitions of the input.
    pub partitions: u32,
    /// Number of keys under [`Dimension::MessageFrequency`].
    pub keys: u32,
    /// So many of a hundred records go to partition 0 beside its even share.
    pub skew_percent: u32,
    /// What one instance may use.
    pub limits: Limits,
    /// Warm-up of each cell.
    pub warmup_ms: u64,
    /// When a cell is looked at, and how long it is measured.
    pub looks: Looks,
    /// Repetitions of each cell.
    pub repetitions: u32,
    /// The search strategy.
    pub strategy: Strategy,
    /// What lower loads say about higher ones.
    pub restriction: Restriction,
    /// The slope from which on a cell fails.
    pub threshold: Threshold,
}

/// A system under test.
#[derive(Clone, Debug, PartialEq)]
pub struct Sut {
    /// Its name in results.
    pub name: String,
    /// What its instances are.
    pub kind: SutKind,
    /// Settings of an instance.
    pub settings: BTreeMap<String, String>,
}

/// What the instances of a system under test are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SutKind {
    /// This binary's own stream engine.
    Groma,
    /// Instances of known capacity.
    Synthetic {
        /// Records per second that one handles.
        rate: u64,
    },
    /// Any command.
    Command(CommandSut),
}

/// A system under test started by a command of the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSut {
    /// Program and arguments with places to fill in.
    pub command: Vec<String>,
    /// The line that says ready.
    pub ready: Option<String>,
}

/// Theodolite's use cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UseCase {
    /// Each record converted for a database.
    Uc1,
    /// Readings averaged over windows.
    Uc2,
}

/// What grows with the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Dimension {
    /// Records per second of a fixed number of keys.
    MessageFrequency,
    /// Number of keys, each with one record per second.
    Keys,
}

/// Which loads are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loads {
    /// one between what each two numbers of instances handle, which is measured first.
    Auto,
    /// As given.
    List(Vec<Load>),
}

/// What one instance may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Cores; none is unlimited.
    pub cpu: Option<f64>,
    /// The period over which the quota is shared out, in microseconds.
    pub period_us: u64,
    /// Bytes; none is unlimited.
    pub memory_bytes: Option<u64>,
}

impl Benchmark {
    /// The grid for `loads`; the settings were checked when the benchmark was read.
    pub fn grid(&self, loads: Vec<Load>) -> Result<Grid, groma_scalability::GridError> {
        Grid::new(loads, self.instances.clone(), self.repetitions)
    }

    /// What of the benchmark is allowed and yet will say less than one may think, a sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let counts = |chosen: &dyn Fn(u32) -> bool| {
            let chosen = self.instances.iter().filter(|count| chosen(count.0));
            chosen.map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let idle = counts(&|count| count > self.partitions);
        let uneven = counts(&|count| count <= self.partitions && !self.partitions.is_multiple_of(count));
        let mut warnings = Vec::new();
        if !idle.is_empty() {
            warnings.push(format!(
                "cells with {idle} instances will be invalid: {} partitions leave some without any; raise `partitions`",
                self.partitions
            ));
        }
        if !uneven.is_empty() {
            warnings.push(format!(
                "{} partitions are no multiple of {uneven} instances: the fullest instance sets what all handle; choose \
                 `partitions` that every count divides",
                self.partitions
            ));
        }
        warnings
    }

    /// How many keys the generator uses at `load`.
    pub fn keys_at(&self, load: Load) -> u32 {
        match self.dimension {
            Dimension::MessageFrequency => self.keys,
            Dimension::Keys => u32::try_from(load.0).unwrap_or(u32::MAX),
        }
    }
}

impl UseCase {
    /// Its name on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uc1 => "uc1",
            Self::Uc2 => "uc2",
        }
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MessageFrequency => "message frequency",
            Self::Keys => "number of keys",
        })
    }
}
