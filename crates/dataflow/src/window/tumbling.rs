use groma_model::Timestamp;

/// Windows of one size, one behind the other, aligned to the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tumbling {
    size_ms: i64,
    grace_ms: i64,
}

/// `[start, end)` in record time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Window {
    /// First millisecond inside.
    pub start: Timestamp,
    /// First millisecond after.
    pub end: Timestamp,
}

impl Tumbling {
    /// Windows of `size_ms` milliseconds that take records up to `grace_ms` of stream time after their end.
    ///
    /// None when the size is not positive or the grace negative.
    pub const fn new(size_ms: i64, grace_ms: i64) -> Option<Self> {
        if size_ms > 0 && grace_ms >= 0 { Some(Self { size_ms, grace_ms }) } else { None }
    }

    /// The window that holds `time`: by floor, so that -1 falls before the epoch.
    #[inline]
    pub const fn of(&self, time: Timestamp) -> Window {
        let start = time.0.saturating_sub(time.0.rem_euclid(self.size_ms));
        self.at(Timestamp(start))
    }

    /// The window that starts at `start`.
    #[inline]
    pub const fn at(&self, start: Timestamp) -> Window {
        Window { start, end: Timestamp(start.0.saturating_add(self.size_ms)) }
    }

    /// Whether `window` no longer takes records at stream time `now`.
    #[inline]
    pub const fn is_closed(&self, window: Window, now: Timestamp) -> bool {
        window.end.0.saturating_add(self.grace_ms) <= now.0
    }

    /// The earliest stream time at which `window` is closed.
    pub const fn closes(&self, window: Window) -> Timestamp {
        Timestamp(window.end.0.saturating_add(self.grace_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_cut_by_floor() {
        let tumbling = Tumbling::new(10, 0).unwrap();
        let starts = [-11, -10, -1, 0, 9, 10].map(|time| tumbling.of(Timestamp(time)).start.0);
        assert_eq!(starts, [-20, -10, -10, 0, 0, 10]);
    }

    #[test]
    fn the_end_belongs_to_the_next_window() {
        let tumbling = Tumbling::new(60_000, 0).unwrap();
        let starts = [59_999, 60_000, 60_001].map(|time| tumbling.of(Timestamp(time)).start.0);
        assert_eq!(starts, [0, 60_000, 60_000]);
    }

    #[test]
    fn the_ends_of_time_do_not_overflow() {
        let tumbling = Tumbling::new(60_000, i64::MAX).unwrap();
        for time in [i64::MIN, i64::MIN + 1, i64::MAX] {
            let window = tumbling.of(Timestamp(time));
            assert!(window.start.0 <= time && !tumbling.is_closed(window, Timestamp(time)) || time == i64::MAX);
        }
        assert_eq!(Tumbling::new(0, 0), None);
        assert_eq!(Tumbling::new(1, -1), None);
    }
}
