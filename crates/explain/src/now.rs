use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::book::Book;
use crate::{Fact, Remark, Seat, Trigger, What};

/// A group as the facts so far show it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Now {
    /// The last fact's time.
    pub time_ms: i64,
    /// Its state by Kafka's name; empty before anybody has looked.
    pub state: String,
    /// Its generation, where somebody says.
    pub generation: Option<i32>,
    /// The embedded protocol.
    pub protocol: Option<String>,
    /// Its members.
    pub members: BTreeMap<String, Seat>,
    /// Committed offset and end of each resource.
    pub partitions: BTreeMap<String, Place>,
    /// The round that runs.
    pub round: Option<Running>,
    /// What waits for its owner to come back.
    pub waits: Vec<Awaited>,
    /// Rounds that have ended since the first fact.
    pub rounds_total: u64,
    /// What the records of a group whose coordinator shares out tell.
    #[serde(skip)]
    pub(crate) book: Book,
}

/// How far a group is in a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The committed offset; none before the first commit.
    pub committed: Option<i64>,
    /// The next offset to be written.
    pub end: Option<i64>,
}

/// Resources that wait for their owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Awaited {
    /// Whose they were; none where nobody remembers.
    pub owner: Option<String>,
    /// When others get them.
    pub until_ms: i64,
    /// What waits.
    pub resources: Vec<String>,
}

impl Awaited {
    /// How much of the wait is left, in milliseconds.
    pub fn left_ms(&self, now_ms: i64) -> u64 {
        u64::try_from(self.until_ms.saturating_sub(now_ms)).unwrap_or(0)
    }
}

/// A round that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Running {
    /// Since when.
    pub since_ms: i64,
    /// What began it; none where only polling shows it.
    pub cause: Option<(Trigger, Option<String>)>,
    /// Who has joined.
    pub joined: BTreeSet<String>,
    /// Whether the coordinator tells who has joined.
    pub told: bool,
    /// Whether everybody has joined, and the leader is at work.
    pub leader_at_work: Option<String>,
}

impl Place {
    /// Records between committed offset and end.
    pub fn lag(&self) -> Option<u64> {
        u64::try_from(self.end?.saturating_sub(self.committed?)).ok().or(Some(0))
    }
}

impl Now {
    /// Takes the next fact of the group.
    pub fn take(&mut self, fact: &Fact) {
        self.time_ms = self.time_ms.max(fact.time_ms);
        match &fact.what {
            What::RoundOpened { cause, .. } => {
                let since_ms = self.round.as_ref().map_or(fact.time_ms, |round| round.since_ms);
                let cause = Some((*cause, fact.member.clone()));
                let joined = fact.member.iter().filter(|_| joins(cause.as_ref())).cloned().collect();
                self.round = Some(Running { since_ms, cause, joined, told: true, leader_at_work: None });
            }
            What::Joined { .. } => {
                if let (Some(round), Some(member)) = (&mut self.round, &fact.member) {
                    round.joined.insert(member.clone());
                }
            }
            What::RoundClosed { leader, .. } => {
                if let Some(round) = &mut self.round {
                    round.leader_at_work = Some(leader.clone());
                }
            }
            What::Removed { .. } => {
                if let Some(member) = &fact.member {
                    self.members.remove(member);
                }
                self.reconcile(fact);
            }
            What::Epoch { .. } | What::Enrolled { .. } | What::Decided { .. } => self.reconcile(fact),
            What::Target { .. } | What::Holds { .. } => self.reconcile(fact),
            What::RoundStable { generation } | What::Emptied { generation } => self.settled(Some(*generation)),
            What::Remarked(Remark::Waits { owner, left_ms, resources }) if !resources.is_empty() => {
                let until_ms = fact.time_ms.saturating_add_unsigned(*left_ms);
                self.waits.push(Awaited { owner: owner.clone(), until_ms, resources: resources.clone() });
            }
            What::Generation { generation, protocol, members, .. } => {
                self.generation = Some(*generation);
                self.waits.clear();
                self.seat(protocol.as_ref(), members);
            }
            What::Seen { state, protocol, members, .. } => self.seen(fact.time_ms, state, protocol.as_ref(), members),
            What::Committed { offsets } => {
                for (resource, offset) in offsets {
                    self.partitions.entry(resource.clone()).or_default().committed = Some(*offset);
                }
            }
            What::Ends { offsets } => {
                for (resource, offset) in offsets {
                    self.partitions.entry(resource.clone()).or_default().end = Some(*offset);
                }
            }
            _ => {}
        }
    }

    /// Whom the running round waits for; none where nobody can tell.
    pub fn waits_for(&self) -> Option<Vec<&str>> {
        let round = self.round.as_ref().filter(|round| round.told)?;
        if let Some(leader) = &round.leader_at_work {
            return Some(vec![leader]);
        }
        let missing = self.members.keys().filter(|member| !round.joined.contains(*member));
        Some(missing.map(String::as_str).collect())
    }

    /// Records that no member has committed yet, over all partitions with a commit.
    pub fn lag(&self) -> u64 {
        self.partitions.values().filter_map(Place::lag).fold(0, u64::saturating_add)
    }

    /// Whether the coordinator shares out: who is missing in a round is then on the way to what it is to have.
    pub const fn is_reconciled(&self) -> bool {
        self.book.epoch().is_some()
    }

