use std::collections::{BTreeMap, BTreeSet};

use groma_model::InstanceId;
use groma_rebalance::embedded::tasks::{Job, Role, TaskList, Tasks, Workplace};
use groma_rebalance::member::{Member, ReleaseId};
use groma_rebalance::tasks::{Ask, CatchUp};

/// A machine with a disk on which one worker runs at a time.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) name: String,
    pub(super) instance: Option<InstanceId>,
    pub(super) life: u32,
    /// None while the process is down.
    pub(super) member: Option<Member<Tasks>>,
    /// Up to where the states on its disk go.
    pub(super) disk: BTreeMap<String, u64>,
    pub(super) jobs: BTreeSet<Job>,
    pub(super) stopping: BTreeMap<ReleaseId, Vec<Job>>,
    /// How many records it restores in a second.
    pub(super) pace: u64,
    pub(super) leaving: bool,
    ask: Ask,
}

impl Site {
    pub(super) fn new(name: String, pace: u64) -> Self {
        let instance = name.starts_with('S').then(|| InstanceId(name.clone()));
        Self {
            name,
            instance,
            life: 0,
            member: None,
            disk: BTreeMap::new(),
            jobs: BTreeSet::new(),
            stopping: BTreeMap::new(),
            pace,
            leaving: false,
            ask: Ask::default(),
        }
    }

    pub(super) const fn is_member(&self) -> bool {
        self.member.is_some() && !self.leaving
    }

    /// The process is gone; what is on the disk stays.
    pub(super) fn end(&mut self) {
        self.life += 1;
        self.member = None;
        self.leaving = false;
        self.jobs.clear();
        self.stopping.clear();
        self.ask = Ask::default();
    }

    pub(super) fn tasks(&self, role: Role) -> impl Iterator<Item = &str> {
        self.jobs.iter().filter(move |job| job.role == role).map(|job| job.task.as_str())
    }

    pub(super) fn position(&self, task: &str) -> u64 {
        self.disk.get(task).copied().unwrap_or_default()
    }

    pub(super) fn workplace(&self) -> Workplace {
        Workplace { capacity: 1, positions: self.disk.clone() }
    }

    /// A second goes by: what runs counts on once all of its state is there, what is followed is followed.
    pub(super) fn work(&mut self, ends: &mut BTreeMap<String, u64>, rate: u64) {
        for job in &self.jobs {
            let Some(end) = ends.get_mut(&job.task) else { continue };
            let position = self.disk.entry(job.task.clone()).or_default();
            if job.role == Role::Active && *position == *end {
                *end += rate;
                *position = *end;
            } else {
                *position = (*position + self.pace).min(*end);
            }
        }
    }

    /// Whether it asks for a round, as groups of tasks do over sockets.
    pub(super) fn asks(&mut self, list: &TaskList, settings: &CatchUp) -> bool {
        let behind = |task: &str| list.end_of(task).unwrap_or(u64::MAX).saturating_sub(self.position(task));
        let warming = self.tasks(Role::WarmUp).map(|task| (task.to_owned(), behind(task))).collect();
        self.ask.is_due(&warming, settings)
    }
}
