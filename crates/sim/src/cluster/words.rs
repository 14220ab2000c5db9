use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Generation, MemberId, TopicPartition};
use groma_rebalance::coordinator::Event as GroupEvent;
use groma_rebalance::embedded::consumer::Consumer;
use groma_rebalance::embedded::{HeldBack, Offence, Owner, PolicyUsed, Waiting};
use groma_rebalance::member::{Event, LostCause, Move, Output, RevokeCause, Step};
use groma_rebalance::{RemovalCause, RoundCause};

use super::check::Property;
use super::client::{list, short};

/// What happens, in sentences, with the processes by their names.
#[derive(Debug, Default)]
pub(crate) struct Words {
    names: BTreeMap<MemberId, String>,
}

impl Words {
    /// The coordinator knows a process by this identity.
    pub(crate) fn learn(&mut self, id: &MemberId, process: &str) {
        self.names.entry(id.clone()).or_insert_with(|| process.to_owned());
    }

    /// The process of an identity.
    pub(super) fn name<'a>(&'a self, id: &'a MemberId) -> &'a str {
        self.names.get(id).map_or_else(|| client_of(id), String::as_str)
    }

    /// Why a round is held.
    pub(super) fn cause(&self, cause: &RoundCause) -> String {
        match cause {
            RoundCause::MemberJoined(id) => format!("{} joined", self.name(id)),
            RoundCause::MemberRejoined(id) => format!("{} rejoined", self.name(id)),
            RoundCause::LeaderRejoined(id) => format!("leader {} rejoined", self.name(id)),
            RoundCause::MemberLeft(id) => format!("{} left", self.name(id)),
            RoundCause::SessionExpired(id) => format!("{} expired", self.name(id)),
            RoundCause::SyncMissed(id) => format!("{} missed its assignment", self.name(id)),
            RoundCause::InstanceReplaced { new, .. } => format!("{} replaced", self.name(new)),
            RoundCause::StorageFailed => "storage failed".to_owned(),
            RoundCause::Oversized => "too many members".to_owned(),
        }
    }

    /// What the coordinator has done; none where a member tells it too.
    pub(crate) fn of_group(&self, event: &GroupEvent) -> Option<String> {
        Some(match event {
            GroupEvent::RoundOpened { after, cause } if after.0 > 0 => {
                format!("the coordinator opens a round after generation {after}: {}", self.cause(cause))
            }
            GroupEvent::RoundOpened { cause, .. } => format!("the coordinator opens a round: {}", self.cause(cause)),
            GroupEvent::RoundAlso(cause) => format!("the coordinator goes on with the round: {}", self.cause(cause)),
            GroupEvent::RoundClosed { generation, leader, members } => format!(
                "the coordinator begins generation {generation} with {}, led by {}",
                counted(*members, "member"),
                self.name(leader)
            ),
            GroupEvent::Stable(generation) => {
                format!("the coordinator has the plan of generation {generation} and hands it out")
            }
            GroupEvent::Emptied(generation) => {
                format!("the coordinator has nobody left in the group after generation {generation}")
            }
            GroupEvent::Admitted(id) => format!("the coordinator admits {}", self.name(id)),
            GroupEvent::Removed { member, cause } => {
                format!("the coordinator removes {}: {}", self.name(member), removal(*cause))
            }
            GroupEvent::Replaced { old, new } => {
                let (old, new) = (self.name(old), self.name(new));
                let whom = if old == new { "its former life".to_owned() } else { old.to_owned() };
                format!("the coordinator lets {new} take the place of {whom}, whose identity it has")
            }
            GroupEvent::Joined { .. } | GroupEvent::Synced(_) => return None,
        })
    }

