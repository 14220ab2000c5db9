use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_model::{Generation, Time};
use groma_rebalance::coordinator::{self, Client, Group, GroupMetadata, Token};
use groma_rebalance::embedded::consumer::Consumer;
use groma_rebalance::member::{self, Member, RequestId};
use groma_rebalance::protocol::{MemberReport, Reply, Request};

use super::act::{Act, Mail, name};
use super::check::{Found, led_by};
use super::fingerprint::Fingerprint;
use super::place::{Answer, Asked, Caller, Place, Process, Stopping};
use super::scope::Rules;
use super::transcript::{BEGINNING, Naming, Transcript};
use crate::cluster::Property;

/// A group in one moment of one schedule. Worlds share what a step between them has not touched.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) now: Time,
    pub(super) group: Arc<Group>,
    pub(super) places: Vec<Arc<Place>>,
    /// How many processes were killed.
    pub(super) crashes: u32,
    /// How many identities were given out.
    identities: u32,
    pub(super) generation: Generation,
    marks: Marks,
}

/// By when an answer is to arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    /// Before the clock moves on.
    Now,
    /// Before or after that.
    NowOrLater,
}

/// Transcripts of the parts, as of now.
#[derive(Clone, Debug)]
struct Marks {
    group: Arc<Transcript>,
    places: Vec<Arc<Transcript>>,
}

/// One step of a world, and what is seen in it.
pub(super) struct Turn<'a> {
    pub(super) rules: &'a Rules,
    pub(super) world: World,
    /// Places that this step changes.
    touched: BTreeSet<usize>,
    pub(super) found: Vec<Found>,
    /// What is told to people, if anybody listens.
    pub(super) lines: Option<Vec<String>>,
}

impl World {
    pub(super) fn new(rules: &Rules, places: usize) -> Self {
        let begun = GroupMetadata { generation: BEGINNING, ..GroupMetadata::default() };
        let group = Group::restore(rules.coordinator.clone(), Time::ZERO, begun);
        let nothing = Arc::new(Transcript::new());
        let mut world = Self {
            now: Time::ZERO,
            group: Arc::new(group),
            places: (0..places).map(|_| Arc::default()).collect(),
            crashes: 0,
            identities: 0,
            generation: BEGINNING,
            marks: Marks { places: vec![nothing.clone(); places], group: nothing },
        };
        world.mark_all();
        world
    }

    /// Equal for worlds with the same future, but for how many generations and kills are to go, whichever of the
    /// processes is which and whatever they and the generations are called.
    pub(super) fn canonical(&self) -> u128 {
        let parts = self.marks.places.iter().chain([&self.marks.group]);
        let mut mentioned: Vec<u64> = parts.flat_map(|part| part.members()).collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        self.named(&Naming::Order(mentioned, self.generation))
    }

    /// Equal for worlds that differ only in which of the processes is which.
    pub(super) fn verbatim(&self) -> u128 {
        Fingerprint::of(&(self.named(&Naming::Number), self.crashes, self.identities, self.generation))
    }

    fn named(&self, naming: &Naming) -> u128 {
        let mut places: Vec<u128> = self.marks.places.iter().map(|place| place.named(naming)).collect();
        places.sort_unstable();
        Fingerprint::of(&(self.marks.group.named(naming), places))
    }

    /// All that may happen next.
    pub(super) fn acts(&self, rules: &Rules, crashes: u32) -> Vec<Act> {
        let mut acts = Vec::new();
        for (at, place) in self.places.iter().enumerate() {
            match &place.process {
                None if self.is_first_of_its_kind(at) => acts.push(Act::Start(at)),
                None => {}
                Some(process) => {
                    if !process.stopping.is_empty() {
                        acts.push(Act::Stopped(at));
                    }
                    if self.crashes < crashes {
                        acts.push(Act::Kill(at, Mail::Arrives));
                        acts.extend((!place.up.is_empty()).then_some(Act::Kill(at, Mail::IsLost)));
                    }
                }
            }
            acts.extend((!place.up.is_empty()).then_some(Act::Request(at)));
            acts.extend(place.down.front().filter(|answer| !answer.held).map(|_| Act::Reply(at)));
        }
        if self.next_time().is_some_and(|next| self.may_pass(next, rules)) {
            acts.push(Act::Clock);
        }
        acts
    }

    /// A place with an answer of which it is open whether it arrives before the clock moves on, and an application that
    /// stops nothing; and what may become of this answer.
    ///
    /// What the answer does there and anything that happens elsewhere are the same in either order. So if it stops
    /// nothing that runs, nothing is missed by letting it arrive first or not before the clock has moved, unless it must
    /// and the process is killed before it does.
    pub(super) fn urgent(&self, rules: &Rules) -> Option<(usize, Urgency)> {
        let urgency = |place: &Place| {
            let stops = place.process.as_ref().is_none_or(|process| !process.stopping.is_empty());
            let answer = place.down.front().filter(|answer| !stops && !answer.held)?;
            let overdue = answer.pending_until(rules.bearable) <= self.now;
            Some(if overdue { Urgency::Now } else { Urgency::NowOrLater })
        };
        self.places.iter().enumerate().find_map(|(at, place)| Some((at, urgency(place)?)))
    }

