use groma_model::{Generation, MemberId, Span};
use thiserror::Error;

use super::{ReleaseId, RequestId};
use crate::cause::MoveCause;
use crate::embedded::{Embedded, EmbeddedError, HeldBack, Offence, PolicyUsed, Waiting};
use crate::protocol::{GroupError, Request};

/// What is to be done.
#[derive(Clone, Debug)]
pub enum Output<E: Embedded> {
    /// Look up the coordinator, then hand in `CoordinatorFound` or `CoordinatorUnknown`.
    FindCoordinator,
    /// As leader this member must know what exists of this; hand in `Catalog` soon.
    Resolve(E::Interest),
    /// Send a request to the coordinator.
    Send {
        /// Names it in the answer.
        id: RequestId,
        /// What to send.
        request: Request,
        /// When to give it up.
        patience: Span,
    },
    /// Stop running these in good order: finish, commit, then hand in `Released`. The member is still their owner.
    Revoke {
        /// Names the set.
        id: ReleaseId,
        /// Only what is given up, in order.
        resources: Vec<E::Resource>,
        /// Why.
        cause: RevokeCause,
    },
    /// Stop running these at once: they may have another owner already, commits would be refused. Then hand in
    /// `Released`.
    Lost {
        /// Names the set.
        id: ReleaseId,
        /// Everything that was held, in order.
        resources: Vec<E::Resource>,
        /// Why.
        cause: LostCause,
    },
    /// Run these from now on, beside what is held.
    Assign {
        /// Only what is new, in order.
        resources: Vec<E::Resource>,
        /// Since this generation.
        generation: Generation,
    },
    /// The member cannot go on; everything was given up.
    Failed(MemberFailure),
    /// The group has been left.
    Left,
    /// Something to tell people; nothing needs to be done.
    Event(Event<E::Resource>),
}

/// What happened, with its cause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event<R> {
    /// A join was sent.
    Joining(RejoinCause),
    /// A generation was joined.
    Joined {
        /// As whom.
        member: MemberId,
        /// Which one.
        generation: Generation,
        /// Who leads it.
        leader: MemberId,
    },
    /// As leader: what moves in this round, with causes.
    Planned {
        /// The round.
        generation: Generation,
        /// Resource, from whom, to whom, and why; only the first of very many.
        moves: Vec<Move<R>>,
        /// How many resources move.
        moved: usize,
    },
    /// As leader: what waits for its owner after this round.
    Waits(Vec<Waiting<R>>),
    /// As leader: what would balance the group and is left for later rounds.
    HeldBack(HeldBack),
    /// The policy is not the configured one: as leader, because a member does not support it; as follower, because the
    /// leader is of another make.
    Policy(PolicyUsed),
    /// A peer broke the rules.
    Offence(Offence<R>),
    /// A report could not be read; its sender gets nothing.
    BrokenReport(MemberId),
    /// The generation is settled for this member.
    Stable(Generation),
    /// The coordinator's error was taken note of and repaired from.
    Recovered(GroupError),
}

/// One resource that changes hands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move<R> {
    /// What moves.
    pub resource: R,
    /// Who has it, if anybody.
    pub from: Option<MemberId>,
    /// Who gets it, if anybody.
    pub to: Option<MemberId>,
    /// Whether it moves in this round or in a later one.
    pub step: Step,
    /// Why.
    pub cause: MoveCause,
}

/// When a move takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Granted in this round.
    Grant,
    /// Revoked in this round; granted to its new owner in a later one.
    Revoke,
}

/// Why a member joins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejoinCause {
    /// It enters the group.
    First,
    /// The coordinator gave it an identity to join with.
    IdentityGiven,
    /// A round is under way.
    Told,
    /// It has given up what it was told to.
    Released,
    /// It subscribes to something else.
    Subscription,
    /// As leader: what exists has changed.
    Catalog,
    /// The assignment did not fit the subscription.
    Misfit,
    /// Its last attempt failed.
    Retry,
    /// It lost its identity.
    IdentityLost,
    /// The application asked.
    Asked,
    /// The plan said that another round is due.
    FollowUp,
    /// The time that the plan set is up.
    Alarm,
}

