use std::hash::Hasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

use super::key_bytes::KeyBytes;

/// A key's number while it is in any open window: small, so that it indexes arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(pub u32);

/// Gives keys their [`KeyId`] and takes it back when the last holder lets go.
#[derive(Debug, Default)]
pub struct KeyTable {
    table: HashTable<KeyId>,
    slots: Vec<Slot>,
    free: Vec<KeyId>,
}

#[derive(Debug)]
struct Slot {
    hash: u64,
    holders: u32,
    key: KeyBytes,
}

impl KeyTable {
    /// The number of `key`, which is made known if it was not. Without a holder it lasts until the next call.
    #[inline]
    pub fn intern(&mut self, key: &[u8]) -> KeyId {
        let Self { table, slots, free } = self;
        let hash = hash_of(key);
        let same = |id: &KeyId| slots[id.0 as usize].key.as_slice() == key;
        match table.entry(hash, same, |id| slots[id.0 as usize].hash) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let id = free.last().copied().unwrap_or(KeyId(slots.len() as u32));
                entry.insert(id);
                let slot = Slot { hash, holders: 0, key: KeyBytes::new(key) };
                match free.pop() {
                    Some(id) => slots[id.0 as usize] = slot,
                    None => slots.push(slot),
                }
                id
            }
        }
    }

    /// Adds a holder.
    #[inline]
    pub fn hold(&mut self, id: KeyId) {
        self.slots[id.0 as usize].holders += 1;
    }

    /// Takes a holder away; with the last one the number is free for another key.
    pub fn release(&mut self, id: KeyId) {
        let slot = &mut self.slots[id.0 as usize];
        slot.holders -= 1;
        if slot.holders == 0 {
            if let Ok(entry) = self.table.find_entry(slot.hash, |other| *other == id) {
                entry.remove();
            }
            self.free.push(id);
        }
    }

    /// The key with number `id`.
    pub fn key(&self, id: KeyId) -> &[u8] {
        self.slots[id.0 as usize].key.as_slice()
    }

    /// Number of keys known.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether no key is known.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }
}

#[inline]
fn hash_of(key: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(key);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_used_again() {
        let mut keys = KeyTable::default();
        let ids: Vec<KeyId> = (0..100).map(|i| keys.intern(format!("key {i}").as_bytes())).collect();
        ids.iter().for_each(|id| keys.hold(*id));
        assert_eq!(ids.iter().map(|id| id.0).collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
        assert_eq!(keys.intern(b"key 7"), KeyId(7));
        keys.release(KeyId(7));
        assert_eq!((keys.intern(b"a long key that does not fit in place"), keys.len()), (KeyId(7), 100));
        assert_eq!(keys.key(KeyId(7)), b"a long key that does not fit in place");
        assert_eq!(keys.intern(b"key 7"), KeyId(100));
    }

    #[test]
    fn the_empty_key_is_a_key() {
        let mut keys = KeyTable::default();
        let (empty, a) = (keys.intern(b""), keys.intern(b"a"));
        assert!(empty != a && keys.key(empty).is_empty());
    }
}
