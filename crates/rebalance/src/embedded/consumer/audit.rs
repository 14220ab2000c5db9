use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use groma_model::{MemberId, TopicPartition};

use super::{Assignment, Subscription};
use crate::embedded::Offence;
use crate::protocol::MemberReport;

/// Whether a leader broke the cooperative rule: it may give nobody what another member claims and asks for (nisshi's
/// `cooperative-sticky` does). For whoever sees both sides of a round: a leader's peer in a simulation, or an observer
/// of `__consumer_offsets`. What cannot be read says nothing, and neither does a claim of an earlier generation than
/// others have: its member was away, and has lost what it claims (KIP-792). Linear in claims and gifts but for a
/// logarithm.
pub fn audit(members: &[MemberReport], assignments: &[(MemberId, Bytes)]) -> Vec<Offence<TopicPartition>> {
    let read = |report: &MemberReport| Subscription::decode(&report.metadata).ok();
    let reports: Vec<_> = members.iter().filter_map(|report| Some((&report.member, read(report)?))).collect();
    let newest = reports.iter().filter_map(|(_, subscription)| subscription.generation).max();
    let mut claims: BTreeMap<TopicPartition, Vec<&MemberId>> = BTreeMap::new();
    for (member, subscription) in &reports {
        if subscription.generation.is_some() && subscription.generation < newest {
            continue;
        }
        let asked: BTreeSet<&str> = subscription.topics.iter().collect();
        for resource in subscription.owned.iter().filter(|resource| asked.contains(resource.topic.as_str())) {
            claims.entry(resource).or_default().push(member);
        }
    }
    let mut offences = Vec::new();
    for (member, bytes) in assignments {
        let Ok(assignment) = Assignment::decode(bytes) else { continue };
        for resource in assignment.partitions.iter() {
            let claimants = claims.get(&resource).map(Vec::as_slice).unwrap_or_default();
            if let Some(holder) = claimants.iter().find(|_| !claimants.contains(&member)) {
                let (holder, member) = ((*holder).clone(), member.clone());
                offences.push(Offence::GrantedHeld { holder, member, resource });
            }
        }
    }
    offences
}
