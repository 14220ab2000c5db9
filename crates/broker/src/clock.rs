use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use groma_model::{Time, Timestamp};

/// The broker's clock: time since its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { start: Instant::now() }
    }

    pub(crate) fn now(self) -> Time {
        Time(u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    /// When `time` comes.
    pub(crate) fn instant(self, time: Time) -> Instant {
        self.start.checked_add(Duration::from_nanos(time.0)).unwrap_or_else(far_off)
    }

    /// The time of day.
    pub(crate) fn wall() -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

fn far_off() -> Instant {
    Instant::now() + Duration::from_secs(365 * 24 * 3600)
}
