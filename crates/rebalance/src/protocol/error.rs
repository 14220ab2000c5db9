use groma_model::MemberId;
use thiserror::Error;

/// Why a coordinator refuses.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
pub enum GroupError {
    /// The coordinator still reads the group's records.
    #[error("the coordinator is loading")]
    CoordinatorLoading,
    /// The coordinator cannot answer now; look it up again.
    #[error("the coordinator is not available")]
    CoordinatorNotAvailable,
    /// Another broker coordinates this group.
    #[error("this broker does not coordinate the group")]
    NotCoordinator,
    /// The request belongs to another generation.
    #[error("the generation is not the group's")]
    IllegalGeneration,
    /// The member speaks no embedded protocol that all others speak.
    #[error("no embedded protocol in common with the group")]
    InconsistentProtocol,
    /// The group's name is not allowed.
    #[error("the group id is invalid")]
    InvalidGroupId,
    /// The group does not know the member.
    #[error("the member is unknown to the group")]
    UnknownMember,
    /// The session timeout is outside the coordinator's limits.
    #[error("the session timeout is outside the coordinator's limits")]
    InvalidSessionTimeout,
    /// A round is under way: join again.
    #[error("a rebalance is in progress")]
    RebalanceInProgress,
    /// Join again under this identity (KIP-394).
    #[error("join again as {0}")]
    MemberIdRequired(MemberId),
    /// The group is full (KIP-389).
    #[error("the group has reached its size limit")]
    GroupMaxSizeReached,
    /// Another process took over the stable identity.
    #[error("another process uses the same group instance id")]
    FencedInstance,
    /// The group does not exist.
    #[error("the group does not exist")]
    GroupIdNotFound,
    /// The group still has members.
    #[error("the group is not empty")]
    NonEmptyGroup,
    /// Not allowed to use the group.
    #[error("not authorized to use the group")]
    GroupAuthorizationFailed,
    /// The peer does not speak a version that carries the request.
    #[error("the peer does not support this version")]
    UnsupportedVersion,
    /// The coordinator did not finish in time.
    #[error("the request timed out at the coordinator")]
    RequestTimedOut,
    /// The coordinator failed and does not say why (`UNKNOWN_SERVER_ERROR`).
    #[error("the coordinator failed without a reason")]
    ServerFailed,
    /// Any other code, as the wire had it.
    #[error("error code {0}")]
    Other(i16),
}
