use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use groma_model::{Generation, MemberId, Time};

use super::phase::Phase;
use super::roster::{Member, Roster, Standing};
use super::timers::Timers;
use super::{
    CoordinatorConfig, Event, GroupMetadata, GroupRecord, GroupView, Input, MemberView, Output, Reason, Ticket, Token,
};
use crate::cause::RoundCause;
use crate::embedded::consumer::Subscription;
use crate::protocol::{GroupError, Protocol, Reply};

/// One classic group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    pub(super) config: CoordinatorConfig,
    pub(super) durable: Arc<GroupMetadata>,
    pub(super) roster: Roster,
    pub(super) generation: Generation,
    pub(super) protocol_type: Option<String>,
    pub(super) protocol: Option<String>,
    pub(super) leader: Option<MemberId>,
    pub(super) phase: Phase,
    pub(super) since: Time,
    pub(super) timers: Timers,
    pub(super) withheld: VecDeque<Withheld>,
    ticket_last: Ticket,
    /// All records up to this one are durable, or have failed.
    ticket_settled: Ticket,
    /// Whether the last record is known not to be stored, so that a restart would give an older state.
    stored: Stored,
    outputs: VecDeque<Output>,
}

/// Whether the durable state is on disk, or on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stored {
    Yes,
    No,
}

/// An answer that waits for a record to be durable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Withheld {
    pub(super) ticket: Ticket,
    pub(super) member: MemberId,
    pub(super) token: Token,
    pub(super) reply: Reply,
}

impl Group {
    /// A group nobody has joined yet.
    pub fn new(config: CoordinatorConfig) -> Self {
        Self {
            config,
            durable: Arc::default(),
            roster: Roster::default(),
            generation: Generation::default(),
            protocol_type: None,
            protocol: None,
            leader: None,
            phase: Phase::Empty,
            since: Time::ZERO,
            timers: Timers::default(),
            withheld: VecDeque::new(),
            ticket_last: Ticket::default(),
            ticket_settled: Ticket::default(),
            stored: Stored::Yes,
            outputs: VecDeque::new(),
        }
    }

    /// A group as its last record says: stable if it has members, all of whom must show life within their session.
    /// One with more members than allowed starts a round at once.
    pub fn restore(config: CoordinatorConfig, now: Time, metadata: GroupMetadata) -> Self {
        let mut group = Self::new(config);
        group.since = now;
        group.generation = metadata.generation;
        group.protocol_type.clone_from(&metadata.protocol_type);
        group.apply(&GroupRecord::Metadata(Arc::new(metadata)));
        group.seat_restored(now);
        group
    }

    /// Takes what happened.
    pub fn handle(&mut self, now: Time, input: Input) {
        match input {
            Input::Join { token, request, client, entropy } => self.join(now, token, request, (client, entropy)),
            Input::Sync { token, request } => self.sync(now, token, request),
            Input::Heartbeat { token, request } => {
                let verdict = self.heartbeat(now, &request);
                self.reply(token, Reply::Heartbeat(verdict));
            }
            Input::Leave { token, request } => self.leave(now, token, request),
            Input::Persisted(ticket) => self.release(ticket),
            Input::PersistFailed(ticket) => self.persist_failed(now, ticket),
            Input::Tick => {}
            Input::Delete => self.delete(now),
            Input::Retire => self.retire(now),
        }
        self.expire(now);
    }

    /// Yields what is to be done; drain it before the next `handle`.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When to come back with [`Input::Tick`], and why.
    pub fn deadline(&self) -> Option<(Time, Reason)> {
        self.timers.next()
    }

    /// The group as describe and list show it.
    pub fn view(&self) -> GroupView {
        let stable = matches!(self.phase, Phase::Stable(_));
        GroupView {
            state: self.phase.state(),
            generation: self.generation,
            protocol_type: self.protocol_type.clone(),
            protocol: self.protocol.clone().filter(|_| stable),
            leader: self.leader.clone(),
            members: self.roster.in_order().map(|(id, m)| self.view_member(id, m)).collect(),
        }
    }

    /// What is durable about the group, once the yielded records are.
    pub fn metadata(&self) -> &GroupMetadata {
        &self.durable
    }

    /// Since when the group is in its present state; for the retention of offsets of an empty group.
    pub const fn state_since(&self) -> Time {
        self.since
    }

    /// The topics its members ask for, in a group of protocol type `consumer`: the only thing a coordinator reads in
    /// embedded bytes, so that it knows which offsets are in use. None for other types of groups.
    pub fn subscribed_topics(&self) -> Option<BTreeSet<String>> {
        if self.protocol_type.as_deref() != Some("consumer") {
            return None;
        }
        let protocol = self.protocol.as_deref()?;
        let reports = self.roster.in_order().map(|(_, m)| m.metadata(protocol));
        let topics = |report| Subscription::decode(&report).map(|s| s.topics).unwrap_or_default();
        Some(reports.map(topics).flat_map(|t| t.iter().map(str::to_owned).collect::<Vec<_>>()).collect())
    }

