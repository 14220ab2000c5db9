use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Generation, MemberId};

use super::{Given, Job, Report, Role, TaskList};
use crate::cause::MoveCause;
use crate::embedded::consumer::order::in_order;
use crate::embedded::{Offence, Owner};
use crate::member::{Move, Step};
use crate::protocol::MemberReport;
use crate::tasks::{CatchUp, Placement, Task, Worker, place};

/// A plan: what each member is to do in this round.
pub(super) struct Plan {
    pub(super) jobs: Vec<(MemberId, BTreeSet<Job>)>,
    pub(super) moves: Vec<Move<Job>>,
    pub(super) broken: Vec<MemberId>,
    pub(super) offences: Vec<Offence<Job>>,
    pub(super) given: Given,
    /// How many tasks are withheld until whoever runs them has given them up.
    pub(super) withheld: usize,
    /// How many tasks wait for a warm-up.
    pub(super) pending: usize,
}

/// For each task who claims to run it, the best claim last.
pub(super) type Claims = Vec<Vec<(Option<Generation>, usize)>>;

/// Everybody's report and what exists.
pub(super) struct Lead<'a> {
    pub(super) seats: Vec<(&'a MemberId, Report)>,
    /// Who they are, by what survives a restart.
    pub(super) owners: Vec<Owner>,
    /// Members whose reports cannot be read: nothing is given to them.
    broken: Vec<&'a MemberId>,
    tasks: Vec<(&'a str, Option<u64>)>,
}

impl<'a> Lead<'a> {
    pub(super) fn new(members: &'a [MemberReport], tasks: &'a TaskList) -> Self {
        let (mut seats, mut owners, mut broken) = (Vec::with_capacity(members.len()), Vec::new(), Vec::new());
        for place in in_order(members, |m| (m.instance.as_ref(), &m.member)) {
            let MemberReport { member, instance, metadata } = &members[place as usize];
            match Report::decode(metadata) {
                Ok(report) => {
                    seats.push((member, report));
                    let owner = || Owner::Member(member.clone());
                    owners.push(instance.clone().map_or_else(owner, Owner::Instance));
                }
                Err(_) => broken.push(member),
            }
        }
        Self { seats, owners, broken, tasks: tasks.iter().collect() }
    }

    pub(super) fn plan(&self, settings: &CatchUp, memory: &[(Generation, Given)]) -> Plan {
        let kind = |(_, end): &(&str, Option<u64>)| end.map_or(Task::Stateless, |size| Task::Stateful { size });
        let tasks: Vec<Task> = self.tasks.iter().map(kind).collect();
        let mut claims = self.claims();
        let offences = self.offences(memory, &mut claims);
        let placement = place(&tasks, &self.workers(&claims), settings);
        Plan { offences, ..self.step(&placement, &claims) }
    }

    fn claims(&self) -> Claims {
        let mut claims = vec![Vec::new(); self.tasks.len()];
        for (seat, (_, report)) in self.seats.iter().enumerate() {
            for job in report.jobs.iter().filter(|job| job.role == Role::Active) {
                if let Some(list) = self.number(&job.task).and_then(|number| claims.get_mut(number)) {
                    list.push((report.generation, seat));
                }
            }
        }
        claims.iter_mut().for_each(|list| list.sort_unstable());
        claims
    }

    fn workers(&self, claims: &Claims) -> Vec<Worker> {
        let mut workers: Vec<Worker> = self.seats.iter().map(|(_, report)| self.worker(report)).collect();
        for (task, list) in (0_u32..).zip(claims) {
            if let Some(worker) = list.last().and_then(|(_, seat)| workers.get_mut(*seat)) {
                worker.behind.remove(&task);
                worker.runs.push(task);
            }
        }
        workers
    }

    fn worker(&self, report: &Report) -> Worker {
        let behind = |(task, position): (&String, &u64)| {
            let number = self.number(task)?;
            let end = self.tasks.get(number)?.1?;
            Some((number as u32, end.saturating_sub(*position)))
        };
        let behind: BTreeMap<u32, u64> = report.positions.iter().filter_map(behind).collect();
        let kept = report.jobs.iter().filter(|job| job.role != Role::Active);
        let follows = kept.filter_map(|job| self.number(&job.task)).map(|number| number as u32).collect();
        Worker { capacity: report.capacity, runs: Vec::new(), behind, follows }
    }

    pub(super) fn number(&self, task: &str) -> Option<usize> {
        self.tasks.binary_search_by(|(name, _)| (*name).cmp(task)).ok()
    }

    /// What of the placement can be done in this round: nobody is given what another still runs.
    fn step(&self, placement: &Placement, claims: &Claims) -> Plan {
        let (mut moves, mut withheld) = (Vec::new(), 0);
        let mut given = Given { to: self.tasks.iter().map(|(task, _)| ((*task).to_owned(), None)).collect() };
        let mut jobs = Vec::with_capacity(self.seats.len());
        for (seat, ((member, report), post)) in self.seats.iter().zip(&placement.posts).enumerate() {
            let mut own: BTreeSet<Job> = BTreeSet::new();
            let job = |task: u32, role| Job { task: self.tasks[task as usize].0.to_owned(), role };
            own.extend(post.standby.iter().map(|task| job(*task, Role::Standby)));
            own.extend(post.warmup.iter().map(|task| job(*task, Role::WarmUp)));
            for task in &post.active {
                let list = &claims[*task as usize];
                let other = list.iter().rev().find(|(_, claimant)| *claimant != seat);
                let (step, is_free) = (if other.is_some() { Step::Revoke } else { Step::Grant }, list.is_empty());
                if other.is_some() || is_free {
                    let from = other.map(|(_, claimant)| self.seats[*claimant].0.clone());
                    let cause = if is_free { MoveCause::Free } else { MoveCause::Balance };
                    let resource = job(*task, Role::Active);
                    moves.push(Move { resource, from, to: Some((*member).clone()), step, cause });
                }
                if other.is_none() || list.last().is_some_and(|(_, claimant)| *claimant == seat) {
                    own.insert(job(*task, Role::Active));
                    given.to.insert(self.tasks[*task as usize].0.to_owned(), Some(self.owners[seat].clone()));
                } else {
                    withheld += 1;
                    let kept = report.jobs.iter().find(|j| j.task == self.tasks[*task as usize].0);
                    own.extend(kept.filter(|j| j.role != Role::Active).cloned());
                }
            }
            jobs.push(((*member).clone(), own));
        }
        let broken: Vec<MemberId> = self.broken.iter().copied().cloned().collect();
        jobs.extend(broken.iter().map(|member| (member.clone(), BTreeSet::new())));
        Plan { jobs, moves, broken, withheld, given, offences: Vec::new(), pending: placement.pending }
    }
}
