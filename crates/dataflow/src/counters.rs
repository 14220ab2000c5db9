use groma_model::Offset;

use crate::Reject;

/// What a task has done with the records it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Records read, rejected ones included.
    pub records: u64,
    /// Records that came after their window closed.
    pub late: Tally,
    /// Records without the key that they are grouped by.
    pub null_key: Tally,
    /// Records without a value.
    pub null_value: Tally,
    /// Records that could not be decoded.
    pub malformed: Tally,
    /// Readings that are no number.
    pub not_a_number: Tally,
}

/// How often something happened, and where last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often.
    pub count: u64,
    /// The last such record.
    pub last: Option<Offset>,
}

impl Counters {
    /// Counts a rejected record.
    pub fn reject(&mut self, reject: Reject, offset: Offset) {
        let tally = match reject {
            Reject::NullKey => &mut self.null_key,
            Reject::NullValue => &mut self.null_value,
            Reject::Malformed(_) => &mut self.malformed,
            Reject::NotANumber => &mut self.not_a_number,
            Reject::Late => &mut self.late,
        };
        tally.count += 1;
        tally.last = Some(offset);
    }

    /// Records left out for any reason but lateness.
    pub const fn rejected(&self) -> u64 {
        self.null_key.count + self.null_value.count + self.malformed.count + self.not_a_number.count
    }

    /// The five tallies in a fixed order: late, no key, no value, malformed, not a number.
    pub const fn tallies(&self) -> [Tally; 5] {
        [self.late, self.null_key, self.null_value, self.malformed, self.not_a_number]
    }

    /// Counters made of [`Self::tallies`].
    pub const fn from_tallies(records: u64, tallies: [Tally; 5]) -> Self {
        let [late, null_key, null_value, malformed, not_a_number] = tallies;
        Self { records, late, null_key, null_value, malformed, not_a_number }
    }
}