    fn view_member(&self, id: &MemberId, member: &Member) -> MemberView {
        let protocol = self.protocol.as_deref().filter(|_| matches!(self.phase, Phase::Stable(_)));
        let durable = protocol.and_then(|_| self.durable.members.get(id));
        MemberView {
            member: id.clone(),
            instance: member.instance.clone(),
            client: member.client.clone(),
            metadata: protocol.map(|p| member.metadata(p)).unwrap_or_default(),
            assignment: durable.map(|d| d.assignment.clone()).unwrap_or_default(),
        }
    }

    fn seat_restored(&mut self, now: Time) {
        let Some(protocol) = self.durable.protocol.clone() else { return };
        self.protocol = Some(protocol.clone());
        self.leader.clone_from(&self.durable.leader);
        for (id, durable) in self.durable.members.clone() {
            let mut member = Member::new(self.roster.take_seat(), durable.client);
            member.instance = durable.instance;
            member.rebalance_timeout = durable.rebalance_timeout;
            member.session_timeout = durable.session_timeout;
            member.protocols = vec![Protocol::new(protocol.clone(), durable.subscription)];
            member.standing = Standing::Settled;
            self.roster.insert(id.clone(), member);
            self.arm_session(now, &id);
        }
        if !self.roster.is_empty() {
            self.enter(now, Phase::Stable(Default::default()));
        }
        if self.roster.len() > self.config.members_max {
            self.open_round(now, RoundCause::Oversized);
        }
    }

    /// The only place where durable state changes.
    fn apply(&mut self, record: &GroupRecord) {
        self.durable = match record {
            GroupRecord::Metadata(metadata) => Arc::clone(metadata),
            GroupRecord::Tombstone => Arc::default(),
        };
    }

    pub(super) fn persist(&mut self, record: GroupRecord) -> Ticket {
        self.apply(&record);
        self.stored = Stored::Yes;
        self.ticket_last = Ticket(self.ticket_last.0 + 1);
        self.outputs.push_back(Output::Persist { ticket: self.ticket_last, record });
        self.ticket_last
    }

    /// Tries again to store what could not be stored.
    pub(super) fn persist_again(&mut self) {
        if self.stored == Stored::No {
            self.persist(GroupRecord::Metadata(Arc::clone(&self.durable)));
        }
    }

    pub(super) fn reply(&mut self, token: Token, reply: Reply) {
        self.outputs.push_back(Output::Reply { token, reply });
    }

    fn withhold(&mut self, ticket: Ticket, member: MemberId, (token, reply): (Token, Reply)) {
        self.withheld.push_back(Withheld { ticket, member, token, reply });
    }

    pub(super) fn event(&mut self, event: Event) {
        self.outputs.push_back(Output::Event(event));
    }

    pub(super) fn enter(&mut self, now: Time, phase: Phase) {
        self.phase = phase;
        self.since = now;
    }

    /// The session of a member begins anew.
    pub(super) fn arm_session(&mut self, now: Time, id: &MemberId) {
        if let Some(member) = self.roster.member(id) {
            self.timers.set(Reason::Session(member.seat), now + member.session_timeout);
        }
    }

    /// Answers once every record so far is durable.
    pub(super) fn reply_durable(&mut self, member: MemberId, token: Token, reply: Reply) {
        if self.ticket_last > self.ticket_settled {
            self.withhold(self.ticket_last, member, (token, reply));
        } else {
            self.reply(token, reply);
        }
    }

    fn release(&mut self, durable: Ticket) {
        self.ticket_settled = self.ticket_settled.max(durable);
        while let Some(next) = self.withheld.pop_front_if(|w| w.ticket <= durable) {
            self.reply(next.token, next.reply);
        }
    }

    fn persist_failed(&mut self, now: Time, ticket: Ticket) {
        self.ticket_settled = self.ticket_settled.max(ticket);
        if ticket == self.ticket_last {
            self.stored = Stored::No;
        }
        let (failed, kept): (Vec<_>, Vec<_>) = self.withheld.drain(..).partition(|w| w.ticket == ticket);
        self.withheld = kept.into();
        for withheld in failed {
            self.reply(withheld.token, refusal(&withheld.reply, GroupError::CoordinatorNotAvailable));
        }
        if matches!(self.phase, Phase::Stable(_)) {
            self.open_round(now, RoundCause::StorageFailed);
        }
    }
}

/// The same kind of reply, as a refusal.
pub(super) fn refusal(reply: &Reply, error: GroupError) -> Reply {
    match reply {
        Reply::Join(_) => Reply::Join(Err(error)),
        Reply::Sync(_) => Reply::Sync(Err(error)),
        Reply::Heartbeat(_) => Reply::Heartbeat(Err(error)),
        Reply::Leave(_) => Reply::Leave(crate::protocol::LeaveReply { results: Err(error) }),
    }
}
