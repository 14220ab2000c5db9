use std::ops::Range;

use super::{Askers, Past, Racks};
use crate::cause::MoveCause;

/// In an owner table: no member.
pub const NOBODY: u32 = u32::MAX;

/// For each resource the number of the member that owns it, or [`NOBODY`].
pub type Owners = Vec<u32>;

/// Resources that go to the same members by the same rule, such as the partitions of a topic; numbered in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The number of the first one.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

/// Everybody's report, made dense.
///
/// Members are numbered in the order that Kafka's assignors use: those with a stable identity first, by that, then the
/// others by member id. Kinds are numbered in order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    pub(super) kinds: Vec<Kind>,
    /// The distinct sets of kinds that members ask for; each sorted.
    pub(super) subscriptions: Vec<Vec<u32>>,
    /// For each member the number of its set.
    pub(super) subscribed: Vec<u32>,
    /// For each resource who claims it with the best right.
    pub(super) holder: Owners,
    /// Claims that lost: resource, claimant, why. Sorted.
    pub(super) lost: Vec<(u32, u32, MoveCause)>,
    /// For each resource what it costs to move it; empty if all cost the same.
    pub(super) cost: Vec<u32>,
    pub(super) racks: Racks,
    /// What is known of earlier rounds.
    pub(super) past: Past,
}

impl Kind {
    /// The numbers of its resources.
    pub const fn range(self) -> Range<u32> {
        self.first..self.first + self.count
    }
}

impl Situation {
    /// How many members there are.
    pub const fn members(&self) -> usize {
        self.subscribed.len()
    }

    /// How many resources there are.
    pub const fn resources(&self) -> usize {
        self.holder.len()
    }

    /// All kinds, in order.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The kinds a member asks for, sorted.
    pub fn asked_by(&self, member: u32) -> &[u32] {
        let set = self.subscribed.get(member as usize).and_then(|s| self.subscriptions.get(*s as usize));
        set.map(Vec::as_slice).unwrap_or_default()
    }

    /// The distinct sets of kinds that members ask for.
    pub fn subscriptions(&self) -> &[Vec<u32>] {
        &self.subscriptions
    }

    /// For each member the number of its set in [`Self::subscriptions`].
    pub fn subscribed(&self) -> &[u32] {
        &self.subscribed
    }

    /// Whether all members ask for the same.
    pub fn is_uniform(&self) -> bool {
        self.subscribed.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Who asks for each kind.
    pub fn askers(&self) -> Askers {
        Askers::new(self)
    }

    /// For each resource the member that claims it with the best right: what it runs under a cooperative protocol,
    /// what it ran last under an eager one. It may no longer ask for the resource.
    pub fn holder(&self) -> &[u32] {
        &self.holder
    }

    /// Claims that lost against another one: resource, claimant, why. The claimant may still run the resource.
    pub fn lost_claims(&self) -> &[(u32, u32, MoveCause)] {
        &self.lost
    }

    /// What it costs to carry or move a resource, in units of a light one; 1 if nobody says.
    pub fn cost_of(&self, resource: u32) -> u64 {
        self.cost.get(resource as usize).copied().map_or(1, u64::from)
    }

    /// The situation with the racks of members and resources.
    #[must_use]
    pub fn with_racks(mut self, racks: Racks) -> Self {
        self.racks = racks;
        self
    }

    /// Where members run and resources lie, if it makes a difference.
    pub fn racks(&self) -> Option<&Racks> {
        Some(&self.racks).filter(|racks| racks.matter())
    }

    /// The situation with a cost for each resource; what is missing costs 1.
    #[must_use]
    pub fn with_costs(mut self, cost: Vec<u32>) -> Self {
        self.cost = cost;
        self
    }

    /// What each resource costs, see [`Self::cost_of`]; empty if all cost the same.
    pub fn costs(&self) -> &[u32] {
        &self.cost
    }

    /// A target from which nothing moves that is held by somebody who asks for it.
    #[must_use]
    pub fn at_rest(&self, mut target: Owners) -> Owners {
        for ((resource, holder), target) in (0_u32..).zip(&self.holder).zip(&mut target) {
            if *holder != NOBODY && self.asks_for(*holder, resource) {
                *target = *holder;
            }
        }
        target
    }

    /// What is known of the rounds before this one.
    pub const fn past(&self) -> &Past {
        &self.past
    }

    /// The situation with what is known of earlier rounds.
    #[must_use]
    pub fn with_past(mut self, past: Past) -> Self {
        self.past = past;
        self
    }

    /// The situation as it would be if these free resources were held by these members, for an assignor to keep them
    /// there: resource and member.
    #[must_use]
    pub fn as_if(&self, held: &[(u32, u32)]) -> Self {
        let mut view = self.clone();
        for (resource, member) in held {
            if let Some(holder) = view.holder.get_mut(*resource as usize).filter(|h| **h == NOBODY) {
                *holder = *member;
            }
        }
        view
    }

    /// The number of the kind of a resource.
    pub fn kind_of(&self, resource: u32) -> u32 {
        self.kinds.partition_point(|k| k.range().end <= resource) as u32
    }

    /// Whether a member asks for a resource.
    pub fn asks_for(&self, member: u32, resource: u32) -> bool {
        self.asked_by(member).binary_search(&self.kind_of(resource)).is_ok()
    }

    /// Whether two members claim a resource in the same generation, so that neither holds it and both may run it.
    pub fn is_contested(&self, resource: u32) -> bool {
        let start = self.lost.partition_point(|(r, _, _)| *r < resource);
        self.holder.get(resource as usize) == Some(&NOBODY)
            && self.lost.get(start).is_some_and(|(r, _, _)| *r == resource)
    }

    /// The holder table without claims of members that no longer ask for the resource.
    pub fn rightful_holder(&self) -> Owners {
        let mut owner = self.holder.clone();
        if self.all_ask_for_all() {
            return owner;
        }
        let asks = self.eligibility();
        for (number, kind) in self.kinds.iter().enumerate() {
            for resource in kind.range() {
                if let Some(holder) = owner.get_mut(resource as usize).filter(|h| **h != NOBODY)
                    && !asks.covers(self.subscribed[*holder as usize], number as u32)
                {
                    *holder = NOBODY;
                }
            }
        }
        owner
    }

    /// Whether every member asks for everything there is.
    pub(crate) fn all_ask_for_all(&self) -> bool {
        self.is_uniform() && self.asked_by(0).len() == self.kinds.len()
    }

    /// A table of who asks for what.
    pub(crate) fn eligibility(&self) -> Eligibility {
        let width = self.kinds.len();
        let mut bits = vec![false; width * self.subscriptions.len()];
        for (set, kinds) in self.subscriptions.iter().enumerate() {
            for kind in kinds {
                bits[set * width + *kind as usize] = true;
            }
        }
        Eligibility { width, bits }
    }
}

/// Which kinds each set of kinds contains.
pub(crate) struct Eligibility {
    width: usize,
    bits: Vec<bool>,
}

impl Eligibility {
    pub(crate) fn covers(&self, set: u32, kind: u32) -> bool {
        self.bits.get(set as usize * self.width + kind as usize).copied().unwrap_or(false)
    }
}
