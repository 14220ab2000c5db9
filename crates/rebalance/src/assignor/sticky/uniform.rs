use crate::share::{Kind, NOBODY, Owners, Situation};

/// All members ask for the same: shares differ by at most one, and as many resources stay as such shares allow.
pub(super) fn assign(situation: &Situation) -> Owners {
    let asked: Vec<Kind> =
        situation.asked_by(0).iter().filter_map(|k| situation.kinds().get(*k as usize).copied()).collect();
    let total: usize = asked.iter().map(|k| k.count as usize).sum();
    let mut owner = vec![NOBODY; situation.resources()];
    let mut shares = Shares::new(situation, &asked, total);
    keep(situation, &asked, (&mut shares, &mut owner));
    deal(&asked, &mut shares, &mut owner);
    owner
}

/// How much each member holds, and may hold.
struct Shares {
    kept: Vec<u32>,
    allowed: Vec<u32>,
    least: u32,
    /// How many more members may hold one more than the least.
    extra: usize,
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
fn keep(situation: &Situation, asked: &[Kind], (shares, owner): (&mut Shares, &mut Owners)) {
    let longest = asked.iter().map(|k| k.count).max().unwrap_or(0);
    for index in 0..longest {
        for kind in asked.iter().filter(|k| index < k.count) {
            let resource = (kind.first + index) as usize;
            let holder = situation.holder()[resource];
            if let Some(kept) = shares.kept.get_mut(holder as usize)
                && *kept < shares.allowed[holder as usize]
            {
                *kept += 1;
                owner[resource] = holder;
            }
        }
    }
}

/// Deals out what nobody keeps, in turn, to those below the least share, then one each to those at it.
fn deal(asked: &[Kind], shares: &mut Shares, owner: &mut Owners) {
    let free = asked.iter().flat_map(|kind| kind.range()).map(|r| r as usize);
    let mut free = free.filter(|r| owner[*r] == NOBODY).collect::<Vec<usize>>().into_iter();
    let mut hungry: Vec<u32> = (0..shares.kept.len() as u32).collect();
    loop {
        hungry.retain(|m| shares.kept[*m as usize] < shares.least);
        if hungry.is_empty() {
            break;
        }
        for (member, resource) in hungry.iter().zip(&mut free) {
            owner[resource] = *member;
            shares.kept[*member as usize] += 1;
        }
    }
    for (member, resource) in satisfied(shares).into_iter().zip(free) {
        owner[resource] = member;
    }
}

/// Those who may still get one more.
fn satisfied(shares: &Shares) -> Vec<u32> {
    let least = shares.least;
    (0..shares.kept.len() as u32).filter(|m| shares.kept[*m as usize] <= least).take(shares.extra).collect()
}
