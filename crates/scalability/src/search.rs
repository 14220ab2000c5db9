use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{CellId, Instances, Judged, Load, Outcome, Threshold, Verdict, combine};

/// The loads and resources of a benchmark, each ascending and without doubles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    loads: Vec<Load>,
    resources: Vec<Instances>,
    repetitions: u32,
}

/// Why a grid was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GridError {
    /// No load.
    #[error("at least one load is needed")]
    NoLoads,
    /// No resources.
    #[error("at least one number of instances is needed")]
    NoResources,
    /// No repetition.
    #[error("at least one repetition is needed")]
    NoRepetitions,
    /// A zero among loads or resources.
    #[error("loads and numbers of instances must be above 0")]
    Zero,
}

/// In which order the counts of one load are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// Every count; the only one that shows results that do not rise with the count.
    Full,
    /// Upwards until the first pass.
    #[default]
    Linear,
    /// Halving; takes for granted that more instances never do worse.
    Binary,
}

/// What earlier loads say about later ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restriction {
    /// Nothing.
    None,
    /// A higher load needs at least as many instances: counts below the demand of the load before are implied fails.
    #[default]
    LowerBound,
}

/// How the verdict of a cell is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// By experiment.
    Tested(Verdict),
    /// By monotony: what passes with fewer instances or a higher load passes, what fails with more or a lower fails.
    Implied(Verdict),
    /// Not at all.
    Untested,
}

/// A cell of the matrix of loads and resources.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixCell {
    /// The load.
    pub load: Load,
    /// The resources.
    pub resources: Instances,
    /// Its verdict and how it is known.
    pub status: Status,
}

/// Walks the grid: which cell to run next follows from the outcomes so far and from nothing else, so a search that is
/// fed stored outcomes goes on where it was.
#[derive(Clone, Debug)]
pub struct Search {
    grid: Grid,
    strategy: Strategy,
    restriction: Restriction,
    threshold: Threshold,
    outcomes: BTreeMap<(Load, Instances), BTreeMap<u32, Outcome>>,
}

impl Grid {
    /// A grid; sorts and removes doubles.
    pub fn new(mut loads: Vec<Load>, mut resources: Vec<Instances>, repetitions: u32) -> Result<Self, GridError> {
        loads.sort_unstable();
        loads.dedup();
        resources.sort_unstable();
        resources.dedup();
        match (loads.first(), resources.first(), repetitions) {
            (None, _, _) => Err(GridError::NoLoads),
            (_, None, _) => Err(GridError::NoResources),
            (_, _, 0) => Err(GridError::NoRepetitions),
            (Some(Load(0)), _, _) | (_, Some(Instances(0)), _) => Err(GridError::Zero),
            _ => Ok(Self { loads, resources, repetitions }),
        }
    }

    /// The loads, ascending.
    pub fn loads(&self) -> &[Load] {
        &self.loads
    }

    /// The resources, ascending.
    pub fn resources(&self) -> &[Instances] {
        &self.resources
    }

    /// Repetitions of each cell.
    pub const fn repetitions(&self) -> u32 {
        self.repetitions
    }
}

impl Search {
    /// A search over `grid` without any outcome yet.
    pub const fn new(grid: Grid, strategy: Strategy, restriction: Restriction, threshold: Threshold) -> Self {
        Self { grid, strategy, restriction, threshold, outcomes: BTreeMap::new() }
    }

    /// The grid searched.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Takes in the outcome of `cell`; a later outcome of the same cell replaces it.
    pub fn observe(&mut self, cell: CellId, outcome: Outcome) {
        self.outcomes.entry((cell.load, cell.resources)).or_default().insert(cell.repetition, outcome);
    }

    /// The cell to run next; none when the search is over.
    pub fn next(&self) -> Option<CellId> {
        self.grid.loads.iter().find_map(|&load| self.next_of(load))
    }

    /// The cell's verdict over all repetitions; none until all are in.
    pub fn verdict(&self, load: Load, resources: Instances) -> Option<Verdict> {
        let outcomes = self.outcomes.get(&(load, resources))?;
        if outcomes.len() < self.grid.repetitions as usize {
            return None;
        }
        let outcomes: Vec<Outcome> = outcomes.values().cloned().collect();
        combine(&outcomes, self.threshold, load)
    }

    /// The cells with a verdict by experiment.
    pub fn tested(&self) -> Vec<Judged> {
        let cells = self.outcomes.keys();
        cells
            .filter_map(|&(load, resources)| Some(Judged { load, resources, verdict: self.verdict(load, resources)? }))
            .collect()
    }

