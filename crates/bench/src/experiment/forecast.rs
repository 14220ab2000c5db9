use groma_scalability::{CellTime, Estimate, GridError, estimate};

use super::calibrate::CALIBRATION_MS;
use crate::definition::{Benchmark, Handled, Loads, auto_loads};

/// How many cells a benchmark of one system needs and how long they take, what comes before the first included.
///
/// # Errors
/// A benchmark without cells.
pub(crate) fn forecast(benchmark: &Benchmark) -> Result<Estimate, GridError> {
    let (loads, before_ms) = match &benchmark.loads {
        Loads::List(loads) => (loads.clone(), 0),
        Loads::Auto => (some_loads(benchmark), CALIBRATION_MS),
    };
    let time = CellTime {
        fixed_ms: benchmark.warmup_ms + OVERHEAD_MS,
        shortest_ms: benchmark.looks.first_ms(),
        longest_ms: benchmark.looks.window_ms(),
    };
    let cells = estimate(&benchmark.grid(loads)?, benchmark.strategy, benchmark.restriction, time);
    Ok(Estimate {
        elapsed_min_ms: cells.elapsed_min_ms + before_ms,
        elapsed_max_ms: cells.elapsed_max_ms + before_ms,
        ..cells
    })
}

/// As many loads as will be measured, whatever instances turn out to handle.
fn some_loads(benchmark: &Benchmark) -> Vec<groma_scalability::Load> {
    let counts: Vec<u32> = benchmark.instances.iter().map(|i| i.0).collect();
    let most = counts.iter().copied().max().unwrap_or(1);
    auto_loads(&counts, Handled::independent(1e5, most))
}

/// Starting, settling and taking away a cell, without its warm-up.
const OVERHEAD_MS: u64 = 3000;
