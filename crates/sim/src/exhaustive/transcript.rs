use std::hash::Hasher;

use groma_model::Generation;

use super::fingerprint::Fingerprint;

/// A part of a world, hashed with its identities and generations left open: what a group does depends on their order
/// only, so worlds that differ in nothing else have the same future.
///
/// Members compare identities, and later ones are greater, so only their order counts; two members are never exchanged,
/// because assignors break ties by identity. The same holds for resources, which is why they keep their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Transcript {
    plain: Fingerprint,
    /// Each identity that is mentioned, by its number, with the weight of where it stands.
    members: Vec<(u64, u128)>,
    generations: Vec<(i32, u128)>,
}

/// What identities and generations are called.
#[derive(Clone, Debug)]
pub(super) enum Names {
    /// By their order: which identities are mentioned anywhere, by one bit each from the first on, and the last generation.
    Order { first: u64, mentioned: u64, last: Generation },
    /// By their numbers.
    Number,
}

/// A transcript that is complete.
#[derive(Clone, Debug)]
pub(super) struct Written {
    plain: u128,
    members: Box<[(u64, u128)]>,
    generations: Box<[(i32, u128)]>,
}

/// Generations begin here, so that they can be told from all other numbers in what members send.
pub(super) const BEGINNING: Generation = Generation(1_500_000_000);

/// How all identities begin; a number of twelve digits follows.
pub(super) const IDENTITY: &str = "m-00000000-0000-4000-8000-";
const DIGITS: usize = 12;
const GENERATIONS_MAX: i32 = 1_024;

impl Transcript {
    pub(super) const fn new() -> Self {
        Self { plain: Fingerprint::new(), members: Vec::new(), generations: Vec::new() }
    }

    pub(super) fn written(self) -> Written {
        Written { plain: self.plain.whole(), members: self.members.into(), generations: self.generations.into() }
    }

    fn member(&mut self, number: u64) {
        self.plain.write_u64(u64::MAX);
        add(&mut self.members, number, self.plain.whole());
    }

    fn generation(&mut self, number: i32) {
        self.plain.write_u64(u64::MAX - 1);
        add(&mut self.generations, number, self.plain.whole());
    }
}

impl Written {
    pub(super) fn members(&self) -> impl Iterator<Item = u64> + Clone {
        self.members.iter().map(|(number, _)| *number)
    }

    /// The hash under names.
    pub(super) fn named(&self, names: &Names) -> u128 {
        let mut hash = self.plain;
        for (number, weight) in &self.members {
            hash = hash.wrapping_add(weight.wrapping_mul(odd(1, names.member(*number))));
        }
        for (number, weight) in &self.generations {
            hash = hash.wrapping_add(weight.wrapping_mul(odd(2, names.generation(*number))));
        }
        hash
    }
}

/// What a name counts for, by its kind.
const fn odd(kind: u64, name: u64) -> u128 {
    Fingerprint::new().with(kind).with(name).whole() | 1
}

fn add<N: PartialEq>(list: &mut Vec<(N, u128)>, number: N, weight: u128) {
    match list.iter_mut().find(|(known, _)| *known == number) {
        Some((_, sum)) => *sum = sum.wrapping_add(weight),
        None => list.push((number, weight)),
    }
}

impl Names {
    /// Of these identities and generations up to the last.
    pub(super) fn by_order(mentioned: impl Iterator<Item = u64> + Clone, last: Generation) -> Self {
        let first = mentioned.clone().min().unwrap_or_default();
        let mentioned = mentioned.fold(0_u64, |bits, number| {
            assert!(number - first < 64, "more than 64 identities between the first and the last that is mentioned");
            bits | 1 << (number - first)
        });
        Self::Order { first, mentioned, last }
    }

    const fn member(&self, number: u64) -> u64 {
        match self {
            Self::Order { first, mentioned, .. } => {
                (*mentioned & ((1_u64 << (number - *first)) - 1)).count_ones() as u64
            }
            Self::Number => number,
        }
    }

    const fn generation(&self, number: i32) -> u64 {
        match self {
            Self::Order { last, .. } => (last.0 - number) as u64,
            Self::Number => number as u64,
        }
    }
}

/// The number of a generation, if this is one.
const fn generation(number: u32) -> Option<i32> {
    let number = number as i32;
    if number >= BEGINNING.0 && number < BEGINNING.0 + GENERATIONS_MAX { Some(number) } else { None }
}

/// The number of an identity that begins here.
fn identity(bytes: &[u8]) -> Option<u64> {
    let digits = bytes.strip_prefix(IDENTITY.as_bytes())?.get(..DIGITS)?;
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

impl Hasher for Transcript {
    fn finish(&self) -> u64 {
        self.plain.whole() as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        let (mut done, mut at) = (0, 0);
        while at < bytes.len() {
            let length = if let Some(number) = identity(&bytes[at..]) {
                self.plain.write(&bytes[done..at]);
                self.member(number);
                IDENTITY.len() + DIGITS
            } else if let Some(number) = bytes[at..].first_chunk().and_then(|b| generation(u32::from_be_bytes(*b))) {
                self.plain.write(&bytes[done..at]);
                self.generation(number);
                4
            } else {
                at += 1;
                continue;
            };
            at += length;
            done = at;
        }
        self.plain.write(&bytes[done..]);
    }

    fn write_u8(&mut self, n: u8) {
        self.plain.write_u8(n);
    }

    fn write_u32(&mut self, n: u32) {
        match generation(n) {
            Some(number) => self.generation(number),
            None => self.plain.write_u32(n),
        }
    }

    fn write_u64(&mut self, n: u64) {
        self.plain.write_u64(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.plain.write_usize(n);
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hash;

    use super::*;

    fn of(members: &[u64], generation: i32) -> Transcript {
        let mut transcript = Transcript::new();
        for member in members {
            format!("x{IDENTITY}{member:012x}y").hash(&mut transcript);
        }
        Generation(BEGINNING.0 + generation).hash(&mut transcript);
        transcript.write(&[&[7][..], &(BEGINNING.0 + generation - 1).to_be_bytes()].concat());
        transcript
    }

    fn by_order(members: &[u64], generation: i32) -> u128 {
        let names = Names::by_order(members.iter().copied(), Generation(BEGINNING.0 + generation));
        of(members, generation).written().named(&names)
    }

    #[test]
    fn only_the_order_of_identities_and_the_age_of_generations_count() {
        assert_eq!(by_order(&[1, 2, 1], 3), by_order(&[4, 9, 4], 5));
        assert_ne!(by_order(&[1, 2, 1], 3), by_order(&[2, 1, 2], 3));
        assert_ne!(by_order(&[1, 2, 1], 3), by_order(&[1, 2, 2], 3));
        let last = |of_last| Names::by_order([1].into_iter(), Generation(BEGINNING.0 + of_last));
        let age = |of_last| of(&[1], 2).written().named(&last(of_last));
        assert_ne!(age(2), age(3));
    }

    #[test]
    fn by_number_all_differ() {
        let number = |members: &[u64], generation| of(members, generation).written().named(&Names::Number);
        assert_ne!(number(&[1, 2, 1], 3), number(&[4, 9, 4], 3));
        assert_ne!(number(&[1, 2, 1], 3), number(&[1, 2, 1], 5));
        assert_eq!(number(&[1, 2, 1], 3), number(&[1, 2, 1], 3));
    }
}
