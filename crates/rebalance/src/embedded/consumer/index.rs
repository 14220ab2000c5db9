use super::Topics;

/// Finds topics of the catalog by name, and numbers those that somebody asks for.
pub(super) struct Index<'a> {
    /// All that exist, in order of their names, with how many partitions they have.
    catalog: Vec<(&'a str, u32)>,
    /// Open addressing: one more than a place in the catalog, or 0.
    slots: Vec<u32>,
    /// For each topic of the catalog its kind, one more than its number, or 0 for a topic that nobody asks for.
    kind: Vec<u32>,
    asked: Vec<(&'a str, u32)>,
}

impl<'a> Index<'a> {
    /// Of a catalog in order of names, and the distinct lists of names asked for; with these lists as sets of kinds.
    pub(super) fn new(catalog: impl Iterator<Item = (&'a str, u32)>, lists: &[&[u8]]) -> (Self, Vec<Vec<u32>>) {
        let catalog: Vec<(&str, u32)> = catalog.collect();
        let mut index = Self {
            slots: vec![0; (catalog.len() * 2).next_power_of_two()],
            kind: vec![0; catalog.len()],
            catalog,
            asked: Vec::new(),
        };
        index.fill();
        let places = |list: &&[u8]| Topics::names(list).filter_map(|n| index.place(n.as_bytes())).collect();
        let mut sets: Vec<Vec<u32>> = lists.iter().map(places).collect();
        index.number(&sets);
        sets.iter_mut().flatten().for_each(|place| *place = index.kind[*place as usize] - 1);
        (index, sets)
    }

    /// The topics that are asked for, in order; the place of each is the number of its kind.
    pub(super) fn topics(&self) -> &[(&'a str, u32)] {
        &self.asked
    }

    /// The kind of a topic, if it exists and somebody asks for it. `guess` is tried first.
    #[inline]
    pub(super) fn find(&self, name: &[u8], guess: u32) -> Option<u32> {
        match self.asked.get(guess as usize) {
            Some((topic, _)) if is_same(topic.as_bytes(), name) => Some(guess),
            _ => self.search(name),
        }
    }

    #[inline(never)]
    fn search(&self, name: &[u8]) -> Option<u32> {
        self.kind[self.place(name)? as usize].checked_sub(1)
    }

    fn fill(&mut self) {
        for (place, (topic, _)) in self.catalog.iter().enumerate() {
            let mut at = hash(topic.as_bytes()) as usize & (self.slots.len() - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = place as u32 + 1;
        }
    }

    fn place(&self, name: &[u8]) -> Option<u32> {
        let mut at = hash(name) as usize & (self.slots.len() - 1);
        loop {
            let place = self.slots[at].checked_sub(1)?;
            if is_same(self.catalog[place as usize].0.as_bytes(), name) {
                return Some(place);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    fn number(&mut self, asked: &[Vec<u32>]) {
        asked.iter().flatten().for_each(|place| self.kind[*place as usize] = 1);
        for (kind, topic) in self.kind.iter_mut().zip(&self.catalog).filter(|(kind, _)| **kind > 0) {
            self.asked.push(*topic);
            *kind = self.asked.len() as u32;
        }
    }
}

/// Whether two names are the same; quick for short ones.
#[inline]
pub(super) fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() || !(8..=16).contains(&a.len()) {
        return a == b;
    }
    a.first_chunk::<8>() == b.first_chunk() && a.last_chunk::<8>() == b.last_chunk()
}

fn hash(name: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = name.as_chunks::<8>();
    let whole = words.iter().fold(name.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let hash = mix(whole, last);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(names: &[&str]) -> Topics {
        names.iter().collect()
    }

    #[test]
    fn topics_asked_for_are_numbered_in_order_and_found_by_name() {
        let names: Vec<String> = (0..500).map(|n| format!("topic-{n:03}")).collect();
        let (even, every_tenth): (Vec<&str>, Vec<&str>) = (
            names.iter().map(String::as_str).step_by(2).collect(),
            names.iter().map(String::as_str).step_by(10).chain(["missing"]).collect(),
        );
        let lists = [list(&even), list(&every_tenth)];
        let sections: Vec<&[u8]> = lists.iter().map(Topics::section).collect();
        let (index, sets) = Index::new(names.iter().map(|n| (n.as_str(), 3)), &sections);
        assert_eq!(index.topics().len(), 250);
        assert_eq!(sets[0], (0..250).collect::<Vec<u32>>());
        assert_eq!(sets[1], (0..250).step_by(5).collect::<Vec<u32>>());
        for guess in [0, 8, 249, u32::MAX] {
            assert_eq!(index.find(b"topic-016", guess), Some(8));
            assert_eq!(index.find(b"topic-017", guess), None);
            assert_eq!(index.find(b"missing", guess), None);
        }
    }

    #[test]
    fn nothing_is_found_in_nothing() {
        let (index, sets) = Index::new(std::iter::empty(), &[list(&["a"]).section()]);
        assert_eq!((index.find(b"a", u32::MAX), sets), (None, vec![vec![]]));
    }
}
