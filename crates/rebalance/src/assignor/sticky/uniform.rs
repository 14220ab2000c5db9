use super::near;
use crate::share::{Kind, NOBODY, Owners, Situation};

/// All members ask for the same: shares differ by at most one, and as many resources stay as such shares allow.
pub(super) fn assign(situation: &Situation) -> Owners {
    let asked: Vec<Kind> =
        situation.asked_by(0).iter().filter_map(|k| situation.kinds().get(*k as usize).copied()).collect();
    let mut owner = vec![NOBODY; situation.resources()];
    let holders = Some(situation.holder()).filter(|holders| !is_nobodys(holders));
    let mut shares = Shares::new(situation.members(), &asked, holders);
    let racks = situation.racks();
    let surplus = holders.map_or_else(Vec::new, |holders| keep(holders, &asked, (&mut shares, &mut owner)));
    if let Some(racks) = racks {
        let is_near = |resource: &&u32| racks.is_near(situation.holder()[**resource as usize], **resource);
        surplus.iter().filter(is_near).for_each(|resource| shares.keep(*resource, situation, &mut owner));
    }
    surplus.iter().for_each(|resource| shares.keep(*resource, situation, &mut owner));
    if let Some(racks) = racks {
        near::deal(&asked, racks, (&mut shares, &mut owner));
    }
    deal(&asked, shares, &mut owner);
    owner
}

/// How much each member holds, and may hold.
pub(super) struct Shares {
    pub(super) kept: Vec<u32>,
    allowed: Vec<u32>,
    pub(super) least: u32,
    /// How many more members may hold one more than the least.
    pub(super) extra: usize,
}

impl Shares {
    /// Those who hold most are the first to be allowed one more than the rest.
    fn new(members: usize, asked: &[Kind], holders: Option<&[u32]>) -> Self {
        let held = held(members, asked, holders);
        let total: usize = asked.iter().map(|k| k.count as usize).sum();
        let least = (total / members) as u32;
        let mut extra = total % members;
        let allow = |held: &u32| {
            let more = u32::from(*held > least && extra > 0);
            extra -= more as usize;
            least + more
        };
        let allowed = held.iter().map(allow).collect();
        Self { kept: held, allowed, least, extra }
    }

    /// Those who hold more than they may have keep nothing so far. For each member itself, or nobody for one of these.
    fn take_from_the_rich(&mut self) -> Owners {
        let stays = |((member, kept), allowed): ((u32, &mut u32), &u32)| match *kept <= *allowed {
            true => member,
            false => {
                *kept = 0;
                NOBODY
            }
        };
        (0..).zip(&mut self.kept).zip(&self.allowed).map(stays).collect()
    }

    /// A resource stays where it is if its holder may have more, and it has not been kept before.
    fn keep(&mut self, resource: u32, situation: &Situation, owner: &mut Owners) {
        let holder = situation.holder()[resource as usize] as usize;
        if self.kept[holder] < self.allowed[holder] && owner[resource as usize] == NOBODY {
            self.kept[holder] += 1;
            owner[resource as usize] = holder as u32;
        }
    }
}

/// How much each member holds.
fn held(members: usize, asked: &[Kind], holders: Option<&[u32]>) -> Vec<u32> {
    let mut held = vec![0_u32; members];
    for kind in asked {
        let range = kind.first as usize..kind.range().end as usize;
        for holder in holders.and_then(|holders| holders.get(range)).unwrap_or_default() {
            if let Some(count) = held.get_mut(*holder as usize) {
                *count += 1;
            }
        }
    }
    held
}

/// Whether nobody has any of these; quick, as it does not stop at the first one.
fn is_nobodys(holders: &[u32]) -> bool {
    holders.iter().fold(NOBODY, |all, holder| all & holder) == NOBODY
}

