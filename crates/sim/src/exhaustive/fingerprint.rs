use std::hash::{Hash, Hasher};

/// A hash of 128 bits, the same on every machine: two states among a thousand million share one with a probability of
/// less than 10^-20.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    state: u128,
}

const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

impl Fingerprint {
    pub(super) const fn new() -> Self {
        Self { state: 0x2545_f491_4f6c_dd1d_6a09_e667_f3bc_c909 }
    }

    /// Of one value.
    pub(super) fn of(value: &impl Hash) -> u128 {
        let mut hasher = Self::new();
        value.hash(&mut hasher);
        hasher.whole()
    }

    pub(super) const fn whole(&self) -> u128 {
        let folded = (self.state ^ (self.state >> 67)).wrapping_mul(ODD);
        let folded = (folded ^ (folded >> 59)).wrapping_mul(ODD);
        folded ^ (folded >> 64)
    }

    pub(super) const fn with(mut self, word: u64) -> Self {
        self.take(word);
        self
    }

    pub(super) const fn take_whole(&mut self, words: u128) {
        self.take(words as u64);
        self.take((words >> 64) as u64);
    }

    const fn take(&mut self, word: u64) {
        let mixed = (self.state ^ word as u128).wrapping_mul(ODD);
        self.state = mixed ^ (mixed >> 71);
    }
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self::new()
    }
}

impl Hasher for Fingerprint {
    fn finish(&self) -> u64 {
        self.whole() as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.take(chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let word = rest.iter().rev().fold(rest.len() as u64, |word, byte| word << 8 | u64::from(*byte));
            self.take(word);
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.take(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.take(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.take(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.take(n as u64);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn small_differences_show_in_both_halves() {
        let all: Vec<u128> = (0_u64..20_000).map(|n| Fingerprint::of(&(n / 200, n % 200, "x"))).collect();
        let low: BTreeSet<u64> = all.iter().map(|f| *f as u64).collect();
        let high: BTreeSet<u64> = all.iter().map(|f| (f >> 64) as u64).collect();
        assert_eq!((low.len(), high.len()), (20_000, 20_000));
    }
}
