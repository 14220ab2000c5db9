use groma_scalability::Load;

/// What so many instances handle together, in records per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handled {
    /// How many.
    pub instances: u32,
    /// Together.
    pub per_s: f64,
}

/// The loads of `loads: auto`: half of what one instance handles, then the middles between what n - 1 and n instances
/// handle if every instance adds the same, up to one load that is too much for the most. So every demand from 1 to the
/// most is met far from its borders, and the last load has none.
///
/// Without `most`, or where more instances hardly handle more, instances count as independent of each other.
pub fn loads(one_per_s: f64, most: Handled) -> Vec<Load> {
    let more = f64::from(most.instances.saturating_sub(1));
    let step = if more > 0.0 { (most.per_s - one_per_s) / more } else { one_per_s };
    let step = if step < LEAST_STEP * one_per_s { one_per_s } else { step };
    let first = one_per_s / 2.0;
    let others = (1..=most.instances).map(|n| one_per_s + (f64::from(n) - 0.5) * step);
    std::iter::once(first).chain(others).map(|load| Load(round(load))).collect()
}

/// An instance that adds less than this share of what one handles alone is none to space loads by.
const LEAST_STEP: f64 = 0.25;

/// Two significant digits less noise: measured capacities have no more than three.
fn round(load: f64) -> u64 {
    let step = 10_f64.powf((load.max(1.0).log10() - 2.0).floor()).max(1.0);
    ((load / step).round() * step) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(one_per_s: f64, instances: u32, per_s: f64) -> Vec<u64> {
        loads(one_per_s, Handled { instances, per_s }).into_iter().map(|load| load.0).collect()
    }

    #[test]
    fn four_instances_get_five_loads() {
        assert_eq!(with(92_437.0, 4, 4.0 * 92_437.0), [46_200, 139_000, 231_000, 324_000, 416_000]);
    }

    #[test]
    fn loads_follow_instances_that_add_less_or_more_than_the_first() {
        assert_eq!(with(100.0, 3, 200.0), [50, 125, 175, 225]);
        assert_eq!(with(100.0, 3, 400.0), [50, 175, 325, 475]);
    }

    #[test]
    fn instances_that_add_nothing_are_not_followed() {
        assert_eq!(with(100.0, 2, 101.0), [50, 150, 250]);
        assert_eq!(with(100.0, 1, 100.0), [50, 150]);
    }
}
