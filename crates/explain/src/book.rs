use std::collections::BTreeMap;

use crate::{Fact, Progress, Seat, Trigger, What};

/// A group whose coordinator shares out (KIP-848), as its records so far tell of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Book {
    epoch: Option<i32>,
    decided: Option<i32>,
    members: BTreeMap<String, Entry>,
    /// What has changed since the epoch last rose, in order; the seat tells a member that comes back as another process.
    changes: Vec<(Trigger, Seat)>,
    /// Whether the records began with the group itself.
    whole: bool,
}

/// A member.
#[derive(Clone, Debug, Default, PartialEq)]
struct Entry {
    seat: Seat,
    assignor: Option<String>,
    target: Option<Vec<String>>,
    held: Option<Held>,
}

/// What a member has.
#[derive(Clone, Debug, PartialEq)]
struct Held {
    epoch: i32,
    progress: Progress,
    assigned: Vec<String>,
    revoking: Vec<String>,
}

/// What each of some members has or is to have.
pub(crate) type Shares = BTreeMap<String, Vec<String>>;

/// The first epoch of a group: 1, or 2 where its coordinator counts the making of the group.
pub(crate) const FIRST_EPOCHS: i32 = 2;

impl Book {
    /// Takes the next fact of the group; of what others than its records say nothing.
    pub(crate) fn take(&mut self, fact: &Fact) {
        let member = fact.member.as_deref();
        match (&fact.what, member) {
            (What::Epoch { epoch }, _) => {
                self.whole |= self.epoch.is_none() && *epoch <= FIRST_EPOCHS;
                self.epoch = Some(*epoch);
            }
            (What::Decided { epoch }, _) => self.decided = Some(*epoch),
            (What::Enrolled { seat, assignor }, _) => self.enrol(seat, assignor.as_ref()),
            (What::Target { resources }, Some(member)) => {
                self.entry(member).target = Some(resources.clone());
            }
            (What::Holds { epoch, progress, assigned, revoking }, Some(member)) => {
                let (assigned, revoking) = (assigned.clone(), revoking.clone());
                self.entry(member).held = Some(Held { epoch: *epoch, progress: *progress, assigned, revoking });
            }
            (What::Removed { .. }, Some(member)) => {
                if let Some(gone) = self.members.remove(member) {
                    self.changes.push((Trigger::MemberGone, gone.seat));
                }
            }
            (What::Forgotten, _) => *self = Self { whole: true, ..Self::default() },
            _ => {}
        }
    }

    fn entry(&mut self, member: &str) -> &mut Entry {
        let seat = || Seat { member: member.to_owned(), ..Seat::default() };
        self.members.entry(member.to_owned()).or_insert_with(|| Entry { seat: seat(), ..Entry::default() })
    }

    fn enrol(&mut self, seat: &Seat, assignor: Option<&String>) {
        let is_gone = |(change, gone): &(Trigger, Seat)| {
            *change == Trigger::MemberGone && gone.instance.is_some() && gone.instance == seat.instance
        };
        let before = self.members.get(&seat.member).map(|entry| &entry.seat);
        let change = match (before, self.changes.iter().position(is_gone)) {
            (None, Some(gone)) => {
                self.changes.remove(gone);
                Some(Trigger::InstanceReplaced)
            }
            (None, None) => Some(Trigger::MemberJoined),
            (Some(before), _) if before.topics != seat.topics => Some(Trigger::SubscriptionChanged),
            (Some(_), _) => None,
        };
        self.changes.extend(change.map(|change| (change, seat.clone())));
        let entry = self.entry(&seat.member);
        (entry.seat, entry.assignor) = (seat.clone(), assignor.cloned());
    }

    /// What has changed since this was last asked.
    pub(crate) fn take_changes(&mut self) -> Vec<(Trigger, Option<String>)> {
        let changes = std::mem::take(&mut self.changes);
        let named: Vec<_> = changes.into_iter().map(|(change, seat)| (change, Some(seat.member))).collect();
        if named.is_empty() { vec![(Trigger::ResourcesChanged, None)] } else { named }
    }

    pub(crate) const fn epoch(&self) -> Option<i32> {
        self.epoch
    }

    /// Whether the records began with the group: what was before is known to be nothing.
    pub(crate) const fn is_whole(&self) -> bool {
        self.whole
    }

    /// The epoch in which every member has what it is to have; none while anybody is on the way.
    pub(crate) fn settled(&self) -> Option<i32> {
        let epoch = self.epoch.filter(|epoch| self.decided == Some(*epoch))?;
        self.members.keys().all(|member| self.has_reached(member)).then_some(epoch)
    }

    /// Whether the member has what it is to have in the newest epoch.
    pub(crate) fn has_reached(&self, member: &str) -> bool {
        let held = self.members.get(member).and_then(|entry| entry.held.as_ref());
        held.is_some_and(|held| held.progress == Progress::AtTarget && Some(held.epoch) == self.epoch)
    }

    /// Everybody with what they have; none where that is not on record.
    pub(crate) fn seats(&self) -> Vec<Seat> {
        self.members.values().map(Entry::seat).collect()
    }

    /// The same of one member.
    pub(crate) fn seat(&self, member: &str) -> Option<Seat> {
        self.members.get(member).map(Entry::seat)
    }

    /// Who is in.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.members.keys()
    }

    /// What each member is to have; none where that of any is not on record.
    pub(crate) fn targets(&self) -> Option<Shares> {
        self.members.iter().map(|(member, entry)| Some((member.clone(), entry.target.clone()?))).collect()
    }

    /// What each member has, what it is about to give up included; none where that of any is not on record.
    pub(crate) fn current(&self) -> Option<Shares> {
        let has = |held: &Held| held.assigned.iter().chain(&held.revoking).cloned().collect();
        self.members.iter().map(|(member, entry)| Some((member.clone(), entry.held.as_ref().map(has)?))).collect()
    }

    /// The assignor that most members name.
    pub(crate) fn assignor(&self) -> Option<String> {
        let mut named: BTreeMap<&String, usize> = BTreeMap::new();
        for assignor in self.members.values().filter_map(|entry| entry.assignor.as_ref()) {
            *named.entry(assignor).or_default() += 1;
        }
        named.into_iter().max_by_key(|(_, count)| *count).map(|(assignor, _)| assignor.clone())
    }

    /// Whether anybody is in who was not among these.
    pub(crate) fn has_newcomers(&self, seats: &[Seat]) -> bool {
        self.members.keys().any(|member| !seats.iter().any(|seat| seat.member == *member))
    }
}

impl Entry {
    fn seat(&self) -> Seat {
        Seat { assigned: self.held.as_ref().map(|held| held.assigned.clone()), ..self.seat.clone() }
    }
}
