use super::shards::Shards;

/// A set of worlds by their fingerprints, and with how few kills each was reached: 8 bytes each, in open addressing, in
/// shards that grow one by one, so that growth never needs twice the memory, and that threads lock one by one.
///
/// Of a fingerprint 68 bits are kept, eight of them as the number of the shard: two worlds among a hundred million are
/// taken for one with a probability of less than 2 in 100,000.
#[derive(Debug, Default)]
pub(super) struct Seen {
    shards: Shards<Shard>,
}

#[derive(Debug, Default)]
struct Shard {
    /// 0 is an empty place; four bits for the kills, the others of the fingerprint.
    places: Vec<u64>,
    taken: usize,
    /// How often a world was admitted: once more whenever it was reached with fewer kills.
    admitted: u64,
}

const PLACES_MIN: usize = 64;
const KILLS: u64 = 0xf;

/// How many kills a world may come after.
pub(super) const KILLS_MAX: u32 = KILLS as u32;

impl Seen {
    /// Whether a world was reached with so many kills, or fewer.
    pub(super) fn knows(&self, fingerprint: u128, kills: u8) -> bool {
        let (shard, entry) = (self.shards.piece(shard(fingerprint)), entry(fingerprint, kills));
        !shard.places.is_empty() && is_known(shard.places[place(&shard.places, entry)], entry)
    }

    /// Whether it is new that a world is reached with so few kills.
    pub(super) fn insert(&self, fingerprint: u128, kills: u8) -> bool {
        let (mut shard, entry) = (self.shards.piece(shard(fingerprint)), entry(fingerprint, kills));
        if shard.taken * 5 >= shard.places.len() * 4 {
            shard.grow();
        }
        let at = place(&shard.places, entry);
        let before = shard.places[at];
        if is_known(before, entry) {
            return false;
        }
        shard.places[at] = entry;
        shard.taken += usize::from(before == 0);
        shard.admitted += 1;
        true
    }

    /// How often a world was new.
    pub(super) fn admitted(&self) -> u64 {
        self.shards.fold(0, |sum, shard| sum + shard.admitted)
    }
}

impl Shard {
    fn grow(&mut self) {
        let size = (self.places.len() + self.places.len() / 2).max(PLACES_MIN);
        let before = std::mem::replace(&mut self.places, vec![0; size]);
        for entry in before.into_iter().filter(|entry| *entry != 0) {
            let at = place(&self.places, entry);
            self.places[at] = entry;
        }
    }
}

const fn shard(fingerprint: u128) -> u64 {
    (fingerprint >> 64) as u64
}

/// Never 0.
fn entry(fingerprint: u128, kills: u8) -> u64 {
    (fingerprint as u64).max(1 << 4) & !KILLS | u64::from(kills) & KILLS
}

const fn is_known(place: u64, entry: u64) -> bool {
    place != 0 && place & KILLS <= entry & KILLS
}

/// Where a world is, or is to be: the table is never full.
fn place(places: &[u64], entry: u64) -> usize {
    let mut at = ((u128::from(entry) * places.len() as u128) >> 64) as usize;
    while places[at] != 0 && places[at] | KILLS != entry | KILLS {
        at = if at + 1 == places.len() { 0 } else { at + 1 };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::fingerprint::Fingerprint;
    use super::*;

    #[test]
    fn what_was_inserted_is_there_and_nothing_else() {
        let seen = Seen::default();
        let of = |n: u32| Fingerprint::of(&n);
        assert!((0..100_000).all(|n| seen.insert(of(n), 0)));
        assert!((0..100_000).all(|n| seen.knows(of(n), 0) && !seen.insert(of(n), 0)));
        assert!((100_000..200_000).all(|n| !seen.knows(of(n), 9)));
        assert_eq!(seen.admitted(), 100_000);
        assert!(seen.insert(0, 0) && seen.knows(0, 0));
    }

    #[test]
    fn fewer_kills_are_new_and_more_are_not() {
        let (seen, world) = (Seen::default(), Fingerprint::of(&1));
        assert!(seen.insert(world, 1));
        assert!(seen.knows(world, 2) && !seen.insert(world, 2));
        assert!(!seen.knows(world, 0) && seen.insert(world, 0) && seen.knows(world, 1));
        assert_eq!(seen.admitted(), 2);
    }
}
