use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use bytes::Bytes;
use groma_model::{InstanceId, MemberId, Span};

use super::{Client, Token};
use crate::protocol::{GroupError, JoinDialect, MemberReport, Protocol};

/// The members on the book, and those who were given an identity but have not used it yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Roster {
    members: BTreeMap<MemberId, Member>,
    seats: BTreeMap<u64, MemberId>,
    instances: BTreeMap<InstanceId, MemberId>,
    pending: BTreeMap<MemberId, u64>,
    /// How many members speak each embedded protocol.
    support: BTreeMap<String, usize>,
    joined: usize,
    seat_next: u64,
}

/// One member on the book.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Member {
    /// Counts admissions; stays with a static member that comes back.
    pub(super) seat: u64,
    pub(super) instance: Option<InstanceId>,
    pub(super) client: Client,
    pub(super) rebalance_timeout: Span,
    pub(super) session_timeout: Span,
    pub(super) protocols: Vec<Protocol>,
    pub(super) standing: Standing,
    parked: Parked,
}

/// Whether a member has ever seen a round to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Standing {
    New,
    Settled,
}

/// Which of a member's requests waits for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Parked {
    #[default]
    Nothing,
    Join(Token, JoinDialect),
    Sync(Token),
}

impl Member {
    pub(super) fn new(seat: u64, client: Client) -> Self {
        Self {
            seat,
            instance: None,
            client,
            rebalance_timeout: Span::ZERO,
            session_timeout: Span::ZERO,
            protocols: Vec::new(),
            standing: Standing::New,
            parked: Parked::Nothing,
        }
    }

    pub(super) const fn parked(&self) -> Parked {
        self.parked
    }

    pub(super) const fn has_joined(&self) -> bool {
        matches!(self.parked, Parked::Join(..))
    }

    /// The member's report in a protocol; empty if it does not speak it.
    pub(super) fn metadata(&self, protocol: &str) -> Bytes {
        self.protocols.iter().find(|p| p.name == protocol).map(|p| p.metadata.clone()).unwrap_or_default()
    }
}

impl Roster {
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(super) const fn joined(&self) -> usize {
        self.joined
    }

    /// Static members that have not come back to the round: it closes with them all the same.
    pub(super) fn kept_seats(&self) -> usize {
        self.members.values().filter(|member| member.instance.is_some() && !member.has_joined()).count()
    }

    pub(super) fn pending_len(&self) -> usize {
        self.pending.len()
    }

    pub(super) fn all_joined(&self) -> bool {
        self.joined == self.members.len() && self.pending.is_empty()
    }

    pub(super) fn member(&self, id: &MemberId) -> Option<&Member> {
        self.members.get(id)
    }

    pub(super) fn is_pending(&self, id: &MemberId) -> bool {
        self.pending.contains_key(id)
    }

    pub(super) fn by_seat(&self, seat: u64) -> Option<&MemberId> {
        self.seats.get(&seat)
    }

    pub(super) fn by_instance(&self, instance: &InstanceId) -> Option<&MemberId> {
        self.instances.get(instance)
    }

