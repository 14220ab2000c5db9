use std::fmt;
use std::sync::Arc;

use groma_model::Span;

use super::{Deferred, DelaySource, Eager, Incremental, Limit, Policy, Returner, TwoRound};

/// The policies by the names that settings and command lines use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolicyName {
    /// `eager`: everything stops in each round.
    Eager,
    /// `two-round` (Design I).
    #[default]
    TwoRound,
    /// `deferred` (Design II).
    Deferred,
    /// `incremental` (Design III).
    Incremental,
    /// `deferred+incremental`: lost resources wait, and what moves for balance moves little by little.
    DeferredIncremental,
}

impl PolicyName {
    /// All of them, in order of the designs.
    pub const ALL: [Self; 5] =
        [Self::Eager, Self::TwoRound, Self::Deferred, Self::Incremental, Self::DeferredIncremental];

    /// The policy of a name, if it is one.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::TwoRound => "two-round",
            Self::Deferred => "deferred",
            Self::Incremental => "incremental",
            Self::DeferredIncremental => "deferred+incremental",
        }
    }
}

impl fmt::Display for PolicyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A policy with all that can be set about it; what does not concern the chosen one is ignored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PolicySettings {
    /// Which policy (`rebalance.policy`, `two-round`).
    pub policy: PolicyName,
    /// See [`Deferred::max_delay`] (`rebalance.max-delay`, 5 min).
    pub max_delay: Span,
    /// See [`Deferred::source`].
    pub source: DelaySource,
    /// See [`Deferred::returner`].
    pub returner: Returner,
    /// See [`Deferred::formation`].
    pub formation: Span,
    /// See [`Limit::moves`] (`rebalance.moves-per-round`); without it and a cost, 1.
    pub moves_per_round: Option<u32>,
    /// See [`Limit::cost`] (`rebalance.cost-per-round`).
    pub cost_per_round: Option<u64>,
    /// See [`Incremental::interval`] (`rebalance.interval`, 1 s).
    pub interval: Span,
    /// See [`Incremental::tolerance`].
    pub tolerance: u32,
}

impl Default for PolicySettings {
    fn default() -> Self {
        let (deferred, incremental) = (Deferred::default(), Incremental::default());
        Self {
            policy: PolicyName::default(),
            max_delay: deferred.max_delay,
            source: deferred.source,
            returner: deferred.returner,
            formation: deferred.formation,
            moves_per_round: None,
            cost_per_round: None,
            interval: incremental.interval,
            tolerance: incremental.tolerance,
        }
    }
}

impl PolicySettings {
    /// A policy with the defaults of all its settings.
    pub fn of(policy: PolicyName) -> Self {
        Self { policy, ..Self::default() }
    }

    /// The policy that is set.
    pub fn build(&self) -> Arc<dyn Policy> {
        match self.policy {
            PolicyName::Eager => Arc::new(Eager),
            PolicyName::TwoRound => Arc::new(TwoRound),
            PolicyName::Deferred => Arc::new(self.deferred(Arc::new(TwoRound))),
            PolicyName::Incremental => Arc::new(self.incremental()),
            PolicyName::DeferredIncremental => Arc::new(self.deferred(Arc::new(self.incremental()))),
        }
    }

    fn deferred(&self, otherwise: Arc<dyn Policy>) -> Deferred {
        let Self { max_delay, source, returner, formation, .. } = *self;
        Deferred { max_delay, source, returner, formation, otherwise }
    }

    fn incremental(&self) -> Incremental {
        let limit = match (self.moves_per_round, self.cost_per_round) {
            (None, None) => Incremental::default().limit,
            (moves, cost) => Limit { moves: moves.unwrap_or(u32::MAX), cost: cost.unwrap_or(u64::MAX) },
        };
        Incremental { limit, interval: self.interval, tolerance: self.tolerance }
    }
}
