use std::fmt::Write;

/// Maps values onto a stretch of the drawing.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    from: (f64, f64),
    to: (f64, f64),
}

impl Scale {
    /// Maps `from.0..from.1` onto `to.0..to.1`; an empty stretch of values is widened.
    pub fn new(from: (f64, f64), to: (f64, f64)) -> Self {
        let from = if from.1 - from.0 > f64::EPSILON { from } else { (from.0 - 0.5, from.0 + 0.5) };
        Self { from, to }
    }

    /// Where `value` is drawn.
    pub fn at(&self, value: f64) -> f64 {
        let share = (value - self.from.0) / (self.from.1 - self.from.0);
        self.to.0 + share * (self.to.1 - self.to.0)
    }

    /// `value`, or the nearest end of the stretch of values.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.from.0, self.from.1)
    }
}

/// Round values in `from..=to`, about `count` of them.
pub fn ticks(from: f64, to: f64, count: u32) -> Vec<f64> {
    let raw = (to - from) / f64::from(count.max(1));
    if !(raw > 0.0 && raw.is_finite()) {
        return vec![from];
    }
    let magnitude = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * magnitude).into_iter().find(|s| *s >= raw * 0.999).unwrap_or(raw);
    let first = (from / step).ceil() as i64;
    let last = (to / step + 1e-9).floor() as i64;
    (first..=last).map(|k| k as f64 * step).collect()
}

/// An SVG path through `points`.
pub(super) fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut text = String::new();
    for (index, (x, y)) in points.enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        let _ = write!(text, "{command}{} {}", coordinate(x), coordinate(y));
    }
    text
}

/// A coordinate with one decimal, as short as it goes.
pub(super) fn coordinate(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(0.0, 415_800.0, 5), [0.0, 100_000.0, 200_000.0, 300_000.0, 400_000.0]);
        assert_eq!(ticks(3.0, 3.0, 5), [3.0]);
    }

    #[test]
    fn scales_turn_values_into_places() {
        let scale = Scale::new((0.0, 10.0), (100.0, 0.0));
        assert_eq!(scale.at(2.5), 75.0);
        assert_eq!(Scale::new((1.0, 1.0), (0.0, 10.0)).at(1.0), 5.0);
    }

    #[test]
    fn paths_are_short() {
        assert_eq!(path([(0.0, 1.25), (2.0, 3.0)].into_iter()), "M0 1.2L2 3");
    }
}
