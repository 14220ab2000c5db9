use super::{GroupError, HeartbeatRequest, JoinRequest, Joined, LeaveReply, LeaveRequest, SyncRequest, Synced};

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
