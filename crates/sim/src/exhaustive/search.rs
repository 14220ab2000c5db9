use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use groma_model::Generation;

use super::act::Act;
use super::hand::{Hand, Node, Shared};
use super::narrate::story;
use super::parts::Parts;
use super::path::{HANDS_MAX, Paths, acts};
use super::scope::Scope;
use super::seen::{KILLS_MAX, Seen};
use super::world::World;

/// A search through all schedules of a scope: those with fewer generations first, of these those with fewer kills, of these
/// the shorter ones first for as long as there are not too many of one length. So a world is never reached anew with more
/// generations to go, nor in the same generation with more kills to go.
#[derive(Debug)]
pub struct Search {
    shared: Shared,
    hands: Vec<Hand>,
    layer: Vec<Node>,
    next: Vec<Node>,
    /// Worlds whose turn comes later.
    ahead: BTreeMap<Turn, Vec<Node>>,
    violation: Option<Vec<Act>>,
}

/// A part of the work of a search.
pub type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// In which order worlds are looked into: by their generations, then by the kills before them.
pub(super) type Turn = (Generation, u8);

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Different worlds; one that is reached in a later generation with fewer kills counts once more.
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
    /// A search that has not begun, by one pair of hands.
    pub fn new(scope: Scope) -> Self {
        Self::by_hands(scope, 1)
    }

    /// A search that has not begun, by so many pairs of hands, eight at most. It comes to the same verdict with any number
    /// of them. Where several work at the same time, they may follow another one of several orders that make no difference,
    /// and so find slightly more or fewer worlds, and another schedule that breaks a property.
    ///
    /// # Panics
    /// The scope is wider than its fields say that it may be.
    pub fn by_hands(scope: Scope, hands: usize) -> Self {
        assert!(
            (1..=8).contains(&scope.members) && (1..=8).contains(&scope.resources) && scope.crashes <= KILLS_MAX,
            "a search of 1 to 8 members, 1 to 8 resources and at most {KILLS_MAX} kills, not {scope:?}"
        );
        let (rules, parts) = (scope.rules(), Parts::default());
        let world = parts.outline(&World::new(&rules, scope.members), &rules);
        let first = Node { world, path: Paths::begin(), depth: 0 };
        let shared = Shared { scope, rules, parts, seen: Seen::default(), ahead: Seen::default(), turn: world.turn() };
        let hands = (0..hands.clamp(1, HANDS_MAX)).map(Hand::new).collect();
        let mut search =
            Self { shared, hands, layer: Vec::new(), next: Vec::new(), ahead: BTreeMap::new(), violation: None };
        search.ahead.insert(first.world.turn(), vec![first]);
        search
    }

    /// Looks into everything.
    pub fn run(mut self) -> (Tally, Verdict) {
        while self.is_open() {
            self.advance(CHUNK);
        }
        (self.tally(), self.verdict())
    }

    /// Looks into so many worlds at most, one after the other.
    pub fn advance(&mut self, most: usize) {
        self.advance_by(most, |jobs| jobs.into_iter().for_each(|job| job()));
    }

    /// Looks into so many worlds at most; `carry_out` is given one job for each pair of hands, and returns when all are
    /// done, in whatever order or at the same time.
    pub fn advance_by(&mut self, most: usize, carry_out: impl Fn(Vec<Job<'_>>)) {
        let mut left = most;
        while left > 0 && self.is_open() {
            let nodes = self.take_next(left.min(CHUNK));
            left -= nodes.len();
            carry_out(self.jobs(&nodes));
            self.gather();
        }
    }

    /// The next worlds to be looked into; only then may there be none of this turn.
    fn take_next(&mut self, most: usize) -> Vec<Node> {
        if self.layer.is_empty() {
            std::mem::swap(&mut self.layer, &mut self.next);
        }
        if self.layer.is_empty() {
            self.open_turn();
        }
        let from = if self.next.len() < WIDE { &mut self.layer } else { &mut self.next };
        from.split_off(from.len().saturating_sub(most))
    }

    /// Everything that may happen next in some worlds: all hands take from the same heap.
    fn jobs<'a>(&'a mut self, nodes: &'a [Node]) -> Vec<Job<'a>> {
        let (shared, taken) = (&self.shared, Arc::new(AtomicUsize::new(0)));
        let job = |hand: &'a mut Hand| -> Job<'a> {
            let taken = Arc::clone(&taken);
            Box::new(move || {
                let next = || nodes.chunks(HANDFUL).nth(taken.fetch_add(1, Ordering::Relaxed));
                while let Some(handful) = next() {
                    handful.iter().for_each(|node| hand.expand(shared, *node));
                }
            })
        };
        self.hands.iter_mut().map(job).collect()
    }

    /// Takes what the hands have found.
    fn gather(&mut self) {
        for hand in &mut self.hands {
            self.next.append(&mut hand.found);
            for node in hand.ahead.drain(..) {
                self.ahead.entry(node.world.turn()).or_default().push(node);
            }
        }
        let broken = self.hands.iter().filter_map(|hand| hand.broken).min_by_key(|node| node.depth);
        let paths: Vec<&Paths> = self.hands.iter().map(|hand| &hand.paths).collect();
        self.violation = broken.map(|node| acts(&paths, node.path));
    }

    /// Goes on to the next turn that worlds were found of, the younger of groups last: they are the first to be taken. What
    /// was found of it before all of the last was known may be known by now.
    fn open_turn(&mut self) {
        let Some((turn, mut nodes)) = self.ahead.pop_first() else { return };
        self.shared.turn = turn;
        self.shared.ahead = Seen::default();
        nodes.sort_unstable_by_key(|node| node.world.group());
        let hand = &mut self.hands[0];
        nodes.into_iter().for_each(|node| hand.admit(&self.shared, node));
        std::mem::swap(&mut self.layer, &mut hand.found);
    }

    /// Whether there is more to look into, and nothing was found yet.
    pub fn is_open(&self) -> bool {
        self.violation.is_none() && !(self.layer.is_empty() && self.next.is_empty() && self.ahead.is_empty())
    }

    /// How far it has come.
    pub fn tally(&self) -> Tally {
        let ahead: usize = self.ahead.values().map(Vec::len).sum();
        let mut tally = Tally {
            states: self.shared.seen.admitted(),
            frontier: (self.layer.len() + self.next.len() + ahead) as u64,
            groups: self.shared.parts.groups(),
            ..Tally::default()
        };
        for Hand { tally: of_hand, .. } in &self.hands {
            tally.transitions += of_hand.transitions;
            tally.pruned_generation += of_hand.pruned_generation;
            tally.pruned_in_flight += of_hand.pruned_in_flight;
            tally.depth = tally.depth.max(of_hand.depth);
        }
        tally
    }

    /// What is known so far.
    pub fn verdict(&self) -> Verdict {
        let Some(acts) = &self.violation else {
            return if self.is_open() { Verdict::Open } else { Verdict::Holds };
        };
        let (timeline, found) = story(&self.shared.rules, self.shared.scope.members, acts);
        let (property, what) = found.into_iter().next().expect("parts find what whole worlds find");
        Verdict::Broken { property, what, timeline }
    }
}

