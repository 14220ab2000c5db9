use groma_sim::Outcome;
use serde::Serialize;

/// What became of many schedules.
#[derive(Debug, Default, Serialize)]
pub(super) struct Tally {
    pub(super) schedules: u64,
    pub(super) rounds: u64,
    pub(super) faults: u64,
    pub(super) membership_changes: u64,
    /// The fewest in one schedule.
    pub(super) least_faults: Option<u64>,
    pub(super) least_membership_changes: Option<u64>,
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
        let changes = outcome.membership_changes() as u64;
        self.membership_changes += changes;
        self.least_faults = least(self.least_faults, Some(outcome.faults));
        self.least_membership_changes = least(self.least_membership_changes, Some(changes));
        self.moves += outcome.moves;
        self.violations += outcome.violations.len() as u64;
        if !outcome.violations.is_empty() {
            self.failing.push(seed);
        }
        self.cut();
    }

    pub(super) fn merge(&mut self, other: Self) {
        let Self { schedules, rounds, faults, membership_changes, moves, violations, failing, .. } = other;
        self.membership_changes += membership_changes;
        self.least_faults = least(self.least_faults, other.least_faults);
        self.least_membership_changes = least(self.least_membership_changes, other.least_membership_changes);
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
        let Self { schedules, rounds, faults, membership_changes, moves, violations, .. } = self;
        let faults_in_each = self.least_faults.unwrap_or_default();
        let changes_in_each = self.least_membership_changes.unwrap_or_default();
        format!(
            "{rounds} rounds, {faults} faults ({faults_in_each} or more in each), {membership_changes} members that came \
             or went ({changes_in_each} or more), {moves} moves\n{schedules} schedules, {violations} violations"
        )
    }
}

/// The less of what is known.
fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}
