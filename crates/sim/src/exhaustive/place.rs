use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};

use groma_model::{Span, Time, TopicPartition};
use groma_rebalance::digest::Numbers;
use groma_rebalance::embedded::consumer::Consumer;
use groma_rebalance::member::{self, Member, ReleaseId, RequestId};
use groma_rebalance::protocol::{JoinRequest, MemberReport, Reply, Request};

use super::act::{Mail, name};
use super::check::{Watch, led_by};
use super::transcript::Transcript;
use crate::cluster::Property;

/// Where a process may run, and its links with the coordinator.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// Counts the processes that have run here.
    life: u32,
    pub(super) process: Option<Process>,
    /// Requests on their way, those of a former life included.
    pub(super) up: VecDeque<Asked>,
    /// Answers on their way.
    pub(super) down: VecDeque<Answer>,
    /// Requests that the coordinator has taken and not answered, by their slots.
    parked: BTreeMap<Slot, Caller>,
}

/// Names a request that the coordinator has taken and not answered, among those of its place: the lowest that is free.
pub(super) type Slot = u8;

/// A member and its application.
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) member: Member<Consumer>,
    pub(super) running: BTreeSet<TopicPartition>,
    pub(super) stopping: VecDeque<Stopping>,
}

/// What an application has been told to stop.
#[derive(Clone, Debug)]
pub(super) struct Stopping {
    release: ReleaseId,
    resources: Vec<TopicPartition>,
    since: Time,
}

/// Who waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Caller {
    life: u32,
    id: RequestId,
}

#[derive(Clone, Debug)]
pub(super) struct Asked {
    caller: Caller,
    pub(super) request: Request,
    sent: Time,
}

#[derive(Clone, Debug)]
pub(super) struct Answer {
    id: RequestId,
    pub(super) reply: Reply,
    sent: Time,
    /// It does not arrive before the clock has moved.
    pub(super) held: bool,
}

impl Place {
    /// A process starts; yields its first request, and where the answer belongs.
    pub(super) fn start(&mut self, watch: &mut Watch<'_>) -> Option<(Slot, Request)> {
        let member = Member::new(watch.rules.member.clone(), Consumer::new(watch.rules.strategies.clone()));
        self.life += 1;
        self.process = Some(Process { member, running: BTreeSet::new(), stopping: VecDeque::new() });
        let catalog = BTreeMap::from([(TOPIC.to_owned(), watch.rules.resources)]);
        self.drive(member::Input::Catalog(catalog.into()), &[], watch);
        self.drive(member::Input::Subscribe(BTreeSet::from([TOPIC.to_owned()])), &[], watch);
        let first = self.up.pop_back()?;
        Some(self.park(first))
    }

    pub(super) fn kill(&mut self, mail: Mail) {
        self.process = None;
        self.down.clear();
        if mail == Mail::IsLost {
            self.up.retain(|asked| asked.caller.life != self.life);
        }
    }

    pub(super) fn hold(&mut self) {
        self.down.front_mut().into_iter().for_each(|answer| answer.held = true);
    }

    /// The application has stopped what it was told to stop first.
    pub(super) fn stopped(&mut self, watch: &mut Watch<'_>) {
        let Some(process) = &mut self.process else { return };
        let Some(Stopping { release, resources, .. }) = process.stopping.pop_front() else { return };
        resources.iter().for_each(|resource| _ = process.running.remove(resource));
        self.drive(member::Input::Released(release), &[], watch);
    }

    /// The clock has moved: what is due happens.
    pub(super) fn tick(&mut self, watch: &mut Watch<'_>) {
        self.down.iter_mut().for_each(|answer| answer.held = false);
        let deadline = self.process.as_ref().and_then(|p| p.member.deadline());
        if deadline.is_some_and(|(at, _)| at <= watch.now) {
            self.drive(member::Input::Tick, &[], watch);
        }
    }

    /// The coordinator takes the next request; the answer belongs to the slot.
    pub(super) fn take_request(&mut self) -> Option<(Slot, Request)> {
        let asked = self.up.pop_front()?;
        Some(self.park(asked))
    }

    fn park(&mut self, Asked { caller, request, .. }: Asked) -> (Slot, Request) {
        let slot = (0..=Slot::MAX).find(|slot| !self.parked.contains_key(slot)).unwrap_or_default();
        self.parked.insert(slot, caller);
        (slot, request)
    }

    /// The coordinator answers.
    pub(super) fn answer(&mut self, slot: Slot, reply: Reply, watch: &mut Watch<'_>) {
        let Some(caller) = self.parked.remove(&slot) else {
            return watch.find(Property::AnsweredOnce, format!("{} is answered twice", name(watch.at)));
        };
        if self.process.is_some() && self.life == caller.life {
            self.down.push_back(Answer { id: caller.id, reply, sent: watch.now, held: false });
        }
    }

    /// The next answer arrives.
    pub(super) fn take_reply(&mut self, watch: &mut Watch<'_>) {
        let Some(Answer { id, reply, .. }) = self.down.pop_front() else { return };
        let reports = led_by(&reply).to_vec();
        self.drive(member::Input::Answered { id, result: Ok(reply) }, &reports, watch);
    }

