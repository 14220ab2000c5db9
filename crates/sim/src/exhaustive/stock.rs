use std::sync::Arc;

use groma_model::Time;

use super::shards::{Map, Shards, SharedMap};

/// Machines by numbers, each once: what is asked about each, of which one and step it came, so that it can be made again,
/// and what became of it in each step so far. Threads share it.
#[derive(Debug)]
pub(super) struct Stock<M, F, R> {
    parts: boxcar::Vec<Part<F>>,
    numbers: SharedMap<u128, u32>,
    results: SharedMap<(u32, u64), R>,
    lately: Shards<Lately<M>>,
    /// Machines that came of no other.
    first: Shards<Map<u32, Made<M>>>,
}

/// A machine, by its own clock, that of the world in which it was met first.
pub(super) type Made<M> = Arc<(M, Time)>;

/// Of which machine another one came, in which step.
pub(super) type Origin = (u32, u64);

#[derive(Debug)]
struct Part<F> {
    origin: Option<Origin>,
    facts: F,
}

/// Those that were stepped or met last; all others are made again when they are needed.
#[derive(Debug)]
struct Lately<M> {
    young: Map<u32, Made<M>>,
    old: Map<u32, Made<M>>,
}

/// How many machines a shard keeps at least; each takes some kibibytes.
const LATELY_MAX: usize = 200;

impl<M> Default for Lately<M> {
    fn default() -> Self {
        Self { young: Map::default(), old: Map::default() }
    }
}

impl<M> Lately<M> {
    fn get(&mut self, number: u32) -> Option<Made<M>> {
        if let Some(known) = self.young.get(&number) {
            return Some(known.clone());
        }
        let known = self.old.remove(&number)?;
        self.put(number, known.clone());
        Some(known)
    }

    fn put(&mut self, number: u32, machine: Made<M>) {
        if self.young.len() >= LATELY_MAX {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(number, machine);
    }
}

impl<M, F, R> Default for Stock<M, F, R> {
    fn default() -> Self {
        Self {
            parts: boxcar::Vec::new(),
            numbers: SharedMap::default(),
            results: SharedMap::default(),
            lately: Shards::default(),
            first: Shards::default(),
        }
    }
}

impl<M: Clone, F, R: Copy> Stock<M, F, R> {
    pub(super) fn facts(&self, number: u32) -> &F {
        &self.parts[number as usize].facts
    }

    pub(super) fn len(&self) -> u64 {
        self.parts.count() as u64
    }

    /// What became of a machine in a step: looked up, or else found out.
    pub(super) fn result(&self, number: u32, step: u64, find: impl FnOnce() -> R) -> R {
        if let Some(known) = self.results.get(&(number, step)) {
            return known;
        }
        let found = find();
        self.results.insert((number, step), found);
        found
    }

    /// The number of a machine with this fingerprint.
    pub(super) fn number(
        &self,
        fingerprint: u128,
        (machine, origin): ((M, Time), Option<Origin>),
        facts: impl FnOnce(&M, Time) -> F,
    ) -> u32 {
        self.numbers.get_or_make(fingerprint, |_| {
            let facts = facts(&machine.0, machine.1);
            let number = self.parts.push(Part { origin, facts }) as u32;
            let machine = Arc::new(machine);
            if origin.is_none() {
                self.first.piece(spread(number)).insert(number, machine.clone());
            }
            self.lately.piece(spread(number)).put(number, machine);
            number
        })
    }

    /// A machine, made again from the one it came of, and so on, as far as these are not kept.
    pub(super) fn made(&self, number: u32, again: impl Fn(&(M, Time), u64) -> (M, Time)) -> Made<M> {
        let (mut steps, mut at) = (Vec::new(), number);
        let mut made = loop {
            let kept = self.lately.piece(spread(at)).get(at);
            match (kept, self.parts[at as usize].origin) {
                (Some(kept), _) => break kept,
                (None, Some((before, step))) => {
                    steps.push(step);
                    at = before;
                }
                (None, None) => break self.first.piece(spread(at))[&at].clone(),
            }
        };
        for step in steps.iter().rev() {
            made = Arc::new(again(&made, *step));
        }
        if !steps.is_empty() {
            self.lately.piece(spread(number)).put(number, made.clone());
        }
        made
    }
}

const fn spread(number: u32) -> u64 {
    (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 8
}
