/// A set of fingerprints: open addressing in shards that grow one by one, so that growth never needs twice the memory.
#[derive(Debug)]
pub(super) struct Seen {
    shards: Vec<Shard>,
}

#[derive(Debug, Default)]
struct Shard {
    /// 0 is an empty place.
    places: Vec<u128>,
    taken: usize,
}

const SHARDS: usize = 256;
const PLACES_MIN: usize = 64;

impl Seen {
    pub(super) fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Shard::default()).collect() }
    }

    pub(super) fn contains(&self, fingerprint: u128) -> bool {
        let fingerprint = fingerprint.max(1);
        let places = &self.shards[shard(fingerprint)].places;
        !places.is_empty() && places[place(places, fingerprint)] == fingerprint
    }

    /// Whether it is new.
    pub(super) fn insert(&mut self, fingerprint: u128) -> bool {
        let fingerprint = fingerprint.max(1);
        let shard = &mut self.shards[shard(fingerprint)];
        if shard.taken * 5 >= shard.places.len() * 4 {
            shard.grow();
        }
        let at = place(&shard.places, fingerprint);
        let new = shard.places[at] == 0;
        shard.places[at] = fingerprint;
        shard.taken += usize::from(new);
        new
    }

    pub(super) fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.taken as u64).sum()
    }
}

impl Shard {
    fn grow(&mut self) {
        let size = (self.places.len() + self.places.len() / 2).max(PLACES_MIN);
        let before = std::mem::replace(&mut self.places, vec![0; size]);
        for fingerprint in before.into_iter().filter(|f| *f != 0) {
            let at = place(&self.places, fingerprint);
            self.places[at] = fingerprint;
        }
    }
}

const fn shard(fingerprint: u128) -> usize {
    (fingerprint >> 120) as usize
}

/// Where a fingerprint is, or is to be: the table is never full.
fn place(places: &[u128], fingerprint: u128) -> usize {
    let mut at = ((fingerprint as u64 as u128 * places.len() as u128) >> 64) as usize;
    while places[at] != 0 && places[at] != fingerprint {
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
        let mut seen = Seen::new();
        let of = |n: u32| Fingerprint::of(&n);
        assert!((0..100_000).all(|n| seen.insert(of(n))));
        assert!((0..100_000).all(|n| seen.contains(of(n)) && !seen.insert(of(n))));
        assert!((100_000..200_000).all(|n| !seen.contains(of(n))));
        assert_eq!(seen.len(), 100_000);
        assert!(seen.insert(0) && seen.contains(0));
    }
}
