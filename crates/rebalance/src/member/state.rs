use groma_model::{Generation, MemberId, Time};

use super::{RejoinCause, RequestId};
use crate::protocol::MemberReport;

/// What the member is doing; each variant owns what only it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    Idle,
    /// Wants to join; held up by resources to release, an unknown coordinator or a pause.
    Waiting {
        cause: RejoinCause,
        readiness: Readiness,
    },
    Joining(RequestId),
    Resolving(Leading),
    Syncing {
        request: RequestId,
        sent: Time,
    },
    Stable,
    /// Left the group because the application is stuck; waits for it to show life.
    Stalled,
    Leaving(Option<RequestId>),
    Failed,
}

/// Whether what must be released before a join has been named to the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readiness {
    Unprepared,
    Prepared,
}

/// The leader's work before it can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leading {
    pub(super) members: Vec<MemberReport>,
    pub(super) asked: Time,
}

/// Whether the coordinator is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// To be looked up, not before the given time.
    Unknown(Time),
    Seeking,
    Known,
}

/// A heartbeat on its way, and under which identity it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Beat {
    pub(super) request: RequestId,
    pub(super) sent: Time,
    pub(super) member: MemberId,
    pub(super) generation: Generation,
}

/// What a leader watches after it has decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leadership<I, C> {
    pub(super) interest: I,
    pub(super) catalog: C,
}

impl State {
    pub(super) const fn waiting(cause: RejoinCause) -> Self {
        Self::Waiting { cause, readiness: Readiness::Unprepared }
    }
}
