use std::hash::{BuildHasherDefault, Hash};

use groma_model::{Generation, Span, Time};
use groma_rebalance::coordinator::{Group, Token};
use groma_rebalance::protocol::{Reply, Request};
use hashbrown::HashMap;

use super::act::Mail;
use super::check::Watch;
use super::facts::{GroupFacts, PlaceFacts};
use super::fingerprint::Fingerprint;
use super::outline::Outline;
use super::place::{Place, Slot};
use super::scope::Rules;
use super::transcript::Names;
use super::world::{World, addressee, ask, tick, token, written};

/// The places and groups that worlds consist of, each once, and what became of them in each step so far.
///
/// Thousands of worlds share a place or a group, and what a step does to a place depends on that place alone, to the group
/// on the group and the request alone. So each such step is taken by the real machines once, and then looked up. A part
/// keeps its own clock, that of the world in which it was met first: nothing but spans of time goes from part to part.
#[derive(Debug, Default)]
pub(super) struct Parts {
    places: Vec<PlacePart>,
    place_numbers: Map<u128, u32>,
    groups: Vec<GroupPart>,
    lately: Lately,
    first: Option<(Group, Time)>,
    group_numbers: Map<u128, u32>,
    requests: Values<Request>,
    replies: Values<Reply>,
    place_steps: Map<(u32, PlaceStep), Moved>,
    group_steps: Map<(u32, GroupStep), Handled>,
}

type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fingerprint>>;

#[derive(Debug)]
struct PlacePart {
    place: Place,
    now: Time,
    facts: PlaceFacts,
}

/// A group: what is asked about it, and of which group and step it came, so that it can be made again.
#[derive(Debug)]
struct GroupPart {
    origin: Option<(u32, GroupStep)>,
    facts: GroupFacts,
}

/// The groups that were stepped or met last; all others are made again when they are needed.
#[derive(Debug, Default)]
struct Lately {
    young: Map<u32, (Group, Time)>,
    old: Map<u32, (Group, Time)>,
}

impl Lately {
    fn get(&mut self, number: u32) -> Option<(Group, Time)> {
        if let Some(known) = self.young.get(&number) {
            return Some(known.clone());
        }
        let known = self.old.remove(&number)?;
        self.put(number, known.clone());
        Some(known)
    }

    fn put(&mut self, number: u32, group: (Group, Time)) {
        if self.young.len() >= LATELY_MAX {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(number, group);
    }
}

/// How many groups are kept at least; each takes some kibibytes.
const LATELY_MAX: usize = 50_000;

/// What may happen to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PlaceStep {
    Start,
    Kill(Mail),
    TakeRequest,
    TakeReply,
    Hold,
    Stopped,
    Answer(Slot, u32),
    Tick(Span),
}

/// What may happen to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum GroupStep {
    /// A request from a place, with the number of an identity that nobody has had, if it may be given one.
    Ask {
        at: u8,
        slot: Slot,
        request: u32,
        fresh: u64,
    },
    Tick(Span),
}

/// What became of a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub(super) place: u32,
    /// What the coordinator is asked, and where the answer belongs.
    pub(super) asks: Option<(Slot, u32)>,
    pub(super) fine: Fine,
}

/// What became of a group.
#[derive(Clone, Debug)]
pub(super) struct Handled {
    pub(super) group: u32,
    pub(super) answers: Box<[(u8, Slot, u32)]>,
    pub(super) formed: Box<[Generation]>,
    pub(super) fine: Fine,
}

/// Whether every property held on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fine {
    Yes,
    No,
}

/// Values by numbers, each once.
#[derive(Debug)]
struct Values<T> {
    values: Vec<T>,
    numbers: Map<T, u32>,
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Self { values: Vec::new(), numbers: Map::default() }
    }
}

impl<T: Clone + Eq + Hash> Values<T> {
    fn number(&mut self, value: T) -> u32 {
        if let Some(known) = self.numbers.get(&value) {
            return *known;
        }
        let number = self.values.len() as u32;
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }
}

impl Parts {
    pub(super) fn place(&self, place: u32) -> &PlaceFacts {
        &self.places[place as usize].facts
    }

    pub(super) fn group(&self, group: u32) -> &GroupFacts {
        &self.groups[group as usize].facts
    }

    pub(super) fn groups(&self) -> u64 {
        self.groups.len() as u64
    }

    pub(super) fn is_new_member(&self, request: u32) -> bool {
        matches!(&self.requests.values[request as usize], Request::Join(join) if join.member.is_none())
    }

    /// A world in outline, with which all begins.
    pub(super) fn outline(&mut self, world: &World, rules: &Rules) -> Outline {
        let places = world.places.iter().map(|place| self.place_number(place.clone(), world.now, rules)).collect();
        let first = (world.group.clone(), world.now);
        let group = self.group_number(first.clone(), None);
        self.first = Some(first);
        Outline::new(group, places, world.crashes, world.generation)
    }

    pub(super) fn step_place(&mut self, number: u32, step: PlaceStep, rules: &Rules) -> Moved {
        if let Some(moved) = self.place_steps.get(&(number, step)) {
            return *moved;
        }
        let part = &self.places[number as usize];
        let (mut place, now) = (part.place.clone(), part.now);
        let mut watch = Watch::new(rules, now);
        let asks = match step {
            PlaceStep::Start => place.start(&mut watch),
            PlaceStep::TakeRequest => place.take_request(),
            _ => None,
        };
        match step {
            PlaceStep::Start | PlaceStep::TakeRequest => {}
            PlaceStep::Kill(mail) => place.kill(mail),
            PlaceStep::TakeReply => place.take_reply(&mut watch),
            PlaceStep::Hold => place.hold(),
            PlaceStep::Stopped => place.stopped(&mut watch),
            PlaceStep::Answer(slot, reply) => {
                place.answer(slot, self.replies.values[reply as usize].clone(), &mut watch);
            }
            PlaceStep::Tick(span) => {
                watch.now = now + span;
                place.tick(&mut watch);
            }
        }
        let (now, fine) = (watch.now, Fine::of(&watch));
        let asks = asks.map(|(slot, request)| (slot, self.requests.number(request)));
        let moved = Moved { place: self.place_number(place, now, rules), asks, fine };
        self.place_steps.insert((number, step), moved);
        moved
    }

