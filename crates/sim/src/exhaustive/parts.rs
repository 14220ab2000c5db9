use groma_model::{Generation, Span, Time};
use groma_rebalance::coordinator::{Group, Token};
use groma_rebalance::protocol::{Reply, Request};

use super::act::Mail;
use super::check::Watch;
use super::facts::{GroupFacts, PlaceFacts};
use super::fingerprint::Fingerprint;
use super::outline::Outline;
use super::place::{Place, Slot};
use super::scope::Rules;
use super::shards::Values;
use super::stock::{Origin, Stock};
use super::transcript::Names;
use super::world::{World, addressee, ask, tick, token, written};

/// The places and groups that worlds consist of, each once, and what became of them in each step so far. Threads share it.
///
/// Thousands of worlds share a place or a group, and what a step does to a place depends on that place alone, to the group
/// on the group and the request alone. So each such step is taken by the real machines once, and then looked up. A part
/// keeps its own clock, that of the world in which it was met first: nothing but spans of time goes from part to part.
#[derive(Debug, Default)]
pub(super) struct Parts {
    places: Stock<Place, PlaceFacts, Moved>,
    groups: Stock<Group, GroupFacts, Handled>,
    requests: Values<Request>,
    replies: Values<Reply>,
    outcomes: Values<Outcome>,
}

/// What may happen to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug)]
pub(super) struct Handled {
    pub(super) group: u32,
    outcome: u32,
}

/// What else a group did in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Outcome {
    pub(super) answers: Box<[(u8, Slot, u32)]>,
    pub(super) formed: Box<[Generation]>,
    pub(super) fine: Fine,
}

/// Whether every property held on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fine {
    Yes,
    No,
}

impl Parts {
    pub(super) fn place(&self, place: u32) -> &PlaceFacts {
        self.places.facts(place)
    }

    pub(super) fn group(&self, group: u32) -> &GroupFacts {
        self.groups.facts(group)
    }

    pub(super) fn groups(&self) -> u64 {
        self.groups.len()
    }

    pub(super) fn outcome(&self, handled: Handled) -> &Outcome {
        self.outcomes.get(handled.outcome)
    }

    pub(super) fn is_new_member(&self, request: u32) -> bool {
        matches!(self.requests.get(request), Request::Join(join) if join.member.is_none())
    }

    /// A world in outline, with which all begins.
    pub(super) fn outline(&self, world: &World, rules: &Rules) -> Outline {
        let number = |place: &Place| self.place_number((place.clone(), world.now), None, rules);
        let places = world.places.iter().map(number).collect();
        let group = self.group_number((world.group.clone(), world.now), None);
        Outline::new(group, places, world.crashes, world.generation)
    }

    pub(super) fn step_place(&self, number: u32, step: PlaceStep, rules: &Rules) -> Moved {
        let code = step.code();
        self.places.result(number, code, || {
            let before = self.places.made(number, |before, code| {
                let (place, _, watch) = self.stepped_place(before, PlaceStep::from_code(code), rules);
                (place, watch.now)
            });
            let (place, asks, watch) = self.stepped_place(&before, step, rules);
            let asks = asks.map(|(slot, request)| (slot, self.requests.number(request)));
            let fine = if place.runs_what_it_owns() { Fine::of(&watch) } else { Fine::No };
            let place = self.place_number((place, watch.now), Some((number, code)), rules);
            Moved { place, asks, fine }
        })
    }

    fn stepped_place<'a>(
        &self,
        (place, now): &(Place, Time),
        step: PlaceStep,
        rules: &'a Rules,
    ) -> (Place, Option<(Slot, Request)>, Watch<'a>) {
        let (mut place, mut watch) = (place.clone(), Watch::new(rules, *now));
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
            PlaceStep::Answer(slot, reply) => place.answer(slot, self.replies.get(reply).clone(), &mut watch),
            PlaceStep::Tick(span) => {
                watch.now = *now + span;
                place.tick(&mut watch);
            }
        }
        (place, asks, watch)
    }

    pub(super) fn step_group(&self, number: u32, step: GroupStep, rules: &Rules) -> Handled {
        let code = step.code();
        self.groups.result(number, code, || {
            let before = self.groups.made(number, |before, code| {
                let (group, _, watch) = self.stepped_group(before, GroupStep::from_code(code), rules);
                (group, watch.now)
            });
            let (group, answers, watch) = self.stepped_group(&before, step, rules);
            let answers = answers.into_iter().map(|(token, reply)| {
                let (at, slot) = addressee(token);
                (at as u8, slot, self.replies.number(reply))
            });
            let (answers, fine) = (answers.collect(), Fine::of(&watch));
            let group = self.group_number((group, watch.now), Some((number, code)));
            let outcome = self.outcomes.number(Outcome { answers, formed: watch.formed.into(), fine });
            Handled { group, outcome }
        })
    }

    fn stepped_group<'a>(
        &self,
        (group, now): &(Group, Time),
        step: GroupStep,
        rules: &'a Rules,
    ) -> (Group, Vec<(Token, Reply)>, Watch<'a>) {
        let (mut group, mut watch) = (group.clone(), Watch::new(rules, *now));
        let answers = match step {
            GroupStep::Ask { at, slot, request, fresh } => {
                let request = self.requests.get(request).clone();
                ask(&mut group, (token(usize::from(at), slot), request, fresh), &mut watch)
            }
            GroupStep::Tick(span) => {
                watch.now = *now + span;
                tick(&mut group, &mut watch)
            }
        };
        (group, answers, watch)
    }

    fn place_number(&self, machine: (Place, Time), origin: Option<Origin>, rules: &Rules) -> u32 {
        let transcript = machine.0.transcript(machine.1);
        let slots: Vec<Slot> = machine.0.slots().collect();
        let key = Fingerprint::of(&(transcript.written().named(&Names::Number), slots));
        self.places.number(key, (machine, origin), |place, now| PlaceFacts::of(place, now, rules.bearable))
    }

    fn group_number(&self, machine: (Group, Time), origin: Option<Origin>) -> u32 {
        let mut parked = Fingerprint::new();
        machine.0.digest_parked(&mut parked);
        let transcript = written(&machine.0, machine.1);
        let key = Fingerprint::of(&(transcript.written().named(&Names::Number), parked.whole()));
        self.groups.number(key, (machine, origin), GroupFacts::of)
    }
}

