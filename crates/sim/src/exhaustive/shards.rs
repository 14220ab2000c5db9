use std::hash::{BuildHasher, BuildHasherDefault, Hash};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;

use super::fingerprint::Fingerprint;

/// Something in many pieces, each behind a lock of its own, so that threads seldom wait for one another.
#[derive(Debug)]
pub(super) struct Shards<T> {
    pieces: Box<[Mutex<T>]>,
}

/// A map that threads share.
#[derive(Debug)]
pub(super) struct SharedMap<K, V> {
    shards: Shards<Map<K, V>>,
}

/// Values by numbers, each once.
#[derive(Debug)]
pub(super) struct Values<T> {
    values: boxcar::Vec<T>,
    numbers: SharedMap<T, u32>,
}

pub(super) type Map<K, V> = HashMap<K, V, Build>;
type Build = BuildHasherDefault<Fingerprint>;

const PIECES: usize = 256;

impl<T: Default> Default for Shards<T> {
    fn default() -> Self {
        Self { pieces: (0..PIECES).map(|_| Mutex::default()).collect() }
    }
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        Self { shards: Shards::default() }
    }
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Self { values: boxcar::Vec::new(), numbers: SharedMap::default() }
    }
}

impl<T> Shards<T> {
    /// The piece to which something with this hash belongs.
    pub(super) fn piece(&self, hash: u64) -> MutexGuard<'_, T> {
        self.pieces[(hash >> 48) as usize % PIECES].lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn fold<A>(&self, first: A, mut add: impl FnMut(A, &T) -> A) -> A {
        let locked = self.pieces.iter().map(|piece| piece.lock().unwrap_or_else(PoisonError::into_inner));
        locked.fold(first, |sum, piece| add(sum, &piece))
    }
}

impl<K: Hash + Eq, V: Copy> SharedMap<K, V> {
    pub(super) fn get(&self, key: &K) -> Option<V> {
        self.shards.piece(hash(key)).get(key).copied()
    }

    pub(super) fn insert(&self, key: K, value: V) {
        self.shards.piece(hash(&key)).insert(key, value);
    }

    /// The value of a key, made if there is none: once, whoever asks at the same time.
    pub(super) fn get_or_make(&self, key: K, make: impl FnOnce(&K) -> V) -> V {
        let mut piece = self.shards.piece(hash(&key));
        if let Some(known) = piece.get(&key) {
            return *known;
        }
        let made = make(&key);
        piece.insert(key, made);
        made
    }
}

impl<T: Clone + Eq + Hash> Values<T> {
    pub(super) fn number(&self, value: T) -> u32 {
        self.numbers.get_or_make(value, |value| self.values.push(value.clone()) as u32)
    }

    pub(super) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }
}

fn hash(key: &impl Hash) -> u64 {
    Build::default().hash_one(key)
}