    pub(super) fn step_group(&mut self, number: u32, step: GroupStep, rules: &Rules) -> &Handled {
        if !self.group_steps.contains_key(&(number, step)) {
            let handled = self.handle(number, step, rules);
            self.group_steps.insert((number, step), handled);
        }
        &self.group_steps[&(number, step)]
    }

    fn handle(&mut self, number: u32, step: GroupStep, rules: &Rules) -> Handled {
        let (group, now) = self.remade(number, rules);
        let (group, answers, watch) = self.stepped((group, now), step, rules);
        let answers = answers.into_iter().map(|(token, reply)| {
            let (at, slot) = addressee(token);
            (at as u8, slot, self.replies.number(reply))
        });
        Handled {
            answers: answers.collect(),
            fine: Fine::of(&watch),
            group: self.group_number((group, watch.now), Some((number, step))),
            formed: watch.formed.into(),
        }
    }

    fn stepped<'a>(
        &self,
        (mut group, now): (Group, Time),
        step: GroupStep,
        rules: &'a Rules,
    ) -> (Group, Vec<(Token, Reply)>, Watch<'a>) {
        let mut watch = Watch::new(rules, now);
        let answers = match step {
            GroupStep::Ask { at, slot, request, fresh } => {
                let request = self.requests.values[request as usize].clone();
                ask(&mut group, (token(usize::from(at), slot), request, fresh), &mut watch)
            }
            GroupStep::Tick(span) => {
                watch.now = now + span;
                tick(&mut group, &mut watch)
            }
        };
        (group, answers, watch)
    }

    /// A group, made again from the one it came of, and so on, as far as these are not kept.
    fn remade(&mut self, number: u32, rules: &Rules) -> (Group, Time) {
        let (mut steps, mut at) = (Vec::new(), number);
        let mut made = loop {
            match (self.lately.get(at), self.groups[at as usize].origin) {
                (Some(known), _) => break known,
                (None, Some((before, step))) => {
                    steps.push(step);
                    at = before;
                }
                (None, None) => break self.first.clone().expect("all groups come of the first"),
            }
        };
        for step in steps.into_iter().rev() {
            let (group, _, watch) = self.stepped(made, step, rules);
            made = (group, watch.now);
        }
        made
    }

    fn place_number(&mut self, place: Place, now: Time, rules: &Rules) -> u32 {
        let transcript = place.transcript(now);
        let key = Fingerprint::of(&(transcript.written().named(&Names::Number), place.slots().collect::<Vec<_>>()));
        if let Some(known) = self.place_numbers.get(&key) {
            return *known;
        }
        let number = self.places.len() as u32;
        let facts = PlaceFacts::of(&place, now, rules.bearable);
        self.places.push(PlacePart { place, now, facts });
        self.place_numbers.insert(key, number);
        number
    }

    fn group_number(&mut self, (group, now): (Group, Time), origin: Option<(u32, GroupStep)>) -> u32 {
        let transcript = written(&group, now);
        let mut parked = Fingerprint::new();
        group.digest_parked(&mut parked);
        let key = Fingerprint::of(&(transcript.written().named(&Names::Number), parked.whole()));
        if let Some(known) = self.group_numbers.get(&key) {
            return *known;
        }
        let number = self.groups.len() as u32;
        let facts = GroupFacts::of(&group, now);
        self.groups.push(GroupPart { origin, facts });
        self.lately.put(number, (group, now));
        self.group_numbers.insert(key, number);
        number
    }
}

impl Fine {
    pub(super) const fn and(self, other: Self) -> Self {
        match self {
            Self::Yes => other,
            Self::No => Self::No,
        }
    }

    const fn of(watch: &Watch<'_>) -> Self {
        if watch.found.is_empty() { Self::Yes } else { Self::No }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhaustive::scope::Scope;
    use crate::{Policy, Rng};

    /// Takes the same random steps with whole machines and with parts that are looked up.
    fn assert_alike(rules: &Rules, parts: &mut Parts, rng: &mut Rng) {
        let mut world = World::new(rules, 3);
        let mut outline = parts.outline(&world, rules);
        for _ in 0..80 {
            let acts = outline.acts(parts, 3);
            let Some(act) = acts.get(rng.below(acts.len() as u64) as usize) else { return };
            let mut watch = Watch::new(rules, world.now);
            world.take(*act, &mut watch);
            world.check(&mut watch);
            let fine = outline.take(*act, parts, rules).and(outline.check(parts, rules));
            assert_eq!(fine, Fine::of(&watch), "{act}");
            assert_eq!(outline.canonical(parts), parts.outline(&world, rules).canonical(parts), "{act}");
        }
    }

    #[test]
    fn parts_do_what_whole_worlds_do() {
        for (_, policy) in Policy::ALL {
            let rules = Scope::new(*policy).rules();
            let (mut parts, mut rng) = (Parts::default(), Rng::new(7));
            (0..100).for_each(|_| assert_alike(&rules, &mut parts, &mut rng));
            assert!(parts.groups() > 100, "{} groups: too tame", parts.groups());
        }
    }
}
