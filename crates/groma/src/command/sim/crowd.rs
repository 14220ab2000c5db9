use std::str::FromStr;

use groma_sim::Rng;

/// How many members a schedule has at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Crowd {
    least: u64,
    most: u64,
}

/// Eight of ten schedules have no more members than this above the least: faults meet rules there as well, and sooner.
const USUALLY_MORE: u64 = 5;
const MEMBERS_MAX: u64 = 10_000;

impl Crowd {
    /// The number for a seed.
    pub(crate) fn of(self, seed: u64) -> usize {
        let mut rng = Rng::new(seed);
        let usual = self.most.min(self.least + USUALLY_MORE);
        let most = if rng.below(10) < 8 { usual } else { self.most };
        rng.between(self.least, most) as usize
    }
}

impl FromStr for Crowd {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if 0 < least && least <= most && most <= MEMBERS_MAX => Ok(Self { least, most }),
            _ => Err(format!("`{text}` is no number of members; write 1 to {MEMBERS_MAX}, or a range as 3..50")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_kept_to_and_reached() {
        let crowd: Crowd = "3..50".parse().unwrap();
        let numbers: Vec<usize> = (0..2000).map(|seed| crowd.of(seed)).collect();
        assert_eq!((numbers.iter().min(), numbers.iter().max()), (Some(&3), Some(&50)));
        assert_eq!("7".parse::<Crowd>().unwrap().of(1), 7);
        assert!(["0", "5..3", "x", "", "1..", "99999"].iter().all(|text| text.parse::<Crowd>().is_err()));
    }
}
