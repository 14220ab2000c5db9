use crate::{Aggregate, Reject};

/// Count, sum, mean, least, greatest and population variance of a set of numbers.
///
/// The sum carries its rounding error along (Neumaier), the squared deviations are updated from the running mean
/// (Welford) and two sets are merged by Chan's formula, so each figure agrees with exact arithmetic to about 1e-12.
///
/// Of two zeros, -0.0 is the lesser whatever the order. An infinite value makes the variance not a number, in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    count: u64,
    sum: f64,
    residue: f64,
    mean: f64,
    squares: f64,
    min: f64,
    max: f64,
}

/// [`Stats`] as an aggregate of readings; NaN is refused, so that no order of readings changes a result.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatsAggregate;

const ENCODED: usize = 56;

impl Stats {
    /// Adds a number, which must not be NaN.
    #[inline]
    pub fn add(&mut self, value: f64) {
        if self.count == 0 {
            self.min = value;
            self.max = value;
        }
        self.count += 1;
        self.add_to_sum(value);
        let delta = value - self.mean;
        self.mean += delta / self.count as f64;
        self.squares += delta * (value - self.mean);
        self.min = lesser(self.min, value);
        self.max = greater(self.max, value);
    }

    /// Adds the numbers that `other` has seen.
    pub fn merge(&mut self, other: &Self) {
        if self.count == 0 || other.count == 0 {
            *self = if self.count == 0 { *other } else { *self };
            return;
        }
        let (own, theirs) = (self.count as f64, other.count as f64);
        let delta = other.mean - self.mean;
        self.count += other.count;
        self.add_to_sum(other.sum);
        self.add_to_sum(other.residue);
        self.squares += other.squares + delta * delta * own * theirs / (own + theirs);
        self.mean += delta * theirs / (own + theirs);
        self.min = lesser(self.min, other.min);
        self.max = greater(self.max, other.max);
    }

    /// How many numbers.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Their sum.
    pub fn sum(&self) -> f64 {
        if self.sum.is_finite() { self.sum + self.residue } else { self.sum }
    }

    /// Sum by count; 0 for none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum() / self.count as f64 }
    }

    /// The least; 0 for none.
    pub const fn min(&self) -> f64 {
        self.min
    }

    /// The greatest; 0 for none.
    pub const fn max(&self) -> f64 {
        self.max
    }

    /// Mean squared distance from the mean; 0 for fewer than two.
    pub fn population_variance(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.squares / self.count as f64 }
    }

    #[inline]
    fn add_to_sum(&mut self, value: f64) {
        let sum = self.sum + value;
        let lost = if self.sum.abs() >= value.abs() { (self.sum - sum) + value } else { (value - sum) + self.sum };
        self.residue += lost;
        self.sum = sum;
    }

    fn fields(&self) -> [u64; 7] {
        let Self { count, sum, residue, mean, squares, min, max } = *self;
        [count, sum.to_bits(), residue.to_bits(), mean.to_bits(), squares.to_bits(), min.to_bits(), max.to_bits()]
    }
}

impl Aggregate for StatsAggregate {
    type Input = f64;
    type State = Stats;

    #[inline]
    fn admit(&self, input: &f64) -> Result<(), Reject> {
        if input.is_nan() { Err(Reject::NotANumber) } else { Ok(()) }
    }

    #[inline]
    fn add(&self, state: &mut Stats, input: f64) {
        state.add(input);
    }

    fn merge(&self, state: &mut Stats, other: &Stats) {
        state.merge(other);
    }

    fn encode(&self, state: &Stats, into: &mut Vec<u8>) {
        for field in state.fields() {
            into.extend_from_slice(&field.to_le_bytes());
        }
    }

    fn decode(&self, bytes: &[u8]) -> Option<Stats> {
        let bytes: &[u8; ENCODED] = bytes.try_into().ok()?;
        let (words, _) = bytes.as_chunks::<8>();
        let word = |i: usize| u64::from_le_bytes(words[i]);
        let float = |i: usize| f64::from_bits(word(i));
        Some(Stats {
            count: word(0),
            sum: float(1),
            residue: float(2),
            mean: float(3),
            squares: float(4),
            min: float(5),
            max: float(6),
        })
    }
}

#[inline]
fn lesser(a: f64, b: f64) -> f64 {
    if b.total_cmp(&a).is_lt() { b } else { a }
}

#[inline]
fn greater(a: f64, b: f64) -> f64 {
    if b.total_cmp(&a).is_gt() { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Stats {
        let mut stats = Stats::default();
        values.iter().for_each(|value| stats.add(*value));
        stats
    }

    #[test]
    fn zeros_are_ordered_by_sign_in_any_order() {
        for values in [[0.0, -0.0], [-0.0, 0.0]] {
            let stats = of(&values);
            assert!(stats.min().is_sign_negative() && stats.max().is_sign_positive());
        }
    }

    #[test]
    fn nan_is_refused() {
        assert_eq!(StatsAggregate.admit(&f64::NAN), Err(Reject::NotANumber));
        assert_eq!(StatsAggregate.admit(&f64::INFINITY), Ok(()));
    }

    #[test]
    fn infinity_gives_the_same_in_any_order() {
        for values in [[f64::INFINITY, 1.0, 2.0], [1.0, 2.0, f64::INFINITY]] {
            let stats = of(&values);
            assert_eq!((stats.sum(), stats.mean(), stats.min()), (f64::INFINITY, f64::INFINITY, 1.0));
            assert!(stats.population_variance().is_nan());
        }
    }

    #[test]
    fn equal_values_have_no_variance() {
        let stats = of(&[10.1; 1_000]);
        assert_eq!((stats.population_variance(), stats.count()), (0.0, 1_000));
    }

    #[test]
    fn cancellation_does_not_spoil_the_sum() {
        assert_eq!(of(&[1e16, 1.0, -1e16]).sum(), 1.0);
    }

    #[test]
    fn bytes_round_trip() {
        let stats = of(&[3.5, -1.0, 7.25]);
        let mut bytes = Vec::new();
        StatsAggregate.encode(&stats, &mut bytes);
        assert_eq!(StatsAggregate.decode(&bytes), Some(stats));
        assert_eq!(StatsAggregate.decode(&bytes[1..]), None);
    }
}
