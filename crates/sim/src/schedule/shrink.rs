use super::{Faults, Outcome, Schedule, Step};
use crate::cluster::Property;

/// A failing schedule made as small as it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// Which steps of the schedule are left, by their place.
    pub kept: Vec<usize>,
    /// Which of its faults are needed.
    pub faults: Faults,
    /// What becomes of it.
    pub outcome: Outcome,
}

impl Schedule {
    /// Takes away steps and kinds of faults for as long as the first property that fails still does; none if all hold.
    ///
    /// Runs the schedule some dozens of times.
    pub fn shrink(&self) -> Option<Shrunk> {
        let whole = self.run();
        let property = whole.violations.first()?.property;
        let all = whole.steps.clone();
        let kept = (0..all.len()).collect();
        let mut search =
            Search { schedule: self, all, property, best: Shrunk { kept, faults: self.faults, outcome: whole } };
        search.fewer_faults();
        while search.fewer_steps() {}
        search.fewer_faults();
        Some(search.best)
    }

    /// Runs only these steps of the schedule with only these faults: how a [`Shrunk`] one is run again.
    pub fn keeping(&self, kept: &[usize], faults: Faults) -> Outcome {
        let steps = self.run().steps;
        self.replay(&chosen(&steps, kept), faults)
    }
}

struct Search<'a> {
    schedule: &'a Schedule,
    all: Vec<Step>,
    property: Property,
    best: Shrunk,
}

impl Search<'_> {
    fn fewer_faults(&mut self) {
        for without in self.best.faults.each_without() {
            let faults = self.best.faults.both(without);
            self.attempt(self.best.kept.clone(), faults);
        }
    }

    /// Tries to leave out longer and shorter runs of steps; whether any could be.
    fn fewer_steps(&mut self) -> bool {
        let before = self.best.kept.len();
        let mut length = before / 2;
        while length > 0 {
            let mut from = 0;
            while from < self.best.kept.len() {
                let mut kept = self.best.kept.clone();
                kept.drain(from..(from + length).min(kept.len()));
                if !self.attempt(kept, self.best.faults) {
                    from += length;
                }
            }
            length /= 2;
        }
        self.best.kept.len() < before
    }

    fn attempt(&mut self, kept: Vec<usize>, faults: Faults) -> bool {
        let outcome = self.schedule.replay(&chosen(&self.all, &kept), faults);
        let fails = outcome.violations.iter().any(|violation| violation.property == self.property);
        if fails {
            self.best = Shrunk { kept, faults, outcome };
        }
        fails
    }
}

fn chosen(all: &[Step], kept: &[usize]) -> Vec<Step> {
    kept.iter().filter_map(|place| all.get(*place)).cloned().collect()
}
