use serde::{Deserialize, Serialize};

/// The fewest samples from which a trend is judged; with fewer a cell is invalid.
pub const MIN_SAMPLES: usize = 40;

/// The total lag of a system under test at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// When the lag was read, in milliseconds since the measured window began.
    pub at_ms: f64,
    /// Records produced and not yet processed (or committed), over all partitions.
    pub lag: f64,
}

/// The longest time without a sample between the window's begin, the samples, and `until_ms`.
pub fn longest_gap_ms(samples: &[Sample], until_ms: f64) -> f64 {
    let ends = samples.iter().map(|s| s.at_ms).chain([until_ms]);
    let (_, longest) = ends.fold((0.0, 0.0_f64), |(last, longest), at| (at, longest.max(at - last)));
    longest
}
