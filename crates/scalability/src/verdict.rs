use std::fmt;

use crate::Instances;

/// What a cell, or one repetition of it, showed.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The instances keep up: the whole interval of the slope is below the threshold.
    Pass,
    /// The instances fall behind: the whole interval of the slope is above the threshold.
    Fail,
    /// The interval of the slope still contains the threshold at the last look.
    Undecided,
    /// Something other than the instances limited the cell, so it says nothing about them.
    Invalid(Cause),
}

/// Why a cell is invalid.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// More instances than partitions: some can have no work.
    MorePartitionsNeeded {
        /// Instances of the cell.
        instances: Instances,
        /// Partitions of the input topic.
        partitions: u32,
    },
    /// An instance ended inside the window.
    InstanceDied {
        /// Instances alive at the end.
        left: u32,
    },
    /// The group rebalanced inside the window.
    InstanceJoined,
    /// Records of the input were deleted before they were read.
    InputDeleted {
        /// Records lost.
        records: u64,
    },
    /// The generator sent fewer records than asked.
    GeneratorShort {
        /// Records per second asked.
        asked: f64,
        /// Records per second achieved.
        achieved: f64,
    },
    /// The core that broker and generator share had too little left.
    HostBusy {
        /// Share of that core in use, 0 to 1.
        busy: f64,
    },
    /// The hypervisor took time away.
    Steal {
        /// Share of all cores' time stolen, 0 to 1.
        share: f64,
    },
    /// The probe was silent for too long.
    ProbeGap {
        /// The longest silence in milliseconds.
        gap_ms: f64,
    },
    /// Too few samples for a trend.
    TooFewSamples {
        /// Samples in the window.
        samples: usize,
    },
    /// The cell could not be run at all.
    NotRun {
        /// What went wrong, in one sentence.
        reason: String,
    },
}

/// A doubt about a verdict that does not make it invalid.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// The cell failed while its instances had processor time left: something else holds them up.
    NotCpuBound {
        /// Share of their quota that the instances used, 0 to 1.
        busy: f64,
    },
    /// The partition count is no multiple of the instance count, so the fullest instance sets the capacity.
    UnevenPartitions {
        /// Partitions of the input topic.
        partitions: u32,
        /// Instances of the cell.
        instances: Instances,
    },
}

impl Verdict {
    /// The verdict's name in result files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Undecided => "undecided",
            Self::Invalid(_) => "invalid",
        }
    }

    /// Whether the verdict settles its cell.
    pub const fn is_decided(&self) -> bool {
        matches!(self, Self::Pass | Self::Fail)
    }
}

impl Cause {
    /// Whether the same cell, run again, may well be valid.
    pub const fn may_pass_by(&self) -> bool {
        !matches!(self, Self::MorePartitionsNeeded { .. })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(cause) => write!(f, "invalid ({cause})"),
            verdict => f.write_str(verdict.name()),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MorePartitionsNeeded { instances, partitions } => {
                write!(f, "{instances} instances but only {partitions} partitions")
            }
            Self::InstanceDied { left } => write!(f, "an instance ended, {left} left"),
            Self::InstanceJoined => f.write_str("the group rebalanced inside the window"),
            Self::InputDeleted { records } => write!(f, "{records} input records deleted before they were read"),
            Self::GeneratorShort { asked, achieved } => {
                write!(f, "generator short: {achieved:.0} of {asked:.0} records/s")
            }
            Self::HostBusy { busy } => write!(f, "core of broker and generator {:.0} % busy", busy * 100.0),
            Self::Steal { share } => write!(f, "{:.1} % of processor time stolen by the hypervisor", share * 100.0),
            Self::ProbeGap { gap_ms } => write!(f, "no lag sample for {gap_ms:.0} ms"),
            Self::TooFewSamples { samples } => write!(f, "only {samples} lag samples"),
            Self::NotRun { reason } => f.write_str(reason),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotCpuBound { busy } => write!(
                f,
                "failed with its instances only {:.0} % busy: they wait for something other than processor time",
                busy * 100.0
            ),
            Self::UnevenPartitions { partitions, instances } => write!(
                f,
                "{partitions} partitions over {instances} instances are uneven: the fullest instance sets the capacity"
            ),
        }
    }
}
