use std::cmp::Reverse;

use super::load::Load;
use crate::share::{NOBODY, Owners};

/// The same target or one within the limit by fewer moves, or the first one: all ways are tried, the heaviest resources
/// first, each at home before it is elsewhere, for a bounded number of steps. Large groups are left as they are.
pub(super) fn fewer_moves(load: &Load<'_>, limit: u64, owner: Option<Owners>) -> Option<Owners> {
    let moved = |owner: &Owners| owner.iter().zip(&load.home).filter(|(o, home)| **home != NOBODY && o != home).count();
    let least = owner.as_ref().map_or(u64::MAX, |owner| moved(owner) as u64);
    if least == 0 || load.cost.len() > RESOURCES_MAX {
        return owner;
    }
    let mut order: Vec<u32> = (0..load.cost.len() as u32).filter(|r| !load.askers(*r).is_empty()).collect();
    order.sort_by_key(|resource| Reverse(load.cost[*resource as usize]));
    let mut search = Search {
        load,
        limit,
        order,
        loads: vec![0; load.members],
        staying: load.of(&load.home),
        owner: load.home.clone(),
        best: owner,
        least,
        steps: STEPS_MAX,
    };
    search.go(0, 0);
    search.best
}

struct Search<'a> {
    load: &'a Load<'a>,
    limit: u64,
    order: Vec<u32>,
    /// What each member has of those already placed.
    loads: Vec<u64>,
    /// What each member holds of those not yet placed.
    staying: Vec<u64>,
    owner: Owners,
    best: Option<Owners>,
    /// The moves of the best.
    least: u64,
    steps: u32,
}

impl Search<'_> {
    fn go(&mut self, place: usize, moves: u64) {
        let Some(resource) = self.order.get(place).copied() else {
            (self.least, self.best) = (moves, Some(self.owner.clone()));
            return;
        };
        let cost = self.load.cost[resource as usize];
        if self.steps == 0 || moves + self.moves_to_come(cost) >= self.least {
            return;
        }
        self.steps -= 1;
        let home = self.load.home[resource as usize];
        if home != NOBODY {
            self.staying[home as usize] -= cost;
            self.put(place, home, moves);
        }
        let mut tried: Vec<u64> = Vec::new();
        for member in self.load.askers(resource).iter().copied().filter(|m| *m != home) {
            let (has, stays) = (self.loads[member as usize], self.staying[member as usize]);
            if stays > 0 || !tried.contains(&has) {
                self.put(place, member, moves + u64::from(home != NOBODY));
            }
            if stays == 0 && self.load.askers(resource).len() == self.load.members {
                tried.push(has);
            }
        }
        if home != NOBODY {
            self.staying[home as usize] += cost;
        }
    }

    fn put(&mut self, place: usize, member: u32, moves: u64) {
        let resource = self.order[place] as usize;
        let cost = self.load.cost[resource];
        if self.loads[member as usize] + cost <= self.limit && moves < self.least {
            self.loads[member as usize] += cost;
            self.owner[resource] = member;
            self.go(place + 1, moves);
            self.loads[member as usize] -= cost;
        }
    }

    /// At least so many must still leave their holders, if none costs more than the next.
    fn moves_to_come(&self, heaviest: u64) -> u64 {
        let excess = |(has, stays): (&u64, &u64)| (has + stays).saturating_sub(self.limit).min(*stays);
        self.loads.iter().zip(&self.staying).map(|pair| excess(pair).div_ceil(heaviest.max(1))).sum()
    }
}

/// In larger groups nothing is searched for.
const RESOURCES_MAX: usize = 64;
const STEPS_MAX: u32 = 100_000;
