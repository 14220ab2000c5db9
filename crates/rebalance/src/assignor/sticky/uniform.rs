use super::near;
use crate::share::{Kind, NOBODY, Owners, Situation};

/// All members ask for the same: shares differ by at most one, and as many resources stay as such shares allow.
pub(super) fn assign(situation: &Situation) -> Owners {
    let asked: Vec<Kind> =
        situation.asked_by(0).iter().filter_map(|k| situation.kinds().get(*k as usize).copied()).collect();
    let total: usize = asked.iter().map(|k| k.count as usize).sum();
    let mut owner = vec![NOBODY; situation.resources()];
    let mut shares = Shares::new(situation, &asked, total);
    let racks = situation.racks();
    if situation.holder().iter().any(|holder| *holder != NOBODY) {
        if let Some(racks) = racks {
            let near = |holder: u32, resource: usize| racks.is_near(holder, resource as u32);
            keep(situation, &asked, (&mut shares, &mut owner), near);
        }
        keep(situation, &asked, (&mut shares, &mut owner), |_, _| true);
    }
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
    fn new(situation: &Situation, asked: &[Kind], total: usize) -> Self {
        let members = situation.members();
        let mut held = vec![0_u32; members];
        for kind in asked {
            let range = kind.first as usize..kind.range().end as usize;
            for holder in situation.holder().get(range).unwrap_or_default() {
                if let Some(count) = held.get_mut(*holder as usize) {
                    *count += 1;
                }
            }
        }
        let least = (total / members) as u32;
        let mut extra = total % members;
        let allow = |held: &u32| {
            let more = u32::from(*held > least && extra > 0);
            extra -= more as usize;
            least + more
        };
        let allowed = held.iter().map(allow).collect();
        Self { kept: vec![0; members], allowed, least, extra }
    }
}

/// Each member keeps what it holds, up to its share; number by number over all kinds, so that what is given up comes
/// from all of them alike (KAFKA-16277).
fn keep(
    situation: &Situation,
    asked: &[Kind],
    (shares, owner): (&mut Shares, &mut Owners),
    is_kept: impl Fn(u32, usize) -> bool,
) {
    let longest = asked.iter().map(|k| k.count).max().unwrap_or(0);
    for index in 0..longest {
        for kind in asked.iter().filter(|k| index < k.count) {
            let resource = (kind.first + index) as usize;
            let holder = situation.holder()[resource];
            if let Some(kept) = shares.kept.get_mut(holder as usize)
                && *kept < shares.allowed[holder as usize]
                && owner[resource] == NOBODY
                && is_kept(holder, resource)
            {
                *kept += 1;
                owner[resource] = holder;
            }
        }
    }
}

/// Deals out what nobody keeps, in turn, to those below the least share, then one each to those at it.
fn deal(asked: &[Kind], shares: Shares, owner: &mut Owners) {
    let mut turns = Turns::new(shares);
    for kind in asked {
        let slots = owner.get_mut(kind.first as usize..kind.range().end as usize).unwrap_or_default();
        for slot in slots.iter_mut().filter(|owner| **owner == NOBODY) {
            let Some(member) = turns.next() else { return };
            *slot = member;
        }
    }
}

/// Whose turn it is.
struct Turns {
    shares: Shares,
    /// Those below the least share, once round; in the end those who may get one more.
    queue: Vec<u32>,
    next: usize,
}

impl Turns {
    fn new(shares: Shares) -> Self {
        let mut turns = Self { queue: (0..shares.kept.len() as u32).collect(), next: 0, shares };
        turns.queue.retain(|m| turns.shares.kept[*m as usize] < turns.shares.least);
        turns
    }

    fn next(&mut self) -> Option<u32> {
        if self.next == self.queue.len() {
            self.next = 0;
            self.queue.retain(|m| self.shares.kept[*m as usize] < self.shares.least);
            if self.queue.is_empty() {
                self.queue = self.satisfied();
            }
        }
        let member = *self.queue.get(self.next)?;
        self.next += 1;
        self.shares.kept[member as usize] += 1;
        Some(member)
    }

    /// Those who may still get one more.
    fn satisfied(&mut self) -> Vec<u32> {
        let (least, extra) = (self.shares.least, std::mem::take(&mut self.shares.extra));
        (0..self.shares.kept.len() as u32).filter(|m| self.shares.kept[*m as usize] <= least).take(extra).collect()
    }
}