    /// All cells of the grid, loads outermost, each with what is known of it.
    pub fn matrix(&self) -> Vec<MatrixCell> {
        let tested = self.tested();
        let pairs = self.grid.loads.iter().flat_map(|&l| self.grid.resources.iter().map(move |&r| (l, r)));
        pairs
            .map(|(load, resources)| MatrixCell { load, resources, status: status(&tested, load, resources) })
            .collect()
    }

    /// The cells with a verdict, by experiment or implied.
    pub fn known(&self) -> Vec<Judged> {
        self.matrix()
            .into_iter()
            .filter_map(|cell| match cell.status {
                Status::Tested(verdict) | Status::Implied(verdict) => {
                    Some(Judged { load: cell.load, resources: cell.resources, verdict })
                }
                Status::Untested => None,
            })
            .collect()
    }

    fn next_of(&self, load: Load) -> Option<CellId> {
        let bound = self.lower_bound(load);
        let candidates: Vec<Instances> =
            self.grid.resources.iter().copied().filter(|r| bound.is_none_or(|bound| *r >= bound)).collect();
        let resources = match self.strategy {
            Strategy::Full => self.first_open(load, &candidates),
            Strategy::Linear => self.upwards(load, &candidates),
            Strategy::Binary => self.halving(load, &candidates),
        }?;
        Some(CellId { load, resources, repetition: self.missing_repetition(load, resources) })
    }

    fn first_open(&self, load: Load, candidates: &[Instances]) -> Option<Instances> {
        candidates.iter().copied().find(|&r| self.verdict(load, r).is_none())
    }

    fn upwards(&self, load: Load, candidates: &[Instances]) -> Option<Instances> {
        let unpassed = candidates.iter().map(|&r| (r, self.verdict(load, r)));
        let (resources, verdict) = unpassed.into_iter().find(|(_, v)| matches!(v, None | Some(Verdict::Pass)))?;
        verdict.is_none().then_some(resources)
    }

    fn halving(&self, load: Load, candidates: &[Instances]) -> Option<Instances> {
        let mut rest = candidates;
        while !rest.is_empty() {
            let middle = (rest.len() - 1) / 2;
            match self.verdict(load, rest[middle]) {
                None => return Some(rest[middle]),
                Some(Verdict::Pass) => rest = &rest[..middle],
                Some(_) => rest = &rest[middle + 1..],
            }
        }
        None
    }

    fn missing_repetition(&self, load: Load, resources: Instances) -> u32 {
        let done = self.outcomes.get(&(load, resources));
        (1..=self.grid.repetitions).find(|r| done.is_none_or(|d| !d.contains_key(r))).unwrap_or(1)
    }

    /// The fewest instances that `load` can need, judged by the next lower load: its demand, or the lowest open count
    /// below it; beyond the grid if that load had none.
    fn lower_bound(&self, load: Load) -> Option<Instances> {
        if self.restriction == Restriction::None {
            return None;
        }
        let below = self.grid.loads.iter().rev().find(|&&l| l < load)?;
        let own = self.lower_bound(*below);
        let demand = crate::demand(&[*below], &self.tested()).first().and_then(|point| point.low);
        demand.or(Some(Instances(u32::MAX))).max(own)
    }
}

