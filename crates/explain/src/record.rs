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
    let protocol = protocol_of(&metadata).to_owned();
    let members = metadata.members.into_iter().map(|(member, durable)| match named {
        Named::Partitions => consumer(member, durable),
        Named::Connect => worker(member, durable),
        Named::Own => own(&protocol, member, durable),
    });
    What::Generation {
        generation: metadata.generation.0,
        members: members.collect(),
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
    let readable = || metadata.members.iter().filter(|(_, durable)| named.is_audited(durable));
    let report = |(member, durable): (&MemberId, &DurableMember)| MemberReport {
        member: member.clone(),
        instance: durable.instance.clone(),
        metadata: durable.subscription.clone(),
    };
    let reports: Vec<MemberReport> = readable().map(report).collect();
    let given: Vec<_> = readable().map(|(member, durable)| (member.clone(), durable.assignment.clone())).collect();
    let offences = audit(&reports, &given, LateClaims::AreVoid);
    let breaches = offences.into_iter().filter_map(|offence| named.breach(offence));
    let told = metadata.members.values().map(|durable| named.waits(protocol_of(metadata), durable));
    let waits = told.into_iter().find(|waits| !waits.is_empty()).unwrap_or_default();
    breaches.take(BREACHES_TOLD).chain(waits.into_iter().map(|wait| named.wait(wait))).collect()
}

fn protocol_of(metadata: &GroupMetadata) -> &str {
    metadata.protocol.as_deref().unwrap_or_default()
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

    /// Whether a member's claims show what its leader may give to others: in groups of an application's own those of our
    /// make that keep what they hold over a round.
    fn is_audited(self, durable: &DurableMember) -> bool {
        match self {
            Self::Partitions => true,
            Self::Connect => false,
            Self::Own => Subscription::decode(&durable.subscription).is_ok_and(|report| report.is_of_our_make()),
        }
    }

    /// What the leader tells this member that waits.
    fn waits(self, protocol: &str, durable: &DurableMember) -> Vec<Waiting<TopicPartition>> {
        match self {
            Self::Partitions => Assignment::decode(&durable.assignment).map(|given| given.waits()).unwrap_or_default(),
            Self::Connect => Vec::new(),
            Self::Own => custom::waits(protocol, &durable.subscription, &durable.assignment),
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

fn consumer(member: MemberId, durable: DurableMember) -> Seat {
    let report = Subscription::decode(&durable.subscription).ok();
    let given = Assignment::decode(&durable.assignment).ok();
    Seat {
        ours: report.as_ref().map(Subscription::is_of_our_make),
        topics: report.map(|report| report.topics.iter().map(str::to_owned).collect()),
        assigned: given.map(|given| given.partitions.iter().map(|part| part.to_string()).collect()),
        ..seat(member, durable)
    }
}

fn worker(member: MemberId, durable: DurableMember) -> Seat {
    let assigned = connect_holdings(&durable.subscription, &durable.assignment);
    let topics = assigned.as_ref().map(|_| vec![EVERYTHING.to_owned()]);
    Seat { topics, assigned, ..seat(member, durable) }
}

/// A member of a group of an application's own: of resources, or of tasks with state.
fn own(protocol: &str, member: MemberId, durable: DurableMember) -> Seat {
    let report =
        custom::shape(protocol, &durable.subscription).and_then(|_| Subscription::decode(&durable.subscription).ok());
    let (topics, assigned) = match report {
        Some(report) => {
            let given = custom::given(protocol, &durable.subscription, &durable.assignment);
            (Some(report.topics.iter().map(str::to_owned).collect()), given)
        }
        None => {
            let tasks = tasks::running(&durable.assignment);
            (tasks.as_ref().map(|_| vec![EVERYTHING.to_owned()]), tasks)
        }
    };
    Seat { ours: topics.as_ref().map(|_| true), topics, assigned, ..seat(member, durable) }
}

/// A member without what only its bytes tell.
fn seat(member: MemberId, durable: DurableMember) -> Seat {
    Seat {
        member: member.0,
        instance: durable.instance.map(|instance| instance.as_str().to_owned()),
        client: durable.client.id,
        host: durable.client.host,
        session_timeout_ms: Some(durable.session_timeout.as_millis()),
        ..Seat::default()
    }
}

#[cfg(test)]
mod tests {
    use groma_rebalance::coordinator::Client;
    use groma_rebalance::embedded::consumer::{Consumer, Strategy};
    use groma_rebalance::embedded::{Embedded, Report, Trail, proposed};

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
    fn resources_are_read_whose_leader_gives_changes_and_whose_members_stop_for_each_round() {
        let part = |name: &str| TopicPartition::new(name, 0);
        let parts = |names: &[&str]| names.iter().map(|name| part(name)).collect::<BTreeSet<_>>();
        let (held, given, revoked) = (parts(&["k1", "k2"]), parts(&["k3"]), parts(&["k2"]));
        let topics = BTreeSet::from(["*".to_owned()]);
        let delta_report = proposed::Subscription {
            topics: topics.iter().collect(),
            assigned: held.iter().collect(),
            ..Default::default()
        };
        let change = proposed::Assignment {
            assigned: given.iter().collect(),
            revoked: revoked.iter().collect(),
            ..Default::default()
        };
        let eager = Consumer::new(vec![Strategy::sticky()]);
        let report = Report {
            interest: &topics,
            held: &BTreeSet::new(),
            generation: None,
            previous: None,
            trail: &Trail::default(),
        };
        let all = Assignment { partitions: given.iter().collect(), user_data: None };
        for (protocol, subscription, assignment, expected) in [
            ("uniform-delta", delta_report.encode(), change.encode(3), vec!["k1", "k3"]),
            ("uniform-delta", delta_report.encode(), bytes::Bytes::new(), vec!["k1", "k2"]),
            ("sticky", eager.protocols(&report).remove(0).metadata, all.encode(), vec!["k3"]),
        ] {
            let durable = DurableMember { subscription, assignment, ..member(&[], 6, &[]) };
            let mut group = metadata("cameras", [("a", durable.clone()), ("c", durable)]);
            group.protocol = Some(protocol.to_owned());
            assert_eq!(remarks(&group), [], "nothing waits under {protocol}");
            let What::Generation { members, .. } = generation(group) else { panic!("a generation") };
            let seat = &members[0];
            let assigned: Vec<&str> = seat.assigned.as_ref().unwrap().iter().map(String::as_str).collect();
            assert_eq!(
                (assigned, seat.ours, seat.topics.clone()),
                (expected, Some(true), Some(vec!["*".to_owned()])),
                "{protocol}"
            );
        }
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
