//! The group membership protocol as typed values: JoinGroup, SyncGroup, Heartbeat, LeaveGroup and the fence of
//! OffsetCommit. Wire sentinels (-1, "", null) do not exist here; [`crate::rpc`] translates them.

mod commit;
mod error;
mod heartbeat;
mod join;
mod leave;
mod sync;

pub use commit::{CommitFence, CommitScope};
pub use error::GroupError;
pub use heartbeat::HeartbeatRequest;
pub use join::{JoinDialect, JoinRequest, Joined, LeaderDuty, MemberReport, Protocol, Role};
pub use leave::{LeaveReply, LeaveRequest, LeaveResults, Leaver};
pub use sync::{SyncRequest, Synced};

/// What a member sends to its coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// Enter the next round of the group.
    Join(JoinRequest),
    /// Hand in (as leader) and fetch the assignment of a generation.
    Sync(SyncRequest),
    /// Stay alive and learn whether a round has begun.
    Heartbeat(HeartbeatRequest),
    /// Go for good.
    Leave(LeaveRequest),
}

/// What the coordinator answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// To [`Request::Join`].
    Join(Result<Joined, GroupError>),
    /// To [`Request::Sync`].
    Sync(Result<Synced, GroupError>),
    /// To [`Request::Heartbeat`].
    Heartbeat(Result<(), GroupError>),
    /// To [`Request::Leave`]: one result for each leaver, in order.
    Leave(LeaveReply),
}