/// Those who hold no more than their share keep it. Yields what the others hold, number by number over all kinds, so
/// that what is given up comes from all of them alike (KAFKA-16277).
fn keep(holders: &[u32], asked: &[Kind], (shares, owner): (&mut Shares, &mut Owners)) -> Vec<u32> {
    let mut surplus = Vec::new();
    let stays = shares.take_from_the_rich();
    for kind in asked {
        let range = kind.first as usize..kind.range().end as usize;
        let holders = holders.get(range.clone()).unwrap_or_default();
        let slots = owner.get_mut(range).unwrap_or_default();
        for ((slot, holder), index) in slots.iter_mut().zip(holders).zip(0..) {
            if let Some(stays) = stays.get(*holder as usize) {
                *slot = *stays;
                if *stays == NOBODY {
                    surplus.push((index, kind.first + index));
                }
            }
        }
    }
    by_number(&surplus)
}

/// Resources in order of their numbers within their kinds, in linear time.
fn by_number(surplus: &[(u32, u32)]) -> Vec<u32> {
    let longest = surplus.iter().map(|(index, _)| *index as usize + 1).max().unwrap_or(0);
    let mut next = vec![0; longest];
    surplus.iter().for_each(|(index, _)| next[*index as usize] += 1);
    let mut total = 0;
    next.iter_mut().for_each(|next| total += std::mem::replace(next, total));
    let mut sorted = vec![0; surplus.len()];
    for (index, resource) in surplus {
        sorted[next[*index as usize]] = *resource;
        next[*index as usize] += 1;
    }
    sorted
}

/// Deals out what nobody keeps, in turn, to those below the least share, then one each to those at it.
fn deal(asked: &[Kind], shares: Shares, owner: &mut Owners) {
    let mut turns = Turns::new(shares);
    for kind in asked {
        let slots = owner.get_mut(kind.first as usize..kind.range().end as usize).unwrap_or_default();
        for block in slots.chunks_mut(BLOCK) {
            if is_nobodys(block) {
                turns.fill(block);
            } else if block.iter().fold(false, |any, owner| any | (*owner == NOBODY)) {
                block
                    .iter_mut()
                    .filter(|owner| **owner == NOBODY)
                    .for_each(|slot| turns.fill(std::slice::from_mut(slot)));
            }
        }
    }
}

/// So many owners are looked at together.
const BLOCK: usize = 64;

/// Whose turn it is.
struct Turns {
    shares: Shares,
    /// Those below the least share, once round; in the end those who may get one more.
    queue: Vec<u32>,
    next: usize,
    /// After so many times round, the present one among them, one of the queue has the least share.
    rounds: u32,
    /// How many of these there were; they count as kept when they are over.
    begun: u32,
}

impl Turns {
    fn new(shares: Shares) -> Self {
        let queue = (0..shares.kept.len() as u32).collect();
        let mut turns = Self { queue, next: 0, rounds: 0, begun: 0, shares };
        turns.regroup();
        turns
    }

    /// Gives each slot to the next one, until nobody may get any more.
    fn fill(&mut self, mut slots: &mut [u32]) {
        while !slots.is_empty() && !self.queue.is_empty() {
            let turn = self.queue.get(self.next..).unwrap_or_default();
            let (now, later) = slots.split_at_mut(turn.len().min(slots.len()));
            now.copy_from_slice(&turn[..now.len()]);
            self.next += now.len();
            slots = later;
            if self.next == self.queue.len() {
                self.next = 0;
                self.rounds -= 1;
                if self.rounds == 0 {
                    self.regroup();
                }
            }
        }
    }

    /// Those who have the least share by now leave the queue; when all have, those who may get one more are next.
    fn regroup(&mut self) {
        let (kept, least) = (&mut self.shares.kept, self.shares.least);
        self.queue.iter().for_each(|m| kept[*m as usize] += self.begun);
        self.queue.retain(|m| kept[*m as usize] < least);
        let nearest = self.queue.iter().map(|m| least - kept[*m as usize]).min();
        if nearest.is_none() {
            self.queue = self.satisfied();
        }
        self.rounds = nearest.unwrap_or(1);
        self.begun = self.rounds;
    }

    /// Those who may still get one more.
    fn satisfied(&mut self) -> Vec<u32> {
        let (least, extra) = (self.shares.least, std::mem::take(&mut self.shares.extra));
        (0..self.shares.kept.len() as u32).filter(|m| self.shares.kept[*m as usize] <= least).take(extra).collect()
    }
}
