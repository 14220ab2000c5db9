use std::collections::BinaryHeap;

use super::load::{Load, Queues};
use crate::share::{NOBODY, Owners};

/// What is held stays, but for what is above the limit; the rest goes, the heaviest first, to those who have least,
/// who give up lighter resources where there is no room. None if that does not come to an end within the limit.
pub(super) fn within(load: &Load<'_>, limit: u64) -> Option<Owners> {
    let mut desk = Desk::new(load, limit);
    (0..load.members as u32).for_each(|member| desk.shed(member));
    desk.place_all()?;
    desk.take_back();
    Some(desk.owner)
}

struct Desk<'a> {
    load: &'a Load<'a>,
    limit: u64,
    owner: Owners,
    loads: Vec<u64>,
    /// What each member has; with what it had.
    has: Vec<Vec<u32>>,
    /// To be placed, by cost.
    pool: BinaryHeap<(u64, u32)>,
}

impl<'a> Desk<'a> {
    fn new(load: &'a Load<'_>, limit: u64) -> Self {
        let owner = load.home.clone();
        let mut has = vec![Vec::new(); load.members];
        let mut pool = BinaryHeap::new();
        for (owner, resource) in owner.iter().zip(0..) {
            match has.get_mut(*owner as usize) {
                Some(list) => list.push(resource),
                None if load.askers(resource).is_empty() => {}
                None => pool.push((load.cost[resource as usize], resource)),
            }
        }
        Self { load, limit, loads: load.of(&owner), owner, has, pool }
    }

    fn cost(&self, resource: u32) -> u64 {
        self.load.cost[resource as usize]
    }

    /// Takes from a member, by as few resources as can be, what is above the limit; of these rather light ones.
    fn shed(&mut self, member: u32) {
        let excess = self.loads[member as usize].saturating_sub(self.limit);
        if excess > 0 {
            let mut all = std::mem::take(&mut self.has[member as usize]);
            let taken = self.fewest(&mut all, excess);
            self.has[member as usize] = all;
            self.give_up(member, taken);
        }
    }

    /// Takes the fewest of some resources that cost so much together: the heaviest, then the last ones as light as
    /// will do. Takes none if all are not enough.
    fn fewest(&self, some: &mut Vec<u32>, excess: u64) -> Vec<u32> {
        let key = |resource: &u32| (self.cost(*resource), *resource);
        some.sort_by_key(key);
        let mut taken = Vec::new();
        let mut sum = 0;
        while sum < excess {
            let Some(heaviest) = some.pop() else { return Vec::new() };
            sum += self.cost(heaviest);
            taken.push(heaviest);
        }
        for one in taken.iter_mut().rev().take(LIGHTENED_MAX) {
            let others = sum - self.cost(*one);
            let lightest = some.partition_point(|resource| self.cost(*resource) + others < excess);
            if lightest < some.len() {
                let lighter = some.remove(lightest);
                let heavier = std::mem::replace(one, lighter);
                sum = others + self.cost(lighter);
                some.insert(some.partition_point(|other| key(other) < key(&heavier)), heavier);
            }
        }
        taken
    }

    fn give_up(&mut self, member: u32, resources: Vec<u32>) {
        for resource in resources {
            self.owner[resource as usize] = NOBODY;
            self.loads[member as usize] -= self.cost(resource);
            self.pool.push((self.cost(resource), resource));
        }
    }

    /// Each resource is given up only for heavier ones, so that there is an end; what is looked at is bounded besides.
    fn place_all(&mut self) -> Option<()> {
        let mut queues = Queues::new(self.load);
        let mut patience = LOOKS_MAX.saturating_add(self.owner.len().saturating_mul(LOOKS_PER_RESOURCE));
        while let Some((cost, resource)) = self.pool.pop() {
            let least = queues.least(resource, &self.loads)?;
            if self.loads[least as usize] + cost > self.limit {
                patience = patience.checked_sub(self.owner.len())?;
                self.make_room(resource)?;
                queues.forget();
            } else {
                self.place(least, resource);
            }
        }
        Some(())
    }

    fn place(&mut self, member: u32, resource: u32) {
        self.owner[resource as usize] = member;
        self.loads[member as usize] += self.cost(resource);
        self.has[member as usize].push(resource);
    }

    /// Who can do it by giving up the fewest lighter ones makes room for a resource.
    fn make_room(&mut self, resource: u32) -> Option<()> {
        let cost = self.cost(resource);
        let offer = |member: &u32| {
            let excess = (self.loads[*member as usize] + cost).saturating_sub(self.limit);
            let lighter = |other: &&u32| self.cost(**other) < cost;
            let mut lighter = self.has[*member as usize].iter().filter(lighter).copied().collect();
            let given_up = self.fewest(&mut lighter, excess);
            (!given_up.is_empty()).then_some((*member, given_up))
        };
        let offers = self.load.askers(resource).iter().filter_map(offer);
        let (member, given_up) = offers.min_by_key(|(_, given_up)| given_up.len())?;
        self.has[member as usize].retain(|other| !given_up.contains(other));
        self.give_up(member, given_up);
        self.place(member, resource);
        Some(())
    }

    /// What went elsewhere though its holder has room for it after all comes back, the lightest first.
    fn take_back(&mut self) {
        let astray =
            |r: &u32| self.load.home[*r as usize] != NOBODY && self.load.home[*r as usize] != self.owner[*r as usize];
        let mut gone: Vec<u32> = (0..self.owner.len() as u32).filter(astray).collect();
        gone.sort_by_key(|resource| self.cost(*resource));
        for resource in gone {
            let (home, away) = (self.load.home[resource as usize], self.owner[resource as usize]);
            if self.loads[home as usize] + self.cost(resource) <= self.limit {
                self.owner[resource as usize] = home;
                self.loads[home as usize] += self.cost(resource);
                self.loads[away as usize] -= self.cost(resource);
            }
        }
    }
}

/// So many of the resources given up are exchanged for lighter ones.
const LIGHTENED_MAX: usize = 16;
/// How many resources are looked at to make room, at least, and for each there is.
const LOOKS_MAX: usize = 1_000_000;
const LOOKS_PER_RESOURCE: usize = 64;
