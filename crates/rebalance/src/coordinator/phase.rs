use std::collections::BTreeSet;

use groma_model::Span;

use super::GroupState;

/// Where a group is between two generations; each variant owns what only it needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    Empty,
    Joining(JoinWindow),
    /// The leader is at work.
    Syncing(Unsynced),
    /// The leader has decided; some may still have to fetch.
    Stable(Unsynced),
    Dead,
}

/// When the join phase ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum JoinWindow {
    /// The first round of an empty group waits, in steps, while members keep coming.
    Initial { remaining: Span, grew: Grew },
    /// As soon as all known members are in.
    Usual,
}

/// Whether members came since the window was last extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Grew {
    Yes,
    No,
}

/// Seats that have joined the generation and not yet asked for their assignment.
pub(super) type Unsynced = BTreeSet<u64>;

impl Phase {
    pub(super) const fn state(&self) -> GroupState {
        match self {
            Self::Empty => GroupState::Empty,
            Self::Joining(_) => GroupState::PreparingRebalance,
            Self::Syncing(_) => GroupState::CompletingRebalance,
            Self::Stable(_) => GroupState::Stable,
            Self::Dead => GroupState::Dead,
        }
    }

    pub(super) const fn unsynced(&mut self) -> Option<&mut Unsynced> {
        match self {
            Self::Syncing(unsynced) | Self::Stable(unsynced) => Some(unsynced),
            Self::Empty | Self::Joining(_) | Self::Dead => None,
        }
    }
}
