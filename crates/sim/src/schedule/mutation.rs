use std::sync::Arc;

use groma_model::Span;
use groma_rebalance::embedded::Mode;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::member::Isolation;
use groma_rebalance::policy::{Abilities, PolicyName, PolicySettings};
use groma_rebalance::share::{NOBODY, Owners, Plan, Situation};

use crate::cluster::{Bounds, Dialect, Make, Reports, Settings, WithoutCommitFence};

/// By which policy the members of a schedule share out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Policy {
    /// Everything stops in each round.
    Eager,
    /// Design I.
    TwoRound,
    /// Design II.
    Deferred,
    /// Design III.
    Incremental,
    /// Designs II and III.
    DeferredIncremental,
}

/// A rule that is broken on purpose, to show that the properties notice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mutation {
    /// All rules are kept.
    #[default]
    None,
    /// What is revoked is granted in the same round.
    NoWithholding,
    /// What nobody claims is never granted.
    ForgetsFree,
    /// The coordinator takes every commit.
    NoCommitFence,
    /// A member that is cut off runs on.
    NoLease,
    /// The leader gives everything another place in every round.
    Restless,
    /// Each leader lets what is lost wait all over again, and for longer.
    NoEnd,
    /// What is lost waits, and what is held moves meanwhile.
    NoCalm,
    /// Everything moves at once under a policy that promises little by little.
    NoLimit,
    /// Claims come without the generation in which they were confirmed.
    NoGenerations,
    /// No plan books the next round. Two rounds, and eager ones, have nothing to leave out: who has given something up
    /// joins again by itself, which calls the others, so no plan of theirs has an alarm or a wait.
    NoFollowUp,
    /// Twice as much is taken from members as a balance needs.
    NotSticky,
}

impl Policy {
    /// All policies, by the names of the command line.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("eager", Self::Eager),
        ("two-round", Self::TwoRound),
        ("deferred", Self::Deferred),
        ("incremental", Self::Incremental),
        ("deferred+incremental", Self::DeferredIncremental),
    ];

    /// The policy of a name of the command line.
    pub fn by_name(name: &str) -> Option<Self> {
        named(Self::ALL, name)
    }

    /// What its members offer.
    pub fn strategies(self) -> Vec<Strategy> {
        self.strategies_by(&self.settings())
    }

    /// The same with other settings.
    pub(crate) fn strategies_by(self, settings: &PolicySettings) -> Vec<Strategy> {
        match self {
            Self::Eager => vec![Strategy::sticky(), Strategy::range()],
            _ => vec![Strategy::cooperative_sticky().with_policy(settings.build())],
        }
    }

    /// Processes of several makes in one group, all of which have a protocol in common: other policies, the reports of
    /// Kafka's own consumers, or eager ones on their way to cooperative rounds.
    pub(crate) fn mixtures(self) -> Vec<Vec<Make>> {
        let ours = |strategies: Vec<Strategy>| Make { strategies, dialect: Dialect::Ours };
        let kafkas = |strategies: Vec<Strategy>, version| Make { strategies, dialect: Dialect::Kafka(version) };
        let others =
            Self::ALL.iter().filter(|(_, policy)| *policy != Self::Eager).map(|(_, policy)| policy.strategies());
        if self == Self::Eager {
            let old = || vec![Strategy::round_robin()];
            let new = || vec![Strategy::sticky(), Strategy::round_robin()];
            return vec![vec![ours(new()), ours(old())], vec![ours(new()), kafkas(old(), 0)]];
        }
        let both = || self.strategies().into_iter().chain([Strategy::sticky()]).collect();
        let plain = || vec![Strategy::cooperative_sticky()];
        vec![
            others.map(ours).collect(),
            vec![ours(self.strategies()), kafkas(plain(), 1), kafkas(plain(), 3)],
            vec![ours(both()), ours(vec![Strategy::sticky()])],
        ]
    }

    /// What it promises.
    pub(crate) fn bounds(self) -> Bounds {
        let settings = self.settings();
        let delays = matches!(self, Self::Deferred | Self::DeferredIncremental);
        let moves = settings.moves_per_round.map(|moves| moves as usize);
        Bounds { delay: delays.then_some(settings.max_delay), moves }
    }

    /// Quick ones, as the timeouts of a simulated cluster are.
    pub fn settings(self) -> PolicySettings {
        let (policy, moves, interval) = match self {
            Self::Eager => (PolicyName::Eager, None, Span::ZERO),
            Self::TwoRound => (PolicyName::TwoRound, None, Span::ZERO),
            Self::Deferred => (PolicyName::Deferred, None, Span::ZERO),
            Self::Incremental => (PolicyName::Incremental, Some(1), Span::from_secs(1)),
            Self::DeferredIncremental => (PolicyName::DeferredIncremental, Some(2), Span::ZERO),
        };
        PolicySettings {
            max_delay: Span::from_secs(12),
            formation: Span::from_secs(1),
            moves_per_round: moves,
            interval,
            ..PolicySettings::of(policy)
        }
    }
}

