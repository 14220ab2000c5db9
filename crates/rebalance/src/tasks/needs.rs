use std::collections::{BTreeMap, BTreeSet};

use crate::policy::Limit;

/// Whether a task has state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// It can begin anywhere at once.
    Stateless,
    /// It can begin only where its state is.
    Stateful {
        /// How many records it takes to restore all of it.
        size: u64,
    },
}

/// A member and what it reports; tasks by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// How much it can do beside the others, such as its number of threads; 0 counts as 1.
    pub capacity: u32,
    /// What it runs.
    pub runs: Vec<u32>,
    /// How many records the state it has of a task is behind; without an entry it has none. What it runs is not behind.
    pub behind: BTreeMap<u32, u64>,
    /// Whose state it keeps or builds up now: it goes on with that rather than with what it has otherwise.
    pub follows: BTreeSet<u32>,
}

/// When state is good enough, how much of it is built up at a time, and how often it is kept.
///
/// # Defaults
/// As in Kafka Streams: 10,000 records, 2 warm-ups whatever they cost, no standbys, shares by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CatchUp {
    /// A member that is at most so many records behind has caught up (`acceptable.recovery.lag`).
    pub acceptable: u64,
    /// What warms up at a time in the whole group: so many tasks (`max.warmup.replicas`,
    /// `rebalance.moves-per-round`), and so much that they still have to restore (`rebalance.cost-per-round`; see
    /// [`Self::cost`]). At least one task always may. [`crate::policy::PolicySettings::limit`] reads both settings.
    pub warmups: Limit,
    /// How many members beside the one that runs a task keep its state (`num.standby.replicas`).
    pub standbys: u32,
    /// By what workers have equal shares.
    pub balance: Balance,
}

/// By what workers have equal shares, each by its capacity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Balance {
    /// Each has as many tasks as the others, or one more.
    #[default]
    Number,
    /// Each has as much state as the others, in the measure of [`crate::assignor::Weighted`]. What fits stays, so that
    /// no task moves because states grow a little.
    Size,
}

impl Default for CatchUp {
    fn default() -> Self {
        Self { acceptable: 10_000, warmups: Limit::moves(2), standbys: 0, balance: Balance::Number }
    }
}

impl CatchUp {
    /// Whether state that is so many records behind is good enough to run a task.
    pub const fn has_caught_up(&self, behind: u64) -> bool {
        behind <= self.acceptable
    }

    /// What so many records of state cost: 1, as a task without state, and 1 for each [`Self::acceptable`] of them.
    pub const fn cost(&self, records: u64) -> u64 {
        let unit = if self.acceptable == 0 { 1 } else { self.acceptable };
        (records / unit).saturating_add(1)
    }
}

impl Task {
    pub(super) const fn is_stateful(self) -> bool {
        matches!(self, Self::Stateful { .. })
    }

    pub(super) const fn size(self) -> u64 {
        match self {
            Self::Stateless => 0,
            Self::Stateful { size } => size,
        }
    }
}

impl Worker {
    pub(super) fn weight(&self) -> u64 {
        u64::from(self.capacity.max(1))
    }
}
