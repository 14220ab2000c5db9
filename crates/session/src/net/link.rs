use std::collections::VecDeque;

use groma_model::Time;

use super::{Address, Api, Call, CallId, Ending, Versions};

/// Names a connection; never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u64);

/// What a connection is for. Answers come in order on a connection, so what may be parked has one of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// Short questions: metadata, offsets, heartbeats, commits.
    Control,
    /// Produce and Fetch.
    Data,
    /// JoinGroup and SyncGroup, which the coordinator parks.
    Group,
}

/// The far end of a connection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Peer {
    /// Where it listens.
    pub address: Address,
    /// What the connection is for.
    pub lane: Lane,
}

/// A connection, or the wish for one.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) state: LinkState,
    pub(super) failures: u32,
    /// Of those, how many of the last in a row leave no hope for the next one, see [`Ending::is_certain`].
    pub(super) rebuffs: u32,
    /// How the last attempt ended; none once there was an answer.
    pub(super) ending: Option<Ending>,
    pub(super) queue: VecDeque<Queued>,
}

#[derive(Clone, Debug)]
pub(super) enum LinkState {
    Down { not_before: Time },
    Opening { id: LinkId, until: Time },
    Asking { id: LinkId, version: i16, until: Time },
    Up { id: LinkId, versions: Versions, flight: VecDeque<Flying> },
}

#[derive(Clone, Debug)]
pub(super) struct Queued {
    pub(super) id: CallId,
    pub(super) call: Call,
    pub(super) until: Time,
}

#[derive(Clone, Debug)]
pub(super) struct Flying {
    pub(super) id: CallId,
    pub(super) correlation: i32,
    pub(super) api: Api,
    pub(super) version: i16,
    pub(super) until: Time,
}

impl Link {
    pub(super) const fn new() -> Self {
        let state = LinkState::Down { not_before: Time::ZERO };
        Self { state, failures: 0, rebuffs: 0, ending: None, queue: VecDeque::new() }
    }

    pub(super) const fn id(&self) -> Option<LinkId> {
        match &self.state {
            LinkState::Down { .. } => None,
            LinkState::Opening { id, .. } | LinkState::Asking { id, .. } | LinkState::Up { id, .. } => Some(*id),
        }
    }

    /// When something is overdue here: the connection itself, a queued call, or the oldest in flight.
    pub(super) fn deadline(&self) -> Option<Time> {
        let queued = self.queue.iter().map(|q| q.until).min();
        let own = match &self.state {
            LinkState::Down { not_before } => (!self.queue.is_empty()).then_some(*not_before),
            LinkState::Opening { until, .. } | LinkState::Asking { until, .. } => Some(*until),
            LinkState::Up { flight, .. } => flight.iter().map(|f| f.until).min(),
        };
        queued.into_iter().chain(own).min()
    }
}
