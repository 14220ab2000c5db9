use std::collections::BTreeSet;

use groma_scalability::Load;

/// What one instance and the most handle, in records per second; between them every instance counts as adding the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handled {
    /// What one handles alone.
    pub one_per_s: f64,
    /// How many the most are.
    pub most: u32,
    /// What those handle together.
    pub most_per_s: f64,
}

impl Handled {
    /// As many as `most` that do not disturb each other.
    pub fn independent(one_per_s: f64, most: u32) -> Self {
        Self { one_per_s, most, most_per_s: one_per_s * f64::from(most) }
    }

    /// What `instances` handle together.
    fn by(&self, instances: u32) -> f64 {
        let more = f64::from(self.most.saturating_sub(1)).max(1.0);
        let step = (self.most_per_s - self.one_per_s) / more;
        let step = if step < LEAST_STEP * self.one_per_s { self.one_per_s } else { step };
        self.one_per_s + f64::from(instances.saturating_sub(1)) * step
    }
}

/// The loads of `loads: auto` for these counts of instances: one that the fewest handle easily, between each two counts
/// one that is too much for the fewer by the same factor as the more can bear beyond it, and one that is too
/// much for the most. So each count is the demand of one load, as far from its borders as can be, and the last load has
/// none.
pub fn loads(counts: &[u32], handled: Handled) -> Vec<Load> {
    let counts: BTreeSet<u32> = counts.iter().copied().collect();
    let capacities: Vec<f64> = counts.into_iter().map(|count| handled.by(count)).collect();
    let (Some(fewest), Some(most)) = (capacities.first(), capacities.last()) else { return Vec::new() };
    let between = capacities.windows(2).map(|pair| (pair[0] * pair[1]).sqrt());
    let mut loads: Vec<f64> = std::iter::once(fewest / 2.0).chain(between).collect();
    let margin = if capacities.len() > 1 { most / loads[capacities.len() - 1] } else { ALONE };
    loads.push(most * margin);
    loads.into_iter().map(|load| Load(round(load))).collect()
}

/// An instance that adds less than this share of what one handles alone is none to space loads by.
const LEAST_STEP: f64 = 0.25;
/// What is too much for the only count.
const ALONE: f64 = 1.5;

/// Two significant digits less noise: measured capacities have no more than three.
fn round(load: f64) -> u64 {
    let step = 10_f64.powf((load.max(1.0).log10() - 2.0).floor()).max(1.0);
    ((load / step).round() * step) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(counts: &[u32], one_per_s: f64, most_per_s: f64) -> Vec<u64> {
        let most = counts.iter().copied().max().unwrap_or(1);
        loads(counts, Handled { one_per_s, most, most_per_s }).into_iter().map(|load| load.0).collect()
    }

    #[test]
    fn each_load_is_as_far_from_the_count_below_as_from_the_count_above() {
        assert_eq!(with(&[1, 2, 4, 8], 100_000.0, 800_000.0), [50_000, 141_000, 283_000, 566_000, 1_130_000]);
        assert_eq!(with(&[1, 2, 3, 4], 92_437.0, 4.0 * 92_437.0), [46_200, 131_000, 226_000, 320_000, 427_000]);
    }

    #[test]
    fn loads_follow_instances_that_add_less_or_more_than_the_first() {
        assert_eq!(with(&[1, 2, 3], 100.0, 200.0), [50, 122, 173, 231]);
        assert_eq!(with(&[1, 2, 3], 100.0, 400.0), [50, 158, 316, 506]);
    }

    #[test]
    fn instances_that_add_nothing_are_not_followed() {
        assert_eq!(with(&[1, 2], 100.0, 101.0), [50, 141, 283]);
        assert_eq!(with(&[1], 100.0, 100.0), [50, 150]);
        assert_eq!(with(&[4], 100.0, 400.0), [200, 600]);
        assert!(with(&[], 100.0, 100.0).is_empty());
    }
}
