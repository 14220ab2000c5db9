use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::assignor::nearer;
use crate::share::{Kind, NOBODY, Owners, Situation};

/// Members ask for different things: what is held stays, the rest goes to the least loaded, then single resources move
/// from a member to another that asks for them and has at least two fewer, until there is no such pair.
///
/// Kinds that the same members ask for are treated together, so that the cost is linear in what is asked for.
pub(super) fn assign(situation: &Situation) -> Owners {
    let askers = situation.askers();
    let home = situation.rightful_holder();
    let mut owner = home.clone();
    let mut balance = Balance::new(situation.members(), &home);
    let mut clubs: Vec<Club<'_>> = Vec::new();
    for (members, kinds) in askers.lists().into_iter().filter(|(members, _)| !members.is_empty()) {
        clubs.push(Club { members, kinds: kinds.iter().map(|kind| situation.kinds()[*kind as usize]).collect() });
    }
    clubs.sort_by_key(|club| club.members.len());
    clubs.iter().for_each(|club| balance.place(club, &mut owner));
    balance.level(&clubs, (&home, &mut owner));
    for kind in situation.kinds() {
        swap_back(*kind, &home, &mut owner);
    }
    if let Some(racks) = situation.racks() {
        nearer::exchange(situation, (&askers, racks), |_| 1, &mut owner);
    }
    owner
}

/// Members, and the kinds for which exactly they ask. Those with few members have the least choice and come first.
struct Club<'a> {
    members: &'a [u32],
    kinds: Vec<Kind>,
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

    /// Gives each resource that nobody has to the least loaded of the club.
    fn place(&mut self, club: &Club<'_>, owner: &mut Owners) {
        let mut turns: Option<Turns> = None;
        for kind in &club.kinds {
            let slots = owner[kind.first as usize..kind.range().end as usize].iter_mut();
            for slot in slots.filter(|owner| **owner == NOBODY) {
                *slot = turns.get_or_insert_with(|| Turns::new(club.members, &self.load)).next(&mut self.load);
            }
        }
    }

    /// Levels club by club until nothing moves. Each move lowers the sum of squared loads, so there is an end.
    fn level(&mut self, clubs: &[Club<'_>], (home, owner): (&Owners, &mut Owners)) {
        let mut quiet = 0;
        for club in clubs.iter().cycle() {
            if quiet >= clubs.len() {
                return;
            }
            let moved: usize = match self.is_level(club) {
                true => 0,
                false => club.kinds.iter().map(|kind| self.level_kind(*kind, club.members, (home, owner))).sum(),
            };
            quiet = if moved == 0 { quiet + 1 } else { 0 };
        }
    }

    fn is_level(&self, club: &Club<'_>) -> bool {
        let loads = club.members.iter().map(|m| self.load[*m as usize]);
        loads.clone().max().unwrap_or(0) < loads.min().unwrap_or(0) + 2
    }

    fn level_kind(&mut self, kind: Kind, askers: &[u32], (home, owner): (&Owners, &mut Owners)) -> usize {
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

/// Whose turn it is: always the least loaded, of those the first.
struct Turns {
    /// By load, then in order.
    queue: Vec<(u32, u32)>,
    /// So many have the least load; these are in order whatever they had before.
    level: usize,
    next: usize,
}

impl Turns {
    /// Of at least one member.
    fn new(members: &[u32], load: &[u32]) -> Self {
        let mut queue: Vec<(u32, u32)> = members.iter().map(|m| (load[*m as usize], *m)).collect();
        queue.sort_unstable();
        let mut turns = Self { queue, level: 0, next: 0 };
        turns.widen();
        turns
    }

    fn next(&mut self, load: &mut [u32]) -> u32 {
        if self.next == self.level {
            self.next = 0;
            self.widen();
        }
        let (count, member) = &mut self.queue[self.next];
        self.next += 1;
        *count += 1;
        load[*member as usize] = *count;
        *member
    }

    fn widen(&mut self) {
        let least = self.queue[0].0;
        let more = self.queue[self.level..].iter().take_while(|(load, _)| *load == least).count();
        if more > 0 {
            self.level += more;
            self.queue[..self.level].sort_unstable();
        }
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
