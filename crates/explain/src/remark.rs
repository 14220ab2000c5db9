use std::collections::BTreeMap;

use groma_model::MemberId;
use groma_rebalance::embedded::{HeldBack, Offence, Owner, PolicyUsed, Waiting};
use serde::{Deserialize, Serialize};

use crate::rebalance::Draft;
use crate::{Basis, Round, compact, counted, span};

/// What a member noticed about how its group shares out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "remark", rename_all = "kebab-case")]
pub enum Remark {
    /// The leader is of another make and knows no policies: the group shares out in two rounds.
    ForeignLeader {
        /// Who leads.
        leader: String,
    },
    /// Another policy than the configured one is used.
    LesserPolicy {
        /// Which one.
        policy: String,
        /// The first member that does not support the configured one.
        because_of: String,
    },
    /// Lost resources wait for their owner to come back.
    Waits {
        /// Whose they were; none where nobody remembers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<String>,
        /// How much of the wait is left, in milliseconds.
        left_ms: u64,
        /// What waits; empty where the leader does not say: then it is what those who are gone had.
        resources: Vec<String>,
    },
    /// More would move for balance, but only so much may at a time.
    HeldBack {
        /// How many resources are left for later rounds.
        moves: u64,
        /// How long after this remark the next of them may begin, in milliseconds; 0: in the next round.
        next_ms: u64,
    },
    /// A member claims what was not given to it, or what it was told to release.
    Seized {
        /// Who.
        by: String,
        /// What.
        resource: String,
    },
    /// A member neither claims what it was given, nor names it as released.
    Dropped {
        /// Who.
        by: String,
        /// What.
        resource: String,
    },
    /// A leader gave to one member what another one claims.
    GrantedHeld {
        /// Who claims it.
        holder: String,
        /// Who got it.
        given_to: String,
        /// What.
        resource: String,
    },
    /// The leader's policy asked for round after round though nothing changed, so what is held stays where it is.
    Endless {
        /// The policy.
        policy: String,
        /// How many rounds in a row.
        rounds: u64,
    },
    /// A member's report could not be read, so it got nothing.
    BrokenReport {
        /// Whose.
        from: String,
    },
}

/// A remark in a rebalance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remarked {
    /// When it was made first.
    pub at_ms: i64,
    /// How it is known: a member's own word, or what its record shows.
    pub basis: Basis,
    /// What.
    #[serde(flatten)]
    pub remark: Remark,
}

impl Remark {
    /// The remark in words; `name` shortens members' names.
    pub fn words(&self, name: impl Fn(&str) -> String) -> String {
        match self {
            Self::ForeignLeader { leader } => {
                format!(
                    "{} leads and is of another make: shared out in two rounds, whatever is configured",
                    name(leader)
                )
            }
            Self::LesserPolicy { policy, because_of } => {
                format!("shared out by {policy}: {} does not support what is configured", name(because_of))
            }
            Self::Waits { owner, left_ms, resources } => {
                let whom = owner.as_deref().map_or_else(|| "their owner".to_owned(), &name);
                let what: Vec<&str> = resources.iter().map(String::as_str).collect();
                format!("{} left for {whom} to come back for {}", span(*left_ms), compact(&what))
            }
            Self::HeldBack { moves, next_ms } => {
                let when =
                    if *next_ms == 0 { "in the next round".to_owned() } else { format!("in {}", span(*next_ms)) };
                format!(
                    "moved no more at a time than the policy allows: {} for balance held back, the next due {when}",
                    counted(*moves, "move")
                )
            }
            Self::Seized { by, resource } => {
                format!("against the rules: {} claims {resource}, which is not its own", name(by))
            }
            Self::Dropped { by, resource } => {
                format!("against the rules: {} neither claims {resource} nor names it as released", name(by))
            }
            Self::GrantedHeld { holder, given_to, resource } => {
                format!(
                    "against the rules: the leader gave {resource} to {} while {} holds it",
                    name(given_to),
                    name(holder)
                )
            }
            Self::Endless { policy, rounds } => {
                format!(
                    "against the rules: the policy {policy} asked for {rounds} rounds in a row though nothing changed; what is held stays where it is"
                )
            }
            Self::BrokenReport { from } => format!("the report of {} cannot be read, so it gets nothing", name(from)),
        }
    }

    /// Whether somebody broke the rules by which each resource is at one member at a time, and a group comes to rest.
    pub const fn is_breach(&self) -> bool {
        match self {
            Self::Seized { .. } | Self::Dropped { .. } | Self::GrantedHeld { .. } | Self::Endless { .. } => true,
            Self::ForeignLeader { .. }
            | Self::LesserPolicy { .. }
            | Self::Waits { .. }
            | Self::HeldBack { .. }
            | Self::BrokenReport { .. } => false,
        }
    }