/// A step in eight bytes: of what kind in the highest four bits, and what belongs to it in the others.
impl PlaceStep {
    const fn code(self) -> u64 {
        match self {
            Self::Start => 0,
            Self::Kill(Mail::Arrives) => 1 << KIND,
            Self::Kill(Mail::IsLost) => 2 << KIND,
            Self::TakeRequest => 3 << KIND,
            Self::TakeReply => 4 << KIND,
            Self::Hold => 5 << KIND,
            Self::Stopped => 6 << KIND,
            Self::Answer(slot, reply) => 7 << KIND | (slot as u64) << 32 | reply as u64,
            Self::Tick(span) => 8 << KIND | fit(span.0, KIND),
        }
    }

    const fn from_code(code: u64) -> Self {
        match code >> KIND {
            0 => Self::Start,
            1 => Self::Kill(Mail::Arrives),
            2 => Self::Kill(Mail::IsLost),
            3 => Self::TakeRequest,
            4 => Self::TakeReply,
            5 => Self::Hold,
            6 => Self::Stopped,
            7 => Self::Answer((code >> 32) as Slot, code as u32),
            _ => Self::Tick(Span(low(code, KIND))),
        }
    }
}

/// Like that of a place.
impl GroupStep {
    const fn code(self) -> u64 {
        match self {
            Self::Ask { at, slot, request, fresh } => {
                (at as u64) << 56 | (slot as u64) << 48 | fit(fresh, 16) << 32 | request as u64
            }
            Self::Tick(span) => 8 << KIND | fit(span.0, KIND),
        }
    }

    const fn from_code(code: u64) -> Self {
        match code >> KIND {
            0 => Self::Ask {
                at: (code >> 56) as u8,
                slot: (code >> 48) as Slot,
                request: code as u32,
                fresh: low(code >> 32, 16),
            },
            _ => Self::Tick(Span(low(code, KIND))),
        }
    }
}

const KIND: u32 = 60;

const fn fit(number: u64, bits: u32) -> u64 {
    assert!(number >> bits == 0, "a step does not fit in its bits");
    number
}

const fn low(number: u64, bits: u32) -> u64 {
    number & ((1 << bits) - 1)
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

    #[test]
    fn a_step_is_what_its_code_says() {
        let spans = [Span::ZERO, Span::from_secs(3)];
        let plain =
            [PlaceStep::Start, PlaceStep::TakeRequest, PlaceStep::TakeReply, PlaceStep::Hold, PlaceStep::Stopped];
        let kills = [Mail::Arrives, Mail::IsLost].map(PlaceStep::Kill);
        let answers = [PlaceStep::Answer(0, 0), PlaceStep::Answer(255, u32::MAX)];
        for step in plain.into_iter().chain(kills).chain(answers).chain(spans.map(PlaceStep::Tick)) {
            assert_eq!(PlaceStep::from_code(step.code()), step);
        }
        let asked = |at, slot, request, fresh| GroupStep::Ask { at, slot, request, fresh };
        for step in [asked(0, 0, 0, 0), asked(7, 255, u32::MAX, 65_535)].into_iter().chain(spans.map(GroupStep::Tick)) {
            assert_eq!(GroupStep::from_code(step.code()), step);
        }
    }

    /// Takes the same random steps with whole machines and with parts that are looked up.
    fn assert_alike(rules: &Rules, parts: &Parts, rng: &mut Rng) {
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
            let (parts, mut rng) = (Parts::default(), Rng::new(7));
            (0..100).for_each(|_| assert_alike(&rules, &parts, &mut rng));
            assert!(parts.groups() > 100, "{} groups: too tame", parts.groups());
        }
    }
}