    /// Members in order of admission.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (&MemberId, &Member)> {
        self.seats.values().filter_map(|id| self.members.get_key_value(id))
    }

    pub(super) fn rebalance_timeout_max(&self) -> Span {
        self.members.values().map(|m| m.rebalance_timeout).max().unwrap_or(Span::ZERO)
    }

    /// Checks that `id` is on the book, and is the present holder of `instance` if one is named.
    pub(super) fn validate(&self, id: &MemberId, instance: Option<&InstanceId>) -> Result<&Member, GroupError> {
        if let Some(instance) = instance {
            match self.by_instance(instance) {
                None => return Err(GroupError::UnknownMember),
                Some(holder) if holder != id => return Err(GroupError::FencedInstance),
                Some(_) => {}
            }
        }
        self.members.get(id).ok_or(GroupError::UnknownMember)
    }

    pub(super) fn take_seat(&mut self) -> u64 {
        self.seat_next += 1;
        self.seat_next
    }

    pub(super) fn add_pending(&mut self, id: MemberId) -> u64 {
        let seat = self.take_seat();
        self.seats.remove(&seat);
        self.pending.insert(id, seat);
        seat
    }

    pub(super) fn remove_pending(&mut self, id: &MemberId) -> Option<u64> {
        self.pending.remove(id)
    }

    pub(super) fn remove_pending_seat(&mut self, seat: u64) {
        self.pending.retain(|_, s| *s != seat);
    }

    pub(super) fn insert(&mut self, id: MemberId, member: Member) {
        self.count_support(&member.protocols, 1);
        self.joined += usize::from(member.has_joined());
        self.seats.insert(member.seat, id.clone());
        if let Some(instance) = &member.instance {
            self.instances.insert(instance.clone(), id.clone());
        }
        self.members.insert(id, member);
    }

    pub(super) fn remove(&mut self, id: &MemberId) -> Option<Member> {
        let member = self.members.remove(id)?;
        self.count_support(&member.protocols, -1);
        self.joined -= usize::from(member.has_joined());
        self.seats.remove(&member.seat);
        if let Some(instance) = &member.instance {
            self.instances.remove(instance);
        }
        Some(member)
    }

    /// Changes what a member says about itself.
    pub(super) fn update(&mut self, id: &MemberId, change: impl FnOnce(&mut Member)) {
        if let Some(mut member) = self.remove(id) {
            change(&mut member);
            self.insert(id.clone(), member);
        }
    }

    pub(super) fn settle(&mut self, id: &MemberId) {
        if let Some(member) = self.members.get_mut(id) {
            member.standing = Standing::Settled;
        }
    }

    /// Parks a request of a member; yields what was parked before.
    pub(super) fn park(&mut self, id: &MemberId, parked: Parked) -> Parked {
        let Some(member) = self.members.get_mut(id) else { return Parked::Nothing };
        let before = std::mem::replace(&mut member.parked, parked);
        self.joined -= usize::from(matches!(before, Parked::Join(..)));
        self.joined += usize::from(matches!(parked, Parked::Join(..)));
        before
    }

    /// Whether every member but `joiner` speaks one of these protocols.
    pub(super) fn supports(&self, joiner: Option<&MemberId>, protocols: &[Protocol]) -> bool {
        let own = joiner.and_then(|id| self.members.get(id));
        let others = self.members.len() - usize::from(own.is_some());
        protocols.iter().any(|p| {
            let speakers = self.support.get(&p.name).copied().unwrap_or(0);
            let own_voice = own.is_some_and(|m| m.protocols.iter().any(|q| q.name == p.name));
            speakers - usize::from(own_voice) == others
        })
    }

    /// The protocol with most votes among those all members speak; each votes for the first one on its list. Of equal
    /// ones the one that comes first on the list of the earliest member wins.
    pub(super) fn elect_protocol(&self) -> Option<String> {
        let mut common = self.support.iter().filter(|(_, speakers)| **speakers == self.members.len());
        match (common.next(), common.next()) {
            (Some(_), Some(_)) => self.count_votes(),
            (only, _) => only.map(|(name, _)| name.clone()),
        }
    }

    fn count_votes(&self) -> Option<String> {
        let candidate = |p: &&Protocol| self.support.get(&p.name) == Some(&self.members.len());
        let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, member) in self.in_order() {
            if let Some(choice) = member.protocols.iter().find(candidate) {
                *votes.entry(&choice.name).or_default() += 1;
            }
        }
        let (_, first) = self.in_order().next()?;
        let rank = |name: &str| first.protocols.iter().position(|p| p.name == name);
        votes.iter().max_by_key(|(name, votes)| (**votes, std::cmp::Reverse(rank(name)))).map(|(n, _)| (*n).to_owned())
    }

    /// Everybody's report in a protocol, in order of admission.
    pub(super) fn reports(&self, protocol: &str) -> Vec<MemberReport> {
        let report = |(id, m): (&MemberId, &Member)| MemberReport {
            member: id.clone(),
            instance: m.instance.clone(),
            metadata: m.metadata(protocol),
        };
        self.in_order().map(report).collect()
    }

    /// Every seat that is taken or reserved, in order.
    pub(super) fn all_seats(&self) -> Vec<u64> {
        let mut seats: Vec<u64> = self.seats.keys().chain(self.pending.values()).copied().collect();
        seats.sort_unstable();
        seats
    }

    pub(super) fn digest<H: Hasher>(
        &self,
        rank: &dyn Fn(u64) -> usize,
        is_out_of_date: &dyn Fn(&MemberId, &Member) -> bool,
        hasher: &mut H,
    ) {
        for (id, member) in &self.members {
            (id, rank(member.seat), &member.instance, member.standing).hash(hasher);
            if is_out_of_date(id, member) {
                member.protocols.iter().for_each(|protocol| protocol.name.hash(hasher));
            } else {
                member.protocols.hash(hasher);
            }
            (member.rebalance_timeout, member.session_timeout).hash(hasher);
            std::mem::discriminant(&member.parked).hash(hasher);
        }
        for (id, seat) in &self.pending {
            (id, rank(*seat)).hash(hasher);
        }
    }

    fn count_support(&mut self, protocols: &[Protocol], step: isize) {
        let mut seen: Vec<&str> = Vec::with_capacity(protocols.len());
        for protocol in protocols {
            if seen.contains(&protocol.name.as_str()) {
                continue;
            }
            seen.push(&protocol.name);
            let count = self.support.entry(protocol.name.clone()).or_default();
            *count = count.saturating_add_signed(step);
            if *count == 0 {
                self.support.remove(&protocol.name);
            }
        }
    }
}
