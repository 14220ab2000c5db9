use crate::embedded::Embedded;
use crate::protocol::{CommitFence, GroupError, Reply};

/// Names a request in the answer to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// Names a set of resources to be given up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReleaseId(pub u64);

/// What happens to a member.
#[derive(Clone, Debug)]
pub enum Input<E: Embedded> {
    /// The application asks for resources, or for others than before. The first one enters the group.
    Subscribe(E::Interest),
    /// What exists, as far as known; hand it in whenever it changes and after [`super::Output::Resolve`].
    Catalog(E::Catalog),
    /// The coordinator is known and reachable.
    CoordinatorFound,
    /// The look-up failed.
    CoordinatorUnknown(GroupError),
    /// The connection to the coordinator broke while no request was outstanding.
    CoordinatorLost,
    /// A request was answered, or never will be.
    Answered {
        /// The request.
        id: RequestId,
        /// The answer.
        result: Result<Reply, Unanswered>,
    },
    /// The application has stopped what [`super::Output::Revoke`] or [`super::Output::Lost`] named.
    Released(ReleaseId),
    /// The application is alive.
    Polled,
    /// The coordinator refused a commit sent under this fence.
    CommitRefused {
        /// The fence it was sent under.
        fence: CommitFence,
        /// The refusal.
        error: GroupError,
    },
    /// The application wants a round (KIP-568).
    Rejoin,
    /// The application leaves: everything is revoked, then the group is told (a static member is silent).
    Leave,
    /// Code of the application's, which names or shares out resources, panicked while this member was driven. The member
    /// gives everything up in good order and leaves, so that another can lead.
    Panicked(String),
    /// Time has passed; see [`super::Member::deadline`].
    Tick,
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unanswered {
    /// The connection broke.
    Disconnected,
    /// It took longer than allowed.
    TimedOut,
}
