use crate::{Instances, Load, Verdict};

/// A cell with its verdict, tested or implied.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The load.
    pub load: Load,
    /// The resources.
    pub resources: Instances,
    /// The verdict over all repetitions.
    pub verdict: Verdict,
}

/// The instances that a load needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DemandPoint {
    /// The load.
    pub load: Load,
    /// The smallest passing count above which no count fails; none if there is none.
    pub resources: Option<Instances>,
    /// The demand if every open cell passed.
    pub low: Option<Instances>,
    /// The demand if every open cell failed.
    pub high: Option<Instances>,
}

/// The load that a number of instances can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapacityPoint {
    /// The resources.
    pub resources: Instances,
    /// The largest passing load below which no load fails; none if there is none.
    pub load: Option<Load>,
    /// The capacity if every open cell failed.
    pub low: Option<Load>,
    /// The capacity if every open cell passed.
    pub high: Option<Load>,
}

/// The demand of each load in `loads`. Undecided and invalid cells are open: they span `low..high`.
///
/// Theodolite takes the smallest passing count whatever happens above it, so that one lucky pass among fails counts;
/// here a pass below a fail does not.
pub fn demand(loads: &[Load], cells: &[Judged]) -> Vec<DemandPoint> {
    loads
        .iter()
        .map(|&load| {
            let mut column: Vec<(Instances, &Verdict)> =
                cells.iter().filter(|c| c.load == load).map(|c| (c.resources, &c.verdict)).collect();
            column.sort_by_key(|(resources, _)| std::cmp::Reverse(*resources));
            DemandPoint {
                load,
                resources: furthest(&column, Open::Skipped),
                low: furthest(&column, Open::Passes),
                high: furthest(&column, Open::Fails),
            }
        })
        .collect()
}

/// The capacity of each count in `resources`, by the same rule with the roles exchanged.
pub fn capacity(resources: &[Instances], cells: &[Judged]) -> Vec<CapacityPoint> {
    resources
        .iter()
        .map(|&resources| {
            let mut row: Vec<(Load, &Verdict)> =
                cells.iter().filter(|c| c.resources == resources).map(|c| (c.load, &c.verdict)).collect();
            row.sort_by_key(|(load, _)| *load);
            CapacityPoint {
                resources,
                load: furthest(&row, Open::Skipped),
                low: furthest(&row, Open::Fails),
                high: furthest(&row, Open::Passes),
            }
        })
        .collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Open {
    Passes,
    Fails,
    Skipped,
}

/// Walks from the easiest cell towards the hardest, up to the first fail; the last pass on the way.
fn furthest<T: Copy>(from_easiest: &[(T, &Verdict)], open: Open) -> Option<T> {
    let mut last = None;
    for (value, verdict) in from_easiest {
        match (verdict, open) {
            (Verdict::Pass, _) => last = Some(*value),
            (Verdict::Fail, _) => return last,
            (_, Open::Passes) => last = Some(*value),
            (_, Open::Fails) => return last,
            (_, Open::Skipped) => {}
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One letter per count from 1: P pass, F fail, U undecided, - not tested.
    fn column(letters: &str) -> Vec<Judged> {
        let verdict = |letter| match letter {
            'P' => Some(Verdict::Pass),
            'F' => Some(Verdict::Fail),
            'U' => Some(Verdict::Undecided),
            _ => None,
        };
        letters
            .chars()
            .zip(1..)
            .filter_map(|(letter, count)| {
                Some(Judged { load: Load(10), resources: Instances(count), verdict: verdict(letter)? })
            })
            .collect()
    }

    fn numbers(letters: &str) -> [Option<u32>; 3] {
        let point = demand(&[Load(10)], &column(letters))[0];
        [point.resources, point.low, point.high].map(|n| n.map(|n| n.0))
    }

    #[test]
    fn demand_is_the_smallest_pass_above_which_none_fails() {
        let cases = [
            ("FFPP", [Some(3), Some(3), Some(3)]),
            ("FFP", [Some(3), Some(3), Some(3)]),
            ("PFPP", [Some(3), Some(3), Some(3)]),
            ("PPPF", [None, None, None]),
            ("FFFF", [None, None, None]),
            ("PPPP", [Some(1), Some(1), Some(1)]),
            ("F-PP", [Some(3), Some(3), Some(3)]),
            ("", [None, None, None]),
        ];
        for (letters, expected) in cases {
            assert_eq!(numbers(letters), expected, "{letters}");
        }
    }

    #[test]
    fn open_cells_span_the_demand() {
        let cases = [
            ("FUPP", [Some(3), Some(2), Some(3)]),
            ("FPUP", [Some(2), Some(2), Some(4)]),
            ("FFFU", [None, Some(4), None]),
            ("UUUP", [Some(4), Some(1), Some(4)]),
        ];
        for (letters, expected) in cases {
            assert_eq!(numbers(letters), expected, "{letters}");
        }
    }

    #[test]
    fn capacity_is_the_largest_pass_below_which_none_fails() {
        let cells: Vec<Judged> =
            [(10, Verdict::Pass), (20, Verdict::Undecided), (30, Verdict::Pass), (40, Verdict::Fail)]
                .into_iter()
                .map(|(load, verdict)| Judged { load: Load(load), resources: Instances(1), verdict })
                .collect();
        let point = capacity(&[Instances(1)], &cells)[0];
        assert_eq!((point.low, point.load, point.high), (Some(Load(10)), Some(Load(30)), Some(Load(30))));
    }
}
