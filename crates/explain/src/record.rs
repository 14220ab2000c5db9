use std::collections::BTreeSet;

use groma_model::{MemberId, TopicPartition};
use groma_rebalance::coordinator::{DurableMember, GroupMetadata};
use groma_rebalance::embedded::consumer::{Assignment, LateClaims, Subscription, audit};
use groma_rebalance::embedded::{Offence, Waiting, connect_delay, connect_holdings, custom, tasks};
use groma_rebalance::protocol::MemberReport;

use crate::fact::EVERYTHING;
use crate::{Remark, Seat, What};

/// A generation as the coordinator stored it.
pub(crate) fn generation(metadata: GroupMetadata) -> What {
    let named = Named::of(&metadata);
    What::Generation {
        generation: metadata.generation.0,
        members: metadata.members.into_iter().map(|(member, durable)| seat(named, member, durable)).collect(),
        protocol_type: metadata.protocol_type.unwrap_or_default(),
        protocol: metadata.protocol,
        leader: metadata.leader.map(|leader| leader.0),
    }
}

/// What the bytes of a generation show beside who has what: breaches of the rules by its leader, and what waits.
pub(crate) fn remarks(metadata: &GroupMetadata) -> Vec<Remark> {
    let named = Named::of(metadata);
    if named == Named::Connect {
        return connects_wait(metadata).into_iter().collect();
    }
    let readable = || metadata.members.iter().filter(|(_, durable)| named.reads(durable));
    let report = |(member, durable): (&MemberId, &DurableMember)| MemberReport {
        member: member.clone(),
        instance: durable.instance.clone(),
        metadata: durable.subscription.clone(),
    };
    let reports: Vec<MemberReport> = readable().map(report).collect();
    let given: Vec<_> = readable().map(|(member, durable)| (member.clone(), durable.assignment.clone())).collect();
    let offences = audit(&reports, &given, LateClaims::AreVoid);
    let breaches = offences.into_iter().filter_map(|offence| named.breach(offence));
    let assignments = given.iter().filter_map(|(_, bytes)| Assignment::decode(bytes).ok());
    let waits = assignments.map(|assignment| assignment.waits()).find(|waits| !waits.is_empty()).unwrap_or_default();
    breaches.take(BREACHES_TOLD).chain(waits.into_iter().map(|wait| named.wait(wait))).collect()
}

/// A leader of Connect does not say what waits: it is what those who are gone had.
fn connects_wait(metadata: &GroupMetadata) -> Option<Remark> {
    let left = metadata.members.values().filter_map(|durable| connect_delay(&durable.assignment)).max()?;
    Some(Remark::Waits { owner: None, left_ms: left.as_millis(), resources: Vec::new() })
}

/// A leader that breaks the rules does so with many resources; these are enough to name it.
const BREACHES_TOLD: usize = 100;

/// How the resources of a group are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// Partitions, by topic and number.
    Partitions,
    /// Connectors and tasks of Kafka Connect, in bytes of its own.
    Connect,
    /// An application's own, by a name, which bytes of our make carry as a topic.
    Own,
}

impl Named {
    fn of(metadata: &GroupMetadata) -> Self {
        match metadata.protocol_type.as_deref() {
            Some("consumer") => Self::Partitions,
            Some("connect") => Self::Connect,
            _ => Self::Own,
        }
    }

    /// Whether a member's bytes are known to have the layout of consumers: in groups of an application's own those of our
    /// make have.
    fn reads(self, durable: &DurableMember) -> bool {
        match self {
            Self::Partitions => true,
            Self::Connect => false,
            Self::Own => custom::reads(&durable.subscription),
        }
    }

    fn name(self, resource: &TopicPartition) -> String {
        match self {
            Self::Partitions => resource.to_string(),
            Self::Own | Self::Connect => resource.topic.clone(),
        }
    }

    fn breach(self, offence: Offence<TopicPartition>) -> Option<Remark> {
        let Offence::GrantedHeld { holder, member, resource } = offence else { return None };
        Some(Remark::GrantedHeld { holder: holder.0, given_to: member.0, resource: self.name(&resource) })
    }

    fn wait(self, wait: Waiting<TopicPartition>) -> Remark {
        let resources: BTreeSet<String> = wait.resources.iter().map(|resource| self.name(resource)).collect();
        let (owner, opened, left) = (wait.owner, wait.opened, wait.left);
        Remark::of_wait(&Waiting { owner, opened, left, resources: resources.into_iter().collect() }, String::clone)
    }
}

fn seat(named: Named, member: MemberId, durable: DurableMember) -> Seat {
    let readable = named.reads(&durable);
    let tasks = (named == Named::Own && !readable).then(|| tasks::running(&durable.assignment)).flatten();
    let connect = (named == Named::Connect).then(|| connect_holdings(&durable.subscription, &durable.assignment));
    let subscription = readable.then(|| Subscription::decode(&durable.subscription).ok()).flatten();
    let assignment = readable.then(|| Assignment::decode(&durable.assignment).ok()).flatten();
    Seat {
        member: member.0,
        instance: durable.instance.map(|instance| instance.as_str().to_owned()),
        client: durable.client.id,
        host: durable.client.host,
        session_timeout_ms: Some(durable.session_timeout.as_millis()),
        ours: subscription.as_ref().map(Subscription::is_of_our_make).or_else(|| tasks.as_ref().map(|_| true)),
        topics: match (&connect, &tasks) {
            (Some(Some(_)), _) | (None, Some(_)) => Some(vec![EVERYTHING.to_owned()]),
            (Some(None), _) => None,
            (None, None) => subscription.map(|s| s.topics.iter().map(str::to_owned).collect()),
        },
        assigned: match (connect, assignment) {
            (Some(holdings), _) => holdings,
            (None, Some(given)) => Some(given.partitions.iter().map(|part| named.name(&part)).collect()),
            (None, None) => tasks,
        },
    }
}

