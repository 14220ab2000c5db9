use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::share::{Kind, NOBODY, Owners, Situation};

/// Members ask for different things: what is held stays, the rest goes to the least loaded, then single resources move
/// from a member to another that asks for them and has at least two fewer, until there is no such pair.
pub(super) fn assign(situation: &Situation) -> Owners {
    let askers = situation.askers();
    let home = situation.rightful_holder();
    let mut balance = Balance::new(situation.members(), &home);
    let mut owner = home.clone();
    for kind in by_choice(situation.kinds(), &askers) {
        balance.place(situation.kinds()[kind], &askers[kind], &mut owner);
    }
    balance.level(situation, (&askers, &home), &mut owner);
    for kind in situation.kinds() {
        swap_back(*kind, &home, &mut owner);
    }
    owner
}

/// The kinds that fewest ask for come first: they have the least choice.
fn by_choice(kinds: &[Kind], askers: &[Vec<u32>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..kinds.len()).filter(|k| !askers[*k].is_empty()).collect();
    order.sort_by_key(|k| (askers[*k].len(), *k));
    order
}

struct Balance {
    load: Vec<u32>,
}

impl Balance {
    fn new(members: usize, owner: &Owners) -> Self {
        let mut load = vec![0; members];
        for member in owner {
            if let Some(load) = load.get_mut(*member as usize) {
                *load += 1;
            }
        }
        Self { load }
    }

    /// Gives each resource that nobody has to the least loaded of those who ask for it.
    fn place(&mut self, kind: Kind, askers: &[u32], owner: &mut Owners) {
        let free = owner[kind.first as usize..kind.range().end as usize].iter_mut().filter(|o| **o == NOBODY);
        let mut heap: Option<BinaryHeap<Reverse<(u32, u32)>>> = None;
        for slot in free {
            let heap =
                heap.get_or_insert_with(|| askers.iter().map(|m| Reverse((self.load[*m as usize], *m))).collect());
            let Some(mut least) = heap.peek_mut() else { return };
            least.0.0 += 1;
            let member = least.0.1;
            self.load[member as usize] += 1;
            *slot = member;
        }
    }

    /// Levels kind by kind until nothing moves. Each move lowers the sum of squared loads, so there is an end.
    fn level(&mut self, situation: &Situation, (askers, home): (&[Vec<u32>], &Owners), owner: &mut Owners) {
        let mut quiet = 0;
        let kinds = situation.kinds();
        for number in (0..kinds.len()).cycle() {
            if quiet >= kinds.len() {
                return;
            }
            let moved = self.level_kind(kinds[number], &askers[number], (home, owner));
            quiet = if moved == 0 { quiet + 1 } else { 1 };
        }
    }

    fn level_kind(&mut self, kind: Kind, askers: &[u32], (home, owner): (&Owners, &mut Owners)) -> usize {
        let loads = askers.iter().map(|m| self.load[*m as usize]);
        let (Some(low), Some(high)) = (loads.clone().min(), loads.max()) else { return 0 };
        if high - low < 2 {
            return 0;
        }
        let mut stock = Stock::new(kind, askers, (home, owner));
        let load_at = |at: u32| self.load[askers[at as usize] as usize];
        let mut givers: BinaryHeap<(u32, u32)> = stock.owners().map(|at| (load_at(at), at)).collect();
        let mut takers: BinaryHeap<Reverse<(u32, u32)>> =
            askers.iter().map(|m| Reverse((self.load[*m as usize], *m))).collect();
        let mut moved = 0;
        while let (Some((high, at)), Some(Reverse((low, taker)))) = (givers.pop(), takers.pop()) {
            let giver = askers[at as usize];
            if self.load[giver as usize] != high {
                givers.push((self.load[giver as usize], at));
                takers.push(Reverse((low, taker)));
                continue;
            }
            if self.load[taker as usize] != low {
                takers.push(Reverse((self.load[taker as usize], taker)));
                givers.push((high, at));
                continue;
            }
            if high < low + 2 {
                break;
            }
            let Some(resource) = stock.take(at) else {
                takers.push(Reverse((low, taker)));
                continue;
            };
            owner[resource as usize] = taker;
            self.load[giver as usize] -= 1;
            self.load[taker as usize] += 1;
            moved += 1;
            givers.push((high - 1, at));
            takers.push(Reverse((low + 1, taker)));
        }
        moved
    }
}

/// What each asker has of a kind; what is not at home goes first.
struct Stock {
    of: Vec<Vec<u32>>,
}

impl Stock {
    fn new(kind: Kind, askers: &[u32], (home, owner): (&Owners, &Owners)) -> Self {
        let mut of = vec![Vec::new(); askers.len()];
        let mut add = |resource: u32| {
            if let Ok(at) = askers.binary_search(&owner[resource as usize]) {
                of[at].push(resource);
            }
        };
        let at_home = |r: &u32| home[*r as usize] == owner[*r as usize];
        kind.range().filter(at_home).for_each(&mut add);
        kind.range().filter(|r| !at_home(r)).for_each(&mut add);
        Self { of }
    }

    /// The places of those who have any.
    fn owners(&self) -> impl Iterator<Item = u32> + '_ {
        self.of.iter().enumerate().filter(|(_, list)| !list.is_empty()).map(|(at, _)| at as u32)
    }

    fn take(&mut self, at: u32) -> Option<u32> {
        self.of.get_mut(at as usize)?.pop()
    }
}

/// Where a member lost a resource and got another of the same kind that was not its own, it gets its own back: loads
/// stay, less moves.
fn swap_back(kind: Kind, home: &Owners, owner: &mut Owners) {
    let astray = |r: u32, owner: &Owners| owner[r as usize] != home[r as usize];
    if kind.range().all(|r| home[r as usize] == NOBODY || !astray(r, owner)) {
        return;
    }
    let mut foreign: BTreeSet<(u32, u32)> = BTreeSet::new();
    foreign.extend(kind.range().filter(|r| astray(*r, owner)).map(|r| (owner[r as usize], r)));
    for resource in kind.range() {
        let (has, had) = (owner[resource as usize], home[resource as usize]);
        if has == had || had == NOBODY || has == NOBODY {
            continue;
        }
        let Some(spare) = foreign.range((had, 0)..=(had, u32::MAX)).next().map(|(_, r)| *r) else { continue };
        foreign.remove(&(had, spare));
        foreign.remove(&(has, resource));
        owner[resource as usize] = had;
        owner[spare as usize] = has;
        if astray(spare, owner) {
            foreign.insert((has, spare));
        }
    }
}