    /// Nothing is under way, and nothing is about to stop.
    pub(super) fn is_still(&self) -> bool {
        self.places.iter().all(|place| place.is_still())
    }

    pub(super) fn runs_on(&self, at: usize, before: &Self) -> bool {
        let running = |world: &Self| world.places[at].process.as_ref().map(|p| p.running.clone()).unwrap_or_default();
        running(self).is_superset(&running(before))
    }

    fn is_first_of_its_kind(&self, at: usize) -> bool {
        let mark = &self.marks.places[at];
        self.marks.places.iter().position(|m| m == mark) == Some(at)
    }

    /// The earliest deadline of all machines.
    fn next_time(&self) -> Option<Time> {
        let members = self.places.iter().filter_map(|p| p.process.as_ref()?.member.deadline()).map(|(at, _)| at);
        members.chain(self.group.deadline().map(|(at, _)| at)).min()
    }

    /// Nothing that is under way would have been so for too long.
    fn may_pass(&self, next: Time, rules: &Rules) -> bool {
        self.places.iter().filter_map(|p| p.pending_until(rules.bearable)).all(|until| until >= next)
    }

    fn mark_all(&mut self) {
        self.mark_group();
        (0..self.places.len()).for_each(|at| self.mark_place(at));
    }

    fn mark_group(&mut self) {
        let mut transcript = Transcript::new();
        self.group.digest(self.now, &mut transcript);
        self.marks.group = Arc::new(transcript);
    }

    fn mark_place(&mut self, at: usize) {
        self.marks.places[at] = Arc::new(self.places[at].transcript(self.now));
    }
}

impl<'a> Turn<'a> {
    pub(super) fn new(rules: &'a Rules, world: World) -> Self {
        Self { rules, world, touched: BTreeSet::new(), found: Vec::new(), lines: None }
    }

    /// Lets something happen, and whatever follows from it at once.
    pub(super) fn take(&mut self, act: Act) {
        match act {
            Act::Start(at) => self.start(at),
            Act::Kill(at, mail) => self.kill(at, mail),
            Act::Request(at) => {
                let next = self.place(at).up.pop_front();
                self.take_request(at, next);
            }
            Act::Reply(at) => self.take_reply(at),
            Act::Hold(at) => self.place(at).down.front_mut().into_iter().for_each(|answer| answer.held = true),
            Act::Stopped(at) => self.stopped(at),
            Act::Clock => self.pass_time(),
        }
        if act == Act::Clock {
            return self.world.mark_all();
        }
        std::mem::take(&mut self.touched).into_iter().for_each(|at| self.world.mark_place(at));
        if matches!(act, Act::Start(_) | Act::Request(_)) {
            self.world.mark_group();
        }
    }

    fn place(&mut self, at: usize) -> &mut Place {
        self.touched.insert(at);
        Arc::make_mut(&mut self.world.places[at])
    }

    fn start(&mut self, at: usize) {
        let member = Member::new(self.rules.member.clone(), Consumer::new(self.rules.strategies.clone()));
        let place = self.place(at);
        place.life += 1;
        place.process = Some(Process { member, running: BTreeSet::new(), stopping: Default::default() });
        let catalog = BTreeMap::from([(TOPIC.to_owned(), self.rules.resources)]);
        self.drive_member(at, member::Input::Catalog(catalog.into()), &[]);
        self.drive_member(at, member::Input::Subscribe(BTreeSet::from([TOPIC.to_owned()])), &[]);
        let first = self.place(at).up.pop_back();
        self.take_request(at, first);
    }

    fn kill(&mut self, at: usize, mail: Mail) {
        self.world.crashes += 1;
        let place = self.place(at);
        place.process = None;
        place.down.clear();
        if mail == Mail::IsLost {
            place.up.clear();
        }
    }

    fn stopped(&mut self, at: usize) {
        let Some(process) = &mut self.place(at).process else { return };
        let Some(Stopping { release, resources, .. }) = process.stopping.pop_front() else { return };
        resources.iter().for_each(|resource| _ = process.running.remove(resource));
        self.drive_member(at, member::Input::Released(release), &[]);
    }

    /// What is due at the same moment is due before anything that is sent in it arrives.
    fn pass_time(&mut self) {
        let Some(next) = self.world.next_time() else { return };
        self.world.now = self.world.now.max(next);
        let now = self.world.now;
        for at in 0..self.world.places.len() {
            if self.world.places[at].down.iter().any(|answer| answer.held) {
                self.place(at).down.iter_mut().for_each(|answer| answer.held = false);
            }
        }
        for at in 0..self.world.places.len() {
            let deadline = self.world.places[at].process.as_ref().and_then(|p| p.member.deadline());
            if deadline.is_some_and(|(at, _)| at <= now) {
                self.drive_member(at, member::Input::Tick, &[]);
            }
        }
        if self.world.group.deadline().is_some_and(|(at, _)| at <= now) {
            self.drive_group(coordinator::Input::Tick);
        }
    }

