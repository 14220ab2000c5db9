//! A member, input by input, against answers made up for it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use groma_model::{Generation, InstanceId, MemberId, Span, Time, TopicPartition};
use groma_rebalance::embedded::consumer::{Assignment, Consumer, Strategy, Subscription};
use groma_rebalance::embedded::{Embedded, Mode, PolicyUsed, Report, Trail};
use groma_rebalance::member::{
    Event, Input, Liveness, LostCause, Member, MemberConfig, MemberFailure, Output, Phase, ReleaseId, RequestId,
    Unanswered,
};
use groma_rebalance::policy::Deferred;
use groma_rebalance::protocol::{
    GroupError, JoinRequest, Joined, LeaderDuty, MemberReport, Reply, Request, Role, SyncRequest, Synced,
};

struct Desk {
    member: Member<Consumer>,
    now: Time,
    sent: Vec<(RequestId, Request)>,
    revoked: Vec<(ReleaseId, Vec<TopicPartition>)>,
    lost: Vec<(ReleaseId, Vec<TopicPartition>, LostCause)>,
    assigned: Vec<TopicPartition>,
    broken: Vec<MemberId>,
    policies: Vec<PolicyUsed>,
    failure: Option<MemberFailure>,
    left: usize,
}

impl Desk {
    fn new(strategy: Strategy, config: MemberConfig) -> Self {
        Self::of(vec![strategy], config)
    }

    fn of(strategies: Vec<Strategy>, config: MemberConfig) -> Self {
        let mut desk = Self {
            member: Member::new(config, Consumer::new(strategies)),
            now: Time::ZERO,
            sent: Vec::new(),
            revoked: Vec::new(),
            lost: Vec::new(),
            assigned: Vec::new(),
            broken: Vec::new(),
            policies: Vec::new(),
            failure: None,
            left: 0,
        };
        desk.put(Input::Subscribe(topics(&["T"])));
        desk.put(Input::Catalog(BTreeMap::from([("T".to_owned(), 4), ("U".to_owned(), 2)]).into()));
        desk.put(Input::CoordinatorFound);
        desk
    }

    fn cooperative() -> Self {
        Self::new(Strategy::cooperative_sticky(), MemberConfig::default())
    }

    /// A follower that holds these partitions of T in generation 1, as member `a`.
    fn holding(partitions: &[i32]) -> Self {
        let mut desk = Self::cooperative();
        desk.follow(1);
        desk.grant(partitions);
        assert_eq!(desk.member.phase(), Phase::Stable);
        desk
    }

    fn put(&mut self, input: Input<Consumer>) {
        self.member.handle(self.now, input);
        while let Some(output) = self.member.poll() {
            match output {
                Output::Send { id, request, .. } => self.sent.push((id, request)),
                Output::Revoke { id, resources, .. } => self.revoked.push((id, resources)),
                Output::Lost { id, resources, cause } => self.lost.push((id, resources, cause)),
                Output::Assign { resources, .. } => self.assigned.extend(resources),
                Output::Failed(failure) => self.failure = Some(failure),
                Output::Left => self.left += 1,
                Output::Event(Event::BrokenReport(member)) => self.broken.push(member),
                Output::Event(Event::Policy(policy)) => self.policies.push(policy),
                Output::FindCoordinator | Output::Resolve(_) | Output::Event(_) => {}
            }
        }
    }

    fn wait(&mut self, span: Span) {
        let end = self.now + span;
        while let Some((at, _)) = self.member.deadline().filter(|(at, _)| *at <= end) {
            self.now = self.now.max(at);
            self.put(Input::Tick);
        }
        self.now = end;
    }

    fn take<T>(&mut self, pick: impl Fn(&Request) -> Option<T>) -> Option<(RequestId, T)> {
        let place = self.sent.iter().position(|(_, r)| pick(r).is_some())?;
        let (id, request) = self.sent.remove(place);
        pick(&request).map(|found| (id, found))
    }

    fn join(&mut self) -> (RequestId, JoinRequest) {
        let pick = |r: &Request| if let Request::Join(join) = r { Some(join.clone()) } else { None };
        self.take(pick).expect("a join")
    }

    fn sync(&mut self) -> (RequestId, SyncRequest) {
        let pick = |r: &Request| if let Request::Sync(sync) = r { Some(sync.clone()) } else { None };
        self.take(pick).expect("a sync")
    }

