use groma_scalability::Load;

/// The loads of `loads: auto`: (n - 0.5) times what one instance handles, from n = 1 to one more than the most
/// instances, so that each demand is met in the middle between two borders and the last load has none.
pub fn loads(capacity_per_s: f64, instances_max: u32) -> Vec<Load> {
    (1..=instances_max + 1).map(|n| Load(round((f64::from(n) - 0.5) * capacity_per_s))).collect()
}

/// Two significant digits less noise: measured capacities have no more than three.
fn round(load: f64) -> u64 {
    let step = 10_f64.powf((load.max(1.0).log10() - 2.0).floor()).max(1.0);
    ((load / step).round() * step) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_instances_get_five_loads() {
        let loads: Vec<u64> = loads(92_437.0, 4).into_iter().map(|l| l.0).collect();
        assert_eq!(loads, [46_200, 139_000, 231_000, 324_000, 416_000]);
    }
}
