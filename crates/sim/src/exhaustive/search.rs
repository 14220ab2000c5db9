use std::sync::Arc;

use super::act::{Act, Path};
use super::check::Found;
use super::narrate::story;
use super::scope::{Rules, Scope};
use super::seen::Seen;
use super::world::{Turn, World};

/// A search through all schedules of a scope, the shortest first for as long as there are not too many of one length.
///
/// The caller carries the work: [`Search::next`] hands out worlds, [`Search::expand`] may be called for them on as many
/// threads as there are, [`Search::admit`] takes what was found.
#[derive(Debug)]
pub struct Search {
    scope: Scope,
    rules: Rules,
    seen: Seen,
    layer: Vec<Node>,
    next: Vec<Node>,
    tally: Tally,
    violation: Option<(Arc<Path>, Found)>,
}

/// A world, and how it was reached.
#[derive(Debug)]
pub struct Node {
    world: World,
    path: Option<Arc<Path>>,
    depth: u32,
}

/// Where one step from a world leads.
#[derive(Debug, Default)]
pub struct Expansion {
    next: Vec<(u128, Node)>,
    tally: Tally,
    violation: Option<(Arc<Path>, Found)>,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Different worlds.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// Steps not followed because of their generation.
    pub pruned_generation: u64,
    /// Steps not followed because of too many messages on a link.
    pub pruned_in_flight: u64,
    /// The most steps by which a world was first reached.
    pub depth: u64,
    /// Worlds that are still to be looked into.
    pub frontier: u64,
    /// Memory for fingerprints, in bytes.
    pub seen_bytes: u64,
}

/// How a search ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every property holds in every world of the scope.
    Holds,
    /// A shortest schedule that breaks a property: which, what was seen, and what happens on the way.
    Broken {
        /// The property.
        property: crate::cluster::Property,
        /// What was seen.
        what: String,
        /// One line for each thing that happens.
        timeline: Vec<String>,
    },
    /// There is more to look into.
    Open,
}

impl Search {
    /// A search that has not begun.
    pub fn new(scope: Scope) -> Self {
        let rules = scope.rules();
        let first = Node { world: World::new(&rules, scope.members), path: None, depth: 0 };
        let mut seen = Seen::new();
        seen.insert(first.world.fingerprint());
        Self { scope, rules, seen, layer: vec![first], next: Vec::new(), tally: Tally::default(), violation: None }
    }

    /// Looks into everything, on one thread.
    pub fn run(mut self) -> (Tally, Verdict) {
        while self.is_open() {
            let nodes = self.next(CHUNK);
            let expansions = nodes.iter().map(|node| self.expand(node)).collect();
            drop(nodes);
            self.admit(expansions);
        }
        (self.tally(), self.verdict())
    }

    /// Worlds to be expanded, at most so many; none once all have been.
    pub fn next(&mut self, most: usize) -> Vec<Node> {
        if self.layer.is_empty() {
            std::mem::swap(&mut self.layer, &mut self.next);
        }
        let source = if self.next.len() < WIDE { &mut self.layer } else { &mut self.next };
        source.split_off(source.len().saturating_sub(most))
    }

    /// Everything that may happen next in a world.
    pub fn expand(&self, node: &Node) -> Expansion {
        let mut expansion = Expansion::default();
        let mut acts = node.world.acts(&self.rules, self.scope.crashes);
        if let Some(at) = node.world.urgent(&self.rules) {
            let mut turn = Turn::new(&self.rules, node.world.clone());
            turn.take(Act::Reply(at));
            if turn.world.runs_on(at, &node.world) {
                acts.retain(|act| matches!(act, Act::Reply(a) | Act::Kill(a, _) if *a == at));
            }
        }
        for act in acts {
            let mut turn = Turn::new(&self.rules, node.world.clone());
            turn.take(act);
            expansion.tally.transitions += 1;
            let path = || Arc::new(Path { act, before: node.path.clone() });
            let fingerprint = turn.world.fingerprint();
            if self.seen.contains(fingerprint) && turn.found.is_empty() {
                continue;
            }
            turn.check();
            if let Some(found) = turn.found.into_iter().next() {
                expansion.violation.get_or_insert_with(|| (path(), found));
            } else if turn.world.generation.0 > self.rules.generations {
                expansion.tally.pruned_generation += 1;
            } else if turn.world.places.iter().any(|p| p.up.len().max(p.down.len()) > self.rules.in_flight) {
                expansion.tally.pruned_in_flight += 1;
            } else {
                let next = Node { path: Some(path()), depth: node.depth + 1, world: turn.world };
                expansion.next.push((fingerprint, next));
            }
        }
        expansion
    }

    /// Takes what expansions found.
    pub fn admit(&mut self, expansions: Vec<Expansion>) {
        for Expansion { next, tally, violation } in expansions {
            self.tally.transitions += tally.transitions;
            self.tally.pruned_generation += tally.pruned_generation;
            self.tally.pruned_in_flight += tally.pruned_in_flight;
            self.violation = self.violation.take().or(violation);
            for (fingerprint, node) in next {
                if self.seen.insert(fingerprint) {
                    self.tally.depth = self.tally.depth.max(u64::from(node.depth));
                    self.next.push(node);
                }
            }
        }
    }

    /// Whether there is more to look into, and nothing was found yet.
    pub fn is_open(&self) -> bool {
        self.violation.is_none() && !(self.layer.is_empty() && self.next.is_empty())
    }

    /// How far it has come.
    pub fn tally(&self) -> Tally {
        Tally {
            states: self.seen.len(),
            frontier: (self.layer.len() + self.next.len()) as u64,
            seen_bytes: self.seen.bytes(),
            ..self.tally
        }
    }

    /// What is known so far.
    pub fn verdict(&self) -> Verdict {
        match &self.violation {
            Some((path, (property, what))) => Verdict::Broken {
                property: *property,
                what: what.clone(),
                timeline: story(&self.rules, self.scope.members, path),
            },
            None if self.is_open() => Verdict::Open,
            None => Verdict::Holds,
        }
    }
}

const CHUNK: usize = 1024;
/// When so many worlds are still to be looked into, the newest come first: that takes less memory.
const WIDE: usize = 200_000;