    fn beat(&mut self) -> RequestId {
        let pick = |r: &Request| matches!(r, Request::Heartbeat(_)).then_some(());
        self.take(pick).expect("a heartbeat").0
    }

    fn answer(&mut self, id: RequestId, reply: Reply) {
        self.put(Input::Answered { id, result: Ok(reply) });
    }

    /// Joins as a follower of `l`.
    fn follow(&mut self, generation: i32) {
        let (id, _) = self.join();
        self.answer(id, Reply::Join(Ok(joined(generation, Role::Follower))));
    }

    fn grant(&mut self, partitions: &[i32]) {
        let (id, _) = self.sync();
        self.answer(id, granted("T", partitions));
    }

    fn told(&mut self) {
        self.wait(Span::from_secs(3));
        let beat = self.beat();
        self.answer(beat, Reply::Heartbeat(Err(GroupError::RebalanceInProgress)));
    }
}

fn topics(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

fn joined(generation: i32, role: Role) -> Joined {
    let leads = role != Role::Follower;
    Joined {
        member: MemberId::from("a"),
        generation: Generation(generation),
        protocol_type: Some("consumer".to_owned()),
        protocol: "cooperative-sticky".to_owned(),
        leader: MemberId::from(if leads { "a" } else { "l" }),
        role,
    }
}

fn granted(topic: &str, partitions: &[i32]) -> Reply {
    let partitions: Vec<TopicPartition> = partitions.iter().map(|p| TopicPartition::new(topic, *p)).collect();
    let assignment = Assignment { partitions: partitions.iter().collect(), user_data: None }.encode();
    Reply::Sync(Ok(Synced { protocol_type: None, protocol: None, assignment }))
}

fn claims(join: &JoinRequest) -> (Vec<TopicPartition>, Option<Generation>) {
    let report = Subscription::decode(&join.protocols[0].metadata).expect("a subscription");
    (report.owned.iter().collect(), report.generation)
}

fn of_t(partitions: &[i32]) -> Vec<TopicPartition> {
    partitions.iter().map(|p| TopicPartition::new("T", *p)).collect()
}

#[test]
fn a_leader_of_another_make_is_named_once_where_it_knows_less_than_is_configured() {
    let deferred = Strategy { policy: Arc::new(Deferred::default()), ..Strategy::cooperative_sticky() };
    let mut desk = Desk::new(deferred, MemberConfig::default());
    for generation in 1..4 {
        desk.follow(generation);
        desk.grant(&[0]);
        assert_eq!(desk.policies, [PolicyUsed::Foreign { leader: MemberId::from("l") }]);
        desk.told();
    }
    let mut simple = Desk::holding(&[0]);
    simple.wait(Span::from_secs(1));
    assert_eq!(simple.policies, [], "two rounds are all that is configured");
}

#[test]
fn the_identity_given_is_used_at_once() {
    let mut desk = Desk::cooperative();
    let (id, first) = desk.join();
    assert_eq!(first.member, None);
    desk.answer(id, Reply::Join(Err(GroupError::MemberIdRequired(MemberId::from("a")))));
    assert_eq!(desk.join().1.member, Some(MemberId::from("a")));
}

#[test]
fn work_goes_on_while_a_join_is_parked() {
    let mut desk = Desk::holding(&[0, 1]);
    desk.told();
    let (_, join) = desk.join();
    assert_eq!(claims(&join), (of_t(&[0, 1]), Some(Generation(1))));
    desk.wait(Span::from_secs(30));
    assert_eq!((desk.revoked.len(), desk.lost.len(), desk.member.held().len()), (0, 0, 2));
    assert!(desk.member.commit_fence().is_ok());
}

#[test]
fn a_parked_join_is_given_up_when_heartbeats_stay_unanswered() {
    let mut desk = Desk::holding(&[0, 1]);
    desk.told();
    let (first, _) = desk.join();
    desk.wait(Span::from_secs(4));
    let beat = desk.beat();
    desk.answer(beat, Reply::Heartbeat(Err(GroupError::RebalanceInProgress)));
    assert_eq!(desk.member.phase(), Phase::Joining, "the coordinator is there: the join's answer decides");
    desk.wait(Span::from_secs(4));
    let beat = desk.beat();
    desk.put(Input::Answered { id: beat, result: Err(Unanswered::TimedOut) });
    assert_eq!(desk.member.phase(), Phase::Seeking);
    desk.put(Input::CoordinatorFound);
    desk.wait(Span::from_secs(2));
    let (second, again) = desk.join();
    assert_ne!(first, second);
    assert_eq!(claims(&again).0, of_t(&[0, 1]));
    assert!(desk.lost.is_empty(), "nothing is given up before the lease ends");
}

#[test]
fn b12_only_what_changes_is_revoked_and_assigned() {
    let mut desk = Desk::holding(&[0, 1]);
    desk.told();
    desk.follow(2);
    desk.assigned.clear();
    desk.grant(&[1, 2]);
    assert_eq!(desk.revoked[0].1, of_t(&[0]));
    assert_eq!(desk.assigned, of_t(&[2]));
    assert!(desk.sent.iter().all(|(_, r)| !matches!(r, Request::Join(_))), "joins before it has released");
    desk.put(Input::Released(desk.revoked[0].0));
    let (_, join) = desk.join();
    assert_eq!(claims(&join), (of_t(&[1, 2]), Some(Generation(2))));
}

#[test]
fn b59_a_second_round_starts_nothing_twice() {
    let mut desk = Desk::holding(&[0]);
    for generation in 2..5 {
        desk.told();
        desk.follow(generation);
        desk.grant(&[0, 1]);
    }
    assert_eq!((desk.assigned, desk.revoked.len()), (of_t(&[0, 1]), 0));
}

#[test]
fn b78_a_member_that_offers_both_kinds_does_as_the_chosen_one_does_and_offers_no_eager_one_over_what_it_holds() {
    for strategies in [[Strategy::cooperative_sticky(), Strategy::range()], [Strategy::range(), Strategy::uniform()]] {
        let consumer = Consumer::new(strategies.to_vec());
        assert_eq!(consumer.mode(None), Mode::Eager);
        assert_eq!(
            strategies.each_ref().map(|s| consumer.mode(Some(s.name()))),
            strategies.each_ref().map(Strategy::mode)
        );
        let interest = BTreeSet::from(["T".to_owned()]);
        let offered = |held: &[i32]| -> Vec<String> {
            let (held, trail) = (of_t(held).into_iter().collect(), Trail::default());
            let (generation, previous) = (Some(Generation(3)), None);
            let report = Report { interest: &interest, held: &held, generation, previous, trail: &trail };
            consumer.protocols(&report).into_iter().map(|protocol| protocol.name).collect()
        };
        assert_eq!(offered(&[]), strategies.each_ref().map(|s| s.name().to_owned()));
        let kept = strategies.iter().filter(|s| s.mode() == Mode::Cooperative);
        assert_eq!(offered(&[0]), kept.map(|s| s.name().to_owned()).collect::<Vec<_>>());
    }
    assert_eq!(Consumer::new(vec![Strategy::cooperative_sticky()]).mode(None), Mode::Cooperative);
}

/// A member of both kinds that holds something, and an eager group that has gone on without it.
#[test]
fn a_member_that_offers_less_than_it_speaks_gives_up_what_it_holds_when_it_is_refused() {
    let mut desk = Desk::of(vec![Strategy::cooperative_sticky(), Strategy::range()], MemberConfig::default());
    let (id, _) = desk.join();
    desk.answer(id, Reply::Join(Ok(joined(1, Role::Follower))));
    desk.grant(&[0, 1]);
    desk.told();
    let (id, request) = desk.join();
    assert_eq!(request.protocols.len(), 1);
    desk.answer(id, Reply::Join(Err(GroupError::InconsistentProtocol)));
    assert_eq!((&desk.lost[0].1, &desk.failure), (&of_t(&[0, 1]), &None));
}

#[test]
fn eager_gives_up_everything_before_it_joins() {
    let mut desk = Desk::new(Strategy::sticky(), MemberConfig::default());
    let (id, _) = desk.join();
    let reply = Joined { protocol: "sticky".to_owned(), ..joined(1, Role::Follower) };
    desk.answer(id, Reply::Join(Ok(reply)));
    desk.grant(&[0, 1]);
    desk.told();
    assert_eq!(desk.revoked[0].1, of_t(&[0, 1]));
    assert!(desk.sent.is_empty());
    desk.put(Input::Released(desk.revoked[0].0));
    assert_eq!(claims(&desk.join().1).0, []);
}

#[test]
fn b17_an_identity_lost_loses_everything_before_the_next_join() {
    let mut desk = Desk::holding(&[0, 1]);
    desk.wait(Span::from_secs(3));
    let beat = desk.beat();
    desk.answer(beat, Reply::Heartbeat(Err(GroupError::UnknownMember)));
    assert_eq!(desk.lost[0].1, of_t(&[0, 1]));
    assert_eq!(desk.lost[0].2, LostCause::Expelled);
    assert!(desk.sent.is_empty(), "joins before everything is given up");
    desk.put(Input::Released(desk.lost[0].0));
    let (_, join) = desk.join();
    assert_eq!((join.member.clone(), claims(&join)), (None, (vec![], None)));
}

#[test]
fn b17_an_identity_lost_while_joining_loses_everything_too() {
    let mut desk = Desk::holding(&[0]);
    desk.told();
    let (id, _) = desk.join();
    desk.answer(id, Reply::Join(Err(GroupError::UnknownMember)));
    assert_eq!(desk.lost[0].1, of_t(&[0]));
    desk.put(Input::Released(desk.lost[0].0));
    assert_eq!(desk.join().1.member, None);
}

#[test]
fn b18_equal_claims_give_equal_bytes() {
    let report = |partitions: Vec<i32>, topics: Vec<&str>| Subscription {
        topics: topics.into_iter().collect(),
        owned: [TopicPartition::new("U", 1)].iter().chain(&of_t(&partitions)).collect(),
        ..Subscription::default()
    };
    assert_eq!(report(vec![2, 0, 1], vec!["U", "T"]).encode(3), report(vec![0, 1, 2], vec!["T", "U"]).encode(3));
}

#[test]
fn b20_late_answers_are_ignored() {
    let mut desk = Desk::holding(&[0]);
    desk.wait(Span::from_secs(3));
    let old = desk.beat();
    desk.put(Input::Rejoin);
    desk.follow(2);
    desk.grant(&[0]);
    for error in [GroupError::UnknownMember, GroupError::IllegalGeneration, GroupError::FencedInstance] {
        desk.answer(old, Reply::Heartbeat(Err(error)));
    }
    assert_eq!((desk.lost.len(), desk.failure.is_none(), desk.member.phase()), (0, true, Phase::Stable));
}

#[test]
fn b21_an_assignment_after_the_member_has_gone_on_is_ignored() {
    let mut desk = Desk::holding(&[0]);
    desk.told();
    desk.follow(2);
    let (sync, _) = desk.sync();
    desk.wait(Span::from_secs(3));
    let beat = desk.beat();
    desk.answer(beat, Reply::Heartbeat(Err(GroupError::UnknownMember)));
    desk.assigned.clear();
    desk.answer(sync, granted("T", &[0, 1]));
    assert_eq!(desk.assigned, []);
}

#[test]
fn b25_a_round_in_progress_keeps_identity_and_work() {
    let mut desk = Desk::holding(&[0]);
    desk.told();
    let (id, _) = desk.join();
    desk.answer(id, Reply::Join(Err(GroupError::RebalanceInProgress)));
    desk.follow(2);
    let (id, _) = desk.sync();
    desk.answer(id, Reply::Sync(Err(GroupError::RebalanceInProgress)));
    desk.wait(Span::from_secs(1));
    let (_, join) = desk.join();
    assert_eq!(join.member, Some(MemberId::from("a")));
    assert_eq!((claims(&join).1, desk.lost.len()), (Some(Generation(1)), 0));
}

#[test]
fn b25_b67_a_commit_refused_during_a_round_changes_nothing() {
    let mut desk = Desk::holding(&[0]);
    let fence = desk.member.commit_fence().expect("settled");
    desk.told();
    desk.put(Input::CommitRefused { fence, error: GroupError::IllegalGeneration });
    assert_eq!((desk.member.phase(), desk.lost.len()), (Phase::Joining, 0));
}

#[test]
fn b32_an_assignment_for_something_else_is_ignored_and_joined_again() {
    let mut desk = Desk::holding(&[0]);
    desk.told();
    desk.follow(2);
    desk.assigned.clear();
    let (id, _) = desk.sync();
    desk.answer(id, granted("U", &[0]));
    assert_eq!((desk.assigned.len(), desk.revoked.len(), desk.member.held().len()), (0, 0, 1));
    assert_eq!(claims(&desk.join().1).1, Some(Generation(1)));
}

#[test]
fn b34_the_reason_of_a_join_says_why() {
    let mut desk = Desk::holding(&[0]);
    desk.told();
    assert_eq!(desk.join().1.reason.as_deref(), Some("a rebalance is in progress"));
}

#[test]
fn topics_no_longer_asked_for_are_released_before_the_join() {
    let mut desk = Desk::holding(&[0, 1]);
    desk.put(Input::Subscribe(topics(&["U"])));
    assert_eq!(desk.revoked[0].1, of_t(&[0, 1]));
    assert!(desk.sent.is_empty());
    desk.put(Input::Released(desk.revoked[0].0));
    assert_eq!(claims(&desk.join().1).0, []);
}

#[test]
fn b3_a_member_cut_off_gives_up_before_its_session_ends_elsewhere() {
    let mut desk = Desk::holding(&[0]);
    let start = desk.now;
    desk.wait(Span::from_secs(3));
    let beat = desk.beat();
    desk.put(Input::Answered { id: beat, result: Err(Unanswered::Disconnected) });
    while desk.lost.is_empty() {
        desk.wait(Span::from_millis(500));
    }
    assert!(desk.now <= start + Span::from_secs(46) && desk.lost[0].2 == LostCause::Isolated);
}

#[test]
fn s1_a_member_that_cannot_release_in_time_leaves() {
    let mut desk = Desk::holding(&[0, 1]);
    desk.told();
    desk.follow(2);
    desk.grant(&[0]);
    for _ in 0..110 {
        desk.wait(Span::from_secs(3));
        let beat = desk.take(|r| matches!(r, Request::Heartbeat(_)).then_some(()));
        if let Some((id, ())) = beat {
            desk.answer(id, Reply::Heartbeat(Ok(())));
        }
    }
    assert_eq!(desk.lost.first().map(|l| l.2), Some(LostCause::Stalled));
    assert!(desk.sent.iter().any(|(_, r)| matches!(r, Request::Leave(_))));
}

#[test]
fn b90_an_application_that_stops_polling_is_left_out_until_it_polls_again() {
    let config =
        MemberConfig { liveness: Liveness::Polled, rebalance_timeout: Span::from_secs(9), ..Default::default() };
    let mut desk = Desk::new(Strategy::cooperative_sticky(), config);
    desk.follow(1);
    desk.grant(&[0]);
    for _ in 0..4 {
        desk.wait(Span::from_secs(3));
        if let Some((id, ())) = desk.take(|r| matches!(r, Request::Heartbeat(_)).then_some(())) {
            desk.answer(id, Reply::Heartbeat(Ok(())));
        }
    }
    assert_eq!(desk.lost.first().map(|l| l.2), Some(LostCause::Stalled));
    desk.put(Input::Released(desk.lost[0].0));
    assert!(desk.sent.iter().all(|(_, r)| !matches!(r, Request::Join(_))));
    desk.put(Input::Polled);
    assert_eq!(desk.join().1.member, None);
}

#[test]
fn b70_work_lost_to_a_silent_application_stays_lost_when_its_round_ends() {
    let config =
        MemberConfig { liveness: Liveness::Polled, rebalance_timeout: Span::from_secs(9), ..Default::default() };
    let mut desk = Desk::new(Strategy::cooperative_sticky(), config);
    desk.follow(1);
    desk.grant(&[0]);
    desk.told();
    let (join, _) = desk.join();
    desk.wait(Span::from_secs(9));
    assert_eq!(desk.lost.first().map(|l| (l.1.clone(), l.2)), Some((of_t(&[0]), LostCause::Stalled)));
    assert!(desk.member.commit_fence().is_err(), "nothing may be committed any more");
    desk.answer(join, Reply::Join(Ok(joined(2, Role::Follower))));
    assert!(desk.member.held().is_empty() && desk.member.commit_fence().is_err());
}

#[test]
fn b72_leaving_releases_then_says_goodbye() {
    let mut desk = Desk::holding(&[0]);
    desk.put(Input::Leave);
    assert!(desk.sent.is_empty());
    desk.put(Input::Released(desk.revoked[0].0));
    let (id, ()) = desk.take(|r| matches!(r, Request::Leave(_)).then_some(())).expect("a goodbye");
    desk.put(Input::Answered { id, result: Err(Unanswered::Disconnected) });
    assert_eq!((desk.left, desk.member.phase()), (1, Phase::Idle));
}

#[test]
fn b68_an_assignment_that_arrives_while_leaving_is_ignored() {
    let mut desk = Desk::cooperative();
    desk.follow(1);
    let (sync, _) = desk.sync();
    desk.put(Input::Leave);
    desk.answer(sync, granted("T", &[0]));
    assert_eq!((desk.assigned.len(), desk.member.held().len()), (0, 0));
}

#[test]
fn a_static_member_never_says_goodbye() {
    let config = MemberConfig { instance: Some(InstanceId::from("i")), ..Default::default() };
    let mut desk = Desk::new(Strategy::cooperative_sticky(), config);
    desk.follow(1);
    desk.grant(&[0]);
    desk.put(Input::Leave);
    desk.put(Input::Released(desk.revoked[0].0));
    assert_eq!((desk.left, desk.sent.len()), (1, 0));
}

#[test]
fn fencing_is_fatal_and_loses_everything() {
    let mut desk = Desk::holding(&[0]);
    desk.wait(Span::from_secs(3));
    let beat = desk.beat();
    desk.answer(beat, Reply::Heartbeat(Err(GroupError::FencedInstance)));
    assert_eq!(desk.failure, Some(MemberFailure::Refused(GroupError::FencedInstance)));
    assert_eq!((desk.lost[0].2, desk.member.phase()), (LostCause::Fenced, Phase::Failed));
}

#[test]
fn what_the_coordinator_cannot_store_is_named_with_its_size_and_the_mend() {
    let mut desk = Desk::cooperative();
    let (id, join) = desk.join();
    let report = join.protocols[0].metadata.clone();
    desk.answer(id, Reply::Join(Ok(joined(1, leader_of(&[("a", report.clone())])))));
    let (id, request) = desk.sync();
    let shared: usize = request.assignments.iter().map(|(_, given)| given.len()).sum();
    desk.answer(id, Reply::Sync(Err(GroupError::ServerFailed)));
    let Some(MemberFailure::NotStored { bytes: Some(bytes) }) = desk.failure else { panic!("{:?}", desk.failure) };
    assert!(shared > 0, "something is shared out");
    assert_eq!(bytes, report.len() + shared);
    let said = MemberFailure::NotStored { bytes: Some(bytes) }.to_string();
    assert!(said.contains(&format!("at least {bytes} bytes")) && said.contains("max.message.bytes"), "{said}");
}

#[test]
fn b74_b82_b83_every_error_of_a_join_is_retried_or_fatal_as_kafka_has_it() {
    let fatal = [
        GroupError::InconsistentProtocol,
        GroupError::GroupMaxSizeReached,
        GroupError::InvalidSessionTimeout,
        GroupError::InvalidGroupId,
        GroupError::GroupAuthorizationFailed,
        GroupError::UnsupportedVersion,
        GroupError::FencedInstance,
    ];
    for error in fatal {
        let mut desk = Desk::cooperative();
        let (id, _) = desk.join();
        desk.answer(id, Reply::Join(Err(error.clone())));
        assert_eq!(desk.failure, Some(MemberFailure::Refused(error)));
    }
    let passing = [
        GroupError::CoordinatorLoading,
        GroupError::CoordinatorNotAvailable,
        GroupError::NotCoordinator,
        GroupError::UnknownMember,
        GroupError::RebalanceInProgress,
    ];
    for error in passing {
        let mut desk = Desk::cooperative();
        let (id, _) = desk.join();
        desk.answer(id, Reply::Join(Err(error.clone())));
        desk.wait(Span::from_secs(1));
        desk.put(Input::CoordinatorFound);
        desk.wait(Span::from_secs(2));
        assert_eq!(desk.failure, None);
        desk.join();
    }
}

fn leader_of(reports: &[(&str, Bytes)]) -> Role {
    let report = |(name, metadata): &(&str, Bytes)| MemberReport {
        member: MemberId::from(*name),
        instance: None,
        metadata: metadata.clone(),
    };
    Role::Leader { members: reports.iter().map(report).collect(), duty: LeaderDuty::Assign }
}

#[test]
fn s13_a_broken_report_harms_only_its_sender() {
    let good = Subscription { topics: ["T"].into_iter().collect(), ..Subscription::default() }.encode(3);
    for broken in [&b""[..], b"\0", b"\0\x01\x7f\xff\xff\xff", b"\0\x01\0\0\0\x01\0\x05T", &[0xff; 40]] {
        let mut desk = Desk::cooperative();
        let (id, _) = desk.join();
        let role = leader_of(&[("a", good.clone()), ("b", Bytes::copy_from_slice(broken))]);
        desk.answer(id, Reply::Join(Ok(joined(1, role))));
        let (_, sync) = desk.sync();
        let count = |member: &str| {
            let bytes = sync.assignments.iter().find(|(m, _)| m.0 == member).map(|(_, b)| b.clone());
            let given = Assignment::decode(&bytes.expect("an assignment")).expect("readable");
            given.partitions.len()
        };
        assert_eq!((count("a"), count("b")), (4, 0), "{broken:?}");
        assert_eq!(desk.broken, [MemberId::from("b")]);
    }
}

#[test]
fn b82_a_leader_sees_partitions_added_and_topics_deleted() {
    let good = Subscription { topics: ["T"].into_iter().collect(), ..Subscription::default() }.encode(3);
    for count in [5, 0] {
        let mut desk = Desk::cooperative();
        let (id, _) = desk.join();
        desk.answer(id, Reply::Join(Ok(joined(1, leader_of(&[("a", good.clone())])))));
        desk.grant(&[0, 1, 2, 3]);
        desk.put(Input::Catalog(BTreeMap::from([("T".to_owned(), 4), ("other".to_owned(), 9)]).into()));
        assert_eq!(desk.member.phase(), Phase::Stable);
        desk.put(Input::Catalog(BTreeMap::from([("T".to_owned(), count)]).into()));
        assert_eq!(desk.member.phase(), Phase::Joining);
    }
}

#[test]
fn a_leader_waits_until_it_knows_what_exists() {
    let mut desk = Desk::cooperative();
    let (id, _) = desk.join();
    let other = Subscription { topics: ["V"].into_iter().collect(), ..Subscription::default() }.encode(3);
    desk.answer(id, Reply::Join(Ok(joined(1, leader_of(&[("b", other)])))));
    assert_eq!((desk.member.phase(), desk.sent.len()), (Phase::Resolving, 0));
    desk.put(Input::Catalog(BTreeMap::from([("T".to_owned(), 4), ("V".to_owned(), 1)]).into()));
    assert_eq!(desk.sync().1.assignments.len(), 1);
}

#[test]
fn any_bytes_are_read_without_harm() {
    let mut seed = 7_u64;
    for length in 0..200 {
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 56) as u8 & if length % 2 == 0 { 0x0f } else { 0xff }
        };
        let bytes: Bytes = (0..length).map(|_| next()).collect::<Vec<u8>>().into();
        let _ = (Subscription::decode(&bytes), Assignment::decode(&bytes));
    }
}

#[test]
fn every_version_of_a_subscription_can_be_read() {
    let full = Subscription {
        topics: ["T"].into_iter().collect(),
        user_data: Some(Bytes::from_static(b"u")),
        owned: of_t(&[1]).iter().collect(),
        generation: Some(Generation(5)),
        rack: Some("r".to_owned()),
    };
    for version in 0..=3 {
        let read = Subscription::decode(&full.encode(version)).expect("readable");
        assert_eq!(read.topics, full.topics);
        assert_eq!(read.owned.is_empty(), version < 1);
        assert_eq!(read.generation.is_some(), version >= 2);
        assert_eq!(read.rack.is_some(), version >= 3);
    }
    let mut newer = full.encode(3).to_vec();
    newer[1] = 9;
    newer.extend([1, 2, 3]);
    assert_eq!(Subscription::decode(&newer.into()), Ok(full));
}
