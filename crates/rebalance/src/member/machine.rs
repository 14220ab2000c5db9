use std::collections::BTreeSet;

use groma_model::{Generation, MemberId, Time};

use super::{Input, MemberConfig, Output, Phase, Reason};
use crate::embedded::Embedded;
use crate::protocol::{CommitFence, GroupError};

/// One member of a classic group.
#[derive(Clone, Debug)]
pub struct Member<E: Embedded> {
    config: MemberConfig,
    embedded: E,
    held: BTreeSet<E::Resource>,
}

impl<E: Embedded> Member<E> {
    /// A member that has not subscribed to anything yet.
    pub fn new(config: MemberConfig, embedded: E) -> Self {
        Self { config, embedded, held: BTreeSet::new() }
    }

    /// Takes what happened.
    pub fn handle(&mut self, now: Time, input: Input<E>) {
        let _ = (now, input);
    }

    /// Yields what is to be done; drain it before the next `handle`.
    pub fn poll(&mut self) -> Option<Output<E>> {
        None
    }

    /// When to come back with [`Input::Tick`], and why.
    pub fn deadline(&self) -> Option<(Time, Reason)> {
        None
    }

    /// What the member is doing.
    pub fn phase(&self) -> Phase {
        Phase::Idle
    }

    /// What the member owns: assigned, and not yet released.
    pub fn held(&self) -> &BTreeSet<E::Resource> {
        &self.held
    }

    /// Its identity, once the coordinator gave one.
    pub fn member(&self) -> Option<&MemberId> {
        None
    }

    /// The generation it is settled in, or was last.
    pub fn generation(&self) -> Option<Generation> {
        None
    }

    /// Whether it leads the generation it joined last.
    pub fn is_leader(&self) -> bool {
        false
    }

    /// The fence to commit offsets under now; an error says why there is none at this moment
    /// ([`GroupError::RebalanceInProgress`]: try after the round; [`GroupError::UnknownMember`]: not in a group).
    pub fn commit_fence(&self) -> Result<CommitFence, GroupError> {
        let _ = (&self.config, &self.embedded);
        Err(GroupError::UnknownMember)
    }
}
