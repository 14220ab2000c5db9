use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use super::lead::Seat;
use super::streak::Streak;
use crate::embedded::{Mode, Owner};
use crate::share::{Kind, NOBODY, Owners, Remembered, Situation, Whereabouts};

/// What a leader remembers of a plan it made: who was given what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanMemory {
    /// In order of their names, with how many partitions each had.
    pub(super) topics: Vec<(String, u32)>,
    pub(super) members: Vec<Owner>,
    pub(super) owner: Owners,
    pub(super) mode: Mode,
    pub(super) streak: Streak,
}

/// The streak is left out: it decides nothing before more rounds than a search over all schedules can make.
impl Hash for PlanMemory {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (&self.topics, &self.members, &self.owner, self.mode).hash(hasher);
    }
}

/// A remembered plan beside the present round.
pub(super) struct Beside<'a> {
    memory: &'a PlanMemory,
    /// For each kind of the present round: its first number then, and how many there were.
    kinds: Vec<Kind>,
    now: &'a [Kind],
    /// Where each member of then is now.
    places: Vec<Whereabouts>,
}

impl<'a> Beside<'a> {
    /// Owners that are gone are added to those that are known to be gone already.
    pub(super) fn new(
        memory: &'a PlanMemory,
        (situation, topics): (&'a Situation, &[(&str, u32)]),
        (seats, gone): (&[Seat<'a>], &mut Vec<Owner>),
    ) -> Self {
        let here = here(seats);
        let mut place = |owner: &Owner| match here.get(&key(owner)) {
            Some(member) => Whereabouts::Here(*member),
            None => Whereabouts::Gone(number_among(gone, owner)),
        };
        let places = memory.members.iter().map(&mut place).collect();
        let mut firsts: BTreeMap<&str, Kind> = BTreeMap::new();
        let mut first = 0;
        for (topic, count) in &memory.topics {
            firsts.insert(topic, Kind { first, count: *count });
            first += *count;
        }
        let kind = |(topic, _): &(&str, u32)| firsts.get(topic).copied().unwrap_or(Kind { first: 0, count: 0 });
        Self { memory, kinds: topics.iter().map(kind).collect(), now: situation.kinds(), places }
    }

    /// What the plan did with a resource of the present round.
    pub(super) fn recall(&self, resource: u32) -> Remembered {
        let number = self.now.partition_point(|k| k.range().end <= resource);
        let (Some(then), Some(now)) = (self.kinds.get(number), self.now.get(number)) else { return Remembered::New };
        let index = resource - now.first;
        if index >= then.count {
            return Remembered::New;
        }
        let owner = self.memory.owner.get((then.first + index) as usize).copied().unwrap_or(NOBODY);
        self.places.get(owner as usize).map_or(Remembered::Free, |place| Remembered::Of(*place))
    }
}

/// Members of the present round by what survives a restart: the stable identity if there is one, else the member id.
pub(super) fn here<'a>(seats: &[Seat<'a>]) -> BTreeMap<(u8, &'a str), u32> {
    seats.iter().map(Seat::key).zip(0..).collect()
}

pub(super) fn key(owner: &Owner) -> (u8, &str) {
    match owner {
        Owner::Unknown(_) => (0, ""),
        Owner::Member(member) => (1, member.as_str()),
        Owner::Instance(instance) => (2, instance.as_str()),
    }
}

/// The number of an owner among those that are gone.
pub(super) fn number_among(gone: &mut Vec<Owner>, owner: &Owner) -> u32 {
    let place = gone.iter().position(|o| o == owner).unwrap_or_else(|| {
        gone.push(owner.clone());
        gone.len() - 1
    });
    place as u32
}
