use bytes::Bytes;
use groma_model::Span;

use super::lead::Lead;
use super::{Assignment, Given, Job, Report, Role, TaskList, Workplace};
use crate::embedded::consumer::Consumer;
use crate::embedded::consumer::note::{decode_note, encode_note};
use crate::embedded::consumer::pack::WaitTime;
use crate::embedded::{
    self, Council, Decision, Embedded, EmbeddedError, Grant, GrantChange, Mode, Note, PolicyUsed, Rounds,
};
use crate::protocol::{MemberReport, Protocol};
use crate::tasks::CatchUp;

/// A member of a group that shares out tasks with state.
#[derive(Clone, Debug)]
pub struct Tasks {
    protocol_type: String,
    settings: CatchUp,
    probing: Span,
}

const PROTOCOL: &str = "tasks";

impl Tasks {
    /// A member of groups of this protocol type, which coordinators take for anything but `consumer`. As leader it
    /// places tasks by these settings, and again after the probing interval as long as somebody warms up
    /// (`probing.rebalance.interval.ms`, 10 min in Kafka Streams).
    pub fn new(protocol_type: impl Into<String>, settings: CatchUp, probing: Span) -> Self {
        Self { protocol_type: protocol_type.into(), settings, probing }
    }

    /// When state is good enough, as this member would judge it as leader.
    pub const fn catch_up(&self) -> &CatchUp {
        &self.settings
    }
}

impl Embedded for Tasks {
    type Resource = Job;
    type Interest = Workplace;
    type Catalog = TaskList;
    type Memory = Given;

    fn protocol_type(&self) -> &str {
        &self.protocol_type
    }

    fn speaks(&self, protocol: &str) -> bool {
        protocol == PROTOCOL
    }

    fn mode(&self, _protocol: Option<&str>) -> Mode {
        Mode::Cooperative
    }

    fn protocols(&self, report: &embedded::Report<'_, Self>) -> Vec<Protocol> {
        let released = report.trail.released.iter().filter(|job| job.role == Role::Active);
        let written = Report {
            capacity: report.interest.capacity,
            generation: report.generation,
            jobs: report.held.clone(),
            positions: report.interest.positions.clone(),
            released: Some(released.map(|job| job.task.clone()).collect()),
        };
        vec![Protocol::new(PROTOCOL, written.encode())]
    }

    fn covers(&self, _interest: &Workplace, _resource: &Job) -> bool {
        true
    }

    fn is_exclusive(&self, job: &Job) -> bool {
        job.role == Role::Active
    }

    fn grant(&self, _protocol: &str, assignment: &Bytes) -> Result<Grant<Job>, EmbeddedError> {
        let all = Assignment::decode(assignment)?;
        let told = all.note.as_ref().and_then(|note| decode_note(note, self.probing));
        let note = |n: &Note<_>| Note {
            rounds: n.rounds,
            catalog: n.catalog,
            members: n.members,
            waits: Vec::new(),
            pace: n.pace,
            formation: n.formation,
        };
        let alarm = told.as_ref().and_then(|(_, alarm)| *alarm);
        Ok(Grant { change: GrantChange::Full(all.jobs), alarm, note: told.as_ref().map(|(n, _)| note(n)) })
    }

    fn wanted(&self, _members: &[MemberReport]) -> Workplace {
        Workplace::default()
    }

    fn knows(&self, catalog: &TaskList, _interest: &Workplace) -> bool {
        catalog.is_known()
    }

    /// Ends of states change all the time and matter to the next round only.
    fn stamp(&self, _interest: &Workplace, catalog: &TaskList) -> u64 {
        Consumer::stamp_of(catalog.iter().map(|(task, end)| (task, 1 + u32::from(end.is_some()))))
    }

    fn lead(&self, council: &Council<'_, Self>) -> Result<Decision<Self>, EmbeddedError> {
        let plan = Lead::new(council.members, council.catalog).plan(&self.settings, council.memory);
        let note = Note {
            rounds: if plan.withheld > 0 { Rounds::Due } else { Rounds::Done },
            catalog: self.stamp(&Workplace::default(), council.catalog),
            members: None,
            waits: Vec::new(),
            pace: None,
            formation: None,
        };
        let alarm = (plan.pending > 0).then_some(self.probing);
        let note = Some(encode_note(&note, alarm, WaitTime::Told));
        let assignment = |(member, jobs)| (member, Assignment { jobs, note: note.clone() }.encode());
        Ok(Decision {
            moved: plan.moves.len(),
            assignments: plan.jobs.into_iter().map(assignment).collect(),
            moves: plan.moves,
            waits: Vec::new(),
            held_back: None,
            gathers: None,
            broken: plan.broken,
            offences: plan.offences,
            policy: PolicyUsed::Configured,
            memory: Some(plan.given),
        })
    }
}
