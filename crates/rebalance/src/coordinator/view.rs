use bytes::Bytes;
use groma_model::{Generation, InstanceId, MemberId};

use super::Client;

/// A group's state under Kafka's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupState {
    /// No members.
    Empty,
    /// Members are joining a round.
    PreparingRebalance,
    /// The leader is at work.
    CompletingRebalance,
    /// Everybody has an assignment.
    Stable,
    /// Gone.
    Dead,
}

/// A group as shown by describe and list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupView {
    /// Its state.
    pub state: GroupState,
    /// Its last generation.
    pub generation: Generation,
    /// The class of embedded protocol; none before the first join.
    pub protocol_type: Option<String>,
    /// The chosen embedded protocol; only known in a stable group.
    pub protocol: Option<String>,
    /// The leader.
    pub leader: Option<MemberId>,
    /// Its members, in order of admission.
    pub members: Vec<MemberView>,
}

/// A member as shown by describe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberView {
    /// Its identity.
    pub member: MemberId,
    /// Its stable identity.
    pub instance: Option<InstanceId>,
    /// Who it is.
    pub client: Client,
    /// Its report in the chosen protocol; empty unless stable.
    pub metadata: Bytes,
    /// What it was assigned; empty unless stable.
    pub assignment: Bytes,
}

impl GroupState {
    /// Kafka's name of the state.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "Empty",
            Self::PreparingRebalance => "PreparingRebalance",
            Self::CompletingRebalance => "CompletingRebalance",
            Self::Stable => "Stable",
            Self::Dead => "Dead",
        }
    }
}
