use std::collections::BTreeMap;

use groma_model::MemberId;
use groma_rebalance::coordinator::{self, GroupState};
use groma_rebalance::embedded::consumer::Consumer;
use groma_rebalance::member::{Event, Output, Phase};
use groma_rebalance::protocol::{LeaderDuty, MemberReport, Reply, Role, SyncRequest};

use super::act::name;
use super::place::Process;
use super::world::{Turn, World};
use crate::cluster::{Property, claims, decision_faults, note_of, plan_faults, short};

/// A property that does not hold, and what was seen.
pub(super) type Found = (Property, String);

impl Turn<'_> {
    pub(super) fn find(&mut self, property: Property, what: String) {
        self.found.push((property, what));
    }

    /// Whatever must hold between two steps.
    pub(super) fn check(&mut self) {
        self.check_runners();
        if self.world.is_still() {
            self.check_stuck();
            self.check_rest();
        }
    }

    fn check_runners(&mut self) {
        let mut found = Vec::new();
        let mut runners = BTreeMap::new();
        for (at, process) in self.world.processes() {
            for resource in &process.running {
                if let Some(other) = runners.insert(resource, at) {
                    let what = format!("{} runs on {} and on {}", short(resource), name(other), name(at));
                    found.push((Property::OneRunner, what));
                }
            }
            if process.running != *process.member.held() {
                found.push((Property::HeldRuns, format!("{} runs other than it owns", name(at))));
            }
        }
        self.found.extend(found);
    }

    /// Nothing is under way: who waits for the coordinator must be waited for by it.
    fn check_stuck(&mut self) {
        let waits = |process: &Process| matches!(process.member.phase(), Phase::Joining | Phase::Syncing);
        let waiting = self.world.processes().find(|(_, process)| waits(process)).map(|(at, _)| at);
        let open = [GroupState::PreparingRebalance, GroupState::CompletingRebalance];
        if let Some(at) = waiting.filter(|_| !open.contains(&self.world.group.view().state)) {
            self.find(Property::AnsweredOnce, format!("{} waits for an answer that nobody owes it", name(at)));
        }
    }

    /// Nothing is under way, no round is open, no alarm is set and nobody is missed: from here on there are only
    /// heartbeats, so everything must run, and evenly.
    fn check_rest(&mut self) {
        let calm = |process: &Process| process.member.phase() == Phase::Stable && process.member.alarm().is_none();
        let mut present: Vec<&MemberId> = self.world.processes().filter_map(|(_, p)| p.member.member()).collect();
        present.sort_unstable();
        if present.is_empty() || !self.world.processes().all(|(_, process)| calm(process)) {
            return;
        }
        let group = self.world.group.view();
        let mut known: Vec<&MemberId> = group.members.iter().map(|m| &m.member).collect();
        known.sort_unstable();
        if group.state != GroupState::Stable || known != present {
            return;
        }
        let loads: Vec<usize> = self.world.processes().map(|(_, process)| process.running.len()).collect();
        let running: usize = loads.iter().sum();
        if running < self.rules.resources as usize {
            let idle = self.rules.resources as usize - running;
            self.find(Property::AllRun, format!("{idle} resources run nowhere, and no round is due"));
        }
        if loads.iter().max() > loads.iter().min().map(|least| least + 1).as_ref() {
            self.find(Property::AllRun, "not evenly shared, and no round is due".to_owned());
        }
    }

    pub(super) fn see_group(&mut self, event: &coordinator::Event) {
        if let coordinator::Event::RoundClosed { generation, .. } = event {
            if *generation <= self.world.generation {
                let what = format!("{generation} after {}", self.world.generation);
                self.find(Property::GenerationGrows, what);
            }
            self.world.generation = *generation;
        }
        self.tell_group(event);
    }

    pub(super) fn see_member(&mut self, at: usize, output: &Output<Consumer>) {
        match output {
            Output::Event(Event::Offence(offence)) => self.find(Property::NoOffence, format!("{offence:?}")),
            Output::Event(Event::Stable(_)) => self.check_alarm(at),
            _ => {}
        }
        self.tell_member(at, output);
    }

    fn check_alarm(&mut self, at: usize) {
        let Some(process) = &self.world.places[at].process else { return };
        let deaf = process.member.is_waiting() && process.member.alarm().is_none();
        if deaf && process.member.phase() == Phase::Stable && process.stopping.is_empty() {
            self.find(Property::AlarmSet, format!("{} has no alarm", name(at)));
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

impl World {
    pub(super) fn processes(&self) -> impl Iterator<Item = (usize, &Process)> {
        self.places.iter().enumerate().filter_map(|(at, place)| Some((at, place.process.as_ref()?)))
    }
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
