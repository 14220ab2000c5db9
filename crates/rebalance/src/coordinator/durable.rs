use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use groma_model::{Generation, InstanceId, MemberId, Span};

use super::Client;

/// What is stored about a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroupRecord {
    /// The group as of a generation; replaces what was stored before. The group shares it, and copies it before a
    /// change only while somebody else still has it.
    Metadata(Arc<GroupMetadata>),
    /// The group is gone.
    Tombstone,
}

/// A group as of a generation: all that survives a restart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GroupMetadata {
    /// The class of embedded protocol; none before the first join.
    pub protocol_type: Option<String>,
    /// The generation.
    pub generation: Generation,
    /// The chosen embedded protocol; none while empty.
    pub protocol: Option<String>,
    /// The leader; none while empty.
    pub leader: Option<MemberId>,
    /// The members and what they were assigned.
    pub members: BTreeMap<MemberId, DurableMember>,
}

/// A member as of a generation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DurableMember {
    /// Its stable identity.
    pub instance: Option<InstanceId>,
    /// Who it is.
    pub client: Client,
    /// How long a round waits for it.
    pub rebalance_timeout: Span,
    /// How long it may be silent.
    pub session_timeout: Span,
    /// Its report in the chosen protocol.
    pub subscription: Bytes,
    /// What the leader gave it.
    pub assignment: Bytes,
}
