//! The measuring rule of every part: at least a second, three times over, the median.

use serde::Serialize;
use std::convert::Infallible;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long one repetition lasts at least.
const REPETITION: Duration = Duration::from_secs(1);
/// How many repetitions a part gets.
const REPETITIONS: usize = 3;

/// One row of the result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) seconds: f64,
    pub(crate) repetitions: usize,
}

/// One repetition's result and how long it took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) value: f64,
    pub(crate) took: Duration,
}

impl Figure {
    /// The median of `measured`, which took so long in all.
    pub(crate) fn median(name: &str, unit: &'static str, mut measured: Vec<Measured>) -> Self {
        measured.sort_by(|a, b| a.value.total_cmp(&b.value));
        let value = measured.get(measured.len() / 2).map_or(f64::NAN, |middle| middle.value);
        let seconds = measured.iter().map(|one| one.took.as_secs_f64()).sum();
        Self { name: name.to_owned(), value, unit, seconds, repetitions: measured.len() }
    }
}

/// Records a second of `turn`, which handles and counts records each time it is called.
pub(crate) fn rate(name: &str, mut turn: impl FnMut() -> u64) -> Figure {
    match try_rate(name, || Ok::<_, Infallible>(turn())) {
        Ok(figure) => figure,
    }
}

/// As [`rate`], of a turn that can fail.
pub(crate) fn try_rate<E>(name: &str, mut turn: impl FnMut() -> Result<u64, E>) -> Result<Figure, E> {
    turn()?;
    let measured = (0..REPETITIONS).map(|_| one_rate(&mut turn)).collect::<Result<_, _>>()?;
    Ok(Figure::median(name, "records/s", measured))
}

fn one_rate<E>(turn: &mut impl FnMut() -> Result<u64, E>) -> Result<Measured, E> {
    let start = Instant::now();
    let mut records = 0;
    while start.elapsed() < REPETITION {
        records += turn()?;
    }
    let took = start.elapsed();
    Ok(Measured { value: records as f64 / took.as_secs_f64(), took })
}

/// Milliseconds of one `turn`.
pub(crate) fn duration<T>(name: &str, mut turn: impl FnMut() -> T) -> Figure {
    match try_duration(name, || Ok::<_, Infallible>(turn())) {
        Ok(figure) => figure,
    }
}

/// As [`duration`], of a turn that can fail.
pub(crate) fn try_duration<T, E>(name: &str, mut turn: impl FnMut() -> Result<T, E>) -> Result<Figure, E> {
    let mut turn = || turn().map(|result| drop(black_box(result))).map(|()| 1);
    turn()?;
    let measured = (0..REPETITIONS).map(|_| one_rate(&mut turn)).collect::<Result<Vec<_>, _>>()?;
    let milliseconds = measured.into_iter().map(|one| Measured { value: 1e3 / one.value, took: one.took });
    Ok(Figure::median(name, "ms", milliseconds.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_value_and_the_seconds_add_up() {
        let measured = |value| Measured { value, took: Duration::from_millis(500) };
        let figure = Figure::median("x", "ms", vec![measured(9.0), measured(1.0), measured(2.0)]);
        assert_eq!((figure.value, figure.seconds, figure.repetitions), (2.0, 1.5, 3));
    }
}
