use serde::{Deserialize, Serialize};

use crate::{Instances, Load, Threshold, Trend, Verdict};

/// One repetition of one experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CellId {
    /// The load.
    pub load: Load,
    /// The resources.
    pub resources: Instances,
    /// Counted from 1.
    pub repetition: u32,
}

/// What one repetition showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its verdict.
    pub verdict: Verdict,
    /// Its trend; none when there were too few samples.
    pub trend: Option<Trend>,
}

/// The verdict over all repetitions of a cell: the median slope (and the median of each end of the interval) against
/// the threshold. Invalid repetitions do not count; if all are invalid, so is the cell. None without any outcome.
///
/// Theodolite takes the median of slopes too, so that one odd run does not decide.
pub fn combine(outcomes: &[Outcome], threshold: Threshold, load: Load) -> Option<Verdict> {
    let valid: Vec<&Outcome> = outcomes.iter().filter(|o| !matches!(o.verdict, Verdict::Invalid(_))).collect();
    match valid.as_slice() {
        [] => outcomes.first().map(|o| o.verdict.clone()),
        [only] => Some(only.verdict.clone()),
        _ => {
            let trends: Vec<Trend> = valid.iter().filter_map(|o| o.trend).collect();
            let low = median(trends.iter().map(|t| t.low))?;
            let high = median(trends.iter().map(|t| t.high))?;
            Some(decide(low, high, threshold.at(load)))
        }
    }
}

/// Pass below, fail above, undecided across the threshold.
pub(crate) fn decide(low: f64, high: f64, threshold: f64) -> Verdict {
    if high < threshold {
        Verdict::Pass
    } else if low > threshold {
        Verdict::Fail
    } else {
        Verdict::Undecided
    }
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.get(sorted.len() / 2)?;
    let lower = sorted.get(sorted.len().saturating_sub(1) / 2)?;
    Some(f64::midpoint(*lower, *upper))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cause;

    fn outcome(low: f64, high: f64) -> Outcome {
        let trend = Trend { slope: f64::midpoint(low, high), low, high, intercept: 0.0, samples: 40 };
        Outcome { verdict: decide(low, high, 10.0), trend: Some(trend) }
    }

    fn invalid() -> Outcome {
        Outcome { verdict: Verdict::Invalid(Cause::InstanceJoined), trend: None }
    }

    fn combined(outcomes: &[Outcome]) -> Option<Verdict> {
        combine(outcomes, Threshold::Absolute(10.0), Load(100))
    }

    #[test]
    fn one_odd_repetition_does_not_decide() {
        assert_eq!(combined(&[outcome(-1.0, 1.0), outcome(50.0, 90.0), outcome(-2.0, 2.0)]), Some(Verdict::Pass));
        assert_eq!(combined(&[outcome(-1.0, 1.0), outcome(50.0, 90.0), outcome(40.0, 80.0)]), Some(Verdict::Fail));
    }

    #[test]
    fn two_that_disagree_leave_it_open() {
        assert_eq!(combined(&[outcome(-1.0, 1.0), outcome(15.0, 30.0)]), Some(Verdict::Undecided));
    }

    #[test]
    fn invalid_repetitions_do_not_count() {
        assert_eq!(combined(&[invalid(), outcome(11.0, 12.0)]), Some(Verdict::Fail));
        assert_eq!(combined(&[invalid(), invalid()]), Some(Verdict::Invalid(Cause::InstanceJoined)));
        assert_eq!(combined(&[]), None);
    }
}
