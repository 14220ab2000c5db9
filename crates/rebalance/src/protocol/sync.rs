use bytes::Bytes;
use groma_model::{Generation, InstanceId, MemberId};

/// A request for the assignment of a generation; the leader's carries everybody's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyncRequest {
    /// Who asks.
    pub member: MemberId,
    /// Its stable identity.
    pub instance: Option<InstanceId>,
    /// The generation it joined.
    pub generation: Generation,
    /// The class of embedded protocol it believes in, where the version can say (v5).
    pub protocol_type: Option<String>,
    /// The embedded protocol it believes was chosen, where the version can say (v5).
    pub protocol: Option<String>,
    /// The leader's decision; empty from a follower.
    pub assignments: Vec<(MemberId, Bytes)>,
}

/// The answer to a successful sync.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Synced {
    /// The class of embedded protocol.
    pub protocol_type: Option<String>,
    /// The chosen embedded protocol.
    pub protocol: Option<String>,
    /// What the leader decided for this member; empty if the leader left it out.
    pub assignment: Bytes,
}
