use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use groma_model::{Generation, MemberId, TopicPartition};

use super::{Assignment, Subscription};
use crate::embedded::Offence;
use crate::protocol::MemberReport;

/// What a claim of an earlier generation than others have is worth, where nobody claims the same since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LateClaims {
    /// Its member has missed a round and still runs what it claims: as it is. One that was away for longer claims nothing.
    Count,
    /// Nothing: as Kafka's own leaders take it (KIP-792), who are not to be accused of what they do by design.
    AreVoid,
}

/// Whether a leader broke the cooperative rule: it may give nobody what another member claims and asks for (nisshi's
/// `cooperative-sticky` does). For whoever sees both sides of a round: a leader's peer in a simulation, or an observer
/// of `__consumer_offsets`. What cannot be read says nothing, and neither does a claim that another member makes in a
/// later generation (KIP-792; none is the earliest). Each member that is wronged is named. Linear in claims and gifts
/// but for a logarithm, and for what several claim.
pub fn audit(
    members: &[MemberReport],
    assignments: &[(MemberId, Bytes)],
    late: LateClaims,
) -> Vec<Offence<TopicPartition>> {
    let read = |report: &MemberReport| Subscription::decode(&report.metadata).ok();
    let reports: Vec<_> = members.iter().filter_map(|report| Some((&report.member, read(report)?))).collect();
    let newest = reports.iter().filter_map(|(_, subscription)| subscription.generation).max();
    let mut claims: BTreeMap<TopicPartition, Vec<Claim<'_>>> = BTreeMap::new();
    for (member, subscription) in &reports {
        let is_late = subscription.generation.is_some() && subscription.generation < newest;
        if is_late && late == LateClaims::AreVoid {
            continue;
        }
        let asked: BTreeSet<&str> = subscription.topics.iter().collect();
        for resource in subscription.owned.iter().filter(|resource| asked.contains(resource.topic.as_str())) {
            claims.entry(resource).or_default().push(Claim { member, generation: subscription.generation });
        }
    }
    let mut offences = Vec::new();
    for (member, bytes) in assignments {
        let Ok(assignment) = Assignment::decode(bytes) else { continue };
        for resource in assignment.partitions.iter() {
            let claimants = claims.get(&resource).map(Vec::as_slice).unwrap_or_default();
            let valid = || claimants.iter().filter(|claim| !claim.is_superseded(claimants));
            if valid().any(|claim| claim.member == member) {
                continue;
            }
            for claim in valid() {
                let (holder, member, resource) = (claim.member.clone(), member.clone(), resource.clone());
                offences.push(Offence::GrantedHeld { holder, member, resource });
            }
        }
    }
    offences
}

struct Claim<'a> {
    member: &'a MemberId,
    generation: Option<Generation>,
}

impl Claim<'_> {
    fn is_superseded(&self, by: &[Self]) -> bool {
        by.iter().any(|other| other.generation > self.generation)
    }
}
