use groma_sim::Outcome;
use serde::Serialize;

/// What became of many schedules.
#[derive(Debug, Default, Serialize)]
pub(super) struct Tally {
    pub(super) schedules: u64,
    pub(super) rounds: u64,
    pub(super) faults: u64,
    pub(super) moves: u64,
    pub(super) violations: u64,
    /// Schedules with a violation, in order; only the first of very many.
    pub(super) failing: Vec<u64>,
}

const FAILING_MAX: usize = 100;

impl Tally {
    pub(super) fn add(&mut self, seed: u64, outcome: &Outcome) {
        self.schedules += 1;
        self.rounds += outcome.rounds;
        self.faults += outcome.faults;
        self.moves += outcome.moves;
        self.violations += outcome.violations.len() as u64;
        if !outcome.violations.is_empty() {
            self.failing.push(seed);
        }
        self.cut();
    }

    pub(super) fn merge(&mut self, other: Self) {
        let Self { schedules, rounds, faults, moves, violations, failing } = other;
        self.schedules += schedules;
        self.rounds += rounds;
        self.faults += faults;
        self.moves += moves;
        self.violations += violations;
        self.failing.extend(failing);
        self.cut();
    }

    fn cut(&mut self) {
        self.failing.sort_unstable();
        self.failing.truncate(FAILING_MAX);
    }

    /// The two lines that end a run.
    pub(super) fn lines(&self) -> String {
        let Self { schedules, rounds, faults, moves, violations, .. } = self;
        format!("{rounds} rounds, {faults} faults, {moves} moves\n{schedules} schedules, {violations} violations")
    }
}
