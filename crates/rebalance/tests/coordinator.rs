//! The coordinator of one group, request by request.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use groma_model::{Generation, InstanceId, MemberId, Span, Time};
use groma_rebalance::coordinator::{
    Client, CoordinatorConfig, Group, GroupMetadata, GroupRecord, GroupState, Input, Output, Ticket, Token,
};
use groma_rebalance::embedded::consumer::Subscription;
use groma_rebalance::protocol::{
    CommitFence, CommitScope, GroupError, HeartbeatRequest, JoinDialect, JoinRequest, Joined, LeaderDuty, LeaveRequest,
    Leaver, Protocol, Reply, Role, SyncRequest, Synced,
};

const SESSION: Span = Span::from_secs(10);
const ROUND: Span = Span::from_secs(60);

/// A group, its clock and its disk.
struct Desk {
    group: Group,
    now: Time,
    tokens: u64,
    replies: BTreeMap<Token, Reply>,
    storing: Vec<(Ticket, GroupRecord)>,
    disk: Option<GroupMetadata>,
    /// Whether records become durable at once.
    stores: bool,
}

impl Desk {
    fn new(config: CoordinatorConfig) -> Self {
        Self::with(Group::new(config), Time::ZERO)
    }

    fn with(group: Group, now: Time) -> Self {
        let mut desk =
            Self { group, now, tokens: 0, replies: BTreeMap::new(), storing: Vec::new(), disk: None, stores: true };
        desk.drain();
        desk
    }

    fn default() -> Self {
        Self::new(CoordinatorConfig { initial_rebalance_delay: Span::ZERO, ..CoordinatorConfig::default() })
    }

    fn put(&mut self, input: Input) {
        self.group.handle(self.now, input);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(output) = self.group.poll() {
            match output {
                Output::Reply { token, reply } => {
                    assert!(self.replies.insert(token, reply).is_none(), "{token:?} is answered twice");
                }
                Output::Persist { ticket, record } => self.storing.push((ticket, record)),
                Output::Event(_) => {}
            }
        }
        if self.stores {
            self.store();
        }
    }

    fn store(&mut self) {
        for (ticket, record) in std::mem::take(&mut self.storing) {
            if let GroupRecord::Metadata(metadata) = record {
                self.disk = Some((*metadata).clone());
            }
            self.group.handle(self.now, Input::Persisted(ticket));
        }
        while let Some(Output::Reply { token, reply }) = self.group.poll() {
            assert!(self.replies.insert(token, reply).is_none(), "{token:?} is answered twice");
        }
    }

    fn fail_store(&mut self) {
        for (ticket, _) in std::mem::take(&mut self.storing) {
            self.put(Input::PersistFailed(ticket));
        }
    }

    /// Lets time pass, waking the group whenever it asks to be.
    fn wait(&mut self, span: Span) {
        let end = self.now + span;
        while let Some((at, _)) = self.group.deadline().filter(|(at, _)| *at <= end) {
            self.now = self.now.max(at);
            self.put(Input::Tick);
        }
        self.now = end;
    }

    fn token(&mut self) -> Token {
        self.tokens += 1;
        Token(self.tokens)
    }

    fn send_join(&mut self, request: JoinRequest) -> Token {
        let token = self.token();
        let client = Client { id: "c".to_owned(), host: "h".to_owned() };
        self.put(Input::Join { token, request, client, entropy: u128::from(token.0) });
        token
    }

    fn take(&mut self, token: Token) -> Option<Reply> {
        self.replies.remove(&token)
    }

    fn joined(&mut self, token: Token) -> Result<Joined, GroupError> {
        match self.take(token) {
            Some(Reply::Join(result)) => result,
            other => panic!("no answer to a join: {other:?}"),
        }
    }

    fn synced(&mut self, token: Token) -> Result<Synced, GroupError> {
        match self.take(token) {
            Some(Reply::Sync(result)) => result,
            other => panic!("no answer to a sync: {other:?}"),
        }
    }

    /// Enters as a new dynamic member by the two steps; yields its identity and the parked join.
    fn enter(&mut self) -> (MemberId, Token) {
        let first = self.send_join(request(None));
        let Err(GroupError::MemberIdRequired(id)) = self.joined(first) else { panic!("no identity") };
        let token = self.send_join(request(Some(&id)));
        (id, token)
    }