    pub(crate) fn of_policy(used: &PolicyUsed) -> Option<Self> {
        match used {
            PolicyUsed::Configured => None,
            PolicyUsed::Reduced { to, by } => Some(Self::LesserPolicy { policy: to.clone(), because_of: by.0.clone() }),
            PolicyUsed::Foreign { leader } => Some(Self::ForeignLeader { leader: leader.0.clone() }),
        }
    }

    pub(crate) fn of_wait<R>(wait: &Waiting<R>, name: impl Fn(&R) -> String) -> Self {
        let owner = match &wait.owner {
            Owner::Instance(instance) => Some(instance.as_str().to_owned()),
            Owner::Member(member) => Some(member.0.clone()),
            Owner::Unknown(_) => None,
        };
        let resources = wait.resources.iter().take(RESOURCES_TOLD).map(name).collect();
        Self::Waits { owner, left_ms: wait.left.as_millis(), resources }
    }

    pub(crate) const fn of_held_back(held_back: HeldBack) -> Self {
        Self::HeldBack { moves: held_back.moves as u64, next_ms: held_back.next.as_millis() }
    }

    pub(crate) fn of_offence<R>(offence: &Offence<R>, name: impl Fn(&R) -> String) -> Self {
        let text = |member: &MemberId| member.0.clone();
        match offence {
            Offence::Seized { member, resource } => Self::Seized { by: text(member), resource: name(resource) },
            Offence::Dropped { member, resource } => Self::Dropped { by: text(member), resource: name(resource) },
            Offence::GrantedHeld { holder, member, resource } => {
                Self::GrantedHeld { holder: text(holder), given_to: text(member), resource: name(resource) }
            }
            Offence::Endless { policy, rounds } => Self::Endless { policy: policy.clone(), rounds: *rounds as u64 },
        }
    }

    /// Every round tells a wait anew, with less left of it.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Waits { owner, resources, .. }, Self::Waits { owner: whose, resources: what, .. }) => {
                (owner, resources) == (whose, what)
            }
            _ => self == other,
        }
    }
}

/// The remarks `made`, each once, and those that the records of a rebalance's rounds make by themselves.
pub(crate) fn of_rebalance(made: &[(i64, Remark)], draft: &Draft) -> Vec<Remarked> {
    let told = made.iter().map(|(at, remark)| {
        let remark = with_owner(remark, *at, draft);
        Remarked { at_ms: *at, basis: Basis::Observed, remark }
    });
    let shown = draft.rounds.iter().filter_map(foreign_leader);
    let mut remarks: Vec<Remarked> = Vec::new();
    let tells = |one: &Remarked| !matches!(&one.remark, Remark::Waits { resources, .. } if resources.is_empty());
    for one in told.chain(shown).filter(tells) {
        if !remarks.iter().any(|known| known.remark.is_like(&one.remark)) {
            remarks.push(one);
        }
    }
    remarks
}

/// A leader that remembers nothing does not know for whom something waits; who owned it before is known here.
fn with_owner(remark: &Remark, at: i64, draft: &Draft) -> Remark {
    let Remark::Waits { owner: None, left_ms, resources } = remark else { return remark.clone() };
    let lost = if resources.is_empty() { draft.lost_at(at) } else { Vec::new() };
    let resources = if resources.is_empty() { &lost } else { resources };
    let before = |resource: &String| draft.before.owners.as_ref().and_then(|owners| owners.get(resource));
    let first = resources.first().and_then(before);
    let owner = first.filter(|owner| resources.iter().all(|resource| before(resource) == Some(owner))).cloned();
    Remark::Waits { owner, left_ms: *left_ms, resources: resources.clone() }
}

/// Members of our make carry a mark in what they ask for; a leader without one beside them is of another make.
fn foreign_leader(round: &Round) -> Option<Remarked> {
    let (leader, seats) = (round.leader.as_ref()?, round.seats.as_ref()?);
    let ours: BTreeMap<&str, bool> = seats.iter().filter_map(|seat| Some((seat.member.as_str(), seat.ours?))).collect();
    let is_foreign = ours.get(leader.as_str()) == Some(&false) && ours.values().any(|ours| *ours);
    let remark = Remark::ForeignLeader { leader: leader.clone() };
    let at_ms = round.stable_ms.value.unwrap_or_default();
    is_foreign.then_some(Remarked { at_ms, basis: Basis::Inferred, remark })
}

/// A wait for more than these is told by the first of them.
const RESOURCES_TOLD: usize = 1000;
