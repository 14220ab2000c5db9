use std::hash::{Hash, Hasher};

use groma_model::Time;

use super::Group;
use super::phase::{JoinWindow, Phase};

impl Group {
    /// Writes all that decides what the group will do from now on: equal bytes, equal future. To be called between two
    /// inputs, when all outputs are drained and all records are durable.
    ///
    /// Left out are the settings, which groups of one search have in common, which request is parked (only of what kind
    /// it is), and what only a restart from the records would read.
    pub fn digest<H: Hasher>(&self, now: Time, hasher: &mut H) {
        let seats = self.roster.all_seats();
        let rank = |seat: u64| seats.partition_point(|s| *s < seat);
        self.generation.hash(hasher);
        (&self.protocol_type, &self.protocol, &self.leader).hash(hasher);
        for (id, member) in &self.durable.members {
            (id, &member.assignment).hash(hasher);
        }
        self.roster.digest(&rank, hasher);
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

    /// Writes which requests are parked: what [`Self::digest`] leaves out.
    pub fn digest_parked<H: Hasher>(&self, hasher: &mut H) {
        self.roster.in_order().for_each(|(_, member)| member.parked().hash(hasher));
    }
}
