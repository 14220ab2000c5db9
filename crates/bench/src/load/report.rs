use std::fmt;

use hdrhistogram::Histogram;
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
    /// Processes that took part.
    pub processes: u32,
}

/// What one process generated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShareReport {
    /// Records that were due.
    pub asked_records: u64,
    /// Records acknowledged.
    pub achieved_records: u64,
    /// From the schedule's start to the last acknowledgement.
    pub elapsed_ms: u64,
    /// From the schedule's start to the last record due.
    pub asked_ms: u64,
    /// Send time minus intended time in microseconds, and how many records had it.
    pub schedule_error_us: Vec<(u64, u64)>,
}

impl LoadReport {
    /// One report over all processes.
    pub fn over(shares: &[ShareReport]) -> Self {
        let mut errors = lateness();
        for (value, count) in shares.iter().flat_map(|share| &share.schedule_error_us) {
            errors.saturating_record_n(*value, *count);
        }
        let sum = |of: fn(&ShareReport) -> u64| shares.iter().map(of).sum::<u64>();
        let longest = |of: fn(&ShareReport) -> u64| shares.iter().map(of).max().unwrap_or(0);
        let (asked_records, achieved_records) = (sum(|s| s.asked_records), sum(|s| s.achieved_records));
        Self {
            asked_records,
            achieved_records,
            asked_rate: rate(asked_records, longest(|s| s.asked_ms)),
            achieved_rate: rate(achieved_records, longest(|s| s.elapsed_ms)),
            schedule_error_p50_us: errors.value_at_quantile(0.5),
            schedule_error_p99_us: errors.value_at_quantile(0.99),
            schedule_error_max_us: errors.max(),
            processes: u32::try_from(shares.len()).unwrap_or(u32::MAX),
        }
    }
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

/// Microseconds from 1 to an hour with two significant digits.
pub(super) fn lateness() -> Histogram<u64> {
    let histogram = Histogram::new_with_bounds(1, 3_600_000_000, 2);
    histogram.unwrap_or_else(|_| unreachable!("the bounds are constant and sound"))
}

fn rate(records: u64, ms: u64) -> f64 {
    if ms == 0 { 0.0 } else { records as f64 * 1000.0 / ms as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one_report() {
        let share = |records, error| ShareReport {
            asked_records: records,
            achieved_records: records - 10,
            elapsed_ms: 2000,
            asked_ms: 1000,
            schedule_error_us: vec![(error, records)],
        };
        let report = LoadReport::over(&[share(1000, 50), share(1000, 900)]);
        assert_eq!((report.asked_records, report.achieved_records, report.processes), (2000, 1980, 2));
        assert_eq!((report.asked_rate, report.achieved_rate), (2000.0, 990.0));
        assert!((895..=905).contains(&report.schedule_error_p99_us), "{report:?}");
        assert!((49..=51).contains(&report.schedule_error_p50_us), "{report:?}");
    }
}
