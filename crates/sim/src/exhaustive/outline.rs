use groma_model::{Generation, MemberId, Span};

use groma_rebalance::coordinator::GroupState;

use super::act::{Act, Mail};
use super::check::faults;
use super::facts::{PlaceFacts, Trait, Urgency};
use super::fingerprint::Fingerprint;
use super::parts::{Fine, GroupStep, Parts, PlaceStep};
use super::scope::Rules;
use super::search::Turn;
use super::transcript::Names;

/// How many processes there may be at a time at most.
pub(super) const MEMBERS_MAX: usize = 8;

/// A world by the numbers of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    group: u32,
    places: [u32; MEMBERS_MAX],
    members: u8,
    pub(super) crashes: u8,
    pub(super) generation: Generation,
}

impl Outline {
    pub(super) fn new(group: u32, numbers: Vec<u32>, crashes: u32, generation: Generation) -> Self {
        let mut places = [0; MEMBERS_MAX];
        places.iter_mut().zip(&numbers).for_each(|(place, number)| *place = *number);
        Self { group, places, members: numbers.len() as u8, crashes: crashes as u8, generation }
    }

    /// When it is looked into.
    pub(super) const fn turn(&self) -> Turn {
        (self.generation, self.crashes)
    }

    pub(super) const fn group(&self) -> u32 {
        self.group
    }

    pub(super) const fn members(&self) -> usize {
        self.members as usize
    }