fn named<T: Copy>(all: &[(&str, T)], name: &str) -> Option<T> {
    all.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

impl Mutation {
    /// All rules that can be broken, by the names of the command line.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("no-withholding", Self::NoWithholding),
        ("forgets-free", Self::ForgetsFree),
        ("no-commit-fence", Self::NoCommitFence),
        ("no-lease", Self::NoLease),
        ("restless", Self::Restless),
        ("no-end", Self::NoEnd),
        ("no-calm", Self::NoCalm),
        ("no-limit", Self::NoLimit),
        ("no-generations", Self::NoGenerations),
        ("no-follow-up", Self::NoFollowUp),
        ("not-sticky", Self::NotSticky),
    ];

    /// The broken rule of a name of the command line.
    pub fn by_name(name: &str) -> Option<Self> {
        named(Self::ALL, name)
    }

    /// The policies that have this rule, so that breaking it is noticed; all of them where no rule is broken.
    pub fn policies(self) -> impl Iterator<Item = (&'static str, Policy)> {
        Policy::ALL.iter().copied().filter(move |(_, policy)| self.is_of(*policy))
    }

    const fn is_of(self, policy: Policy) -> bool {
        let waits = matches!(policy, Policy::Deferred | Policy::DeferredIncremental);
        let paced = matches!(policy, Policy::Incremental | Policy::DeferredIncremental);
        match self {
            Self::None | Self::NoCommitFence | Self::NoLease => true,
            Self::NoWithholding | Self::ForgetsFree | Self::Restless | Self::NoGenerations | Self::NotSticky => {
                !matches!(policy, Policy::Eager)
            }
            Self::NoEnd | Self::NoCalm => waits,
            Self::NoLimit => paced,
            Self::NoFollowUp => waits || paced,
        }
    }

    pub(crate) fn apply(self, settings: &mut Settings) {
        match self {
            Self::None => {}
            Self::NoWithholding => replace_policies(settings, &Arc::new(Hasty)),
            Self::ForgetsFree => replace_policies(settings, &Arc::new(Forgetful)),
            Self::Restless => replace_policies(settings, &Arc::new(Restless)),
            Self::NoLimit => replace_policies(settings, &Arc::new(Boundless)),
            Self::NoEnd | Self::NoCalm | Self::NoFollowUp | Self::NotSticky => wrap_policies(settings, self),
            Self::NoGenerations => settings.reports = Reports::WithoutGenerations,
            Self::NoCommitFence => settings.commits = WithoutCommitFence::Yes,
            Self::NoLease => settings.member.isolation = Isolation::KeepRunning,
        }
    }
}

fn offered(settings: &mut Settings) -> impl Iterator<Item = &mut Strategy> {
    settings.strategies.iter_mut().chain(settings.makes.iter_mut().flat_map(|make| &mut make.strategies))
}

fn replace_policies<P: groma_rebalance::policy::Policy + 'static>(settings: &mut Settings, policy: &Arc<P>) {
    for strategy in offered(settings) {
        let policy: Arc<P> = Arc::clone(policy);
        strategy.policy = policy;
    }
}

fn wrap_policies(settings: &mut Settings, mutation: Mutation) {
    for strategy in offered(settings) {
        let inner = Arc::clone(&strategy.policy);
        strategy.policy = Arc::new(Impatient { inner, mutation });
    }
}

/// A policy whose waits, or what follows from them, are broken.
#[derive(Debug)]
struct Impatient {
    inner: Arc<dyn groma_rebalance::policy::Policy>,
    mutation: Mutation,
}

impl groma_rebalance::policy::Policy for Impatient {
    fn is_checked(&self) -> bool {
        false
    }

    fn mode(&self) -> Mode {
        self.inner.mode()
    }

    fn needs(&self) -> Abilities {
        self.inner.needs()
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        let target = if self.mutation == Mutation::NotSticky { swapped(situation, target) } else { target };
        let mut plan = self.inner.plan(situation, target);
        match self.mutation {
            Mutation::NoFollowUp => {
                plan.alarm = None;
                plan.waits.clear();
            }
            _ if plan.waits.is_empty() || self.mutation == Mutation::NotSticky => {}
            Mutation::NoEnd => plan.waits.iter_mut().for_each(|wait| wait.left = Span::from_secs(60)),
            _ => plan.owner.iter_mut().for_each(|owner| *owner = NOBODY),
        }
        plan
    }
}

/// A target that makes the first two members exchange a resource.
fn swapped(situation: &Situation, mut target: Owners) -> Owners {
    let of = |member| (0..target.len()).find(|place| target[*place] == member && situation.holder()[*place] == member);
    if let (Some(one), Some(other)) = (of(0), of(1)) {
        target.swap(one, other);
    }
    target
}

/// Two rounds under the name of little by little.
#[derive(Debug)]
struct Boundless;

impl groma_rebalance::policy::Policy for Boundless {
    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn needs(&self) -> Abilities {
        Abilities::PACING
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        groma_rebalance::policy::TwoRound.plan(situation, target)
    }
}

#[derive(Debug)]
pub(super) struct Hasty;

impl groma_rebalance::policy::Policy for Hasty {
    fn is_checked(&self) -> bool {
        false
    }

    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn plan(&self, _situation: &Situation, target: Owners) -> Plan {
        Plan::new(target.clone(), target)
    }
}

#[derive(Debug)]
struct Forgetful;

impl groma_rebalance::policy::Policy for Forgetful {
    fn is_checked(&self) -> bool {
        false
    }

    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        let anybody = situation.holder().iter().any(|h| *h != NOBODY);
        let keep = |(holder, target): (&u32, &u32)| if holder == target { *target } else { NOBODY };
        let owner = situation.holder().iter().zip(&target).map(keep).collect();
        Plan::new(if anybody { owner } else { target.clone() }, target)
    }
}

#[derive(Debug)]
struct Restless;

impl groma_rebalance::policy::Policy for Restless {
    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        let members = situation.members() as u32;
        let next = |holder: &u32| if *holder == NOBODY { 0 } else { (holder + 1) % members };
        let target: Owners = match members {
            0 => target,
            _ => situation.holder().iter().map(next).collect(),
        };
        let free = |(holder, target): (&u32, &u32)| if *holder == NOBODY { *target } else { NOBODY };
        let owner = situation.holder().iter().zip(&target).map(free).collect();
        Plan::new(owner, target)
    }
}
