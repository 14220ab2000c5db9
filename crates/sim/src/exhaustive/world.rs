use groma_model::{Generation, Time};
use groma_rebalance::coordinator::{self, Client, Group, GroupMetadata, Token};
use groma_rebalance::protocol::{Reply, Request};

use super::act::{Act, Mail};
use super::check::{Watch, faults};
use super::facts::{GroupFacts, PlaceFacts};
use super::place::{Place, Slot};
use super::scope::Rules;
use super::transcript::{BEGINNING, Transcript};
use crate::cluster::Property;

/// A group in one moment of one schedule, as it is: what a search knows in outline, and people are told of.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) now: Time,
    pub(super) group: Group,
    pub(super) places: Vec<Place>,
    pub(super) crashes: u32,
    pub(super) generation: Generation,
}

impl World {
    pub(super) fn new(rules: &Rules, places: usize) -> Self {
        let begun = GroupMetadata { generation: BEGINNING, ..GroupMetadata::default() };
        Self {
            now: Time::ZERO,
            group: Group::restore(rules.coordinator.clone(), Time::ZERO, begun),
            places: vec![Place::default(); places],
            crashes: 0,
            generation: BEGINNING,
        }
    }

    /// Lets something happen, and whatever follows from it at once.
    pub(super) fn take(&mut self, act: Act, watch: &mut Watch<'_>) {
        (watch.now, watch.at) = (self.now, act.place().unwrap_or_default());
        match act {
            Act::Start(at) => {
                let first = self.places[at].start(watch);
                self.ask(at, first, watch);
            }
            Act::Kill(at, mail) => self.kill(at, mail),
            Act::Request(at) => {
                let next = self.places[at].take_request();
                self.ask(at, next, watch);
            }
            Act::Reply(at) => self.places[at].take_reply(watch),
            Act::Hold(at) => self.places[at].hold(),
            Act::Stopped(at) => self.places[at].stopped(watch),
            Act::Clock => self.pass_time(watch),
        }
    }

    fn kill(&mut self, at: usize, mail: Mail) {
        self.crashes += 1;
        self.places[at].kill(mail);
    }

    /// What is due at the same moment is due before anything that is sent in it arrives.
    fn pass_time(&mut self, watch: &mut Watch<'_>) {
        let members = self.places.iter().filter_map(|p| p.process.as_ref()?.member.deadline()).map(|(at, _)| at);
        let Some(next) = members.chain(self.group.deadline().map(|(at, _)| at)).min() else { return };
        self.now = self.now.max(next);
        watch.now = self.now;
        for (at, place) in self.places.iter_mut().enumerate() {
            watch.at = at;
            place.tick(watch);
        }
        let answers = tick(&mut self.group, watch);
        self.answer(answers, watch);
    }

    fn ask(&mut self, at: usize, asked: Option<(Slot, Request)>, watch: &mut Watch<'_>) {
        let Some((slot, request)) = asked else { return };
        let parts = self.places.iter().map(|place| place.transcript(self.now)).chain([written(&self.group, self.now)]);
        let known = parts.filter_map(|part| part.written().members().max());
        let fresh = known.max().unwrap_or_default() + 1;
        let answers = ask(&mut self.group, (token(at, slot), request, fresh), watch);
        self.answer(answers, watch);
    }

    fn answer(&mut self, answers: Vec<(Token, Reply)>, watch: &mut Watch<'_>) {
        for (token, reply) in answers {
            let (at, slot) = addressee(token);
            watch.at = at;
            self.places[at].answer(slot, reply, watch);
        }
        for generation in std::mem::take(&mut watch.formed) {
            if generation <= self.generation {
                watch.find(Property::GenerationGrows, format!("{generation} after {}", self.generation));
            }
            self.generation = generation;
        }
    }

    /// Whatever must hold between two steps.
    pub(super) fn check(&self, watch: &mut Watch<'_>) {
        let facts = |place| PlaceFacts::of(place, self.now, watch.rules.bearable);
        let places: Vec<PlaceFacts> = self.places.iter().map(facts).collect();
        let group = GroupFacts::of(&self.group, self.now);
        watch.found.extend(faults(&places.iter().collect::<Vec<_>>(), &group, watch.rules.resources));
    }
}

/// Hands a request to a group; `fresh` is the number of an identity that nobody has had. Yields its answers.
pub(super) fn ask(
    group: &mut Group,
    (token, request, fresh): (Token, Request, u64),
    watch: &mut Watch<'_>,
) -> Vec<(Token, Reply)> {
    let client = Client { id: CLIENT.to_owned(), host: String::new() };
    let input = match request {
        Request::Join(request) => coordinator::Input::Join { token, request, client, entropy: u128::from(fresh) },
        Request::Sync(request) => coordinator::Input::Sync { token, request },
        Request::Heartbeat(request) => coordinator::Input::Heartbeat { token, request },
        Request::Leave(request) => coordinator::Input::Leave { token, request },
    };
    drive(group, input, watch)
}

/// Lets a group do what is due. Yields its answers.
pub(super) fn tick(group: &mut Group, watch: &mut Watch<'_>) -> Vec<(Token, Reply)> {
    match group.deadline() {
        Some((at, _)) if at <= watch.now => drive(group, coordinator::Input::Tick, watch),
        _ => Vec::new(),
    }
}

fn drive(group: &mut Group, input: coordinator::Input, watch: &mut Watch<'_>) -> Vec<(Token, Reply)> {
    let (mut inputs, mut answers) = (vec![input], Vec::new());
    while let Some(input) = inputs.pop() {
        group.handle(watch.now, input);
        while let Some(output) = group.poll() {
            match output {
                coordinator::Output::Reply { token, reply } => answers.push((token, reply)),
                coordinator::Output::Persist { ticket, .. } => inputs.push(coordinator::Input::Persisted(ticket)),
                coordinator::Output::Event(event) => watch.see_group(&event),
            }
        }
    }
    answers
}

/// Equal for groups that will do the same from now on, but for who waits for which answer.
pub(super) fn written(group: &Group, now: Time) -> Transcript {
    let mut transcript = Transcript::new();
    group.digest(now, &mut transcript);
    transcript
}

/// Names what a place has parked.
pub(super) const fn token(at: usize, slot: Slot) -> Token {
    Token((at as u64) << 8 | slot as u64)
}

/// Where an answer belongs.
pub(super) const fn addressee(token: Token) -> (usize, Slot) {
    ((token.0 >> 8) as usize, token.0 as Slot)
}

/// All processes are called the same, so that no two of them differ but by what they have done.
pub(super) const CLIENT: &str = "m";
