use super::act::Act;
use super::fingerprint::Fingerprint;
use super::outline::Outline;
use super::parts::{Fine, Parts};
use super::path::Paths;
use super::reduce::{Step, steps};
use super::scope::{Reduction, Rules, Scope};
use super::search::{Tally, Turn};
use super::seen::Seen;

/// What all hands of a search have in common.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) scope: Scope,
    pub(super) rules: Rules,
    pub(super) parts: Parts,
    pub(super) seen: Seen,
    /// What is known of later turns.
    pub(super) ahead: Seen,
    /// Which worlds are looked into.
    pub(super) turn: Turn,
}

/// A pair of hands of a search, which may work beside others, and what it has found.
#[derive(Debug)]
pub(super) struct Hand {
    pub(super) paths: Paths,
    /// Worlds of this turn.
    pub(super) found: Vec<Node>,
    /// Worlds of later turns.
    pub(super) ahead: Vec<Node>,
    /// A world in which a property does not hold, or on the way to which it did not.
    pub(super) broken: Option<Node>,
    /// Steps, and the deepest.
    pub(super) tally: Tally,
    #[cfg(test)]
    pub(super) at_rest: std::collections::BTreeSet<u128>,
}

/// A world, and how it was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) world: Outline,
    pub(super) path: u32,
    pub(super) depth: u32,
}

impl Hand {
    pub(super) fn new(number: usize) -> Self {
        Self {
            paths: Paths::of_hand(number),
            found: Vec::new(),
            ahead: Vec::new(),
            broken: None,
            tally: Tally::default(),
            #[cfg(test)]
            at_rest: std::collections::BTreeSet::new(),
        }
    }

    /// Everything that may happen next in a world.
    pub(super) fn expand(&mut self, shared: &Shared, node: Node) {
        for step in shared.steps(&node.world) {
            let (known, found) = (self.paths.len(), self.found.len() + self.ahead.len());
            if let Some(node) = self.take(shared, node, step) {
                self.go_on(shared, node);
            }
            if self.found.len() + self.ahead.len() == found && self.broken.is_none() {
                self.paths.forget_after(known);
            }
        }
    }

    /// Where a step leads, if it is within the scope and keeps every property.
    fn take(&mut self, shared: &Shared, mut node: Node, step: Step) -> Option<Node> {
        let Shared { rules, parts, .. } = shared;
        self.tally.transitions += 1;
        for act in step.before.into_iter().chain([step.act]) {
            let fine = node.world.take(act, parts, rules);
            node.path = self.paths.go_on(node.path, act);
            node.depth += 1;
            #[cfg(test)]
            self.at_rest.extend(node.world.is_still(parts).then(|| node.world.canonical(parts)));
            if fine.and(node.world.check(parts, rules)) == Fine::No {
                self.broken.get_or_insert(node);
                return None;
            }
        }
        if node.world.generation > rules.last {
            self.tally.pruned_generation += 1;
            return None;
        }
        if node.world.under_way(parts) > rules.in_flight {
            self.tally.pruned_in_flight += 1;
            return None;
        }
        Some(node)
    }

    /// A world in which only one thing can happen is not kept.
    fn go_on(&mut self, shared: &Shared, mut node: Node) {
        for _ in 0..CHAIN_MAX {
            let Some(step) = shared.only_step(&node.world) else { break };
            let Some(next) = self.take(shared, node, step) else { return };
            node = next;
        }
        self.admit(shared, node);
    }

    /// Keeps a world, unless it is known with no fewer generations and kills to go.
    pub(super) fn admit(&mut self, shared: &Shared, node: Node) {
        let (fingerprint, turn) = (shared.fingerprint(&node.world), node.world.turn());
        if turn == shared.turn {
            if shared.seen.insert(fingerprint, turn.1) {
                self.tally.depth = self.tally.depth.max(u64::from(node.depth));
                self.found.push(node);
            }
        } else if !shared.seen.knows(fingerprint, turn.1)
            && shared.ahead.insert(Fingerprint::of(&(fingerprint, turn)), 0)
        {
            self.ahead.push(node);
        }
    }
}

impl Shared {
    fn steps(&self, world: &Outline) -> Vec<Step> {
        steps(world, &self.parts, (&self.scope, &self.rules))
    }

    /// What happens next, if only one thing can, other than that time passes.
    fn only_step(&self, world: &Outline) -> Option<Step> {
        if self.scope.reduction == Reduction::Off {
            return None;
        }
        let mut steps = self.steps(world);
        let only = steps.pop().filter(|step| step.act != Act::Clock)?;
        steps.is_empty().then_some(only)
    }

    fn fingerprint(&self, world: &Outline) -> u128 {
        match self.scope.reduction {
            Reduction::On => world.canonical(&self.parts),
            Reduction::Off => world.verbatim(&self.parts),
        }
    }
}

/// How many worlds in a row are not kept.
const CHAIN_MAX: usize = 64;
