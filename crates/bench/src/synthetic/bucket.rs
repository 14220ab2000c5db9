/// Leave to handle records: grows evenly with time, and what is not used within a moment is lost, so that an idle
/// instance does not save up capacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bucket {
    rate_per_s: f64,
    leave: f64,
    last_ns: u64,
}

impl Bucket {
    /// A bucket that grows by `rate_per_s` from `now_ns` on.
    pub(super) const fn new(rate_per_s: f64, now_ns: u64) -> Self {
        Self { rate_per_s, leave: 0.0, last_ns: now_ns }
    }

    /// How many records may be handled at `now_ns` if `waiting` are there; they count as handled.
    pub(super) fn take(&mut self, now_ns: u64, waiting: u64) -> u64 {
        let elapsed_s = now_ns.saturating_sub(self.last_ns) as f64 / 1e9;
        self.last_ns = now_ns;
        self.leave += self.rate_per_s * elapsed_s;
        let taken = (self.leave as u64).min(waiting);
        self.leave -= taken as f64;
        if taken == waiting {
            self.leave = self.leave.min(self.rate_per_s * SAVED_S);
        }
        taken
    }
}

/// How much unused capacity outlasts an empty queue: about the time between two fetches.
const SAVED_S: f64 = 0.02;

#[cfg(test)]
mod tests {
    use super::*;

    const MILLI: u64 = 1_000_000;

    #[test]
    fn a_full_queue_is_handled_at_exactly_the_rate() {
        let mut bucket = Bucket::new(2000.0, 0);
        let handled: u64 = (1..=1000).map(|k| bucket.take(k * 7 * MILLI, u64::MAX)).sum();
        assert_eq!(handled, 14_000);
    }

    #[test]
    fn idle_time_is_not_saved_up() {
        let mut bucket = Bucket::new(2000.0, 0);
        assert_eq!(bucket.take(10_000 * MILLI, 0), 0);
        assert!(bucket.take(10_010 * MILLI, u64::MAX) <= 60);
    }
}
