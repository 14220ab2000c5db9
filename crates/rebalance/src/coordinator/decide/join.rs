use groma_model::{MemberId, Time};

use crate::cause::{RemovalCause, RoundCause};
use crate::coordinator::ident::fresh_member;
use crate::coordinator::phase::{Grew, JoinWindow, Phase};
use crate::coordinator::roster::{Member, Parked};
use crate::coordinator::{Client, Event, Group, Reason, Token};
use crate::protocol::{GroupError, JoinDialect, JoinRequest, Joined, LeaderDuty, Reply, Role};

/// A join that has passed the door.
pub(super) struct Arrival {
    pub(super) token: Token,
    pub(super) request: JoinRequest,
    pub(super) client: Client,
    pub(super) entropy: u128,
}

impl Group {
    pub(in crate::coordinator) fn join(
        &mut self,
        now: Time,
        token: Token,
        request: JoinRequest,
        (client, entropy): (Client, u128),
    ) {
        if let Err(error) = self.check_door(now, &request) {
            return self.reply(token, Reply::Join(Err(error)));
        }
        let arrival = Arrival { token, request, client, entropy };
        match arrival.request.member.clone() {
            None => self.join_new(now, arrival),
            Some(id) => self.join_known(now, id, arrival),
        }
    }

    fn check_door(&mut self, now: Time, request: &JoinRequest) -> Result<(), GroupError> {
        if matches!(self.phase, Phase::Dead) {
            return Err(GroupError::CoordinatorNotAvailable);
        }
        let (shortest, longest) = (self.config.session_timeout_min, self.config.session_timeout_max);
        if request.session_timeout < shortest || request.session_timeout > longest {
            return Err(GroupError::InvalidSessionTimeout);
        }
        self.check_room(now, request)?;
        if self.speaks_with_all(request) { Ok(()) } else { Err(GroupError::InconsistentProtocol) }
    }

    /// While members are joining, the first `members_max` to come are in and the rest is turned away, old members
    /// included; only static members keep their seats, which strangers do not get. Otherwise members on the book always
    /// pass, and so does who takes over the seat of one.
    fn check_room(&mut self, now: Time, request: &JoinRequest) -> Result<(), GroupError> {
        let limit = self.config.members_max;
        let id = self.replaced_or_self(request).cloned();
        let id = id.as_ref();
        let member = id.and_then(|id| self.roster.member(id));
        let reserved = id.is_some_and(|id| self.roster.is_pending(id));
        let others_pending = self.roster.pending_len() - usize::from(reserved);
        if self.roster.len() + others_pending < limit {
            return Ok(());
        }
        let taken = match self.phase {
            Phase::Empty | Phase::Dead => return Ok(()),
            Phase::Joining(_) if member.is_some_and(Member::has_joined) => return Ok(()),
            Phase::Joining(_) if member.is_some() => self.roster.joined(),
            Phase::Joining(_) => self.roster.joined() + self.roster.kept_seats(),
            Phase::Syncing(_) | Phase::Stable(_) if member.is_some() => return Ok(()),
            Phase::Syncing(_) | Phase::Stable(_) => self.roster.len(),
        };
        if taken + others_pending < limit {
            return Ok(());
        }
        if let Some(id) = request.member.as_ref().filter(|_| member.is_some()) {
            self.remove(id, RemovalCause::Evicted, GroupError::GroupMaxSizeReached);
            self.try_close_round(now);
        }
        Err(GroupError::GroupMaxSizeReached)
    }

    fn speaks_with_all(&self, request: &JoinRequest) -> bool {
        if request.protocol_type.is_empty() || request.protocols.is_empty() {
            return false;
        }
        self.roster.is_empty()
            || (self.protocol_type.as_deref() == Some(request.protocol_type.as_str())
                && self.roster.supports(self.replaced_or_self(request), &request.protocols))
    }

    fn replaced_or_self<'a>(&'a self, request: &'a JoinRequest) -> Option<&'a MemberId> {
        match (&request.member, &request.instance) {
            (None, Some(instance)) => self.roster.by_instance(instance),
            (member, _) => member.as_ref(),
        }
    }

    fn join_new(&mut self, now: Time, arrival: Arrival) {
        let request = &arrival.request;
        match &request.instance {
            Some(instance) => {
                let id = self.unused_identity(instance.as_str(), arrival.entropy);
                match self.roster.by_instance(instance).cloned() {
                    Some(old) => self.replace(now, old, id, arrival),
                    None => self.admit(now, id, arrival),
                }
            }
            None => {
                let id = self.unused_identity(&arrival.client.id, arrival.entropy);
                if request.dialect >= JoinDialect::TwoStep {
                    self.give_identity(now, id, &arrival);
                } else {
                    self.admit(now, id, arrival);
                }
            }
        }
    }

    /// An identity that nobody on the book has, even if the shell's entropy repeats itself.
    fn unused_identity(&self, name: &str, entropy: u128) -> MemberId {
        let mut id = fresh_member(name, entropy);
        let mut next = entropy;
        while self.roster.member(&id).is_some() || self.roster.is_pending(&id) {
            next = next.wrapping_add(1);
            id = fresh_member(name, next);
        }
        id
    }

    fn give_identity(&mut self, now: Time, id: MemberId, arrival: &Arrival) {
        let seat = self.roster.add_pending(id.clone());
        self.timers.set(Reason::Pending(seat), now + arrival.request.session_timeout);
        self.reply(arrival.token, Reply::Join(Err(GroupError::MemberIdRequired(id))));
    }

