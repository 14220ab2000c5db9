use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::share::{Askers, NOBODY, Owners, Situation};

/// What there is to carry, and who may carry it.
#[derive(Clone)]
pub(super) struct Load<'a> {
    /// For each resource its cost.
    pub(super) cost: Vec<u64>,
    /// For each resource who holds it and asks for it.
    pub(super) home: Owners,
    /// The distinct lists of members that ask for the same.
    clubs: Vec<&'a [u32]>,
    /// For each resource the number of its club.
    club: Vec<u32>,
    pub(super) members: usize,
}

impl<'a> Load<'a> {
    pub(super) fn new(situation: &Situation, askers: &'a Askers) -> Self {
        let lists = askers.lists();
        let mut club = vec![0; situation.resources()];
        for ((_, kinds), number) in lists.iter().zip(0..) {
            for kind in kinds.iter().filter_map(|kind| situation.kinds().get(*kind as usize)) {
                club[kind.first as usize..kind.range().end as usize].fill(number);
            }
        }
        Self {
            cost: (0..situation.resources() as u32).map(|resource| situation.cost_of(resource)).collect(),
            home: situation.rightful_holder(),
            clubs: lists.into_iter().map(|(members, _)| members).collect(),
            club,
            members: situation.members(),
        }
    }

    /// The same where everybody holds what this target gives.
    pub(super) fn held_as(&self, owner: &Owners) -> Self {
        Self { home: owner.clone(), ..self.clone() }
    }

    /// Who may carry a resource, in order.
    pub(super) fn askers(&self, resource: u32) -> &'a [u32] {
        self.clubs[self.club[resource as usize] as usize]
    }

    /// 4/3 of the mean, over those who ask for anything, or of the heaviest resource.
    pub(super) fn limit(&self) -> u64 {
        let asked = |resource: &u32| !self.askers(*resource).is_empty();
        let costs = (0..self.cost.len() as u32).filter(asked).map(|r| self.cost[r as usize]);
        let mut carriers: Vec<u32> = self.clubs.iter().flat_map(|club| club.iter().copied()).collect();
        carriers.sort_unstable();
        carriers.dedup();
        let carriers = carriers.len().max(1) as u64;
        let heaviest = costs.clone().max().unwrap_or(0).saturating_mul(carriers);
        let total = costs.fold(0, u64::saturating_add);
        total.max(heaviest).saturating_mul(4) / (3 * carriers)
    }

    /// Everybody's load.
    pub(super) fn of(&self, owner: &[u32]) -> Vec<u64> {
        let mut loads = vec![0; self.members];
        for (owner, cost) in owner.iter().zip(&self.cost) {
            if let Some(load) = loads.get_mut(*owner as usize) {
                *load += cost;
            }
        }
        loads
    }

    pub(super) fn most(&self, owner: &[u32]) -> u64 {
        self.of(owner).into_iter().max().unwrap_or(0)
    }

    /// Deals out everything anew, the heaviest first, each to the one who has least.
    pub(super) fn longest_first(&self) -> Owners {
        let mut order: Vec<u32> = (0..self.cost.len() as u32).collect();
        order.sort_by_key(|resource| Reverse(self.cost[*resource as usize]));
        let mut owner = vec![NOBODY; self.cost.len()];
        let mut loads = vec![0; self.members];
        let mut queues = Queues::new(self);
        for resource in order {
            if let Some(member) = queues.least(resource, &loads) {
                owner[resource as usize] = member;
                loads[member as usize] += self.cost[resource as usize];
            }
        }
        owner
    }
}

/// Members by load; the least loaded first.
type Queue = BinaryHeap<Reverse<(u64, u32)>>;

/// The least loaded member of each club, where loads mostly rise.
pub(super) struct Queues<'a> {
    load: &'a Load<'a>,
    heaps: Vec<Option<Queue>>,
}

impl<'a> Queues<'a> {
    pub(super) fn new(load: &'a Load<'_>) -> Self {
        Self { load, heaps: vec![None; load.clubs.len()] }
    }

    /// Who has least of those that ask for a resource.
    pub(super) fn least(&mut self, resource: u32, loads: &[u64]) -> Option<u32> {
        let club = self.load.club[resource as usize] as usize;
        let members = self.load.clubs[club];
        let fill = || members.iter().map(|m| Reverse((loads[*m as usize], *m))).collect();
        let heap = self.heaps[club].get_or_insert_with(fill);
        loop {
            let mut least = heap.peek_mut()?;
            let Reverse((load, member)) = *least;
            if loads[member as usize] == load {
                return Some(member);
            }
            *least = Reverse((loads[member as usize], member));
        }
    }

    /// Somebody's load has fallen.
    pub(super) fn forget(&mut self) {
        self.heaps.fill(None);
    }
}
