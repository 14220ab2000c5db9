use bytes::Bytes;
use groma_model::MemberId;
use groma_rebalance::embedded::tasks::{Assignment, Job, Report, Role};
use groma_rebalance::policy::Limit;
use groma_rebalance::tasks::CatchUp;

/// A rule that is broken on purpose, to show that the properties notice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskRule {
    /// All rules are kept.
    #[default]
    None,
    /// What runs is given to somebody else at once.
    NoWithholding,
    /// What nobody runs is given to nobody.
    ForgetsFree,
    /// Members say that they have caught up when they have not.
    BlindToState,
    /// As much warms up at a time as there is.
    NoLimit,
    /// No state is kept a second time.
    NoStandbys,
    /// One worker keeps all the copies that it can.
    HeapedStandbys,
    /// A member asks for a round over and over.
    Restless,
}

impl TaskRule {
    /// What leaders go by.
    pub(super) const fn settings(self, kept: CatchUp) -> CatchUp {
        match self {
            Self::NoLimit => CatchUp { warmups: Limit::moves(u32::MAX), ..kept },
            Self::NoStandbys => CatchUp { standbys: 0, ..kept },
            _ => kept,
        }
    }

    /// What a member says in place of the truth.
    pub(super) fn report(self, bytes: Bytes, tasks: impl Iterator<Item = String>) -> Bytes {
        match (self, Report::decode(&bytes)) {
            (Self::BlindToState, Ok(report)) => {
                Report { positions: tasks.map(|task| (task, u64::MAX)).collect(), ..report }.encode()
            }
            _ => bytes,
        }
    }

    /// What a leader hands in, in place of its plan; for each task with whether somebody ran it before.
    pub(super) fn plan(self, plan: &mut [(MemberId, Bytes)], ran: impl Fn(&str) -> bool) {
        let read: Option<Vec<Assignment>> = plan.iter().map(|(_, bytes)| Assignment::decode(bytes).ok()).collect();
        let Some(mut given) = read.filter(|given| given.len() > 1) else { return };
        let active = |assignment: &Assignment| {
            assignment.jobs.iter().find(|job| job.role == Role::Active && ran(&job.task)).cloned()
        };
        match self {
            Self::NoWithholding => {
                let Some(taken) = active(&given[0]) else { return };
                given[1].jobs.retain(|job| job.task != taken.task);
                given[1].jobs.insert(taken.clone());
                given[0].jobs.remove(&taken);
            }
            Self::ForgetsFree => {
                given.iter_mut().for_each(|one| one.jobs.retain(|job| job.role != Role::Active || ran(&job.task)));
            }
            Self::HeapedStandbys => heap(&mut given),
            _ => return,
        }
        plan.iter_mut().zip(given).for_each(|((_, bytes), given)| *bytes = given.encode());
    }
}

fn heap(given: &mut [Assignment]) {
    let Some((first, others)) = given.split_first_mut() else { return };
    for other in others {
        let copies: Vec<Job> = other.jobs.iter().filter(|job| job.role == Role::Standby).cloned().collect();
        for job in copies {
            if first.jobs.iter().all(|has| has.task != job.task) {
                other.jobs.remove(&job);
                first.jobs.insert(job);
            }
        }
    }
}
