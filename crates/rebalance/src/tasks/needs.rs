use std::collections::BTreeMap;

/// Whether a task has state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// It can begin anywhere at once.
    Stateless,
    /// It can begin only where its state is.
    Stateful,
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
}

/// When state is good enough, and how often it is kept.
///
/// # Defaults
/// As in Kafka Streams: 10,000 records, 2 warm-ups, no standbys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CatchUp {
    /// A member that is at most so many records behind has caught up (`acceptable.recovery.lag`).
    pub acceptable: u64,
    /// How many warm-ups run at a time in the whole group (`max.warmup.replicas`); 0 counts as 1.
    pub warmups: u32,
    /// How many members beside the one that runs a task keep its state (`num.standby.replicas`).
    pub standbys: u32,
}

impl Default for CatchUp {
    fn default() -> Self {
        Self { acceptable: 10_000, warmups: 2, standbys: 0 }
    }
}

impl Worker {
    pub(super) fn weight(&self) -> u64 {
        u64::from(self.capacity.max(1))
    }
}
