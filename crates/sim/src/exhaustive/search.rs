use std::collections::BTreeMap;
use std::sync::Arc;

use groma_model::Generation;

use super::act::{Act, Path};
use super::check::Found;
use super::fingerprint::Fingerprint;
use super::narrate::story;
use super::scope::{Reduction, Rules, Scope};
use super::seen::Seen;
use super::world::{Turn, Urgency, World};

/// A search through all schedules of a scope: those with fewer generations first, of these the shorter ones first for as
/// long as there are not too many of one length. So a world is never reached anew with more generations to go.
///
/// The caller carries the work: [`Search::next`] hands out worlds, [`Search::expand`] may be called for them on as many
/// threads as there are, [`Search::admit`] takes what was found.
#[derive(Debug)]
pub struct Search {
    scope: Scope,
    rules: Rules,
    seen: Seen,
    /// The generation that is looked into.
    generation: Generation,
    layer: Vec<Node>,
    next: Vec<Node>,
    /// Worlds of later generations, and what is known of these.
    ahead: BTreeMap<Generation, Vec<Node>>,
    seen_ahead: Seen,
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
    next: Vec<Node>,
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
        let rules = scope.rules();
        let first = Node { world: World::new(&rules, scope.members), path: None, depth: 0 };
        let mut search = Self {
            scope,
            rules,
            seen: Seen::new(),
            generation: first.world.generation,
            layer: Vec::new(),
            next: Vec::new(),
            ahead: BTreeMap::new(),
            seen_ahead: Seen::new(),
            tally: Tally::default(),
            violation: None,
        };
        search.admit_node(first);
        search
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
        if self.layer.is_empty() {
            self.open_generation();
        }
        let source = if self.next.len() < WIDE { &mut self.layer } else { &mut self.next };
        source.split_off(source.len().saturating_sub(most))
    }

    /// Everything that may happen next in a world.
    pub fn expand(&self, node: &Node) -> Expansion {
        let mut expansion = Expansion::default();
        for act in self.acts(&node.world) {
            let mut turn = Turn::new(&self.rules, node.world.clone());
            turn.take(act);
            expansion.tally.transitions += 1;
            let path = || Arc::new(Path { act, before: node.path.clone() });
            if self.knows(&turn.world) && turn.found.is_empty() {
                continue;
            }
            turn.check();
            if let Some(found) = turn.found.into_iter().next() {
                expansion.violation.get_or_insert_with(|| (path(), found));
            } else if turn.world.generation > self.rules.last {
                expansion.tally.pruned_generation += 1;
            } else if turn.world.places.iter().any(|p| p.up.len().max(p.down.len()) > self.rules.in_flight) {
                expansion.tally.pruned_in_flight += 1;
            } else {
                expansion.next.push(Node { path: Some(path()), depth: node.depth + 1, world: turn.world });
            }
        }
        expansion
    }

    /// All that may happen next, but for what may as well happen later.
    fn acts(&self, world: &World) -> Vec<Act> {
        let mut acts = world.acts(&self.rules, self.scope.crashes);
        let urgent = world.urgent(&self.rules).filter(|_| self.scope.reduction == Reduction::On);
        let Some((at, urgency)) = urgent else { return acts };
        let mut turn = Turn::new(&self.rules, world.clone());
        turn.take(Act::Reply(at));
        if !turn.world.runs_on(at, world) {
            return acts;
        }
        if urgency == Urgency::NowOrLater {
            return vec![Act::Reply(at), Act::Hold(at)];
        }
        acts.retain(|act| matches!(act, Act::Reply(a) | Act::Kill(a, _) if *a == at));
        acts
    }

    /// Takes what expansions found.
    pub fn admit(&mut self, expansions: Vec<Expansion>) {
        for Expansion { next, tally, violation } in expansions {
            self.tally.transitions += tally.transitions;
            self.tally.pruned_generation += tally.pruned_generation;
            self.tally.pruned_in_flight += tally.pruned_in_flight;
            self.violation = self.violation.take().or(violation);
            next.into_iter().for_each(|node| self.admit_node(node));
        }
    }

    fn admit_node(&mut self, node: Node) {
        if self.knows(&node.world) {
            return;
        }
        let generation = node.world.generation;
        if generation > self.generation {
            self.seen_ahead.insert(self.keys_ahead(&node.world));
            return self.ahead.entry(generation).or_default().push(node);
        }
        let key = self.keys(&node.world).last();
        key.into_iter().for_each(|key| _ = self.seen.insert(key));
        self.tally.depth = self.tally.depth.max(u64::from(node.depth));
        self.next.push(node);
    }

    /// Whether a world has been admitted, with no fewer generations and kills to go.
    fn knows(&self, world: &World) -> bool {
        let ahead = world.generation > self.generation;
        self.keys(world).any(|key| self.seen.contains(key)) || ahead && self.seen_ahead.contains(self.keys_ahead(world))
    }

    /// Under what a world is known, its own key last: where it has been reached with fewer kills is more to go.
    fn keys(&self, world: &World) -> impl Iterator<Item = u128> {
        let (fingerprint, fewest) = match self.scope.reduction {
            Reduction::On => (world.canonical(), 0),
            Reduction::Off => (world.verbatim(), world.crashes),
        };
        (fewest..=world.crashes).map(move |crashes| Fingerprint::of(&(fingerprint, crashes)))
    }

    fn keys_ahead(&self, world: &World) -> u128 {
        Fingerprint::of(&(self.keys(world).last(), world.generation))
    }

    /// Goes on to the next generation that worlds were found of. What was found of it before all of the last was known
    /// may be known by now.
    fn open_generation(&mut self) {
        let Some((generation, nodes)) = self.ahead.pop_first() else { return };
        self.generation = generation;
        self.seen_ahead = Seen::new();
        nodes.into_iter().for_each(|node| self.admit_node(node));
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::schedule::{Mutation, Policy};

    /// The verdict, all worlds in which nothing is under way, and how many worlds there are.
    fn looked_into(scope: Scope) -> (bool, BTreeSet<u128>, u64) {
        let (mut search, mut calm) = (Search::new(scope), BTreeSet::new());
        while search.is_open() {
            let nodes = search.next(CHUNK);
            calm.extend(nodes.iter().filter(|node| node.world.is_still()).map(|node| node.world.canonical()));
            let expansions = nodes.iter().map(|node| search.expand(node)).collect();
            search.admit(expansions);
        }
        (search.verdict() == Verdict::Holds, calm, search.tally().states)
    }

    fn assert_reduced_alike(scope: Scope) {
        let (whole, reduced) = (looked_into(Scope { reduction: Reduction::Off, ..scope }), looked_into(scope));
        assert_eq!(whole.0, reduced.0, "{scope:?}");
        if whole.0 {
            assert!(whole.1 == reduced.1, "{scope:?}: {} and {} worlds at rest", whole.1.len(), reduced.1.len());
            assert!(reduced.2 < whole.2, "{scope:?}: nothing is saved: {}", whole.2);
        }
    }

    #[test]
    fn the_reduction_changes_no_verdict_and_leaves_out_no_world_at_rest() {
        for policy in [Policy::TwoRound, Policy::Deferred] {
            let small = Scope { members: 2, resources: 2, crashes: 1, generations: 3, delay: 0, ..Scope::new(policy) };
            assert_reduced_alike(small);
            assert_reduced_alike(Scope { delay: 1, crashes: 0, ..small });
            assert_reduced_alike(Scope { mutation: Mutation::NoWithholding, ..small });
            assert_reduced_alike(Scope { mutation: Mutation::ForgetsFree, ..small });
        }
    }
}
