use std::collections::BTreeMap;

use groma_model::Generation;

use super::act::Act;
use super::fingerprint::Fingerprint;
use super::narrate::story;
use super::outline::Outline;
use super::parts::{Fine, Parts};
use super::path::Paths;
use super::reduce::{Step, steps};
use super::scope::{Reduction, Rules, Scope};
use super::seen::Seen;
use super::world::World;

/// A search through all schedules of a scope: those with fewer generations first, of these the shorter ones first for as
/// long as there are not too many of one length. So a world is never reached anew with more generations to go.
#[derive(Debug)]
pub struct Search {
    scope: Scope,
    rules: Rules,
    parts: Parts,
    paths: Paths,
    seen: Seen,
    /// The generation that is looked into.
    generation: Generation,
    layer: Vec<Node>,
    next: Vec<Node>,
    /// Worlds of later generations, and what is known of these.
    ahead: BTreeMap<Generation, Vec<Node>>,
    seen_ahead: Seen,
    tally: Tally,
    violation: Option<Vec<Act>>,
    #[cfg(test)]
    at_rest: std::collections::BTreeSet<u128>,
}

/// A world, and how it was reached.
#[derive(Clone, Copy, Debug)]
struct Node {
    world: Outline,
    path: u32,
    depth: u32,
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
    /// Different groups that these worlds consist of, beside places.
    pub groups: u64,
}

/// How a search ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every property holds in every world of the scope.
    Holds,
    /// A schedule that breaks a property, a short one of those with the fewest generations: which, what was seen, and
    /// what happens on the way.
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
        let (rules, mut parts, mut paths) = (scope.rules(), Parts::default(), Paths::default());
        let world = parts.outline(&World::new(&rules, scope.members), &rules);
        let first = Node { world, path: paths.begin(), depth: 0 };
        let mut search = Self {
            scope,
            rules,
            parts,
            paths,
            seen: Seen::new(),
            generation: first.world.generation,
            layer: Vec::new(),
            next: Vec::new(),
            ahead: BTreeMap::new(),
            seen_ahead: Seen::new(),
            tally: Tally::default(),
            violation: None,
            #[cfg(test)]
            at_rest: std::collections::BTreeSet::new(),
        };
        search.admit(first);
        search
    }

    /// Looks into everything.
    pub fn run(mut self) -> (Tally, Verdict) {
        while self.is_open() {
            self.advance(CHUNK);
        }
        (self.tally(), self.verdict())
    }

    /// Looks into so many worlds at most.
    pub fn advance(&mut self, most: usize) {
        for _ in 0..most {
            let Some(node) = self.take_next().filter(|_| self.violation.is_none()) else { return };
            self.expand(node);
        }
    }

    fn take_next(&mut self) -> Option<Node> {
        if self.layer.is_empty() {
            std::mem::swap(&mut self.layer, &mut self.next);
        }
        if self.layer.is_empty() {
            self.open_generation();
        }
        if self.next.len() < WIDE { self.layer.pop() } else { self.next.pop() }
    }

    /// Everything that may happen next in a world.
    fn expand(&mut self, node: Node) {
        for step in self.steps(&node.world) {
            let known = self.paths.len();
            let reached = self.take(node, step).and_then(|node| self.go_on(node));
            match reached.filter(|node| !self.knows(&node.world)) {
                Some(node) => self.admit(node),
                None => self.paths.forget_after(known),
            }
        }
    }

    fn steps(&mut self, world: &Outline) -> Vec<Step> {
        steps(world, &mut self.parts, (&self.scope, &self.rules))
    }

    /// Where a step leads, if it is within the scope and keeps every property.
    fn take(&mut self, mut node: Node, step: Step) -> Option<Node> {
        self.tally.transitions += 1;
        for act in step.before.into_iter().chain([step.act]) {
            let fine = node.world.take(act, &mut self.parts, &self.rules);
            node.path = self.paths.go_on(node.path, act);
            node.depth += 1;
            #[cfg(test)]
            self.at_rest.extend(node.world.is_still(&self.parts).then(|| node.world.canonical(&self.parts)));
            if fine.and(node.world.check(&self.parts, &self.rules)) == Fine::No {
                self.violation.get_or_insert_with(|| self.paths.acts(node.path));
                return None;
            }
        }
        if node.world.generation > self.rules.last {
            self.tally.pruned_generation += 1;
            return None;
        }
        if node.world.under_way(&self.parts) > self.rules.in_flight {
            self.tally.pruned_in_flight += 1;
            return None;
        }
        Some(node)
    }

    /// A world in which only one thing can happen is not kept.
    fn go_on(&mut self, mut node: Node) -> Option<Node> {
        for _ in 0..CHAIN_MAX {
            if self.scope.reduction == Reduction::Off || self.knows(&node.world) {
                break;
            }
            let steps = self.steps(&node.world);
            let [Step { act, .. }] = steps.as_slice() else { break };
            if *act == Act::Clock {
                break;
            }
            node = steps.into_iter().next().and_then(|step| self.take(node, step))?;
        }
        Some(node)
    }

    fn admit(&mut self, node: Node) {
        let generation = node.world.generation;
        if generation > self.generation {
            self.seen_ahead.insert(self.key_ahead(&node.world));
            return self.ahead.entry(generation).or_default().push(node);
        }
        self.seen.insert(self.key(&node.world, node.world.crashes));
        self.tally.depth = self.tally.depth.max(u64::from(node.depth));
        self.next.push(node);
    }

    /// Whether a world has been admitted, with no fewer generations and kills to go.
    fn knows(&self, world: &Outline) -> bool {
        let fewest = if self.scope.reduction == Reduction::On { 0 } else { world.crashes };
        let fingerprint = self.fingerprint(world);
        let known = |crashes: u8| self.seen.contains(Fingerprint::of(&(fingerprint, crashes)));
        let ahead = world.generation > self.generation;
        (fewest..=world.crashes).rev().any(known) || ahead && self.seen_ahead.contains(self.key_ahead(world))
    }

    fn fingerprint(&self, world: &Outline) -> u128 {
        match self.scope.reduction {
            Reduction::On => world.canonical(&self.parts),
            Reduction::Off => world.verbatim(&self.parts),
        }
    }

    /// Under what a world is known: where it has been reached with fewer kills is more to go.
    fn key(&self, world: &Outline, crashes: u8) -> u128 {
        Fingerprint::of(&(self.fingerprint(world), crashes))
    }

    fn key_ahead(&self, world: &Outline) -> u128 {
        Fingerprint::of(&(self.key(world, world.crashes), world.generation))
    }

    /// Goes on to the next generation that worlds were found of. What was found of it before all of the last was known
    /// may be known by now.
    fn open_generation(&mut self) {
        let Some((generation, nodes)) = self.ahead.pop_first() else { return };
        self.generation = generation;
        self.seen_ahead = Seen::new();
        for node in nodes {
            if !self.knows(&node.world) {
                self.admit(node);
            }
        }
        std::mem::swap(&mut self.layer, &mut self.next);
    }

    /// Whether there is more to look into, and nothing was found yet.
    pub fn is_open(&self) -> bool {
        self.violation.is_none() && !(self.layer.is_empty() && self.next.is_empty() && self.ahead.is_empty())
    }

    /// How far it has come.
    pub fn tally(&self) -> Tally {
        let ahead: usize = self.ahead.values().map(Vec::len).sum();
        Tally {
            states: self.seen.len(),
            frontier: (self.layer.len() + self.next.len() + ahead) as u64,
            groups: self.parts.groups(),
            ..self.tally
        }
    }

    /// What is known so far.
    pub fn verdict(&self) -> Verdict {
        let Some(acts) = &self.violation else {
            return if self.is_open() { Verdict::Open } else { Verdict::Holds };
        };
        let (timeline, found) = story(&self.rules, self.scope.members, acts);
        let (property, what) = found.into_iter().next().expect("parts find what whole worlds find");
        Verdict::Broken { property, what, timeline }
    }
}

