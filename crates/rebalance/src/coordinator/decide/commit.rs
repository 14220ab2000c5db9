use groma_model::Time;

use crate::coordinator::Group;
use crate::coordinator::phase::Phase;
use crate::protocol::{CommitFence, CommitScope, GroupError};

impl Group {
    /// Whether offsets may be committed under this fence; an accepted one is a sign of life.
    ///
    /// A fence without member and generation is that of a consumer without membership: accepted while the group is
    /// empty, so that nobody overwrites the positions of a living group.
    pub fn commit(&mut self, now: Time, fence: &CommitFence) -> Result<(), GroupError> {
        if matches!(self.phase, Phase::Dead) {
            return Err(GroupError::CoordinatorNotAvailable);
        }
        if fence.generation.is_none() && matches!(self.phase, Phase::Empty) {
            return Ok(());
        }
        if fence.generation.is_some() || fence.member.is_some() || fence.instance.is_some() {
            self.check_committer(fence)?;
        } else if fence.scope == CommitScope::Plain {
            return Err(GroupError::UnknownMember);
        }
        self.check_phase(fence)?;
        self.commit_sign_of_life(now, fence);
        Ok(())
    }

    fn check_committer(&self, fence: &CommitFence) -> Result<(), GroupError> {
        let nobody = groma_model::MemberId(String::new());
        let member = fence.member.as_ref().unwrap_or(&nobody);
        self.roster.validate(member, fence.instance.as_ref())?;
        if fence.generation == Some(self.generation) { Ok(()) } else { Err(GroupError::IllegalGeneration) }
    }

    fn check_phase(&self, fence: &CommitFence) -> Result<(), GroupError> {
        match self.phase {
            Phase::Syncing(_) if fence.scope == CommitScope::Plain => Err(GroupError::RebalanceInProgress),
            _ => Ok(()),
        }
    }

    fn commit_sign_of_life(&mut self, now: Time, fence: &CommitFence) {
        if let (Phase::Stable(_) | Phase::Joining(_), Some(member)) = (&self.phase, &fence.member) {
            self.sign_of_life(now, member);
        }
    }
}
