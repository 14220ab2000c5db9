use groma_model::{Generation, Span};
use groma_rebalance::coordinator::CoordinatorConfig;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::member::MemberConfig;
use groma_rebalance::policy::PolicySettings;

use super::transcript::BEGINNING;
use crate::cluster::{Bounds, Settings};
use crate::schedule::{Mutation, Policy};

/// How far an exhaustive search goes. Whatever would go further is counted as pruned, and not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// How the members share out.
    pub policy: Policy,
    /// Which rule is broken on purpose.
    pub mutation: Mutation,
    /// How many processes there may be at a time, 1 to 8. All are absent at first; each may start at any moment.
    pub members: usize,
    /// How many resources they share, 1 to 8.
    pub resources: u32,
    /// How many times a process may be killed, at most 15; it may start again, as another life, at any moment.
    pub crashes: u32,
    /// The last generation that is looked into.
    pub generations: i32,
    /// How many messages may be under way on a link in one direction.
    pub in_flight: usize,
    /// For how many ticks of the clock a join, a sync or an answer to one may be under way, and an application may take
    /// to stop. None is a network that is quicker than any timer. More than one is more than a member's lease allows
    /// for. Heartbeats arrive in the tick in which they are sent, or never.
    pub delay: u32,
    /// Whether what has the same future is looked into once.
    pub reduction: Reduction,
}

/// Whether what has the same future is looked into once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// It is, and of steps whose order makes no difference one order is followed.
    #[default]
    On,
    /// It is not: every order of everything, to show that the rest changes no verdict.
    Off,
}

impl Scope {
    /// The scope that the design is to be proved in: 3 members, 3 resources, 2 crashes, 6 generations.
    pub const fn new(policy: Policy) -> Self {
        Self {
            policy,
            mutation: Mutation::None,
            members: 3,
            resources: 3,
            crashes: 2,
            generations: 6,
            in_flight: 3,
            delay: 1,
            reduction: Reduction::On,
        }
    }

    pub(super) fn rules(&self) -> Rules {
        let timing = PolicySettings { max_delay: TICK.times(2), formation: Span::ZERO, ..self.policy.settings() };
        let mut settings = Settings::new(self.policy.strategies_by(&timing));
        settings.member = MemberConfig {
            session_timeout: TICK.times(3),
            heartbeat_interval: TICK,
            rebalance_timeout: TICK.times(4),
            detection: Some(TICK),
            backoff: Span::ZERO,
            backoff_max: TICK,
            ..settings.member
        };
        settings.coordinator.initial_rebalance_delay = Span::ZERO;
        settings.coordinator.new_member_join_timeout = TICK.times(4);
        self.mutation.apply(&mut settings);
        Rules {
            coordinator: settings.coordinator,
            member: settings.member,
            strategies: settings.strategies,
            bounds: Bounds { delay: self.policy.bounds().delay.map(|_| timing.max_delay), ..self.policy.bounds() },
            bearable: TICK.times(u64::from(self.delay)),
            resources: self.resources,
            in_flight: self.in_flight,
            last: Generation(BEGINNING.0 + self.generations),
        }
    }
}

/// All times of a search are multiples of this one: heartbeats come one apart, sessions last three, rounds four.
pub(super) const TICK: Span = Span::from_secs(1);

/// What all worlds of a search have in common.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) coordinator: CoordinatorConfig,
    pub(super) member: MemberConfig,
    pub(super) strategies: Vec<Strategy>,
    pub(super) bounds: Bounds,
    /// How long a message may be under way, and an application may take to stop.
    pub(super) bearable: Span,
    pub(super) resources: u32,
    pub(super) in_flight: usize,
    /// The last generation that is looked into.
    pub(super) last: Generation,
}