fn status(tested: &[Judged], load: Load, resources: Instances) -> Status {
    let own = tested.iter().find(|c| c.load == load && c.resources == resources);
    if let Some(cell) = own {
        return Status::Tested(cell.verdict.clone());
    }
    let implied = |verdict: Verdict, covers: &dyn Fn(&Judged) -> bool| {
        tested.iter().any(|c| c.verdict == verdict && covers(c)).then_some(Status::Implied(verdict))
    };
    let pass = implied(Verdict::Pass, &|c| c.load >= load && c.resources <= resources);
    let fail = implied(Verdict::Fail, &|c| c.load <= load && c.resources >= resources);
    match (pass, fail) {
        (Some(pass), None) => pass,
        (None, Some(fail)) => fail,
        _ => Status::Untested,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cause;

    const LOADS: [u64; 5] = [5, 15, 25, 35, 45];

    fn search(strategy: Strategy, restriction: Restriction) -> Search {
        let grid = Grid::new(LOADS.map(Load).to_vec(), (1..=4).map(Instances).collect(), 1).unwrap();
        Search::new(grid, strategy, restriction, Threshold::Absolute(1.0))
    }

    /// Runs the search where `n` instances keep up with up to `10 n`; the cells in order.
    fn walk(search: &mut Search) -> Vec<(u64, u32)> {
        let mut cells = Vec::new();
        while let Some(cell) = search.next() {
            let keeps_up = cell.load.0 <= 10 * u64::from(cell.resources.0);
            let verdict = if keeps_up { Verdict::Pass } else { Verdict::Fail };
            search.observe(cell, Outcome { verdict, trend: None });
            cells.push((cell.load.0, cell.resources.0));
            assert!(cells.len() <= 20, "endless: {cells:?}");
        }
        cells
    }

    fn demands(search: &Search) -> Vec<Option<u32>> {
        let points = crate::demand(search.grid().loads(), &search.tested());
        points.iter().map(|p| p.resources.map(|r| r.0)).collect()
    }

    #[test]
    fn linear_with_lower_bound_walks_the_border() {
        let mut search = search(Strategy::Linear, Restriction::LowerBound);
        let cells = walk(&mut search);
        assert_eq!(cells, [(5, 1), (15, 1), (15, 2), (25, 2), (25, 3), (35, 3), (35, 4), (45, 4)]);
        assert_eq!(demands(&search), [Some(1), Some(2), Some(3), Some(4), None]);
    }

    #[test]
    fn every_strategy_finds_the_same_demand() {
        for strategy in [Strategy::Full, Strategy::Linear, Strategy::Binary] {
            for restriction in [Restriction::None, Restriction::LowerBound] {
                let mut search = search(strategy, restriction);
                walk(&mut search);
                assert_eq!(demands(&search), [Some(1), Some(2), Some(3), Some(4), None], "{strategy:?}");
            }
        }
    }

    #[test]
    fn full_search_runs_every_cell() {
        assert_eq!(walk(&mut search(Strategy::Full, Restriction::None)).len(), 20);
    }

    #[test]
    fn untested_cells_are_implied_by_monotony() {
        let mut search = search(Strategy::Linear, Restriction::LowerBound);
        walk(&mut search);
        let matrix = search.matrix();
        let at = |load, resources| {
            let cell = matrix.iter().find(|c| c.load == Load(load) && c.resources == Instances(resources));
            cell.map(|c| c.status.clone())
        };
        assert_eq!(at(5, 4), Some(Status::Implied(Verdict::Pass)));
        assert_eq!(at(45, 1), Some(Status::Implied(Verdict::Fail)));
        assert_eq!(at(25, 2), Some(Status::Tested(Verdict::Fail)));
        assert!(matrix.iter().all(|c| c.status != Status::Untested));
    }

    #[test]
    fn a_load_without_demand_ends_the_search_under_a_lower_bound() {
        let grid = Grid::new(vec![Load(99), Load(100)], vec![Instances(1)], 1).unwrap();
        let mut search = Search::new(grid, Strategy::Linear, Restriction::LowerBound, Threshold::Absolute(1.0));
        assert_eq!(walk(&mut search), [(99, 1)]);
    }

    #[test]
    fn an_open_cell_is_passed_over_and_bounds_nothing_away() {
        let mut search = search(Strategy::Linear, Restriction::LowerBound);
        let mut observe = |load, resources, verdict| {
            let cell = CellId { load: Load(load), resources: Instances(resources), repetition: 1 };
            assert_eq!(search.next(), Some(cell));
            search.observe(cell, Outcome { verdict, trend: None });
        };
        observe(5, 1, Verdict::Undecided);
        observe(5, 2, Verdict::Pass);
        observe(15, 1, Verdict::Invalid(Cause::InstanceJoined));
        observe(15, 2, Verdict::Pass);
        observe(25, 1, Verdict::Fail);
    }

    #[test]
    fn repetitions_are_all_run_before_a_cell_counts() {
        let grid = Grid::new(vec![Load(5)], vec![Instances(1)], 3).unwrap();
        let mut search = Search::new(grid, Strategy::Linear, Restriction::None, Threshold::Absolute(1.0));
        let mut repetitions = Vec::new();
        while let Some(cell) = search.next() {
            repetitions.push(cell.repetition);
            search.observe(cell, Outcome { verdict: Verdict::Invalid(Cause::InstanceJoined), trend: None });
        }
        assert_eq!(repetitions, [1, 2, 3]);
    }

    #[test]
    fn empty_grids_are_refused() {
        assert_eq!(Grid::new(vec![], vec![Instances(1)], 1), Err(GridError::NoLoads));
        assert_eq!(Grid::new(vec![Load(1)], vec![Instances(0)], 1), Err(GridError::Zero));
    }
}
