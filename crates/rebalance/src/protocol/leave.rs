use groma_model::{InstanceId, MemberId};

use super::GroupError;

/// A request to let members go, for good.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeaveRequest {
    /// Who goes.
    pub leavers: Vec<Leaver>,
}

/// One who goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leaver {
    /// How it is named.
    pub member: Option<MemberId>,
    /// Its stable identity; alone it is an administrator's way to remove a static member.
    pub instance: Option<InstanceId>,
    /// Why, for people (KIP-800).
    pub reason: Option<String>,
}

/// The answer to a leave: for the request as a whole, then for each leaver in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeaveReply {
    /// Whether the group could be asked at all, and each leaver's own result.
    pub results: Result<LeaveResults, GroupError>,
}

/// Each leaver with its own result.
pub type LeaveResults = Vec<(Leaver, Result<(), GroupError>)>;

impl Leaver {
    /// A dynamic member by its id.
    pub fn member(member: MemberId) -> Self {
        Self { member: Some(member), instance: None, reason: None }
    }
}
