use std::collections::BTreeMap;

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
        let next = |commit: &Commit| match commit.stage {
            Stage::Waiting(at) if coordinator.is_some() => at.min(commit.until),
            Stage::Waiting(_) | Stage::Asked => commit.until,
        };
        self.under_way.values().map(next).min()
    }

    /// Those to be sent or given up now.
    pub(super) fn due(&self, now: Time) -> Vec<CommitId> {
        let is_due = |commit: &Commit| match commit.stage {
            Stage::Waiting(at) => at <= now || commit.until <= now,
            Stage::Asked => commit.until <= now,
        };
        self.under_way.iter().filter(|(_, commit)| is_due(commit)).map(|(id, _)| *id).collect()
    }

    pub(super) fn has_timed(&self) -> bool {
        self.under_way.values().any(|commit| commit.owner == Owner::Timer)
    }
}

/// Ended commits whose result nobody has asked for yet; older ones are forgotten.
const ENDED: usize = 1024;
