use groma_rebalance::embedded::Mode;
use groma_rebalance::embedded::consumer::Strategy;

use super::Policy;
use super::last::Promises;
use crate::cluster::{Bounds, Make};

/// Who shares out in a schedule: a policy or an assignor of this library, or one from outside.
///
/// ```
/// use std::sync::Arc;
///
/// use groma_rebalance::embedded::consumer::Strategy;
/// use groma_rebalance::policy::TwoRound;
/// use groma_sim::{Bounds, Contender, Policy, Schedule};
///
/// let own = Strategy::cooperative_sticky().with_policy(Arc::new(TwoRound));
/// let contender = Contender::new(vec![own], Bounds::default());
/// let outcome = Schedule::new(7, 5, Policy::TwoRound).run_with(&contender);
/// assert_eq!(outcome.violations, []);
/// ```
#[derive(Clone, Debug)]
pub struct Contender {
    strategies: Vec<Strategy>,
    bounds: Bounds,
    promises: Option<Promises>,
    mixtures: Vec<Vec<Make>>,
}

impl Contender {
    /// Members that offer these strategies, the first one most preferred, and what their policy promises. All properties
    /// are checked but those of [`Property`](crate::Property) that only our policies promise of a single change in peace:
    /// `RoundsFew` and `BackAtOnce`. `Sticky` and the even shares of `AllRun` are: an assignor that does not balance, or
    /// moves more than a balance needs, does not keep them.
    pub const fn new(strategies: Vec<Strategy>, bounds: Bounds) -> Self {
        Self { strategies, bounds, promises: None, mixtures: Vec::new() }
    }

    /// A policy of this library.
    pub fn of(policy: Policy) -> Self {
        Self {
            strategies: policy.strategies(),
            bounds: policy.bounds(),
            promises: Some(Promises::of(&policy.settings())),
            mixtures: policy.mixtures(),
        }
    }

    pub(super) fn strategies(&self) -> Vec<Strategy> {
        self.strategies.clone()
    }

    pub(super) const fn bounds(&self) -> Bounds {
        self.bounds
    }

    pub(super) const fn promises(&self) -> Option<Promises> {
        self.promises
    }

    /// What its members may meet instead of each other.
    pub(super) fn mixtures(&self) -> &[Vec<Make>] {
        &self.mixtures
    }

    /// Whether a leader of Kafka's cooperative protocol may come to lead them.
    pub(super) fn follows_cooperative_leaders(&self) -> bool {
        self.strategies.iter().all(|s| s.mode() == Mode::Cooperative)
            && self.strategies.iter().any(|s| s.name() == Strategy::cooperative_sticky().name())
    }
}
