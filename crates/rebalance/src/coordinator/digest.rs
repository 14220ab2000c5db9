use std::hash::{Hash, Hasher};

use groma_model::{MemberId, Time};

use super::Group;
use super::phase::{JoinWindow, Phase};
use super::roster::Member;

impl Group {
    /// Writes all that decides what the group will do from now on: equal bytes, equal future. To be called between two
    /// inputs, when all outputs are drained and all records are durable.
    ///
    /// Left out are the settings, which groups of one search have in common, which request is parked (only of what kind
    /// it is), what only a restart from the records would read, and what is replaced before anybody reads it: assignments
    /// while the next are not there yet, and reports that must be made anew before they are shown to a leader.
    pub fn digest<H: Hasher>(&self, now: Time, hasher: &mut H) {
        let seats = self.roster.all_seats();
        let rank = |seat: u64| seats.partition_point(|s| *s < seat);
        self.generation.hash(hasher);
        (&self.protocol_type, &self.protocol, &self.leader).hash(hasher);
        for (id, member) in &self.durable.members {
            if matches!(self.phase, Phase::Stable(_)) {
                (id, &member.assignment).hash(hasher);
            } else if member.instance.is_some() {
                (id, &member.instance).hash(hasher);
            }
        }
        self.roster.digest(&rank, &|id, member| self.is_out_of_date(id, member), hasher);
        self.timers.digest(now, &rank, hasher);
        std::mem::discriminant(&self.phase).hash(hasher);
        match &self.phase {
            Phase::Empty | Phase::Dead | Phase::Joining(JoinWindow::Usual) => {}
            Phase::Joining(JoinWindow::Initial { remaining, grew }) => (remaining, grew).hash(hasher),
            Phase::Syncing(unsynced) | Phase::Stable(unsynced) => {
                unsynced.iter().for_each(|seat| rank(*seat).hash(hasher));
            }
        }
    }

    /// Whether nothing is done any more with what a member reported but to see which protocols it speaks. (A static member
    /// that does not join in time stays with its last report. In a settled group a follower that reports the same again
    /// is answered at once, its leader is not.)
    fn is_out_of_date(&self, id: &MemberId, member: &Member) -> bool {
        let joins_anew = match self.phase {
            Phase::Joining(_) => !member.has_joined(),
            Phase::Stable(_) => self.leader.as_ref() == Some(id),
            Phase::Syncing(_) | Phase::Empty | Phase::Dead => false,
        };
        joins_anew && member.instance.is_none()
    }

    /// Writes which requests are parked: what [`Self::digest`] leaves out.
    pub fn digest_parked<H: Hasher>(&self, hasher: &mut H) {
        self.roster.in_order().for_each(|(_, member)| member.parked().hash(hasher));
    }
}
