use groma_model::{Generation, InstanceId, MemberId};

/// Under which identity offsets are committed: what the coordinator checks before it takes them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CommitFence {
    /// The committing member; none for a consumer without group membership.
    pub member: Option<MemberId>,
    /// Its stable identity.
    pub instance: Option<InstanceId>,
    /// The generation it belongs to; none for a consumer without group membership.
    pub generation: Option<Generation>,
    /// Whether the offsets are part of a transaction, which may commit while a round completes.
    pub scope: CommitScope,
}

/// Whether a commit belongs to a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CommitScope {
    /// A plain commit.
    #[default]
    Plain,
    /// Part of a transaction (TxnOffsetCommit).
    Transaction,
}

impl CommitFence {
    /// The fence of a consumer without group membership.
    pub const SIMPLE: Self = Self { member: None, instance: None, generation: None, scope: CommitScope::Plain };
}