/// How many worlds in a row are not kept.
const CHAIN_MAX: usize = 64;
const CHUNK: usize = 1024;
/// When so many worlds are still to be looked into, the newest come first: that takes less memory.
const WIDE: usize = 200_000;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::schedule::{Mutation, Policy};

    /// The verdict, all worlds in which nothing is under way, and how many worlds there are.
    fn looked_into(scope: Scope) -> (bool, BTreeSet<u128>, u64) {
        let mut search = Search::new(scope);
        while search.is_open() {
            search.advance(CHUNK);
        }
        (search.verdict() == Verdict::Holds, std::mem::take(&mut search.at_rest), search.tally().states)
    }

    fn assert_reduced_alike(scope: Scope) {
        let (whole, reduced) = (looked_into(Scope { reduction: Reduction::Off, ..scope }), looked_into(scope));
        assert_eq!(whole.0, reduced.0, "{scope:?}");
        if whole.0 {
            assert!(whole.1 == reduced.1, "{scope:?}: {} and {} worlds at rest", whole.1.len(), reduced.1.len());
            assert!(reduced.2 < whole.2, "{scope:?}: nothing is saved: {}", whole.2);
        }
    }

    const fn small(policy: Policy) -> Scope {
        Scope { members: 2, resources: 2, crashes: 1, generations: 3, delay: 0, ..Scope::new(policy) }
    }

    #[test]
    fn the_reduction_changes_no_verdict_and_leaves_out_no_world_at_rest() {
        for (_, policy) in Policy::ALL {
            assert_reduced_alike(small(*policy));
            assert_reduced_alike(Scope { delay: 1, crashes: 0, ..small(*policy) });
        }
    }

    #[test]
    fn neither_does_it_where_timers_overtake_messages_and_processes_die() {
        for policy in [Policy::TwoRound, Policy::Deferred] {
            assert_reduced_alike(Scope { delay: 1, generations: 2, ..small(policy) });
            assert_reduced_alike(Scope { members: 3, delay: 1, crashes: 0, generations: 1, ..small(policy) });
        }
    }

    #[test]
    fn broken_rules_are_found_with_the_reduction_where_they_are_without() {
        for (_, mutation) in Mutation::ALL {
            for policy in [Policy::TwoRound, Policy::Deferred] {
                let broken = Scope { mutation: *mutation, ..small(policy) };
                assert_reduced_alike(broken);
                assert_reduced_alike(Scope { delay: 1, crashes: 0, ..broken });
            }
        }
    }
}
