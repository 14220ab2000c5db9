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
        /// As leader: the bytes of everybody's report and assignment.
        shared: Option<usize>,
    },
    Stable,
    /// Left the group because the application is stuck; waits for it to show life.
    Stalled,
    Leaving(Farewell),
    Failed,
}

/// How far a member is on its way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Farewell {
    /// Releasing, in a settled generation.
    Settled(Parting),
    /// Releasing, with a join or sync parked that nobody waits for any more: the generation may pass.
    MidRound(Parting),
    /// Waiting for the answer to its goodbye.
    Said(RequestId),
}

/// Why a member leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Parting {
    /// The application wants it.
    Wished,
    /// The application does not react.
    Stuck,
    /// The member cannot do its work.
    Broken,
}

impl Parting {
    /// What the group is told.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Wished => "the application left",
            Self::Stuck => "the application did not react in time",
            Self::Broken => "its code that shares out resources failed",
        }
    }
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
    /// Alone in a group that begins: until when it waits for others before it decides.
    pub(super) gathers: Option<Time>,
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
pub(super) struct Leadership<I> {
    pub(super) interest: I,
    /// The stamp of what existed when the assignment was decided; none if that is not known.
    pub(super) decided: Option<u64>,
    pub(super) sight: Sight,
    pub(super) tenure: Tenure,
}

/// Whether a leader leads a generation that is settled for it, or is about to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tenure {
    #[default]
    Ahead,
    Begun,
}

/// Whether a leader has seen what exists since it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    Blind,
    Seeing,
}

impl State {
    pub(super) const fn waiting(cause: RejoinCause) -> Self {
        Self::Waiting { cause, readiness: Readiness::Unprepared }
    }
}
