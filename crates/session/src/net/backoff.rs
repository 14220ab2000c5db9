use groma_model::Span;

/// Pseudo-random spread for waits, the same for the same seed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Jitter {
    state: u64,
}

/// A wait that doubles with each failure, between two bounds, with a fifth of jitter (KIP-580).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Backoff {
    /// The first wait.
    pub base: Span,
    /// The longest wait before jitter.
    pub max: Span,
}

impl Jitter {
    /// Spread drawn from `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number, evenly spread.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is at least 1.
    pub const fn below(&mut self, bound: u64) -> u64 {
        self.next() % if bound == 0 { 1 } else { bound }
    }
}

impl Backoff {
    /// The wait after `failures` failures in a row, counted from 1.
    pub fn wait(self, failures: u32, jitter: &mut Jitter) -> Span {
        let doubled = self.base.times(1 << failures.saturating_sub(1).min(20));
        let wait = doubled.min(self.max);
        let fifth = wait.0 / 5;
        Span(wait.0 - fifth + jitter.below(2 * fifth + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_bound_and_stay_within_a_fifth_of_it() {
        let backoff = Backoff { base: Span::from_millis(100), max: Span::from_secs(1) };
        let mut jitter = Jitter::new(7);
        for (failures, expected) in [(1, 100), (2, 200), (3, 400), (4, 800), (5, 1000), (60, 1000)] {
            let wait = backoff.wait(failures, &mut jitter).as_millis();
            assert!((expected * 4 / 5..=expected * 6 / 5).contains(&wait), "{failures}: {wait}");
        }
    }
}
