use crate::{Grid, Restriction, Strategy};

/// How long one repetition of a cell takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellTime {
    /// Starting, warming up and tearing down, in milliseconds.
    pub fixed_ms: u64,
    /// The measured window when the first look decides.
    pub shortest_ms: u64,
    /// The measured window when only the last look decides.
    pub longest_ms: u64,
}

/// How many cells a search needs and how long it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The fewest cells, repetitions counted.
    pub cells_min: u64,
    /// The most cells, repetitions counted.
    pub cells_max: u64,
    /// The shortest time in milliseconds.
    pub elapsed_min_ms: u64,
    /// The longest time in milliseconds.
    pub elapsed_max_ms: u64,
}

/// The bounds for a search over `grid`.
pub fn estimate(grid: &Grid, strategy: Strategy, restriction: Restriction, time: CellTime) -> Estimate {
    let loads = grid.loads().len() as u64;
    let resources = grid.resources().len() as u64;
    let halvings = u64::from((resources + 1).next_power_of_two().ilog2());
    let (min, max) = match (strategy, restriction) {
        (Strategy::Full, Restriction::None) => (loads * resources, loads * resources),
        (Strategy::Full, Restriction::LowerBound) => (loads + resources - 1, loads * resources),
        (Strategy::Linear, Restriction::None) => (loads, loads * resources),
        (Strategy::Linear, Restriction::LowerBound) => (loads.min(resources), loads + resources - 1),
        (Strategy::Binary, _) => (loads.min(halvings), loads * halvings),
    };
    let repetitions = u64::from(grid.repetitions());
    let (cells_min, cells_max) = (min * repetitions, max * repetitions);
    Estimate {
        cells_min,
        cells_max,
        elapsed_min_ms: cells_min * (time.fixed_ms + time.shortest_ms),
        elapsed_max_ms: cells_max * (time.fixed_ms + time.longest_ms),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instances, Load};

    const TIME: CellTime = CellTime { fixed_ms: 5000, shortest_ms: 4000, longest_ms: 10_000 };

    fn bounds(strategy: Strategy, restriction: Restriction) -> (u64, u64) {
        let grid = Grid::new((1..=5).map(Load).collect(), (1..=4).map(Instances).collect(), 1).unwrap();
        let estimate = estimate(&grid, strategy, restriction, TIME);
        (estimate.cells_min, estimate.cells_max)
    }

    #[test]
    fn linear_with_lower_bound_needs_at_most_one_cell_per_row_and_column() {
        assert_eq!(bounds(Strategy::Linear, Restriction::LowerBound), (4, 8));
        assert_eq!(bounds(Strategy::Full, Restriction::None), (20, 20));
        assert_eq!(bounds(Strategy::Binary, Restriction::None), (3, 15));
    }

    #[test]
    fn time_is_cells_times_their_length() {
        let grid = Grid::new(vec![Load(1)], vec![Instances(1)], 3).unwrap();
        let estimate = estimate(&grid, Strategy::Full, Restriction::None, TIME);
        assert_eq!((estimate.elapsed_min_ms, estimate.elapsed_max_ms), (27_000, 45_000));
    }
}