    /// `reports` are those that the member is to make a plan from, if it is.
    fn drive(&mut self, input: member::Input<Consumer>, reports: &[MemberReport], watch: &mut Watch<'_>) {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            let Some(process) = &mut self.process else { return };
            process.member.handle(watch.now, input);
            let mut outputs = Vec::new();
            while let Some(output) = process.member.poll() {
                outputs.push(output);
            }
            for output in outputs {
                if matches!(output, member::Output::FindCoordinator) {
                    inputs.push(member::Input::CoordinatorFound);
                } else {
                    self.carry_out(output, reports, watch);
                }
            }
        }
    }

    fn carry_out(&mut self, output: member::Output<Consumer>, reports: &[MemberReport], watch: &mut Watch<'_>) {
        let Some(process) = &mut self.process else { return };
        watch.see_member(process, &output);
        let (life, since) = (self.life, watch.now);
        match output {
            member::Output::Send { id, request, .. } => {
                if let Request::Sync(sync) = &request {
                    watch.see_plan(reports, sync);
                }
                let caller = Caller { life, id };
                self.up.push_back(Asked { caller, request: without_reason(request), sent: since });
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
            member::Output::Failed(failure) => {
                watch.find(Property::AllRun, format!("{} fails: {failure:?}", name(watch.at)));
            }
            member::Output::FindCoordinator
            | member::Output::Resolve(_)
            | member::Output::Left
            | member::Output::Event(_) => {}
        }
    }

    /// Until when the clock may go on before something here must have arrived, or stopped, that bears so much.
    pub(super) fn pending_until(&self, bearable: Span) -> Option<Time> {
        let up = self.up.iter().map(|asked| asked.pending_until(bearable));
        let down = self.down.iter().map(|answer| answer.pending_until(bearable));
        let stops = self.process.iter().flat_map(|p| p.stopping.iter().map(|s| s.since + bearable));
        up.chain(down).chain(stops).min()
    }

    /// Nothing is under way to or from here, and nothing is about to stop.
    pub(super) fn is_still(&self) -> bool {
        self.up.is_empty() && self.down.is_empty() && self.process.as_ref().is_none_or(|p| p.stopping.is_empty())
    }

    /// What runs here is what the member owns.
    pub(super) fn runs_what_it_owns(&self) -> bool {
        self.process.as_ref().is_none_or(|process| process.running == *process.member.held())
    }

    /// Equal for places where the same will happen from now on, but for the slots of what is parked.
    pub(super) fn transcript(&self, now: Time) -> Transcript {
        let mut hasher = Transcript::new();
        let mut numbers = Numbers::default();
        if let Some(process) = &self.process {
            process.digest(now, &mut numbers, &mut hasher);
        }
        let mut caller = |caller: &Caller, hasher: &mut Transcript| {
            let alive = self.process.is_some() && caller.life == self.life;
            alive.then(|| numbers.place(caller.id.0)).hash(hasher);
        };
        for Asked { caller: from, request, sent } in &self.up {
            caller(from, &mut hasher);
            (request, now.since(*sent).0).hash(&mut hasher);
        }
        for Answer { id, reply, sent, held } in &self.down {
            caller(&Caller { life: self.life, id: *id }, &mut hasher);
            (reply, now.since(*sent).0, held).hash(&mut hasher);
        }
        hasher.write_u8(0xfe);
        self.parked.values().for_each(|parked| caller(parked, &mut hasher));
        hasher
    }

    /// Nothing can happen here before the next request arrives, but for a kill.
    pub(super) fn only_asks(&self) -> bool {
        self.down.is_empty() && self.process.as_ref().is_none_or(|process| process.stopping.is_empty())
    }

    /// The next request is the join of one that has an identity, and must arrive before the clock moves.
    pub(super) fn joins_now(&self, now: Time, bearable: Span) -> bool {
        let due = |asked: &Asked| asked.is_join_of_known() && asked.pending_until(bearable) <= now;
        self.up.front().is_some_and(due) && self.only_asks()
    }

    /// Whether the process that runs here has requests on their way.
    pub(super) fn has_sent(&self) -> bool {
        self.process.is_some() && self.up.iter().any(|asked| asked.caller.life == self.life)
    }

    /// The slots of what is parked.
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        self.parked.keys().copied()
    }
}

impl Asked {
    pub(super) const fn is_beat(&self) -> bool {
        matches!(self.request, Request::Heartbeat(_))
    }

    /// It is the join of one that has an identity.
    pub(super) fn is_join_of_known(&self) -> bool {
        matches!(&self.request, Request::Join(join) if join.member.is_some())
    }

    fn pending_until(&self, bearable: Span) -> Time {
        if self.is_beat() { self.sent } else { self.sent + bearable }
    }
}

impl Answer {
    pub(super) const fn is_beat(&self) -> bool {
        matches!(self.reply, Reply::Heartbeat(_))
    }

    /// A heartbeat that arrives later than at once says nothing that none, or a later one, does not say.
    pub(super) fn pending_until(&self, bearable: Span) -> Time {
        if self.is_beat() { self.sent } else { self.sent + bearable }
    }
}

impl Process {
    fn digest(&self, now: Time, numbers: &mut Numbers, hasher: &mut Transcript) {
        hasher.write_u8(0xff);
        self.member.digest(now, numbers, hasher);
        for Stopping { release, since, .. } in &self.stopping {
            (numbers.place(release.0), now.since(*since).0).hash(hasher);
        }
        hasher.write_u8(0xff);
    }
}

/// What people are told makes no two worlds different.
fn without_reason(request: Request) -> Request {
    match request {
        Request::Join(join) => Request::Join(JoinRequest { reason: None, ..join }),
        other => other,
    }
}

const TOPIC: &str = "T";
