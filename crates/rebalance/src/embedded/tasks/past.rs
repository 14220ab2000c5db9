use std::collections::BTreeMap;

use groma_model::Generation;

use super::lead::{Claims, Lead};
use super::{Job, Role};
use crate::embedded::{Offence, Owner};

/// What a leader remembers of a plan: each task that existed, and who was given it to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    pub(super) to: BTreeMap<String, Option<Owner>>,
}

impl Lead<'_> {
    /// Who broke the rules since the leader's last plan, if that is the last that anybody has taken: members that took it
    /// must claim what it gave them, and nothing else, or name what they have released. What is neither claimed nor named
    /// may still run, so it counts as claimed.
    pub(super) fn offences(&self, memory: &[(Generation, Given)], claims: &mut Claims) -> Vec<Offence<Job>> {
        let newest = self.seats.iter().filter_map(|(_, report)| report.generation).max();
        let Some((_, last)) = memory.iter().find(|(generation, _)| Some(*generation) == newest) else {
            return Vec::new();
        };
        let mut offences = Vec::new();
        for (seat, (member, report)) in self.seats.iter().enumerate() {
            if report.generation != newest {
                continue;
            }
            let own = Some(&self.owners[seat]);
            let claimed = report.jobs.iter().filter(|job| job.role == Role::Active);
            let seized = claimed.filter(|job| last.to.get(&job.task).is_some_and(|owner| owner.as_ref() != own));
            let seized = seized.map(|job| Offence::Seized { member: (*member).clone(), resource: job.clone() });
            offences.extend(seized);
            let Some(released) = &report.released else { continue };
            let given = last.to.iter().filter(|(task, owner)| owner.as_ref() == own && !released.contains(*task));
            for (task, _) in given {
                let Some(number) = self.number(task).filter(|number| claims[*number].is_empty()) else { continue };
                claims[number].push((report.generation, seat));
                let resource = Job { task: task.clone(), role: Role::Active };
                offences.push(Offence::Dropped { member: (*member).clone(), resource });
            }
        }
        offences.truncate(OFFENCES_MAX);
        offences
    }
}

/// More offences than these are not named in one round.
const OFFENCES_MAX: usize = 100;
