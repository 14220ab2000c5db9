use std::time::Duration;

/// Keeps a thread to a share of a core: what it has used by its own clock against what time has granted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    share: f64,
    last: Reading,
    credit_ns: f64,
}

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) wall: Duration,
    pub(crate) used: Duration,
}

/// Time whose grant may be saved up.
const SAVED: f64 = 100e6;

impl Pace {
    pub(crate) const fn new(share: f64, now: Reading) -> Self {
        Self { share, last: now, credit_ns: 0.0 }
    }

    /// Counts from now on; there is nothing to rest for yet.
    pub(crate) const fn start(&mut self, now: Reading) -> Option<Duration> {
        *self = Self::new(self.share, now);
        None
    }

    /// How long to rest now: none while there is credit.
    pub(crate) fn rest(&mut self, now: Reading) -> Option<Duration> {
        let passed = now.wall.saturating_sub(self.last.wall).as_nanos() as f64;
        let used = now.used.saturating_sub(self.last.used).as_nanos() as f64;
        self.last = now;
        self.credit_ns = (self.credit_ns + passed * self.share - used).min(SAVED * self.share);
        (self.credit_ns < 0.0).then(|| Duration::from_nanos((-self.credit_ns / self.share) as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_thread_gets_its_share() {
        let mut pace = Pace::new(0.05, Reading::default());
        let mut now = Reading::default();
        while now.wall < Duration::from_secs(10) {
            now.wall += Duration::from_millis(1);
            now.used += Duration::from_millis(1);
            now.wall += pace.rest(now).unwrap_or_default();
        }
        let share = now.used.as_secs_f64() / now.wall.as_secs_f64();
        assert!((0.049..0.051).contains(&share), "{share}");
    }

    #[test]
    fn idle_time_is_not_saved_for_long() {
        let mut pace = Pace::new(0.5, Reading::default());
        let mut now = Reading { wall: Duration::from_secs(100), used: Duration::ZERO };
        assert_eq!(pace.rest(now), None);
        now.used += Duration::from_millis(60);
        assert!(pace.rest(now).is_some());
    }
}
