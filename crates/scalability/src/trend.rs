use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::Sample;

/// A straight line through lag samples, with an interval for its slope that allows for autocorrelation.
///
/// The line is ordinary least squares. Neighbouring lag samples are alike (commits make saw-teeth, queues have memory),
/// so the textbook interval is far too narrow. The interval here comes from a series estimator of the long-run
/// variance (Sun, "Robust trend inference with series variance estimator", 2011): the residuals are projected onto
/// orthonormal polynomials of degree 2 to `TERMS + 1` over the sample times. Noise that is slow compared with a sample
/// but quick compared with the window has the same power in each of them and in the linear one, so the slope over its
/// error follows Student's t with `TERMS` degrees of freedom, whatever the noise looks like at short range. What a
/// first-order autoregression says about the remaining difference in power is corrected for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// Records per second by which lag grows (negative: shrinks).
    pub slope: f64,
    /// Lower end of the slope's interval.
    pub low: f64,
    /// Upper end of the slope's interval.
    pub high: f64,
    /// The line's lag at time zero of the window.
    pub intercept: f64,
    /// Samples the line was fitted through.
    pub samples: usize,
}

impl Trend {
    /// Fits `samples` at two-sided `confidence` (0.99 for 99 %); none with too few samples or all at one time.
    pub fn fit(samples: &[Sample], confidence: f64) -> Option<Self> {
        if samples.len() < TERMS + 4 {
            return None;
        }
        let basis = Basis::over(samples)?;
        let lags: Vec<f64> = samples.iter().map(|s| s.lag).collect();
        let mean = dot(&basis.vectors[0], &lags) * basis.vectors[0][0];
        let linear = dot(&basis.vectors[1], &lags);
        let slope = linear / basis.spread_s;
        let error = basis.slope_error(&lags) * critical(confidence);
        Some(Self {
            slope,
            low: slope - error,
            high: slope + error,
            intercept: mean - slope * basis.mean_s,
            samples: samples.len(),
        })
    }

    /// The fitted lag at `at_ms`.
    pub fn at(&self, at_ms: f64) -> f64 {
        self.intercept + self.slope * at_ms / 1000.0
    }
}

struct Basis {
    vectors: Vec<Vec<f64>>,
    times_s: Vec<f64>,
    mean_s: f64,
    spread_s: f64,
}

impl Basis {
    fn over(samples: &[Sample]) -> Option<Self> {
        let times_s: Vec<f64> = samples.iter().map(|s| s.at_ms / 1000.0).collect();
        let mean_s = times_s.iter().sum::<f64>() / times_s.len() as f64;
        let spread_s = times_s.iter().map(|t| (t - mean_s).powi(2)).sum::<f64>().sqrt();
        if !(spread_s > 0.0 && spread_s.is_finite()) {
            return None;
        }
        let scaled: Vec<f64> = times_s.iter().map(|t| (t - mean_s) / spread_s).collect();
        Some(Self { vectors: orthonormal(&scaled, TERMS + 2)?, times_s, mean_s, spread_s })
    }

    fn slope_error(&self, lags: &[f64]) -> f64 {
        let (line, curves) = self.vectors.split_at(2);
        let residuals = without(line, lags);
        let power = curves.iter().map(|v| dot(v, &residuals).powi(2)).sum::<f64>() / TERMS as f64;
        let memory = Memory::of(&self.times_s, &residuals);
        let expected = curves.iter().map(|v| memory.power(v)).sum::<f64>() / TERMS as f64;
        (power * (memory.power(&line[1]) / expected).max(1.0)).sqrt() / self.spread_s
    }
}

/// A first-order autoregression over unevenly spaced samples, its memory taken one standard error above the estimate
/// that is freed of the bias which fitting a line brings (Kendall 1954): too narrow an interval harms more than too
/// wide a one.
struct Memory {
    kept: Vec<f64>,
}

impl Memory {
    fn of(times_s: &[f64], residuals: &[f64]) -> Self {
        let n = residuals.len() as f64;
        let total: f64 = residuals.iter().map(|u| u * u).sum();
        let lagged: f64 = residuals.windows(2).map(|w| w[0] * w[1]).sum();
        let raw = if total > 0.0 { lagged / total } else { 0.0 };
        let bias = (2.0 + 4.0 * raw) / n;
        let error = ((1.0 - raw * raw) / n).sqrt();
        let likely = (raw + bias + error).clamp(0.0, MEMORY_MAX);
        let step = (times_s[times_s.len() - 1] - times_s[0]) / (n - 1.0);
        Self { kept: times_s.windows(2).map(|w| likely.powf((w[1] - w[0]) / step)).collect() }
    }

    /// The expected squared projection of such noise onto `vector`.
    fn power(&self, vector: &[f64]) -> f64 {
        let mut carried = 0.0;
        let mut sum = vector[0] * vector[0];
        for (i, kept) in self.kept.iter().enumerate() {
            carried = kept * (carried + vector[i]);
            sum += vector[i + 1] * (vector[i + 1] + 2.0 * carried);
        }
        sum
    }
}

