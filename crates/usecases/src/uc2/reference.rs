use std::collections::BTreeMap;

use groma_dataflow::Window;
use groma_model::Timestamp;

use crate::format::WindowStatistics;

/// UC2's definition in plain steps: every accepted reading is kept, and the figures are worked out at the end.
#[derive(Clone, Debug)]
pub struct Reference {
    size_ms: i64,
    grace_ms: i64,
    stream_time: BTreeMap<i32, i64>,
    readings: BTreeMap<(String, i64), Vec<f64>>,
    late: u64,
}

impl Reference {
    /// For windows of `size_ms` that take records up to `grace_ms` after their end.
    pub const fn new(size_ms: i64, grace_ms: i64) -> Self {
        Self { size_ms, grace_ms, stream_time: BTreeMap::new(), readings: BTreeMap::new(), late: 0 }
    }

    /// Takes the next reading of an input partition, in that partition's order.
    pub fn add(&mut self, partition: i32, identifier: &str, timestamp: i64, value: f64) {
        let start = timestamp.div_euclid(self.size_ms) * self.size_ms;
        let now = self.stream_time.entry(partition).or_insert(i64::MIN);
        if start + self.size_ms + self.grace_ms <= *now {
            self.late += 1;
            return;
        }
        *now = timestamp.max(*now);
        self.readings.entry((identifier.to_owned(), start)).or_default().push(value);
    }

    /// How many readings were late.
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// The final result for each sensor and window start.
    pub fn results(&self) -> BTreeMap<(String, i64), WindowStatistics> {
        let result = |((identifier, start), values): (&(String, i64), &Vec<f64>)| {
            let count = values.len() as f64;
            let sum: f64 = values.iter().sum();
            let mean = sum / count;
            let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
            let statistics = WindowStatistics {
                identifier: identifier.clone(),
                window: Window { start: Timestamp(*start), end: Timestamp(start + self.size_ms) },
                count: values.len() as i64,
                sum_in_w: sum,
                mean_in_w: mean,
                min_in_w: values.iter().copied().fold(f64::INFINITY, f64::min),
                max_in_w: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                population_variance: squares / count,
            };
            ((identifier.clone(), *start), statistics)
        };
        self.readings.iter().map(result).collect()
    }
}
