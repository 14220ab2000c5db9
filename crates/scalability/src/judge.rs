use crate::cell::decide;
use crate::{Load, Looks, MIN_SAMPLES, Sample, Threshold, Trend, Verdict};

/// Decides one repetition of a cell from its lag samples, at the planned looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Judge {
    looks: Looks,
    threshold: f64,
    next: usize,
}

/// What a look showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Decided, or open; never invalid.
    pub verdict: Verdict,
    /// The line through all samples so far.
    pub trend: Option<Trend>,
}

/// What to do after a look.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// Go on measuring and look again at this time of the window.
    Until {
        /// Milliseconds since the window began.
        due_ms: u64,
    },
    /// Stop measuring.
    Done(Look),
}

impl Judge {
    /// A judge of a cell with `load`.
    pub fn new(looks: Looks, threshold: Threshold, load: Load) -> Self {
        Self { looks, threshold: threshold.at(load), next: 0 }
    }

    /// The first look's time.
    pub fn start(&self) -> Progress {
        Progress::Until { due_ms: self.looks.first_ms() }
    }

    /// Looks at all `samples` of the window so far. To be called once per planned look.
    pub fn look(&mut self, samples: &[Sample]) -> Progress {
        self.next += 1;
        let look = self.view(samples);
        match self.looks.due_ms(self.next) {
            Some(due_ms) if !look.verdict.is_decided() => Progress::Until { due_ms },
            _ => Progress::Done(look),
        }
    }

    fn view(&self, samples: &[Sample]) -> Look {
        let trend = Trend::fit(samples, self.looks.confidence());
        let verdict = match trend {
            Some(trend) if samples.len() >= MIN_SAMPLES => decide(trend.low, trend.high, self.threshold),
            _ => Verdict::Undecided,
        };
        Look { verdict, trend }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chance;

    fn judge() -> Judge {
        let looks = Looks::sharing(0.04, vec![4000, 6000, 8000, 10_000]).unwrap();
        Judge::new(looks, Threshold::Relative(0.03), Load(10_000))
    }

    fn samples(slope: f64, noise: f64, count: u32) -> Vec<Sample> {
        let mut chance = Chance::new(3);
        (0..count)
            .map(|k| {
                let at_ms = 100.0 * (f64::from(k) + chance.unit());
                Sample { at_ms, lag: 1000.0 + slope * at_ms / 1000.0 + noise * chance.normal() }
            })
            .collect()
    }

    fn verdict(progress: Progress) -> Option<Verdict> {
        match progress {
            Progress::Done(look) => Some(look.verdict),
            Progress::Until { .. } => None,
        }
    }

    #[test]
    fn a_clear_case_ends_at_the_first_look() {
        assert_eq!(verdict(judge().look(&samples(0.0, 50.0, 40))), Some(Verdict::Pass));
        assert_eq!(verdict(judge().look(&samples(5000.0, 50.0, 40))), Some(Verdict::Fail));
    }

    #[test]
    fn an_open_case_goes_on_to_the_last_look() {
        let mut judge = judge();
        for due_ms in [6000, 8000, 10_000] {
            assert_eq!(judge.look(&samples(300.0, 50.0, 40)), Progress::Until { due_ms });
        }
        assert_eq!(verdict(judge.look(&samples(300.0, 50.0, 40))), Some(Verdict::Undecided));
    }

    #[test]
    fn too_few_samples_decide_nothing() {
        assert_eq!(judge().look(&samples(0.0, 1.0, 39)), Progress::Until { due_ms: 6000 });
    }
}
