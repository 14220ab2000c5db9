use groma_model::{MemberId, Time};

use crate::coordinator::Group;
use crate::coordinator::phase::Phase;
use crate::coordinator::roster::Parked;
use crate::protocol::{GroupError, HeartbeatRequest};

impl Group {
    pub(in crate::coordinator) fn heartbeat(
        &mut self,
        now: Time,
        request: &HeartbeatRequest,
    ) -> Result<(), GroupError> {
        if matches!(self.phase, Phase::Dead) {
            return Err(GroupError::CoordinatorNotAvailable);
        }
        self.roster.validate(&request.member, request.instance.as_ref())?;
        if request.generation != self.generation {
            return Err(GroupError::IllegalGeneration);
        }
        self.sign_of_life(now, &request.member);
        match self.phase {
            Phase::Joining(_) => Err(GroupError::RebalanceInProgress),
            Phase::Empty | Phase::Syncing(_) | Phase::Stable(_) | Phase::Dead => Ok(()),
        }
    }

    /// A member's session begins anew, unless one of its requests is parked: then it has none.
    pub(in crate::coordinator) fn sign_of_life(&mut self, now: Time, id: &MemberId) {
        if self.roster.member(id).is_some_and(|m| m.parked() == Parked::Nothing) {
            self.arm_session(now, id);
        }
    }
}