    /// What a member does, without its name; none where what it asks for is told when it happens.
    pub(crate) fn of_member(&self, output: &Output<Consumer>, held: &BTreeSet<TopicPartition>) -> Option<String> {
        Some(match output {
            Output::Revoke { resources, cause, .. } => format!("is to stop {}{}", list(resources), revocation(*cause)),
            Output::Lost { resources, cause, .. } => format!("loses {}: {}", list(resources), loss(*cause)),
            Output::Assign { resources, generation } => {
                format!("starts {} in generation {generation}", list(resources))
            }
            Output::Failed(failure) => format!("fails and ends: {failure}"),
            Output::Left => "has left".to_owned(),
            Output::Event(event) => return self.of_event(event, held),
            Output::FindCoordinator | Output::Resolve(_) | Output::Send { .. } => return None,
        })
    }

    fn of_event(&self, event: &Event<TopicPartition>, held: &BTreeSet<TopicPartition>) -> Option<String> {
        Some(match event {
            Event::Joining(cause) => format!("joins: {}", cause.sentence()),
            Event::Planned { generation, moves, moved } => self.plan(*generation, moves, *moved),
            Event::Waits(waits) => self.waits(waits),
            Event::HeldBack(left) => held_back(*left),
            Event::Policy(used) => self.policy(used),
            Event::Offence(offence) => format!("accuses: {}", self.offence(offence)),
            Event::BrokenReport(id) => format!("cannot read the report of {}, which gets nothing", self.name(id)),
            Event::Stable(generation) => {
                let held: Vec<TopicPartition> = held.iter().cloned().collect();
                format!("is settled in generation {generation} with {}", list(&held))
            }
            Event::Recovered(error) => format!("is told: {error}"),
            Event::Joined { .. } => return None,
        })
    }

    fn plan(&self, generation: Generation, moves: &[Move<TopicPartition>], moved: usize) -> String {
        if moved == 0 {
            return format!("plans generation {generation}: everything stays where it is");
        }
        let mut ways: Vec<(String, Vec<TopicPartition>)> = Vec::new();
        for one in moves {
            let way = self.way(one);
            match ways.iter_mut().find(|(known, _)| *known == way) {
                Some((_, resources)) => resources.push(one.resource.clone()),
                None => ways.push((way, vec![one.resource.clone()])),
            }
        }
        let told: Vec<String> = ways.iter().map(|(way, resources)| format!("{} {way}", list(resources))).collect();
        let more = moved - moves.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("plans generation {generation}: {}{more}", told.join(", "))
    }

    fn way(&self, one: &Move<TopicPartition>) -> String {
        let name = |id: &Option<MemberId>| id.as_ref().map(|id| self.name(id).to_owned());
        match (name(&one.from), name(&one.to), one.step) {
            (None, Some(to), Step::Grant) => format!("to {to}"),
            (None, Some(to), Step::Revoke) => format!("to {to} later"),
            (Some(from), Some(to), Step::Grant) => format!("from {from} to {to}"),
            (Some(from), Some(to), Step::Revoke) => format!("from {from}, to {to} later"),
            (Some(from), None, _) => format!("from {from}, to nobody"),
            (None, None, _) => "to nobody".to_owned(),
        }
    }

    /// Waits as `lets T0 T1 wait 5000ms for D`.
    fn waits(&self, waits: &[Waiting<TopicPartition>]) -> String {
        let one = |wait: &Waiting<TopicPartition>| {
            format!("{} wait {} for {}", list(&wait.resources), wait.left, self.owner(&wait.owner))
        };
        format!("lets {}", waits.iter().map(one).collect::<Vec<_>>().join(", "))
    }

    pub(super) fn owner<'a>(&'a self, owner: &'a Owner) -> &'a str {
        match owner {
            Owner::Instance(instance) => instance.as_str(),
            Owner::Member(member) => self.name(member),
            Owner::Unknown(_) => "somebody",
        }
    }

    fn policy(&self, used: &PolicyUsed) -> String {
        match used {
            PolicyUsed::Configured => "shares out as configured".to_owned(),
            PolicyUsed::Reduced { to, by } => {
                format!("shares out by {to}: {} does not support what is configured", self.name(by))
            }
            PolicyUsed::Foreign { leader } => {
                format!("follows {}, which is of another make and knows no policy but two rounds", self.name(leader))
            }
        }
    }

