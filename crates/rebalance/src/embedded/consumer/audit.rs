use std::collections::BTreeMap;

use bytes::Bytes;
use groma_model::{MemberId, TopicPartition};

use super::{Assignment, Subscription};
use crate::embedded::Offence;
use crate::protocol::MemberReport;

/// Whether a leader broke the cooperative rule: it may give nobody what another member claims and asks for (nisshi's
/// `cooperative-sticky` does). For whoever sees both sides of a round: a leader's peer in a simulation, or an observer
/// of `__consumer_offsets`. What cannot be read says nothing.
pub fn audit(members: &[MemberReport], assignments: &[(MemberId, Bytes)]) -> Vec<Offence<TopicPartition>> {
    let mut claims: BTreeMap<TopicPartition, Vec<&MemberId>> = BTreeMap::new();
    for report in members {
        let Ok(subscription) = Subscription::decode(&report.metadata) else { continue };
        for resource in subscription.owned.iter() {
            claims.entry(resource).or_default().push(&report.member);
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