    fn join_known(&mut self, now: Time, id: MemberId, arrival: Arrival) {
        if self.roster.is_pending(&id) {
            return self.join_pending(now, id, arrival);
        }
        if let Err(error) = self.roster.validate(&id, arrival.request.instance.as_ref()) {
            return self.reply(arrival.token, Reply::Join(Err(error)));
        }
        let changed = self.roster.member(&id).is_none_or(|m| m.protocols != arrival.request.protocols);
        let leads = self.leader.as_ref() == Some(&id);
        match self.phase {
            Phase::Stable(_) if leads => self.rejoin(now, id.clone(), arrival, RoundCause::LeaderRejoined(id)),
            Phase::Stable(_) | Phase::Syncing(_) if !changed => self.repeat_answer(now, &id, &arrival),
            Phase::Stable(_) | Phase::Syncing(_) | Phase::Joining(_) => {
                self.rejoin(now, id.clone(), arrival, RoundCause::MemberRejoined(id));
            }
            Phase::Empty | Phase::Dead => self.reply(arrival.token, Reply::Join(Err(GroupError::UnknownMember))),
        }
    }

    fn join_pending(&mut self, now: Time, id: MemberId, arrival: Arrival) {
        if arrival.request.instance.is_some() {
            return self.reply(arrival.token, Reply::Join(Err(GroupError::UnknownMember)));
        }
        if let Some(seat) = self.roster.remove_pending(&id) {
            self.timers.stop(Reason::Pending(seat));
        }
        self.admit(now, id, arrival);
    }

    fn admit(&mut self, now: Time, id: MemberId, arrival: Arrival) {
        if self.roster.is_empty() {
            self.protocol_type = Some(arrival.request.protocol_type.clone());
        }
        let mut member = Member::new(self.roster.take_seat(), arrival.client);
        take_over(&mut member, &arrival.request);
        self.timers.set(Reason::Session(member.seat), now + self.config.new_member_join_timeout);
        self.roster.insert(id.clone(), member);
        self.roster.park(&id, Parked::Join(arrival.token, arrival.request.dialect));
        self.leader.get_or_insert_with(|| id.clone());
        self.forget_namesake(&id);
        if let Phase::Joining(JoinWindow::Initial { grew, .. }) = &mut self.phase {
            *grew = Grew::Yes;
        }
        self.event(Event::Admitted(id.clone()));
        self.event(Event::Joined { member: id.clone(), reason: arrival.request.reason });
        self.open_or_close(now, RoundCause::MemberJoined(id));
    }

    /// A static member that was dropped and is admitted anew may still be on record under its former identity, by
    /// which it would be fenced after a restart of the coordinator.
    fn forget_namesake(&mut self, id: &MemberId) {
        let Some(instance) = self.roster.member(id).and_then(|m| m.instance.clone()) else { return };
        let same = |m: &crate::coordinator::DurableMember| m.instance.as_ref() == Some(&instance);
        let old = self.durable.members.iter().find(|(_, m)| same(m)).map(|(old, _)| old.clone());
        if let Some(old) = old {
            self.persist_renamed(&old, id);
        }
    }

    fn rejoin(&mut self, now: Time, id: MemberId, arrival: Arrival, cause: RoundCause) {
        self.roster.update(&id, |m| take_over(m, &arrival.request));
        self.park_join(&id, (arrival.token, arrival.request.dialect));
        self.event(Event::Joined { member: id, reason: arrival.request.reason });
        self.open_or_close(now, cause);
    }

    /// Parks a join; a settled member has no session meanwhile.
    pub(super) fn park_join(&mut self, id: &MemberId, (token, dialect): (Token, JoinDialect)) {
        let before = self.roster.park(id, Parked::Join(token, dialect));
        self.supersede(before, &GroupError::RebalanceInProgress);
        if let Some(member) = self.roster.member(id)
            && member.standing == crate::coordinator::roster::Standing::Settled
        {
            self.timers.stop(Reason::Session(member.seat));
        }
    }

    /// Answers a request whose sender has sent another, or is gone.
    pub(super) fn supersede(&mut self, parked: Parked, error: &GroupError) {
        match parked {
            Parked::Nothing => {}
            Parked::Join(token, _) => self.reply(token, Reply::Join(Err(error.clone()))),
            Parked::Sync(token) => self.reply(token, Reply::Sync(Err(error.clone()))),
        }
    }

    /// The member has missed the answer to its join: it is told what it would have been told.
    fn repeat_answer(&mut self, now: Time, id: &MemberId, arrival: &Arrival) {
        self.sign_of_life(now, id);
        let leads_round = matches!(self.phase, Phase::Syncing(_)) && self.leader.as_ref() == Some(id);
        let role = if leads_round { self.leader_role(LeaderDuty::Assign) } else { Role::Follower };
        let joined = self.joined(id.clone(), role);
        self.reply(arrival.token, Reply::Join(Ok(joined)));
    }

    pub(super) fn leader_role(&self, duty: LeaderDuty) -> Role {
        let protocol = self.protocol.as_deref().unwrap_or_default();
        Role::Leader { members: self.roster.reports(protocol), duty }
    }

    pub(super) fn joined(&self, member: MemberId, role: Role) -> Joined {
        Joined {
            generation: self.generation,
            protocol_type: self.protocol_type.clone(),
            protocol: self.protocol.clone().unwrap_or_default(),
            leader: self.leader.clone().unwrap_or_else(|| member.clone()),
            member,
            role,
        }
    }
}

/// What a member says about itself in a join.
pub(super) fn take_over(member: &mut Member, request: &JoinRequest) {
    member.instance.clone_from(&request.instance);
    member.session_timeout = request.session_timeout;
    member.rebalance_timeout = request.round_timeout();
    member.protocols.clone_from(&request.protocols);
}
