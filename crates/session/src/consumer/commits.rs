use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Offset, Time, TopicPartition};
use groma_rebalance::member::ReleaseId;
use groma_rebalance::protocol::CommitFence;

use super::CommitError;

/// Names a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(pub u64);

/// Commits under way, and how those of the application ended.
#[derive(Debug, Default)]
pub(super) struct Commits {
    next: u64,
    pub(super) under_way: BTreeMap<CommitId, Commit>,
    ended: BTreeMap<CommitId, Result<(), CommitError>>,
}

/// A commit under way.
#[derive(Clone, Debug)]
pub(super) struct Commit {
    pub(super) offsets: BTreeMap<TopicPartition, Offset>,
    pub(super) owner: Owner,
    pub(super) until: Time,
    pub(super) stage: Stage,
    pub(super) failures: u32,
    /// What it was last sent under.
    pub(super) fence: Option<CommitFence>,
}

/// On whose account a commit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Application,
    Timer,
    /// It goes before giving up partitions.
    Release(ReleaseId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// To be sent, not before this time.
    Waiting(Time),
    /// Sent.
    Asked,
}

impl Commits {
    pub(super) fn begin(&mut self, offsets: BTreeMap<TopicPartition, Offset>, owner: Owner, until: Time) -> CommitId {
        self.next += 1;
        let id = CommitId(self.next);
        let commit = Commit { offsets, owner, until, stage: Stage::Waiting(Time::ZERO), failures: 0, fence: None };
        self.under_way.insert(id, commit);
        id
    }

    pub(super) fn end(&mut self, id: CommitId, result: Result<(), CommitError>) {
        if self.ended.len() >= ENDED {
            self.ended.pop_first();
        }
        self.ended.insert(id, result);
    }

    pub(super) fn take(&mut self, id: CommitId) -> Option<Result<(), CommitError>> {
        self.ended.remove(&id)
    }

    /// When the next one is to be sent or given up; without a coordinator none can be sent.
    pub(super) fn deadline(&self, coordinator: Option<i32>) -> Option<Time> {
        let queued = self.queued();
        let next = |(id, commit): (&CommitId, &Commit)| match commit.stage {
            Stage::Waiting(at) if coordinator.is_some() && !queued.contains(id) => at.min(commit.until),
            Stage::Waiting(_) | Stage::Asked => commit.until,
        };
        self.under_way.iter().map(next).min()
    }

    /// Those to be sent or given up now.
    pub(super) fn due(&self, now: Time) -> Vec<CommitId> {
        let queued = self.queued();
        let is_due = |(id, commit): &(&CommitId, &Commit)| match commit.stage {
            Stage::Waiting(at) => (at <= now && !queued.contains(id)) || commit.until <= now,
            Stage::Asked => commit.until <= now,
        };
        self.under_way.iter().filter(is_due).map(|(id, _)| *id).collect()
    }

    /// Those that wait for an older one of the same partition to end: sent beside it, they could land before it.
    fn queued(&self) -> BTreeSet<CommitId> {
        if self.under_way.len() < 2 {
            return BTreeSet::new();
        }
        let mut older: BTreeSet<&TopicPartition> = BTreeSet::new();
        let mut queued = BTreeSet::new();
        for (id, commit) in &self.under_way {
            if commit.offsets.keys().any(|partition| older.contains(partition)) {
                queued.insert(*id);
            }
            older.extend(commit.offsets.keys());
        }
        queued
    }

    pub(super) fn has_timed(&self) -> bool {
        self.under_way.values().any(|commit| commit.owner == Owner::Timer)
    }
}

/// Ended commits whose result nobody has asked for yet; older ones are forgotten.
const ENDED: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: Time = Time(60_000_000_000);

    fn offsets(partitions: &[i32]) -> BTreeMap<TopicPartition, Offset> {
        partitions.iter().map(|number| (TopicPartition::new("t", *number), Offset(7))).collect()
    }

    #[test]
    fn a_commit_waits_for_an_older_one_of_the_same_partition() {
        let mut commits = Commits::default();
        let first = commits.begin(offsets(&[0, 1]), Owner::Application, LATER);
        let second = commits.begin(offsets(&[1, 2]), Owner::Application, LATER);
        let other = commits.begin(offsets(&[3]), Owner::Application, LATER);
        assert_eq!(commits.due(Time(1)), [first, other]);
        for id in [first, other] {
            commits.under_way.get_mut(&id).unwrap().stage = Stage::Asked;
        }
        assert_eq!(commits.due(Time(1)), []);
        assert_eq!(commits.deadline(Some(1)), Some(LATER), "a queued commit asks for no tick");
        commits.under_way.remove(&first);
        assert_eq!(commits.due(Time(1)), [second]);
        assert_eq!(commits.due(LATER).len(), 2, "both are given up in time");
    }
}
