//! What a search over all schedules needs to tell states apart: two machines that will do the same from now on have
//! the same digest, whenever that is and however often their requests were numbered before.

use std::hash::{Hash, Hasher};

use groma_model::Time;

/// Numbers of requests and releases by their first appearance, so that equal states with other counters are equal.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    seen: Vec<u64>,
}

impl Numbers {
    /// The place of a number among those that have appeared; linear in how many there are.
    pub fn place(&mut self, number: u64) -> usize {
        self.seen.iter().position(|seen| *seen == number).unwrap_or_else(|| {
            self.seen.push(number);
            self.seen.len() - 1
        })
    }
}

/// Writes how much is left until a moment: nothing once it has come.
pub(crate) fn until<H: Hasher>(at: Time, now: Time, hasher: &mut H) {
    let left = if at == Time::NEVER { u64::MAX } else { at.since(now).0 };
    left.hash(hasher);
}

/// As [`until`], where there may be no such moment.
pub(crate) fn until_some<H: Hasher>(at: Option<Time>, now: Time, hasher: &mut H) {
    at.is_some().hash(hasher);
    at.iter().for_each(|at| until(*at, now, hasher));
}

/// Writes how long ago a moment was.
pub(crate) fn since<H: Hasher>(at: Time, now: Time, hasher: &mut H) {
    now.since(at).0.hash(hasher);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_by_first_appearance() {
        let mut numbers = Numbers::default();
        assert_eq!([9, 4, 9, 7, 4].map(|n| numbers.place(n)), [0, 1, 0, 2, 1]);
    }
}