/// How many worlds are looked into before what was found is gathered.
const CHUNK: usize = 4096;
/// How many of them a pair of hands takes at a time.
const HANDFUL: usize = 32;
/// When so many worlds are still to be looked into, the newest come first: that takes less memory.
const WIDE: usize = 200_000;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::exhaustive::scope::Reduction;
    use crate::schedule::{Mutation, Policy};

    /// The verdict, all worlds in which nothing is under way, and how many worlds there are.
    fn looked_into(scope: Scope) -> (bool, BTreeSet<u128>, u64) {
        let mut search = Search::new(scope);
        while search.is_open() {
            search.advance(CHUNK);
        }
        (search.verdict() == Verdict::Holds, std::mem::take(&mut search.hands[0].at_rest), search.tally().states)
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
    fn two_pairs_of_hands_find_what_one_finds() {
        let at_rest = |hands| {
            let mut search = Search::by_hands(Scope { delay: 1, ..small(Policy::Deferred) }, hands);
            while search.is_open() {
                search.advance_by(CHUNK, |jobs| jobs.into_iter().rev().for_each(|job| job()));
            }
            assert_eq!((search.verdict(), search.hands.len()), (Verdict::Holds, hands));
            search.hands.iter_mut().flat_map(|hand| std::mem::take(&mut hand.at_rest)).collect::<BTreeSet<u128>>()
        };
        assert!(at_rest(1) == at_rest(2));
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