    pub(super) fn place<'a>(&self, at: usize, parts: &'a Parts) -> &'a PlaceFacts {
        parts.place(self.places[at])
    }

    pub(super) fn state(&self, parts: &Parts) -> GroupState {
        parts.group(self.group).state
    }

    /// Who is on the book.
    pub(super) fn members_of_group<'a>(&self, parts: &'a Parts) -> &'a [MemberId] {
        &parts.group(self.group).members
    }

    /// Whether the next request of a place is the join of one that has an identity.
    pub(super) fn may_open_round(&self, at: usize, parts: &Parts) -> bool {
        self.place(at, parts).has(Trait::JoinsNext)
    }

    fn places(&self) -> &[u32] {
        &self.places[..usize::from(self.members)]
    }

    fn facts<'a>(&'a self, parts: &'a Parts) -> impl Iterator<Item = &'a PlaceFacts> + Clone {
        self.places().iter().map(|place| parts.place(*place))
    }

    /// Equal for worlds with the same future, but for how many generations and kills are to go, whichever of the
    /// processes is which and whatever they and the generations are called.
    pub(super) fn canonical(&self, parts: &Parts) -> u128 {
        self.named(parts, &Names::by_order(self.mentioned(parts), self.generation))
    }

    /// Equal for worlds that differ only in which of the processes is which.
    pub(super) fn verbatim(&self, parts: &Parts) -> u128 {
        Fingerprint::of(&(self.named(parts, &Names::Number), self.crashes, self.generation))
    }

    fn named(&self, parts: &Parts, names: &Names) -> u128 {
        let mut places = [0; MEMBERS_MAX];
        places.iter_mut().zip(self.facts(parts)).for_each(|(name, place)| *name = place.written.named(names));
        let places = &mut places[..usize::from(self.members)];
        places.sort_unstable();
        let mut hash = Fingerprint::new();
        places.iter().chain([&parts.group(self.group).written.named(names)]).for_each(|part| hash.take_whole(*part));
        hash.whole()
    }

    fn mentioned<'a>(&'a self, parts: &'a Parts) -> impl Iterator<Item = u64> + Clone + 'a {
        let group = &parts.group(self.group).written;
        self.facts(parts).map(|place| &place.written).chain([group]).flat_map(|part| part.members())
    }

    /// All that may happen next.
    pub(super) fn acts(&self, parts: &Parts, crashes: u32) -> Vec<Act> {
        let mut acts = Vec::with_capacity(16);
        for (at, place) in self.facts(parts).enumerate() {
            match &place.process {
                None if self.is_first_of_its_kind(at) => acts.push(Act::Start(at)),
                None => {}
                Some(_) => {
                    acts.extend(place.has(Trait::Stops).then_some(Act::Stopped(at)));
                    if u32::from(self.crashes) < crashes {
                        acts.push(Act::Kill(at, Mail::Arrives));
                        acts.extend(place.has(Trait::HasSent).then_some(Act::Kill(at, Mail::IsLost)));
                    }
                }
            }
            acts.extend((place.up > 0).then_some(Act::Request(at)));
            acts.extend(place.next_answer.map(|_| Act::Reply(at)));
        }
        acts.extend(self.next_time(parts).map(|_| Act::Clock));
        acts
    }

    /// A place with an answer of which it is open whether it arrives before the clock moves on, and an application that
    /// stops nothing; and what may become of this answer.
    pub(super) fn urgent(&self, parts: &Parts) -> Option<(usize, Urgency)> {
        let urgency =
            |place: &PlaceFacts| place.next_answer.filter(|_| place.process.is_some() && !place.has(Trait::Stops));
        self.facts(parts).enumerate().find_map(|(at, place)| Some((at, urgency(place)?)))
    }

    pub(super) fn runs_on(&self, at: usize, before: &Self, parts: &Parts) -> bool {
        let running = |outline: &Self| parts.place(outline.places[at]).running();
        running(before) & !running(self) == 0
    }

    #[cfg(test)]
    pub(super) fn is_still(&self, parts: &Parts) -> bool {
        self.facts(parts).all(|place| place.has(Trait::Still))
    }

    pub(super) fn under_way(&self, parts: &Parts) -> usize {
        self.facts(parts).map(|place| place.up.max(place.down)).max().unwrap_or_default()
    }

    fn is_first_of_its_kind(&self, at: usize) -> bool {
        self.places().iter().position(|place| *place == self.places[at]) == Some(at)
    }

    /// Until the earliest deadline of all machines, unless something would be under way for too long.
    pub(super) fn next_time(&self, parts: &Parts) -> Option<Span> {
        let places = self.facts(parts).filter_map(|place| place.deadline);
        let next = places.chain(parts.group(self.group).deadline).min()?;
        self.facts(parts).all(|place| place.bears.is_none_or(|bears| bears >= next)).then_some(next)
    }

    /// Whether every property holds here.
    pub(super) fn check(&self, parts: &Parts, rules: &Rules) -> Fine {
        let mut places = [parts.place(self.places[0]); MEMBERS_MAX];
        places.iter_mut().zip(self.facts(parts)).for_each(|(place, facts)| *place = facts);
        let places = &places[..usize::from(self.members)];
        if faults(places, parts.group(self.group), rules.resources).is_empty() { Fine::Yes } else { Fine::No }
    }

    /// Lets something happen, and whatever follows from it at once.
    pub(super) fn take(&mut self, act: Act, parts: &Parts, rules: &Rules) -> Fine {
        match act {
            Act::Start(at) => self.move_place(at, PlaceStep::Start, parts, rules),
            Act::Kill(at, mail) => {
                self.crashes += 1;
                self.move_place(at, PlaceStep::Kill(mail), parts, rules)
            }
            Act::Request(at) => self.move_place(at, PlaceStep::TakeRequest, parts, rules),
            Act::Reply(at) => self.move_place(at, PlaceStep::TakeReply, parts, rules),
            Act::Hold(at) => self.move_place(at, PlaceStep::Hold, parts, rules),
            Act::Stopped(at) => self.move_place(at, PlaceStep::Stopped, parts, rules),
            Act::Clock => self.pass_time(parts, rules),
        }
    }

    fn move_place(&mut self, at: usize, step: PlaceStep, parts: &Parts, rules: &Rules) -> Fine {
        let moved = parts.step_place(self.places[at], step, rules);
        let Some((slot, request)) = moved.asks else {
            self.places[at] = moved.place;
            return moved.fine;
        };
        let fresh = match parts.is_new_member(request) {
            true => self.mentioned(parts).max().unwrap_or_default() + 1,
            false => 0,
        };
        self.places[at] = moved.place;
        let asked = self.move_group(GroupStep::Ask { at: at as u8, slot, request, fresh }, parts, rules);
        moved.fine.and(asked)
    }

    fn pass_time(&mut self, parts: &Parts, rules: &Rules) -> Fine {
        let Some(span) = self.next_time(parts) else { return Fine::Yes };
        let mut fine = Fine::Yes;
        for at in 0..usize::from(self.members) {
            fine = fine.and(self.move_place(at, PlaceStep::Tick(span), parts, rules));
        }
        fine.and(self.move_group(GroupStep::Tick(span), parts, rules))
    }

    fn move_group(&mut self, step: GroupStep, parts: &Parts, rules: &Rules) -> Fine {
        let handled = parts.step_group(self.group, step, rules);
        self.group = handled.group;
        let outcome = parts.outcome(handled);
        let mut fine = outcome.fine;
        for &(at, slot, reply) in &outcome.answers {
            fine = fine.and(self.move_place(usize::from(at), PlaceStep::Answer(slot, reply), parts, rules));
        }
        for &generation in &outcome.formed {
            fine = fine.and(if generation > self.generation { Fine::Yes } else { Fine::No });
            self.generation = generation;
        }
        fine
    }
}
