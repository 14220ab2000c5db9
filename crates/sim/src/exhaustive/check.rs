use groma_model::{Generation, MemberId, Time};
use groma_rebalance::coordinator::{self, GroupState};
use groma_rebalance::embedded::consumer::Consumer;
use groma_rebalance::member::{Event, Output, Phase};
use groma_rebalance::protocol::{LeaderDuty, MemberReport, Reply, Role, SyncRequest};

use super::act::name;
use super::facts::{GroupFacts, PlaceFacts, ProcessFacts, Trait};
use super::narrate::words;
use super::place::Process;
use super::scope::Rules;
use crate::cluster::{Property, claims, decision_faults, note_of, plan_faults};

/// A property that does not hold, and what was seen.
pub(super) type Found = (Property, String);

/// Sees what machines do in one moment.
pub(super) struct Watch<'a> {
    pub(super) rules: &'a Rules,
    pub(super) now: Time,
    /// Where it happens.
    pub(super) at: usize,
    pub(super) found: Vec<Found>,
    /// Generations that were formed.
    pub(super) formed: Vec<Generation>,
    /// What is told to people, if anybody listens.
    pub(super) lines: Option<Vec<String>>,
}

impl<'a> Watch<'a> {
    pub(super) const fn new(rules: &'a Rules, now: Time) -> Self {
        Self { rules, now, at: 0, found: Vec::new(), formed: Vec::new(), lines: None }
    }

    pub(super) fn find(&mut self, property: Property, what: String) {
        self.found.push((property, what));
    }

    pub(super) fn see_group(&mut self, event: &coordinator::Event) {
        if let coordinator::Event::RoundClosed { generation, .. } = event {
            self.formed.push(*generation);
        }
        self.tell_group(event);
    }

    pub(super) fn see_member(&mut self, process: &Process, output: &Output<Consumer>) {
        match output {
            Output::Event(Event::Offence(offence)) => self.find(Property::NoOffence, words().offence(offence)),
            Output::Event(Event::Stable(_)) => self.check_alarm(process),
            _ => {}
        }
        self.tell_member(output);
    }

    fn check_alarm(&mut self, process: &Process) {
        let deaf = process.member.is_waiting() && process.member.alarm().is_none();
        if deaf && process.member.phase() == Phase::Stable && process.stopping.is_empty() {
            self.find(Property::AlarmSet, format!("{} has no alarm", name(self.at)));
        }
    }

    /// A leader hands in a plan, made from these reports.
    pub(super) fn see_plan(&mut self, reports: &[MemberReport], sync: &SyncRequest) {
        if sync.assignments.is_empty() {
            return;
        }
        let claims = claims(reports);
        self.found.extend(decision_faults(&claims, sync));
        let Some(note) = note_of(&self.rules.strategies, sync) else { return };
        self.found.extend(plan_faults(&note, &self.rules.bounds, (&claims, sync), |_| true));
        let most = self.rules.bounds.delay.unwrap_or_default();
        if let Some(wait) = note.waits.iter().find(|wait| wait.left > most) {
            self.find(Property::WaitBounded, format!("{:?} has {} left", wait.owner, wait.left));
        }
    }
}

/// What must hold between two steps, and does not.
pub(super) fn faults(places: &[&PlaceFacts], group: &GroupFacts, resources: u32) -> Vec<Found> {
    let mut found = runner_faults(places);
    if places.iter().all(|place| place.has(Trait::Still)) {
        found.extend(stuck_fault(places, group));
        found.extend(rest_faults(places, group, resources));
    }
    found
}

fn processes<'a>(places: &'a [&PlaceFacts]) -> impl Iterator<Item = &'a ProcessFacts> {
    places.iter().filter_map(|place| place.process.as_ref())
}

fn runner_faults(places: &[&PlaceFacts]) -> Vec<Found> {
    let (mut found, mut running) = (Vec::new(), 0);
    for (at, place) in places.iter().enumerate() {
        let twice = running & place.running();
        if twice != 0 {
            let what = format!("{} runs T{} as another does", name(at), twice.trailing_zeros());
            found.push((Property::OneRunner, what));
        }
        running |= place.running();
        if place.has(Trait::RunsOther) {
            found.push((Property::HeldRuns, format!("{} runs other than it owns", name(at))));
        }
    }
    found
}

/// Nothing is under way: who waits for the coordinator must be waited for by it.
fn stuck_fault(places: &[&PlaceFacts], group: &GroupFacts) -> Option<Found> {
    let open = [GroupState::PreparingRebalance, GroupState::CompletingRebalance];
    let at = places.iter().position(|place| place.has(Trait::Waits) && !open.contains(&group.state))?;
    Some((Property::AnsweredOnce, format!("{} waits for an answer that nobody owes it", name(at))))
}

/// Nothing is under way, no round is open, no alarm is set and nobody is missed: from here on there are only
/// heartbeats, so everything must run, and evenly.
fn rest_faults(places: &[&PlaceFacts], group: &GroupFacts, resources: u32) -> Vec<Found> {
    let mut present: Vec<&MemberId> = processes(places).filter_map(|process| process.identity.as_ref()).collect();
    present.sort_unstable();
    let calm = |place: &&PlaceFacts| place.process.is_none() || place.has(Trait::Calm);
    let rests = group.state == GroupState::Stable && places.iter().all(calm);
    if present.is_empty() || !rests || !group.members.iter().eq(present) {
        return Vec::new();
    }
    let loads: Vec<u32> = processes(places).map(|process| process.running.count_ones()).collect();
    let (running, mut found) = (loads.iter().sum::<u32>(), Vec::new());
    if running < resources {
        let what = format!("{} resources run nowhere, and no round is due", resources - running);
        found.push((Property::AllRun, what));
    }
    if loads.iter().max() > loads.iter().min().map(|least| least + 1).as_ref() {
        found.push((Property::AllRun, "not evenly shared, and no round is due".to_owned()));
    }
    found
}

/// The reports that the one who gets this answer is to make a plan from.
pub(super) fn led_by(reply: &Reply) -> &[MemberReport] {
    match reply {
        Reply::Join(Ok(joined)) => match &joined.role {
            Role::Leader { members, duty: LeaderDuty::Assign } => members,
            _ => &[],
        },
        _ => &[],
    }
}
