use groma_model::{Generation, InstanceId, MemberId};

/// A sign of life.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeartbeatRequest {
    /// Who lives.
    pub member: MemberId,
    /// Its stable identity.
    pub instance: Option<InstanceId>,
    /// The generation it joined last.
    pub generation: Generation,
}
