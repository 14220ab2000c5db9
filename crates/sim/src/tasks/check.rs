use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Generation, MemberId, Time};
use groma_rebalance::embedded::tasks::{Assignment, Report, Role, TaskList};
use groma_rebalance::protocol::{MemberReport, SyncRequest};
use groma_rebalance::tasks::CatchUp;

use super::site::Site;
use super::world::World;

/// What must hold of tasks with state after every step, or in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TaskProperty {
    /// At most one worker runs a task at any moment.
    OneRunner,
    /// What a plan gives away is run by nobody else.
    GrantedFree,
    /// A task goes to a worker that is too far behind only if nobody has caught up.
    GoesToState,
    /// No more warms up at a time than allowed.
    WarmUpsFew,
    /// Whoever runs a task, keeps its state or builds it up does only one of these, and no more keep it than are to.
    OneJob,
    /// In the end every task runs, evenly shared.
    AllRun,
    /// In the end each state is kept as often as it is to be, by others than run it, evenly shared, and nothing warms up.
    AllKept,
    /// In the end nothing happens any more, and nobody waits to look again.
    Quiet,
    /// In peace no more tasks move than there are, in no more rounds than warm-ups need.
    MovesFew,
}

/// A property that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskViolation {
    /// When it was seen.
    pub at: Time,
    /// Which one.
    pub property: TaskProperty,
    /// What was seen.
    pub what: String,
}

/// What each leader was told, by generation.
pub(super) type Told = BTreeMap<(Generation, MemberId), Vec<MemberReport>>;

/// More violations than these say nothing new.
const VIOLATIONS_MAX: usize = 20;

impl World {
    pub(super) fn violate(&mut self, property: TaskProperty, what: String) {
        if self.violations.len() < VIOLATIONS_MAX {
            self.tell(|| format!("VIOLATION of {property:?}: {what}"));
            self.violations.push(TaskViolation { at: self.now, property, what });
        }
    }

    pub(super) fn check_runners(&mut self) {
        let mut runners: BTreeMap<&str, &str> = BTreeMap::new();
        let mut found = Vec::new();
        for site in &self.sites {
            for task in site.tasks(Role::Active) {
                if let Some(other) = runners.insert(task, &site.name) {
                    found.push(format!("{task} runs on {other} and on {}", site.name));
                }
            }
        }
        found.into_iter().for_each(|what| self.violate(TaskProperty::OneRunner, what));
    }

    /// Checks what a leader hands in by what it was told, and what is really on the disks.
    pub(super) fn check_plan(&mut self, list: &TaskList, sync: &SyncRequest) {
        let Some(reports) = self.told.get(&(sync.generation, sync.member.clone())) else { return };
        let read = |report: &MemberReport| Some((report.member.clone(), Report::decode(&report.metadata).ok()?));
        let reports: BTreeMap<MemberId, Report> = reports.iter().filter_map(read).collect();
        let read = |(member, bytes): &(MemberId, _)| Some((member.clone(), Assignment::decode(bytes).ok()?));
        let plan = Plan { reports, given: sync.assignments.iter().filter_map(read).collect() };
        let mut found = plan.faults(&self.settings);
        found.extend(self.strangers(list, &plan));
        found.into_iter().for_each(|(property, what)| self.violate(property, what));
    }

    /// Tasks that a plan moves to who is too far behind, though another in the round has caught up.
    fn strangers(&self, list: &TaskList, plan: &Plan) -> Vec<(TaskProperty, String)> {
        let site = |member: &MemberId| {
            self.sites.iter().find(|site| site.member.as_ref().and_then(|m| m.member()) == Some(member))
        };
        let ready = |site: &Site, task: &str| {
            let end = list.end_of(task).unwrap_or_default();
            self.settings.has_caught_up(end.saturating_sub(site.position(task)))
        };
        let mut found = Vec::new();
        for (member, assignment) in &plan.given {
            for job in assignment.jobs.iter().filter(|job| job.role == Role::Active) {
                let claims = plan.reports.get(member).is_some_and(|report| report.jobs.contains(job));
                let Some(to) = site(member).filter(|to| !claims && !ready(to, &job.task)) else { continue };
                // Positions in reports are a little older than those on disks, never newer.
                let told = |report: &Report| {
                    let position = report.positions.get(&job.task).copied().unwrap_or_default();
                    self.settings.has_caught_up(list.end_of(&job.task).unwrap_or_default().saturating_sub(position))
                };
                let better = plan.reports.iter().filter(|(other, report)| *other != member && told(report));
                if let Some(better) = better.filter_map(|(other, _)| site(other)).find(|one| ready(one, &job.task)) {
                    let what = format!("{} goes to {}, and {} has caught up", job.task, to.name, better.name);
                    found.push((TaskProperty::GoesToState, what));
                }
            }
        }
        found
    }

