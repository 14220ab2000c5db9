use super::act::Act;

/// How worlds were reached, as one pair of hands found out: for each the one before and the step from there, in five bytes.
#[derive(Debug)]
pub(super) struct Paths {
    hand: u32,
    before: Vec<u32>,
    steps: Vec<u8>,
}

/// Names a world that was reached by which hand it was reached, above so many bits, and its number there.
const HAND: u32 = 29;

/// How many pairs of hands a search may have.
pub(super) const HANDS_MAX: usize = 8;

impl Paths {
    pub(super) fn of_hand(hand: usize) -> Self {
        Self { hand: hand as u32, before: vec![0], steps: vec![0] }
    }

    /// Where all begins.
    pub(super) const fn begin() -> u32 {
        0
    }

    pub(super) fn go_on(&mut self, before: u32, act: Act) -> u32 {
        let number = self.before.len() as u32;
        assert!(number >> HAND == 0, "more worlds than paths can name");
        self.before.push(before);
        self.steps.push(act.code());
        self.hand << HAND | number
    }

    pub(super) const fn len(&self) -> usize {
        self.before.len()
    }

    /// Takes back all but so many.
    pub(super) fn forget_after(&mut self, len: usize) {
        self.before.truncate(len);
        self.steps.truncate(len);
    }
}

/// The steps to a world in order.
pub(super) fn acts(all: &[&Paths], mut last: u32) -> Vec<Act> {
    let mut acts = Vec::new();
    while last != Paths::begin() {
        let (paths, number) = (all[(last >> HAND) as usize], (last & ((1 << HAND) - 1)) as usize);
        acts.push(Act::from_code(paths.steps[number]));
        last = paths.before[number];
    }
    acts.reverse();
    acts
}
