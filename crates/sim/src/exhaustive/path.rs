use super::act::Act;

/// How worlds were reached: for each the one before and the step from there, in five bytes.
#[derive(Debug, Default)]
pub(super) struct Paths {
    before: Vec<u32>,
    steps: Vec<u8>,
}

impl Paths {
    /// Where all begins.
    pub(super) fn begin(&mut self) -> u32 {
        self.push(0, 0)
    }

    pub(super) fn go_on(&mut self, before: u32, act: Act) -> u32 {
        self.push(before, act.code())
    }

    fn push(&mut self, before: u32, step: u8) -> u32 {
        let number = u32::try_from(self.before.len()).expect("no more worlds than fit in memory");
        self.before.push(before);
        self.steps.push(step);
        number
    }

    pub(super) const fn len(&self) -> usize {
        self.before.len()
    }

    /// Takes back all but so many.
    pub(super) fn forget_after(&mut self, len: usize) {
        self.before.truncate(len);
        self.steps.truncate(len);
    }

    /// The steps in order.
    pub(super) fn acts(&self, mut last: u32) -> Vec<Act> {
        let mut acts = Vec::new();
        while last != 0 {
            acts.push(Act::from_code(self.steps[last as usize]));
            last = self.before[last as usize];
        }
        acts.reverse();
        acts
    }
}
