use std::collections::BTreeMap;

use bytes::Bytes;
use groma_model::{Generation, MemberId};

use super::{Assignment, Job, Report, Role};
use crate::embedded::Offence;
use crate::protocol::MemberReport;

/// Whether a leader of a group of tasks broke the rule: it may give nobody what another member claims to run. For whoever
/// sees both sides of a round. What cannot be read says nothing, and neither does a claim that another member makes in a
/// later generation. Each member that is wronged is named.
pub fn audit(members: &[MemberReport], assignments: &[(MemberId, Bytes)]) -> Vec<Offence<Job>> {
    let mut claims: BTreeMap<Job, Vec<(Option<Generation>, &MemberId)>> = BTreeMap::new();
    for (report, member) in members.iter().filter_map(|m| Some((Report::decode(&m.metadata).ok()?, &m.member))) {
        for job in report.jobs.into_iter().filter(|job| job.role == Role::Active) {
            claims.entry(job).or_default().push((report.generation, member));
        }
    }
    for list in claims.values_mut() {
        let newest = list.iter().map(|(generation, _)| *generation).max().flatten();
        list.retain(|(generation, _)| *generation == newest);
    }
    let mut offences = Vec::new();
    for (member, bytes) in assignments {
        let Ok(given) = Assignment::decode(bytes) else { continue };
        for job in given.jobs {
            let holders = claims.get(&job).map(Vec::as_slice).unwrap_or_default();
            if holders.iter().all(|(_, holder)| *holder != member) {
                let wronged = |(_, holder): &(_, &MemberId)| Offence::GrantedHeld {
                    holder: (*holder).clone(),
                    member: member.clone(),
                    resource: job.clone(),
                };
                offences.extend(holders.iter().map(wronged));
            }
        }
    }
    offences
}
