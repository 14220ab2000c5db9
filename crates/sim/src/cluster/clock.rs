use groma_model::{Span, Time};

/// The clock of one process: it runs a little fast or slow, and may have jumped ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// How much faster than real time it runs, in millionths.
    ppm: i32,
    ahead: Span,
}

const MILLION: i128 = 1_000_000;

impl Clock {
    pub(super) const fn running(ppm: i32) -> Self {
        Self { ppm, ahead: Span::ZERO }
    }

    pub(super) fn jump(&mut self, ahead: Span) {
        self.ahead = Span(self.ahead.0.saturating_add(ahead.0));
    }

    fn rate(self) -> i128 {
        MILLION + i128::from(self.ppm)
    }

    /// What it shows at a real moment.
    pub(super) fn shows(self, real: Time) -> Time {
        Time(clamped(i128::from(real.0) * self.rate() / MILLION)) + self.ahead
    }

    /// The first real moment at which it shows as much.
    pub(super) fn real(self, shown: Time) -> Time {
        if shown == Time::NEVER {
            return shown;
        }
        let run = i128::from(shown.0) - i128::from(self.ahead.0);
        Time(clamped((run * MILLION + self.rate() - 1).div_euclid(self.rate())))
    }
}

fn clamped(nanoseconds: i128) -> u64 {
    nanoseconds.clamp(0, i128::from(u64::MAX - 1)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_reached_at_the_first_real_time_that_shows_it() {
        for ppm in [-500, -3, 0, 7, 500] {
            let mut clock = Clock::running(ppm);
            for ahead in [0, 17, 12_345_678_901] {
                clock.jump(Span(ahead));
                for shown in [1_u64, 999_999, 20_000_000_017, 3_600_000_000_000] {
                    let shown = Time(shown) + clock.ahead;
                    let real = clock.real(shown);
                    assert!(clock.shows(real) >= shown, "{clock:?} at {shown:?}");
                    assert!(real == Time::ZERO || clock.shows(Time(real.0 - 1)) < shown, "{clock:?} at {shown:?}");
                }
            }
        }
        assert_eq!(Clock::running(9).real(Time::NEVER), Time::NEVER);
    }
}