fn orthonormal(times: &[f64], count: usize) -> Option<Vec<Vec<f64>>> {
    let mut vectors: Vec<Vec<f64>> = vec![vec![1.0 / (times.len() as f64).sqrt(); times.len()]];
    while vectors.len() < count {
        let next: Vec<f64> = vectors[vectors.len() - 1].iter().zip(times).map(|(v, t)| v * t).collect();
        let next = without(&vectors, &without(&vectors, &next));
        let length = dot(&next, &next).sqrt();
        if length <= f64::EPSILON {
            return None;
        }
        vectors.push(next.into_iter().map(|v| v / length).collect());
    }
    Some(vectors)
}

fn without(basis: &[Vec<f64>], values: &[f64]) -> Vec<f64> {
    let mut rest = values.to_vec();
    for vector in basis {
        let share = dot(vector, &rest);
        rest.iter_mut().zip(vector).for_each(|(r, v)| *r -= share * v);
    }
    rest
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn critical(confidence: f64) -> f64 {
    let tail = 0.5 + confidence.clamp(0.0, 1.0 - 1e-9) / 2.0;
    StudentsT::new(0.0, 1.0, TERMS as f64).map_or(f64::INFINITY, |t| t.inverse_cdf(tail))
}

/// Curvature terms that estimate the noise; fewer are surer of the noise's slow part and give wider intervals.
const TERMS: usize = 4;
/// Above this the noise is taken for a random walk within the window.
const MEMORY_MAX: f64 = 0.98;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chance;

    #[derive(Clone, Copy, Debug)]
    struct Noise {
        memory: f64,
        saw_period_ms: f64,
        saw_height: f64,
        partitions: u32,
    }

    fn series(noise: Noise, slope: f64, length_ms: f64, chance: &mut Chance) -> Vec<Sample> {
        let phases: Vec<f64> = (0..noise.partitions).map(|_| chance.unit()).collect();
        let mut carried = chance.normal();
        (0..(length_ms / 100.0) as usize)
            .map(|k| {
                let at_ms = (k as f64 + chance.unit()) * 100.0;
                carried = noise.memory * carried + (1.0 - noise.memory.powi(2)).sqrt() * chance.normal();
                let saw: f64 = phases.iter().map(|p| (at_ms / noise.saw_period_ms + p).fract()).sum();
                let saw = saw / f64::from(noise.partitions);
                Sample { at_ms, lag: 1e4 + slope * at_ms / 1000.0 + 100.0 * carried + noise.saw_height * saw }
            })
            .collect()
    }

    fn misses(noise: Noise, length_ms: f64, runs: u32) -> f64 {
        let mut chance = Chance::new(7);
        let missed = (0..runs)
            .filter(|_| {
                let slope = chance.between(-500.0, 500.0);
                let trend = Trend::fit(&series(noise, slope, length_ms, &mut chance), 0.99).unwrap();
                !(trend.low..trend.high).contains(&slope)
            })
            .count();
        f64::from(u32::try_from(missed).unwrap()) / f64::from(runs)
    }

    const SMOOTH: Noise = Noise { memory: 0.0, saw_period_ms: 1000.0, saw_height: 0.0, partitions: 1 };

    #[test]
    fn a_straight_line_is_found_exactly() {
        let samples: Vec<Sample> =
            (0..40).map(|k| f64::from(k) * 100.0).map(|at_ms| Sample { at_ms, lag: 7.0 + at_ms / 4.0 }).collect();
        let trend = Trend::fit(&samples, 0.99).unwrap();
        assert!((trend.slope - 250.0).abs() < 1e-6 && (trend.intercept - 7.0).abs() < 1e-6, "{trend:?}");
        assert!(trend.high - trend.low < 1e-6, "{trend:?}");
    }

    #[test]
    fn nothing_is_fitted_through_one_moment_or_too_few_samples() {
        let moment = vec![Sample { at_ms: 5.0, lag: 1.0 }; 50];
        assert_eq!(Trend::fit(&moment, 0.99), None);
        assert_eq!(Trend::fit(&series(SMOOTH, 1.0, 500.0, &mut Chance::new(1)), 0.99), None);
    }

    #[test]
    fn the_interval_is_exact_under_independent_noise() {
        for length_ms in [4e3, 10e3] {
            let missed = misses(SMOOTH, length_ms, 3000);
            assert!((0.004..0.017).contains(&missed), "{length_ms}: {missed}");
        }
    }

    /// The textbook interval misses 40 % of the slopes at a memory of 0.9; see Theodolite's trouble with saw-teeth.
    #[test]
    fn the_interval_covers_saw_teeth_and_noise_with_memory() {
        for (memory, allowed) in [(0.5, 0.017), (0.8, 0.025), (0.9, 0.04)] {
            for (saw_height, saw_period_ms, partitions) in
                [(0.0, 1e3, 1), (300.0, 1e3, 1), (1e3, 1e3, 3), (1e3, 700.0, 1)]
            {
                let noise = Noise { memory, saw_period_ms, saw_height, partitions };
                for length_ms in [4e3, 6e3, 10e3] {
                    let missed = misses(noise, length_ms, 1500);
                    assert!(missed <= allowed, "{noise:?} over {length_ms} ms: {missed}");
                }
            }
        }
    }

    #[test]
    fn pure_saw_teeth_of_a_second_are_covered() {
        let noise = Noise { memory: 0.0, saw_height: 1e5, ..SMOOTH };
        for length_ms in [4e3, 6e3, 10e3] {
            let missed = misses(noise, length_ms, 1500);
            assert!(missed <= 0.015, "{length_ms}: {missed}");
        }
    }
}