    /// Who broke which rule.
    pub(crate) fn offence(&self, offence: &Offence<TopicPartition>) -> String {
        match offence {
            Offence::Seized { member, resource } => {
                format!("{} claims {}, which is not its own", self.name(member), short(resource))
            }
            Offence::Dropped { member, resource } => {
                format!("{} neither claims {} nor names it as released", self.name(member), short(resource))
            }
            Offence::GrantedHeld { holder, member, resource } => {
                let (holder, member) = (self.name(holder), self.name(member));
                format!("the leader gives {} to {member} while {holder} holds it", short(resource))
            }
            Offence::Endless { policy, rounds } => {
                format!("the policy {policy} asks for round after round without end, {rounds} so far")
            }
        }
    }
}

/// What a client calls itself, of the identity that it was given: all but `-` and a UUID.
pub(super) fn client_of(id: &MemberId) -> &str {
    const TAIL: usize = 37;
    let id = id.as_str();
    id.len().checked_sub(TAIL).and_then(|at| id.get(..at)).filter(|name| !name.is_empty()).unwrap_or(id)
}

/// `1 move`, `2 moves`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("{count} {noun}") } else { format!("{count} {noun}s") }
}

fn held_back(left: HeldBack) -> String {
    format!("leaves {} for later, the next in {}", counted(left.moves, "move"), left.next)
}

const fn removal(cause: RemovalCause) -> &'static str {
    match cause {
        RemovalCause::Left => "it has left",
        RemovalCause::SessionExpired => "it gave no sign of life for its session timeout",
        RemovalCause::JoinMissed => "it did not join the round in time",
        RemovalCause::SyncMissed => "it did not fetch its assignment in time",
        RemovalCause::Evicted => "the group is full",
    }
}

const fn revocation(cause: RevokeCause) -> &'static str {
    match cause {
        RevokeCause::Plan => "",
        RevokeCause::Eager => " before it joins",
        RevokeCause::Unsubscribed => ", which it does not ask for any more",
        RevokeCause::Leaving => ", because it leaves",
    }
}

const fn loss(cause: LostCause) -> &'static str {
    match cause {
        LostCause::Expelled => "the coordinator does not know it any more",
        LostCause::Fenced => "another process has taken its identity",
        LostCause::Isolated => "the coordinator could not be reached for as long as its session lasts",
        LostCause::Late => "the round has ended without it, or may have",
        LostCause::Stalled => "the application did not show life in time",
        LostCause::Failed => "it has failed for good",
    }
}

impl Property {
    /// What it says, for people.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::OneRunner => "at most one member runs a resource",
            Self::GrantedFree => "what is granted is in nobody else's report",
            Self::GrantedAsked => "what is granted was asked for",
            Self::HeldRuns => "what a member owns is what it runs",
            Self::ClaimConfirmed => "a claim is never newer than what was confirmed",
            Self::GenerationGrows => "generations grow, and have one leader each",
            Self::LostBeforeJoin => "a member without identity claims nothing",
            Self::CommitInOrder => "no commit of a former owner lands after one of its successor",
            Self::AnsweredOnce => "every request is answered once, and replay gives what was acknowledged",
            Self::NoOffence => "nobody who keeps the rules is accused",
            Self::CalmWhileWaiting => "while lost resources wait, nothing moves for balance and nobody gets what waits",
            Self::WaitBounded => "nothing waits longer than allowed, whoever leads",
            Self::AlarmSet => "where something waits, an alarm is set",
            Self::MovesFew => "no round moves more for balance than allowed",
            Self::Sticky => "nothing moves beyond what a balance needs",
            Self::OneIdentity => "a stable identity has one member",
            Self::GroupFits => "there are no more members than allowed",
            Self::AnsweredInTime => "no request is parked for longer than a round may take",
            Self::RoundsFew => "a change takes no more rounds than the policy promises",
            Self::BackAtOnce => "who comes back in time has its work at once, and nobody else stops anything",
            Self::AllRun => "in the end every resource runs, evenly shared",
            Self::Quiet => "in the end nothing happens any more",
        }
    }
}