    /// Checks what must hold once faults have ended and time has passed.
    pub(super) fn check_end(&mut self) {
        let members: Vec<&Site> = self.sites.iter().filter(|site| site.is_member()).collect();
        if members.is_empty() {
            return;
        }
        let mut found = Vec::new();
        let running: BTreeSet<&str> = members.iter().flat_map(|site| site.tasks(Role::Active)).collect();
        let idle: Vec<&str> = self.ends.keys().map(String::as_str).filter(|task| !running.contains(task)).collect();
        if !idle.is_empty() {
            found.push((TaskProperty::AllRun, format!("{} run nowhere", idle.join(" "))));
        }
        let copies = self.ends.len() * (self.settings.standbys as usize).min(members.len() - 1);
        let kept: usize = members.iter().map(|site| site.tasks(Role::Standby).count()).sum();
        let warm: usize = members.iter().map(|site| site.tasks(Role::WarmUp).count()).sum();
        if (kept, warm) != (copies, 0) {
            found.push((TaskProperty::AllKept, format!("{kept} of {copies} copies, {warm} warm-ups")));
        }
        for (role, property) in [(Role::Active, TaskProperty::AllRun), (Role::Standby, TaskProperty::AllKept)] {
            let loads: Vec<usize> = members.iter().map(|site| site.tasks(role).count()).collect();
            if loads.iter().max() > loads.iter().min().map(|least| least + 1).as_ref() {
                found.push((property, format!("shares are not even: {loads:?}")));
            }
        }
        let looks = |site: &&&Site| site.member.as_ref().is_some_and(|member| member.alarm().is_some());
        if let Some(site) = members.iter().find(looks) {
            found.push((TaskProperty::Quiet, format!("{} waits to look again", site.name)));
        }
        found.into_iter().for_each(|(property, what)| self.violate(property, what));
    }
}

/// A plan, and what it was made of.
struct Plan {
    reports: BTreeMap<MemberId, Report>,
    given: BTreeMap<MemberId, Assignment>,
}

impl Plan {
    fn faults(&self, settings: &CatchUp) -> Vec<(TaskProperty, String)> {
        let mut found = Vec::new();
        let (mut copies, mut warm): (BTreeMap<&str, u32>, u32) = (BTreeMap::new(), 0);
        // What is withheld goes on with what it did before.
        let jobs = self.given.values().flat_map(|assignment| &assignment.jobs);
        let runs: BTreeSet<&str> = jobs.filter(|job| job.role == Role::Active).map(|job| job.task.as_str()).collect();
        let newest = |task: &str| {
            let claims = self
                .reports
                .iter()
                .filter(|(_, report)| report.jobs.iter().any(|job| job.role == Role::Active && job.task == task));
            claims.map(|(member, report)| (report.generation, member)).max()
        };
        for (member, assignment) in &self.given {
            let tasks: BTreeSet<&str> = assignment.jobs.iter().map(|job| job.task.as_str()).collect();
            if tasks.len() < assignment.jobs.len() {
                found.push((TaskProperty::OneJob, format!("{member} has two jobs of one task")));
            }
            for job in &assignment.jobs {
                match job.role {
                    Role::Active => {
                        let holder = newest(&job.task).map(|(_, holder)| holder).filter(|holder| *holder != member);
                        if let Some(holder) = holder {
                            let what = format!("{} goes to {member}, and {holder} runs it", job.task);
                            found.push((TaskProperty::GrantedFree, what));
                        }
                    }
                    _ if !runs.contains(job.task.as_str()) => {}
                    Role::Standby => *copies.entry(&job.task).or_default() += 1,
                    Role::WarmUp => warm += 1,
                }
            }
        }
        if warm > settings.warmups.moves.max(1) {
            found.push((TaskProperty::WarmUpsFew, format!("{warm} tasks warm up")));
        }
        if let Some((task, count)) = copies.iter().find(|(_, count)| **count > settings.standbys) {
            found.push((TaskProperty::OneJob, format!("{count} keep the state of {task}")));
        }
        found
    }
}

/// Whether one of these reports says that a task runs.
pub(super) fn is_run(reports: &[bytes::Bytes], task: &str) -> bool {
    let runs = |report: &Report| report.jobs.iter().any(|job| job.role == Role::Active && job.task == task);
    reports.iter().filter_map(|report| Report::decode(report).ok()).any(|report| runs(&report))
}