#[cfg(test)]
mod tests {
    use groma_rebalance::coordinator::Client;
    use groma_rebalance::embedded::consumer::{Consumer, Strategy};
    use groma_rebalance::embedded::{Embedded, Report, Trail};

    use super::*;
    use groma_model::{Generation, Span};

    fn partitions(numbers: &[i32]) -> BTreeSet<TopicPartition> {
        numbers.iter().map(|number| TopicPartition::new("t", *number)).collect()
    }

    /// A member of our make that held `held` in generation 6, and was given `given` in 7.
    fn member(held: &[i32], generation: i32, given: &[i32]) -> DurableMember {
        let consumer = Consumer::new(vec![Strategy::cooperative_sticky()]);
        let report = Report {
            interest: &BTreeSet::from(["t".to_owned()]),
            held: &partitions(held),
            generation: Some(Generation(generation)),
            previous: None,
            trail: &Trail::default(),
        };
        let subscription = consumer.protocols(&report).remove(0).metadata;
        let assignment = Assignment { partitions: partitions(given).iter().collect(), user_data: None }.encode();
        let client = Client { id: String::new(), host: String::new() };
        let (rebalance_timeout, session_timeout) = (Span::from_secs(60), Span::from_secs(45));
        DurableMember { instance: None, client, rebalance_timeout, session_timeout, subscription, assignment }
    }

    fn metadata(protocol_type: &str, members: [(&str, DurableMember); 2]) -> GroupMetadata {
        GroupMetadata {
            protocol_type: Some(protocol_type.to_owned()),
            generation: Generation(7),
            protocol: Some("cooperative-sticky".to_owned()),
            leader: Some(MemberId::from("a")),
            members: members.map(|(name, durable)| (MemberId::from(name), durable)).into(),
        }
    }

    #[test]
    fn b89_a_leader_that_gives_away_what_is_held_shows_in_the_record() {
        let dealt = metadata("consumer", [("a", member(&[0, 1], 6, &[0])), ("c", member(&[], 6, &[1]))]);
        let breach = Remark::GrantedHeld { holder: "a".into(), given_to: "c".into(), resource: "t-1".into() };
        assert_eq!(remarks(&dealt), [breach]);
        let kept = metadata("consumer", [("a", member(&[0, 1], 6, &[0])), ("c", member(&[], 6, &[]))]);
        assert_eq!(remarks(&kept), []);
    }

    #[test]
    fn what_was_held_in_an_earlier_generation_may_be_given_to_others() {
        let late = metadata("consumer", [("a", member(&[0, 1], 5, &[0])), ("c", member(&[2], 6, &[1, 2]))]);
        assert_eq!(remarks(&late), []);
    }

    #[test]
    fn an_applications_own_resources_are_read_by_our_mark() {
        let cameras = metadata("cameras", [("a", member(&[], 6, &[0])), ("c", member(&[], 6, &[1]))]);
        let What::Generation { members, .. } = generation(cameras) else { panic!("a generation") };
        assert_eq!(members[0].assigned, Some(vec!["t".to_owned()]), "a name, without a number");
        assert_eq!(members[0].ours, Some(true));
        let foreign =
            DurableMember { subscription: bytes::Bytes::from_static(b"\0\x01whatever"), ..member(&[], 6, &[0]) };
        let others = metadata("sheep", [("a", foreign.clone()), ("c", foreign)]);
        assert_eq!(remarks(&others), []);
        let What::Generation { members, .. } = generation(others) else { panic!("a generation") };
        assert_eq!((members[0].assigned.clone(), members[0].ours), (None, None));
    }

    #[test]
    fn workers_of_connect_have_connectors_and_tasks() {
        let worker = |task: u8| {
            let state = b"\0\x01\0\x01u\0\0\0\0\0\0\0\x05\xff\xff\xff\xff";
            let head = b"\0\x01\0\0\0\x01w\0\x01u\0\0\0\0\0\0\0\x05\0\0\0\x01\0\x04file\0\0\0\x01\0\0\0";
            let given = [head.as_slice(), &[task], b"\0\0\0\0\0\0\x1f\x40"].concat();
            let (subscription, assignment) = (bytes::Bytes::from_static(state), given.into());
            DurableMember { subscription, assignment, ..member(&[], 6, &[]) }
        };
        let group = metadata("connect", [("a", worker(0)), ("c", worker(1))]);
        let waits = Remark::Waits { owner: None, left_ms: 8_000, resources: Vec::new() };
        assert_eq!(remarks(&group), [waits]);
        let What::Generation { members, .. } = generation(group) else { panic!("a generation") };
        let held: Vec<_> = members.into_iter().map(|seat| (seat.assigned.unwrap(), seat.topics, seat.ours)).collect();
        let task = |number: i32| (vec![format!("file-{number}")], Some(vec!["*".to_owned()]), None);
        assert_eq!(held, [task(0), task(1)]);
    }
}