    fn send_sync(&mut self, member: &MemberId, generation: i32, assignments: &[(&MemberId, &'static [u8])]) -> Token {
        let token = self.token();
        let request = SyncRequest {
            member: member.clone(),
            instance: None,
            generation: Generation(generation),
            protocol_type: None,
            protocol: None,
            assignments: assignments.iter().map(|(m, a)| ((*m).clone(), Bytes::from_static(a))).collect(),
        };
        self.put(Input::Sync { token, request });
        token
    }

    fn heartbeat(&mut self, member: &MemberId, generation: i32) -> Result<(), GroupError> {
        let token = self.token();
        let request = HeartbeatRequest { member: member.clone(), instance: None, generation: Generation(generation) };
        self.put(Input::Heartbeat { token, request });
        match self.take(token) {
            Some(Reply::Heartbeat(result)) => result,
            other => panic!("no answer to a heartbeat: {other:?}"),
        }
    }

    fn leave(&mut self, leavers: Vec<Leaver>) -> Vec<Result<(), GroupError>> {
        let token = self.token();
        self.put(Input::Leave { token, request: LeaveRequest { leavers } });
        match self.take(token) {
            Some(Reply::Leave(reply)) => reply.results.expect("a group").into_iter().map(|(_, r)| r).collect(),
            other => panic!("no answer to a leave: {other:?}"),
        }
    }

    fn state(&self) -> GroupState {
        self.group.view().state
    }

    /// A stable group of two dynamic members in generation 2.
    fn pair() -> (Self, MemberId, MemberId) {
        let mut desk = Self::default();
        let (a, _) = desk.enter();
        let (b, token_b) = desk.enter();
        desk.send_join(request(Some(&a)));
        assert_eq!(desk.joined(token_b).map(|j| j.generation), Ok(Generation(2)));
        let sync = desk.send_sync(&a, 2, &[(&a, b"a"), (&b, b"b")]);
        let other = desk.send_sync(&b, 2, &[]);
        assert_eq!(desk.synced(sync).map(|s| s.assignment), Ok(Bytes::from_static(b"a")));
        assert_eq!(desk.synced(other).map(|s| s.assignment), Ok(Bytes::from_static(b"b")));
        desk.replies.clear();
        (desk, a, b)
    }

    /// A stable group of a dynamic leader and a static member in generation 2.
    fn with_static() -> (Self, MemberId, MemberId) {
        let mut desk = Self::default();
        let (a, _) = desk.enter();
        let token = desk.send_join(static_request(None, "s"));
        desk.send_join(request(Some(&a)));
        let s = desk.joined(token).expect("joined").member;
        desk.send_sync(&a, 2, &[(&a, b"a"), (&s, b"s")]);
        desk.send_sync(&s, 2, &[]);
        assert_eq!(desk.state(), GroupState::Stable);
        desk.replies.clear();
        (desk, a, s)
    }
}

fn request(member: Option<&MemberId>) -> JoinRequest {
    JoinRequest {
        member: member.cloned(),
        instance: None,
        session_timeout: SESSION,
        rebalance_timeout: Some(ROUND),
        protocol_type: "test".to_owned(),
        protocols: vec![Protocol::new("range", Bytes::from_static(b"m"))],
        reason: None,
        dialect: JoinDialect::SkipAssignment,
    }
}

fn static_request(member: Option<&MemberId>, instance: &str) -> JoinRequest {
    JoinRequest { instance: Some(InstanceId::from(instance)), ..request(member) }
}

fn changed(mut request: JoinRequest) -> JoinRequest {
    request.protocols[0].metadata = Bytes::from_static(b"other");
    request
}

fn fence(member: &MemberId, generation: i32) -> CommitFence {
    CommitFence { member: Some(member.clone()), generation: Some(Generation(generation)), ..CommitFence::SIMPLE }
}

#[test]
fn the_first_round_waits_while_members_keep_coming() {
    let mut desk = Desk::new(CoordinatorConfig::default());
    let (_, first) = desk.enter();
    desk.wait(Span::from_secs(2));
    let (_, second) = desk.enter();
    desk.wait(Span::from_secs(2));
    assert_eq!(desk.state(), GroupState::PreparingRebalance);
    desk.wait(Span::from_secs(2));
    let (one, two) = (desk.joined(first).expect("joined"), desk.joined(second).expect("joined"));
    assert_eq!((one.generation, two.generation), (Generation(1), Generation(1)));
    assert!(matches!(&one.role, Role::Leader { members, duty: LeaderDuty::Assign } if members.len() == 2));
    assert_eq!(two.role, Role::Follower);
}

#[test]
fn the_first_round_is_extended_no_longer_than_the_rebalance_timeout() {
    let mut desk = Desk::new(CoordinatorConfig::default());
    let (_, first) = desk.enter();
    for _ in 0..40 {
        desk.wait(Span::from_secs(2));
        desk.enter();
    }
    assert!(desk.joined(first).is_ok());
}

#[test]
fn an_answer_waits_until_its_record_is_durable() {
    let mut desk = Desk::default();
    let (a, token) = desk.enter();
    assert!(desk.joined(token).is_ok());
    desk.stores = false;
    let sync = desk.send_sync(&a, 1, &[(&a, b"a")]);
    assert_eq!(desk.take(sync), None);
    let again = desk.send_sync(&a, 1, &[]);
    assert_eq!(desk.take(again), None);
    desk.store();
    assert_eq!(desk.synced(sync).map(|s| s.assignment), Ok(Bytes::from_static(b"a")));
    assert!(desk.synced(again).is_ok());
}

#[test]
fn a_record_that_cannot_be_stored_is_answered_with_a_refusal_and_a_round() {
    let mut desk = Desk::default();
    let (a, _) = desk.enter();
    desk.stores = false;
    let sync = desk.send_sync(&a, 1, &[(&a, b"a")]);
    desk.fail_store();
    assert_eq!(desk.synced(sync), Err(GroupError::CoordinatorNotAvailable));
    assert_eq!(desk.state(), GroupState::PreparingRebalance);
}

#[test]
fn replay_gives_the_acknowledged_state() {
    let (desk, a, b) = Desk::pair();
    let disk = desk.disk.clone().expect("stored");
    assert_eq!(&disk, desk.group.metadata());
    let mut again = Desk::with(Group::restore(CoordinatorConfig::default(), desk.now, disk), desk.now);
    let (before, after) = (desk.group.view(), again.group.view());
    assert_eq!((before.state, before.generation, before.leader), (after.state, after.generation, after.leader));
    assert_eq!(again.heartbeat(&a, 2), Ok(()));
    let sync = again.send_sync(&b, 2, &[]);
    assert_eq!(again.synced(sync).map(|s| s.assignment), Ok(Bytes::from_static(b"b")));
}

#[test]
fn the_protocol_with_most_votes_of_those_all_speak_is_chosen() {
    let mut desk = Desk::default();
    let speak = |names: &[&str]| JoinRequest {
        protocols: names.iter().map(|n| Protocol::new(*n, Bytes::new())).collect(),
        dialect: JoinDialect::OneStep,
        ..request(None)
    };
    let first = desk.send_join(speak(&["a", "b", "c"]));
    let a = desk.joined(first).expect("joined").member;
    let tokens = [desk.send_join(speak(&["b", "c"])), desk.send_join(speak(&["c", "b"]))];
    desk.send_join(JoinRequest { member: Some(a), ..speak(&["a", "c", "b"]) });
    assert_eq!(desk.joined(tokens[0]).map(|j| j.protocol), Ok("c".to_owned()));
    let stranger = desk.send_join(speak(&["x"]));
    assert_eq!(desk.joined(stranger), Err(GroupError::InconsistentProtocol));
}

#[test]
fn an_unchanged_member_is_told_what_it_missed() {
    let (mut desk, a, b) = Desk::pair();
    let token = desk.send_join(request(Some(&b)));
    assert_eq!(desk.joined(token).map(|j| j.generation), Ok(Generation(2)));
    assert_eq!(desk.state(), GroupState::Stable);
    desk.send_join(changed(request(Some(&b))));
    assert_eq!(desk.state(), GroupState::PreparingRebalance);
    assert_eq!(desk.heartbeat(&a, 2), Err(GroupError::RebalanceInProgress));
}

#[test]
fn a_leader_that_joins_again_always_forces_a_round() {
    let (mut desk, a, _) = Desk::pair();
    desk.send_join(request(Some(&a)));
    assert_eq!(desk.state(), GroupState::PreparingRebalance);
}

#[test]
fn b11_commits_are_fenced() {
    let (mut desk, a, b) = Desk::pair();
    let now = desk.now;
    assert_eq!(desk.group.commit(now, &fence(&a, 2)), Ok(()));
    assert_eq!(desk.group.commit(now, &fence(&a, 1)), Err(GroupError::IllegalGeneration));
    assert_eq!(desk.group.commit(now, &fence(&MemberId::from("x"), 2)), Err(GroupError::UnknownMember));
    assert_eq!(desk.group.commit(now, &CommitFence::SIMPLE), Err(GroupError::UnknownMember));
    desk.send_join(changed(request(Some(&b))));
    assert_eq!(desk.group.commit(now, &fence(&a, 2)), Ok(()), "while members are joining");
    desk.send_join(request(Some(&a)));
    assert_eq!(desk.state(), GroupState::CompletingRebalance);
    assert_eq!(desk.group.commit(now, &fence(&a, 2)), Err(GroupError::IllegalGeneration));
    assert_eq!(desk.group.commit(now, &fence(&a, 3)), Err(GroupError::RebalanceInProgress));
    let transaction = CommitFence { scope: CommitScope::Transaction, ..fence(&a, 3) };
    assert_eq!(desk.group.commit(now, &transaction), Ok(()));
}

#[test]
fn a_consumer_without_membership_commits_while_the_group_is_empty() {
    let mut desk = Desk::default();
    assert_eq!(desk.group.commit(Time::ZERO, &CommitFence::SIMPLE), Ok(()));
}

#[test]
fn leaving_is_answered_member_by_member() {
    let (mut desk, a, b) = Desk::pair();
    let stranger = Leaver::member(MemberId::from("x"));
    assert_eq!(desk.leave(vec![Leaver::member(b), stranger]), [Ok(()), Err(GroupError::UnknownMember)]);
    assert_eq!(desk.state(), GroupState::PreparingRebalance);
    assert_eq!(desk.leave(vec![Leaver::member(a)]), [Ok(())]);
    assert_eq!(desk.state(), GroupState::Empty);
}

#[test]
fn a_retired_coordinator_sends_everybody_away() {
    let (mut desk, a, b) = Desk::pair();
    let parked = desk.send_join(changed(request(Some(&b))));
    desk.put(Input::Retire);
    assert_eq!(desk.joined(parked), Err(GroupError::NotCoordinator));
    assert_eq!(desk.heartbeat(&a, 2), Err(GroupError::CoordinatorNotAvailable));
    assert_eq!(desk.state(), GroupState::Dead);
}

#[test]
fn session_timeouts_outside_the_limits_are_refused() {
    let mut desk = Desk::default();
    let token = desk.send_join(JoinRequest { session_timeout: Span::from_secs(1), ..request(None) });
    assert_eq!(desk.joined(token), Err(GroupError::InvalidSessionTimeout));
}

#[test]
fn a_pending_member_holds_up_the_round_until_its_session_ends() {
    let (mut desk, a, b) = Desk::pair();
    let ghost = desk.send_join(request(None));
    assert!(matches!(desk.joined(ghost), Err(GroupError::MemberIdRequired(_))));
    let token = desk.send_join(changed(request(Some(&b))));
    desk.send_join(request(Some(&a)));
    assert_eq!(desk.state(), GroupState::PreparingRebalance);
    desk.wait(SESSION);
    assert_eq!(desk.joined(token).map(|j| j.generation), Ok(Generation(3)));
}

#[test]
fn b16_who_does_not_fetch_its_assignment_is_dropped() {
    let (mut desk, a, b) = Desk::pair();
    desk.send_join(changed(request(Some(&b))));
    desk.send_join(request(Some(&a)));
    let sync = desk.send_sync(&a, 3, &[(&a, b"a"), (&b, b"b")]);
    assert!(desk.synced(sync).is_ok());
    for _ in 0..13 {
        desk.wait(Span::from_secs(5));
        let _ = (desk.heartbeat(&a, 3), desk.heartbeat(&b, 3));
    }
    assert_eq!(desk.heartbeat(&b, 3), Err(GroupError::UnknownMember));
    assert_eq!(desk.heartbeat(&a, 3), Err(GroupError::RebalanceInProgress));
}

#[test]
fn b25_syncs_parked_when_a_round_begins_are_told_to_join_again() {
    let (mut desk, a, b) = Desk::pair();
    desk.send_join(changed(request(Some(&b))));
    desk.send_join(request(Some(&a)));
    let parked = desk.send_sync(&b, 3, &[]);
    desk.send_join(changed(request(Some(&a))));
    assert_eq!(desk.synced(parked), Err(GroupError::RebalanceInProgress));
    let late = desk.send_sync(&b, 3, &[]);
    assert_eq!(desk.synced(late), Err(GroupError::RebalanceInProgress));
}

#[test]
fn b36_ghosts_of_a_retried_first_join_expire_and_the_accepted_member_keeps_its_session() {
    let mut desk = Desk::default();
    let old = JoinRequest { dialect: JoinDialect::OneStep, ..request(None) };
    let first = desk.send_join(old.clone());
    let a = desk.joined(first).expect("joined").member;
    let ghosts: Vec<Token> = (0..3).map(|_| desk.send_join(old.clone())).collect();
    assert_eq!(desk.group.view().members.len(), 4);
    let second = desk.send_join(JoinRequest { member: Some(a.clone()), ..old.clone() });
    assert_eq!(desk.joined(second).map(|j| j.generation), Ok(Generation(2)));
    assert!(ghosts.iter().all(|t| desk.replies.contains_key(t)));
    desk.send_sync(&a, 2, &[]);
    for _ in 0..3 {
        desk.wait(Span::from_secs(3));
        assert_eq!(desk.heartbeat(&a, 2), Ok(()));
    }
    desk.wait(Span::from_secs(2));
    assert_eq!(desk.heartbeat(&a, 2), Err(GroupError::RebalanceInProgress), "the ghosts have expired");
    let third = desk.send_join(JoinRequest { member: Some(a), ..old });
    assert_eq!(desk.joined(third).map(|j| j.generation), Ok(Generation(3)));
    assert_eq!(desk.group.view().members.len(), 1);
}

#[test]
fn b36_a_parked_new_member_is_refused_after_five_minutes() {
    let (mut desk, a, _) = Desk::pair();
    let (ghost, token) = desk.enter();
    for _ in 0..32 {
        desk.wait(Span::from_secs(10));
        desk.send_join(request(Some(&a)));
        if desk.replies.contains_key(&token) {
            break;
        }
    }
    assert!(desk.now < Time::ZERO + Span::from_secs(310), "{ghost}");
}

#[test]
fn b38_the_timers_of_a_removed_member_are_gone() {
    let (mut desk, a, b) = Desk::pair();
    let joined = desk.send_join(request(Some(&a)));
    for _ in 0..12 {
        desk.wait(Span::from_secs(5));
        let _ = desk.heartbeat(&b, 2);
    }
    assert_eq!(desk.joined(joined).map(|j| j.generation), Ok(Generation(3)));
    let sync = desk.send_sync(&a, 3, &[(&a, b"a")]);
    assert!(desk.synced(sync).is_ok());
    for _ in 0..20 {
        desk.wait(Span::from_secs(5));
        assert_eq!(desk.heartbeat(&a, 3), Ok(()));
    }
    assert_eq!(desk.group.view().members.len(), 1);
}

#[test]
fn b39_the_last_to_join_are_turned_away_and_pending_identities_count() {
    let config = CoordinatorConfig { members_max: 2, initial_rebalance_delay: Span::ZERO, ..Default::default() };
    let mut desk = Desk::new(config.clone());
    let (a, _) = desk.enter();
    let pending = desk.send_join(request(None));
    let Err(GroupError::MemberIdRequired(b)) = desk.joined(pending) else { panic!("no identity") };
    let third = desk.send_join(request(None));
    assert_eq!(desk.joined(third), Err(GroupError::GroupMaxSizeReached));
    let second = desk.send_join(request(Some(&b)));
    desk.send_join(request(Some(&a)));
    assert!(desk.joined(second).is_ok());
}

#[test]
fn a_static_member_takes_over_its_own_seat_in_a_full_group() {
    let (desk, a, s) = Desk::with_static();
    let disk = desk.disk.clone().expect("stored");
    let config = CoordinatorConfig { members_max: 2, ..Default::default() };
    let mut full = Desk::with(Group::restore(config, Time::ZERO, disk), Time::ZERO);
    let back = full.send_join(static_request(None, "s"));
    let new = full.joined(back).expect("the seat of s").member;
    assert!(new != s && new != a);
    let third = full.send_join(request(None));
    assert_eq!(full.joined(third), Err(GroupError::GroupMaxSizeReached));
}

#[test]
fn s12_strangers_do_not_get_the_seats_of_static_members_that_are_away() {
    let (desk, a, s) = Desk::with_static();
    let disk = desk.disk.clone().expect("stored");
    let config = CoordinatorConfig { members_max: 2, ..Default::default() };
    let mut full = Desk::with(Group::restore(config, Time::ZERO, disk), Time::ZERO);
    let first = full.send_join(changed(request(Some(&a))));
    let stranger = full.send_join(request(None));
    assert_eq!(full.joined(stranger), Err(GroupError::GroupMaxSizeReached));
    let second = full.send_join(static_request(Some(&s), "s"));
    assert!(full.joined(first).is_ok() && full.joined(second).is_ok());
}

#[test]
fn s10_an_identity_that_is_taken_is_not_given_again() {
    let mut desk = Desk::default();
    let mut identity = |number| {
        let client = Client { id: "c".to_owned(), host: "h".to_owned() };
        desk.put(Input::Join { token: Token(number), request: request(None), client, entropy: 7 });
        match desk.joined(Token(number)) {
            Err(GroupError::MemberIdRequired(id)) => id,
            other => panic!("no identity but {other:?}"),
        }
    };
    let ids = BTreeSet::from([identity(101), identity(102), identity(103)]);
    assert_eq!(ids.len(), 3, "{ids:?}");
}

#[test]
fn b39_a_group_that_is_too_large_after_a_restart_evicts_the_last_joiners_only() {
    let mut desk = Desk::default();
    let ids: Vec<(MemberId, Token)> = (0..3).map(|_| desk.enter()).collect();
    desk.send_join(request(Some(&ids[0].0)));
    let assignments: Vec<(&MemberId, &'static [u8])> = ids.iter().map(|(id, _)| (id, b"x" as &[u8])).collect();
    desk.send_sync(&ids[0].0, 2, &assignments);
    let disk = desk.disk.clone().expect("stored");
    let config = CoordinatorConfig { members_max: 2, ..Default::default() };
    let mut again = Desk::with(Group::restore(config, Time::ZERO, disk), Time::ZERO);
    assert_eq!(again.state(), GroupState::PreparingRebalance);
    let tokens = [2, 0, 1].map(|n| again.send_join(request(Some(&ids[n].0))));
    assert_eq!(again.joined(tokens[2]), Err(GroupError::GroupMaxSizeReached));
    assert!(again.joined(tokens[0]).is_ok() && again.joined(tokens[1]).is_ok());
}

#[test]
fn b40_a_static_member_that_restarts_between_join_and_sync_forces_a_round() {
    let (mut desk, a, s) = Desk::with_static();
    desk.send_join(changed(static_request(Some(&s), "s")));
    desk.send_join(request(Some(&a)));
    assert_eq!(desk.state(), GroupState::CompletingRebalance);
    let back = desk.send_join(static_request(None, "s"));
    assert_eq!(desk.state(), GroupState::PreparingRebalance);
    desk.send_join(request(Some(&a)));
    let new = desk.joined(back).expect("joined").member;
    desk.send_sync(&a, 4, &[(&a, b"a"), (&new, b"work")]);
    let sync = desk.send_sync(&new, 4, &[]);
    assert_eq!(desk.synced(sync).map(|s| s.assignment), Ok(Bytes::from_static(b"work")));
}

#[test]
fn b42_a_replacement_survives_a_restart_of_the_coordinator() {
    let (mut desk, _, s) = Desk::with_static();
    desk.stores = false;
    let back = desk.send_join(static_request(None, "s"));
    assert_eq!(desk.take(back), None, "told before it is stored");
    desk.store();
    let new = desk.joined(back).expect("joined").member;
    let disk = desk.disk.clone().expect("stored");
    let mut again = Desk::with(Group::restore(CoordinatorConfig::default(), desk.now, disk), desk.now);
    assert_eq!(again.heartbeat(&new, 2), Ok(()));
    assert_eq!(again.heartbeat(&s, 2), Err(GroupError::UnknownMember));
}

#[test]
fn b42_a_replacement_while_members_join_survives_too() {
    let (mut desk, a, _) = Desk::with_static();
    desk.send_join(request(Some(&a)));
    let back = desk.send_join(static_request(None, "s"));
    let new = desk.joined(back).expect("joined").member;
    let disk = desk.disk.clone().expect("stored");
    let mut again = Desk::with(Group::restore(CoordinatorConfig::default(), desk.now, disk), desk.now);
    let token = again.send_join(changed(static_request(Some(&new), "s")));
    assert_eq!(again.take(token), None, "parked, not fenced");
}

/// A static member that asks for a topic under the consumer protocol.
fn asking_for(topic: &str) -> JoinRequest {
    let report = Subscription { topics: [topic].into_iter().collect(), ..Subscription::default() };
    let protocols = vec![Protocol::new("range", report.encode(3))];
    JoinRequest { protocol_type: "consumer".to_owned(), protocols, ..static_request(None, "s") }
}

#[test]
fn b42_what_a_replacement_asks_for_anew_is_not_forgotten_when_the_coordinator_restarts_in_the_round() {
    let mut desk = Desk::default();
    let first = desk.send_join(asking_for("U"));
    let s = desk.joined(first).expect("joined").member;
    desk.send_sync(&s, 1, &[(&s, b"s")]);
    desk.stores = false;
    desk.send_join(asking_for("T"));
    assert_eq!(desk.state(), GroupState::CompletingRebalance, "it asks for something else");
    desk.store();
    let disk = desk.disk.clone().expect("stored");
    let mut again = Desk::with(Group::restore(CoordinatorConfig::default(), desk.now, disk), desk.now);
    let back = again.send_join(asking_for("T"));
    let joined = again.joined(back).expect("joined");
    assert!(joined.generation > Generation(1), "a round opens: {joined:?}");
    assert!(matches!(joined.role, Role::Leader { duty: LeaderDuty::Assign, .. }), "{joined:?}");
}

#[test]
fn b56_a_static_member_that_comes_back_with_another_report_opens_a_round() {
    let mut desk = Desk::default();
    let first = desk.send_join(asking_for("U"));
    let s = desk.joined(first).expect("joined").member;
    desk.send_sync(&s, 1, &[(&s, b"s")]);
    let same = desk.send_join(asking_for("U"));
    assert_eq!(desk.joined(same).map(|j| j.generation), Ok(Generation(1)));
    let other = desk.send_join(asking_for("T"));
    assert_eq!(desk.joined(other).map(|j| j.generation), Ok(Generation(2)));
}

#[test]
fn b43_a_static_member_takes_its_place_without_a_round_and_with_its_new_timeouts() {
    let (mut desk, a, s) = Desk::with_static();
    let longer = Span::from_secs(20);
    let back = desk.send_join(JoinRequest { session_timeout: longer, ..static_request(None, "s") });
    let joined = desk.joined(back).expect("joined");
    assert_eq!((joined.generation, &joined.role), (Generation(2), &Role::Follower));
    assert_eq!(desk.state(), GroupState::Stable);
    let sync = desk.send_sync(&joined.member, 2, &[]);
    assert_eq!(desk.synced(sync).map(|s| s.assignment), Ok(Bytes::from_static(b"s")));
    assert_eq!(desk.heartbeat(&s, 2), Err(GroupError::UnknownMember));
    for _ in 0..3 {
        desk.wait(Span::from_secs(6));
        assert_eq!(desk.heartbeat(&a, 2), Ok(()), "the longer session holds");
    }
}

#[test]
fn b43_a_static_leader_learns_the_group_without_assigning() {
    let mut desk = Desk::default();
    let first = desk.send_join(static_request(None, "s"));
    let s = desk.joined(first).expect("joined").member;
    desk.send_sync(&s, 1, &[(&s, b"all")]);
    let back = desk.send_join(static_request(None, "s"));
    let joined = desk.joined(back).expect("joined");
    assert!(matches!(&joined.role, Role::Leader { members, duty: LeaderDuty::Skip } if members.len() == 1));
    assert_eq!(joined.leader, joined.member);
    let old = desk.send_join(JoinRequest { dialect: JoinDialect::Instances, ..static_request(None, "s") });
    let told = desk.joined(old).expect("joined");
    assert_eq!((told.role, told.leader == told.member), (Role::Follower, false));
}

#[test]
fn b43_an_absent_static_member_stays_until_its_session_ends() {
    let mut desk = Desk::default();
    let (a, _) = desk.enter();
    let long = JoinRequest { session_timeout: Span::from_secs(200), ..static_request(None, "s") };
    let token = desk.send_join(long);
    desk.send_join(request(Some(&a)));
    let s = desk.joined(token).expect("joined").member;
    desk.send_sync(&a, 2, &[(&a, b"a"), (&s, b"s")]);
    desk.send_sync(&s, 2, &[]);
    let rejoined = desk.send_join(request(Some(&a)));
    desk.wait(ROUND);
    let joined = desk.joined(rejoined).expect("joined");
    assert!(matches!(joined.role, Role::Leader { members, .. } if members.iter().any(|m| m.member == s)));
}

#[test]
fn s10_the_older_holder_of_an_instance_is_fenced_parked_requests_too() {
    let (mut desk, _, s) = Desk::with_static();
    let parked = desk.send_join(changed(static_request(Some(&s), "s")));
    desk.send_join(static_request(None, "s"));
    assert_eq!(desk.joined(parked), Err(GroupError::FencedInstance));
    let late = desk.send_join(static_request(Some(&s), "s"));
    assert_eq!(desk.joined(late), Err(GroupError::FencedInstance));
}

#[test]
fn an_administrator_removes_a_static_member_by_its_instance() {
    let (mut desk, _, _) = Desk::with_static();
    let leaver = Leaver { member: None, instance: Some(InstanceId::from("s")), reason: None };
    assert_eq!(desk.leave(vec![leaver.clone()]), [Ok(())]);
    assert_eq!(desk.leave(vec![leaver]), [Err(GroupError::UnknownMember)]);
}

#[test]
fn b46_a_consumer_without_membership_may_name_an_instance() {
    let mut desk = Desk::default();
    let simple = CommitFence { instance: Some(InstanceId::from("i")), ..CommitFence::SIMPLE };
    assert_eq!(desk.group.commit(Time::ZERO, &simple), Ok(()));
}

#[test]
fn b47_a_group_knows_since_when_it_is_empty() {
    let (mut desk, a, b) = Desk::pair();
    desk.wait(Span::from_secs(5));
    let emptied = desk.now;
    desk.leave(vec![Leaver::member(a), Leaver::member(b)]);
    desk.wait(Span::from_secs(500));
    assert_eq!((desk.state(), desk.group.state_since()), (GroupState::Empty, emptied));
}

#[test]
fn b49_a_group_whose_members_vanish_while_joining_drains() {
    let (mut desk, a, _) = Desk::pair();
    desk.send_join(request(Some(&a)));
    desk.leave(vec![Leaver::member(a)]);
    desk.wait(ROUND + SESSION);
    assert_eq!(desk.state(), GroupState::Empty);
    assert_eq!(desk.disk.as_ref().map(|m| m.members.len()), Some(0));
}

#[test]
fn b49_seven_thousand_members_become_stable() {
    let mut desk = Desk::new(CoordinatorConfig::default());
    let members: Vec<(MemberId, Token)> = (0..7000).map(|_| desk.enter()).collect();
    desk.wait(Span::from_secs(10));
    let leader = desk.group.view().leader.expect("a leader");
    let assignments: Vec<(&MemberId, &'static [u8])> = members.iter().map(|(id, _)| (id, b"x" as &[u8])).collect();
    desk.send_sync(&leader, 1, &assignments);
    for (id, _) in &members {
        let sync = desk.send_sync(id, 1, &[]);
        assert!(desk.synced(sync).is_ok());
    }
    assert_eq!(desk.state(), GroupState::Stable);
}
