use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use groma_model::Time;

use crate::digest::until;

/// Why the group wants to be woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// When the join phase of a round ends at the latest.
    JoinWindow,
    /// When members that have not fetched their assignment are dropped.
    SyncWindow,
    /// When a member's session ends; the number is its seat.
    Session(u64),
    /// When an identity that was given out but never used is forgotten; the number is its seat.
    Pending(u64),
}

/// The table of deadlines: at most one for each reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Timers {
    by_reason: BTreeMap<Reason, Time>,
    by_time: BTreeSet<(Time, Reason)>,
}

impl Timers {
    pub(super) fn set(&mut self, reason: Reason, at: Time) {
        self.stop(reason);
        self.by_reason.insert(reason, at);
        self.by_time.insert((at, reason));
    }

    pub(super) fn stop(&mut self, reason: Reason) {
        if let Some(at) = self.by_reason.remove(&reason) {
            self.by_time.remove(&(at, reason));
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn next(&self) -> Option<(Time, Reason)> {
        self.by_time.first().copied()
    }

    pub(super) fn digest<H: Hasher>(&self, now: Time, rank: &dyn Fn(u64) -> usize, hasher: &mut H) {
        for (reason, at) in &self.by_reason {
            match reason {
                Reason::JoinWindow | Reason::SyncWindow => reason.hash(hasher),
                Reason::Session(seat) => (2, rank(*seat)).hash(hasher),
                Reason::Pending(seat) => (3, rank(*seat)).hash(hasher),
            }
            until(*at, now, hasher);
        }
    }

    pub(super) fn take_due(&mut self, now: Time) -> Option<Reason> {
        let (at, reason) = self.next()?;
        if at > now {
            return None;
        }
        self.stop(reason);
        Some(reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_again_moves_a_deadline() {
        let mut timers = Timers::default();
        timers.set(Reason::Session(1), Time(5));
        timers.set(Reason::Session(1), Time(9));
        timers.set(Reason::JoinWindow, Time(7));
        assert_eq!(timers.next(), Some((Time(7), Reason::JoinWindow)));
        assert_eq!(timers.take_due(Time(8)), Some(Reason::JoinWindow));
        assert_eq!(timers.take_due(Time(8)), None);
        assert_eq!(timers.take_due(Time(9)), Some(Reason::Session(1)));
        assert_eq!(timers.next(), None);
    }
}
