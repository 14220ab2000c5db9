//! The group membership protocol as typed values: JoinGroup, SyncGroup, Heartbeat, LeaveGroup and the fence of
//! OffsetCommit. Wire sentinels (-1, "", null) do not exist here; [`crate::rpc`] translates them.

mod commit;
mod error;
mod heartbeat;
mod join;
mod leave;
mod message;
mod sync;

pub use commit::{CommitFence, CommitScope};
pub use error::GroupError;
pub use heartbeat::HeartbeatRequest;
pub use join::{JoinDialect, JoinRequest, Joined, LeaderDuty, MemberReport, Protocol, Role};
pub use leave::{LeaveReply, LeaveRequest, LeaveResults, Leaver};
pub use message::{Reply, Request};
pub use sync::{SyncRequest, Synced};