    fn take_request(&mut self, at: usize, asked: Option<Asked>) {
        let Some(Asked { caller, request, .. }) = asked else { return };
        self.place(at).parked.push(caller);
        let token = token(at, caller);
        let input = match request {
            Request::Join(request) => {
                self.world.identities += u32::from(request.member.is_none());
                let client = Client { id: CLIENT.to_owned(), host: String::new() };
                coordinator::Input::Join { token, request, client, entropy: u128::from(self.world.identities) }
            }
            Request::Sync(request) => coordinator::Input::Sync { token, request },
            Request::Heartbeat(request) => coordinator::Input::Heartbeat { token, request },
            Request::Leave(request) => coordinator::Input::Leave { token, request },
        };
        self.drive_group(input);
    }

    fn take_reply(&mut self, at: usize) {
        let Some(Answer { id, reply, .. }) = self.place(at).down.pop_front() else { return };
        let reports = led_by(&reply).to_vec();
        self.drive_member(at, member::Input::Answered { id, result: Ok(reply) }, &reports);
    }

    fn drive_group(&mut self, input: coordinator::Input) {
        let now = self.world.now;
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            Arc::make_mut(&mut self.world.group).handle(now, input);
            while let Some(output) = Arc::make_mut(&mut self.world.group).poll() {
                match output {
                    coordinator::Output::Reply { token, reply } => self.answer(token, reply),
                    coordinator::Output::Persist { ticket, .. } => inputs.push(coordinator::Input::Persisted(ticket)),
                    coordinator::Output::Event(event) => self.see_group(&event),
                }
            }
        }
    }

    fn answer(&mut self, token: Token, reply: Reply) {
        let (at, caller) = caller(token);
        let sent = self.world.now;
        let place = self.place(at);
        let parked = place.parked.iter().position(|parked| *parked == caller);
        let alive = place.process.is_some() && place.life == caller.life;
        match parked {
            Some(parked) => _ = place.parked.remove(parked),
            None => return self.find(Property::AnsweredOnce, format!("{} is answered twice", name(at))),
        }
        if alive {
            self.place(at).down.push_back(Answer { id: caller.id, reply, sent, held: false });
        }
    }

    /// `reports` are those that the member is to make a plan from, if it is.
    fn drive_member(&mut self, at: usize, input: member::Input<Consumer>, reports: &[MemberReport]) {
        let now = self.world.now;
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            let Some(process) = &mut self.place(at).process else { return };
            process.member.handle(now, input);
            let mut outputs = Vec::new();
            while let Some(output) = process.member.poll() {
                outputs.push(output);
            }
            for output in outputs {
                if matches!(output, member::Output::FindCoordinator) {
                    inputs.push(member::Input::CoordinatorFound);
                } else {
                    self.carry_out(at, output, reports);
                }
            }
        }
    }

    fn carry_out(&mut self, at: usize, output: member::Output<Consumer>, reports: &[MemberReport]) {
        let since = self.world.now;
        self.see_member(at, &output);
        if let member::Output::Send { request: Request::Sync(sync), .. } = &output {
            self.see_plan(reports, sync);
        }
        let place = self.place(at);
        let life = place.life;
        let Some(process) = &mut place.process else { return };
        match output {
            member::Output::Send { id, request, .. } => {
                let caller = Caller { life, id };
                place.up.push_back(Asked { caller, request: without_reason(request), sent: since });
            }
            member::Output::Revoke { id, resources, .. } => {
                process.stopping.push_back(Stopping { release: id, resources, since });
            }
            member::Output::Lost { id, resources, .. } => {
                process.running.clear();
                process.stopping.clear();
                process.stopping.push_back(Stopping { release: id, resources, since });
            }
            member::Output::Assign { resources, .. } => process.running.extend(resources),
            member::Output::Failed(failure) => self.find(Property::AllRun, format!("{} fails: {failure:?}", name(at))),
            member::Output::FindCoordinator
            | member::Output::Resolve(_)
            | member::Output::Left
            | member::Output::Event(_) => {}
        }
    }
}

/// What people are told makes no two worlds different.
fn without_reason(request: Request) -> Request {
    match request {
        Request::Join(join) => Request::Join(groma_rebalance::protocol::JoinRequest { reason: None, ..join }),
        other => other,
    }
}

const fn token(at: usize, caller: Caller) -> Token {
    Token((at as u64) << 56 | (caller.life as u64) << 48 | caller.id.0)
}

const fn caller(token: Token) -> (usize, Caller) {
    let life = (token.0 >> 48 & 0xff) as u32;
    ((token.0 >> 56) as usize, Caller { life, id: RequestId(token.0 & ((1 << 48) - 1)) })
}

/// All processes are called the same, so that no two of them differ but by what they have done.
pub(super) const CLIENT: &str = "m";
const TOPIC: &str = "T";
