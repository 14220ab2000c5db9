use std::fmt;

use serde::{Deserialize, Serialize};

/// What was generated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadReport {
    /// Records that were due.
    pub asked_records: u64,
    /// Records acknowledged.
    pub achieved_records: u64,
    /// Records per second asked.
    pub asked_rate: f64,
    /// Records per second acknowledged.
    pub achieved_rate: f64,
    /// Median of send time minus intended time, in microseconds.
    pub schedule_error_p50_us: u64,
    /// 99th percentile of the same.
    pub schedule_error_p99_us: u64,
    /// Maximum of the same.
    pub schedule_error_max_us: u64,
}

impl fmt::Display for LoadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "asked {} records, achieved {} ({:.0} of {:.0} records/s), schedule error p50 {} µs, p99 {} µs, max {} µs",
            self.asked_records,
            self.achieved_records,
            self.achieved_rate,
            self.asked_rate,
            self.schedule_error_p50_us,
            self.schedule_error_p99_us,
            self.schedule_error_max_us
        )
    }
}