/// Why resources are to be given up in good order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RevokeCause {
    /// The leader gives them to somebody else, or to nobody.
    Plan,
    /// Everything is given up before each round (eager).
    Eager,
    /// No longer subscribed.
    Unsubscribed,
    /// The application leaves.
    Leaving,
}

/// Why resources were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LostCause {
    /// The coordinator no longer knows this member, or its generation.
    Expelled,
    /// Another process took over the stable identity.
    Fenced,
    /// The coordinator could not be reached for as long as the session lasts.
    Isolated,
    /// The round ended, or may have, without this member.
    Late,
    /// The application did not show life in time.
    Stalled,
    /// The member failed for good.
    Failed,
}

/// Why a member cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
pub enum MemberFailure {
    /// The coordinator refused for good.
    #[error("{0}")]
    Refused(GroupError),
    /// The coordinator speaks of another embedded protocol than was asked for.
    #[error("the coordinator speaks of the embedded protocol {said}")]
    ProtocolMismatch {
        /// What it said.
        said: String,
    },
    /// Code of the application's panicked.
    #[error(
        "its own code, which names and shares out resources, panicked ({said}); until that is mended another member leads"
    )]
    Panicked {
        /// What it said.
        said: String,
    },
    /// The coordinator could not keep what the round ended with.
    #[error(
        "the coordinator could not store the round (UNKNOWN_SERVER_ERROR), most likely because it is too large{}: \
         all members of a group with what each is given are one record of the topic __consumer_offsets; raise \
         max.message.bytes of that topic, or share out fewer resources under shorter names",
        leaders_word(*bytes)
    )]
    NotStored {
        /// The least that this record takes; none where this member does not lead.
        bytes: Option<usize>,
    },
    /// Reports or assignments of the chosen protocol cannot be read, or made.
    #[error("{0}")]
    Unreadable(EmbeddedError),
}

fn leaders_word(bytes: Option<usize>) -> String {
    bytes.map_or_else(String::new, |bytes| format!(" with at least {bytes} bytes"))
}

/// What a member is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Not in a group.
    Idle,
    /// Waiting for the coordinator to be found.
    Seeking,
    /// Waiting for the application to release resources before a join.
    Releasing,
    /// Pausing before a retry.
    Pausing,
    /// A join is parked.
    Joining,
    /// As leader: waiting to know what exists.
    Resolving,
    /// A sync is parked.
    Syncing,
    /// In a settled generation.
    Stable,
    /// Saying goodbye.
    Leaving,
    /// Failed for good.
    Failed,
}

/// Why the member wants to be woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// When held resources must stop unless the coordinator is heard.
    Lease,
    /// When a heartbeat is due.
    Heartbeat,
    /// When to try again.
    Retry,
    /// When the application must have shown life.
    Liveness,
    /// When a release must be done.
    Release,
    /// When the plan asked for another round.
    Alarm,
    /// When to look at the clock while a join is parked: only a member that is driven often notices that its process
    /// was frozen.
    Pulse,
}

impl RejoinCause {
    /// The reason as a join carries it, for people (KIP-800).
    pub const fn sentence(&self) -> &'static str {
        match self {
            Self::First => "enters the group",
            Self::IdentityGiven => "joins with the identity it was given",
            Self::Told => "a rebalance is in progress",
            Self::Released => "has released what it was told to",
            Self::Subscription => "subscribes to something else",
            Self::Catalog => "what exists has changed",
            Self::Misfit => "the assignment did not fit the subscription",
            Self::Retry => "tries again",
            Self::IdentityLost => "lost its identity or what it held",
            Self::Asked => "the application asked for a round",
            Self::FollowUp => "the plan said that another round is due",
            Self::Alarm => "the time that the plan set is up",
        }
    }
}