    fn reconcile(&mut self, fact: &Fact) {
        self.book.take(fact);
        if let What::Epoch { epoch } = &fact.what {
            let since_ms = self.round.as_ref().map_or(fact.time_ms, |round| round.since_ms);
            let cause = self.book.take_changes().into_iter().next();
            let joined = BTreeSet::new();
            self.round = Some(Running { since_ms, cause, joined, told: true, leader_at_work: None });
            self.generation = Some(*epoch);
        }
        let Self { book, members, round: Some(round), .. } = &mut *self else { return };
        if !round.told || book.epoch().is_none() {
            return;
        }
        let about = match &fact.what {
            What::Enrolled { seat, .. } => Some(&seat.member),
            _ => fact.member.as_ref(),
        };
        if about.is_none() {
            members.clear();
            round.joined.clear();
        }
        for member in about.map_or_else(|| book.names().collect(), |member| vec![member]) {
            match book.seat(member) {
                Some(seat) => members.insert(member.clone(), seat),
                None => members.remove(member),
            };
            match book.has_reached(member) {
                true => round.joined.insert(member.clone()),
                false => round.joined.remove(member),
            };
        }
        if let Some(epoch) = self.book.settled() {
            self.settled(Some(epoch));
        }
    }

    fn settled(&mut self, generation: Option<i32>) {
        self.generation = generation.or(self.generation);
        if self.round.take().is_some() {
            self.rounds_total += 1;
        }
    }

    fn seat(&mut self, protocol: Option<&String>, members: &[Seat]) {
        self.protocol = protocol.cloned();
        self.members = members.iter().map(|seat| (seat.member.clone(), seat.clone())).collect();
    }

    fn seen(&mut self, at: i64, state: &str, protocol: Option<&String>, members: &[Seat]) {
        state.clone_into(&mut self.state);
        match state {
            "Stable" | "Empty" | "Dead" => {
                self.settled(None);
                self.seat(protocol, members);
            }
            _ => {
                self.round.get_or_insert_with(|| Running {
                    since_ms: at,
                    cause: None,
                    joined: BTreeSet::new(),
                    told: false,
                    leader_at_work: None,
                });
                let new = members.iter().filter(|seat| !self.members.contains_key(&seat.member));
                let new: Vec<Seat> = new.cloned().collect();
                self.members.extend(new.into_iter().map(|seat| (seat.member.clone(), seat)));
            }
        }
    }
}

/// Whether the member that a cause is about has joined by it.
fn joins(cause: Option<&(Trigger, Option<String>)>) -> bool {
    use Trigger::{InstanceReplaced, LeaderRejoined, MemberJoined, MemberRejoined};
    cause.is_some_and(|(cause, _)| matches!(cause, MemberJoined | MemberRejoined | LeaderRejoined | InstanceReplaced))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    fn fact(member: Option<&str>, what: What) -> Fact {
        Fact { time_ms: 1, group: "g".into(), source: Source::Broker, member: member.map(str::to_owned), what }
    }

    #[test]
    fn a_round_names_whom_it_waits_for() {
        let mut now = Now::default();
        let members = ["a", "b", "c"].map(|member| Seat { member: member.into(), ..Seat::default() });
        let generation = What::Generation {
            generation: 3,
            protocol_type: "consumer".into(),
            protocol: None,
            leader: None,
            members: members.into(),
        };
        now.take(&fact(None, generation));
        now.take(&fact(Some("b"), What::RoundOpened { after: 3, cause: Trigger::MemberRejoined }));
        assert_eq!(now.waits_for(), Some(vec!["a", "c"]));
        now.take(&fact(Some("a"), What::Joined { reason: None }));
        assert_eq!(now.waits_for(), Some(vec!["c"]));
        now.take(&fact(None, What::RoundClosed { generation: 4, leader: "a".into(), members: 3 }));
        assert_eq!(now.waits_for(), Some(vec!["a"]), "the leader is at work");
        now.take(&fact(None, What::RoundStable { generation: 4 }));
        assert_eq!((now.round.clone(), now.rounds_total), (None, 1));
    }

    #[test]
    fn what_waits_is_there_until_the_next_generation() {
        let mut now = Now::default();
        let generation = |generation| What::Generation {
            generation,
            protocol_type: "consumer".into(),
            protocol: None,
            leader: None,
            members: Vec::new(),
        };
        let waits = Remark::Waits { owner: Some("c".into()), left_ms: 20_000, resources: vec!["t-4".into()] };
        now.take(&fact(None, generation(3)));
        now.take(&fact(None, What::Remarked(waits)));
        let awaited = Awaited { owner: Some("c".into()), until_ms: 20_001, resources: vec!["t-4".into()] };
        assert_eq!(now.waits, [awaited]);
        now.take(&fact(None, generation(4)));
        assert_eq!(now.waits, []);
    }

    #[test]
    fn where_only_polling_shows_a_round_nobody_is_blamed() {
        let mut now = Now::default();
        let (state, protocol_type) = ("PreparingRebalance".into(), "consumer".into());
        now.take(&fact(None, What::Seen { state, protocol_type, protocol: None, members: Vec::new() }));
        assert!(now.round.is_some());
        assert_eq!(now.waits_for(), None);
    }
}
