use groma_model::{GroupId, InstanceId, Span};
use groma_rebalance::policy::PolicySettings;

/// How a group shares out its partitions, by the names Kafka's own assignors are announced under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// Per topic in runs of neighbours; everything stops during a round.
    Range,
    /// In turn over all partitions; everything stops during a round.
    RoundRobin,
    /// As few moves as possible; everything stops during a round.
    Sticky,
    /// As few moves as possible, in two rounds; only what moves stops.
    CooperativeSticky,
}

/// Who commits offsets, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Commit {
    /// The application, by `commit`.
    Manual,
    /// The consumer: the positions of what was taken, this often and before partitions are given up.
    Auto(Span),
}

/// What an application is told about rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// That one began and that it is over.
    #[default]
    Ends,
    /// Each of this member's steps in it, with its cause, and as leader what moves: for those who explain rebalances.
    Steps,
}

/// Membership of a group.
///
/// # Defaults
/// `instance` none, `session_timeout` 45 s, `heartbeat_interval` 3 s, `rebalance_timeout` 5 min, `strategies`
/// cooperative-sticky, `policy` two-round, `commit` every 5 s,
/// `rack` none, `detail` ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GroupSettings {
    /// The group's name.
    pub group: GroupId,
    /// A stable identity over restarts.
    pub instance: Option<InstanceId>,
    /// The coordinator drops a member after this long without a sign of life.
    pub session_timeout: Span,
    /// The distance of the signs of life.
    pub heartbeat_interval: Span,
    /// How long a round waits for a member to join again, and so how long giving up partitions may take.
    pub rebalance_timeout: Span,
    /// Assignors offered, best first. If some are eager and some cooperative, the group is cooperative from the first round
    /// on in which all members support that, so that one rolling bounce moves it.
    pub strategies: Vec<Strategy>,
    /// How cooperative strategies get to what is to be; under eager ones it is ignored.
    pub policy: PolicySettings,
    /// Where the member runs: an assignor that knows racks prefers partitions with a copy there (KIP-881).
    pub rack: Option<String>,
    /// Who commits offsets.
    pub commit: Commit,
    /// What is told about rounds.
    pub detail: Detail,
}

impl Strategy {
    /// The name the assignor is announced under.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Range => "range",
            Self::RoundRobin => "roundrobin",
            Self::Sticky => "sticky",
            Self::CooperativeSticky => "cooperative-sticky",
        }
    }

    /// The strategy announced under `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Range, Self::RoundRobin, Self::Sticky, Self::CooperativeSticky].into_iter().find(|s| s.name() == name)
    }

    /// Whether only what moves stops during a round.
    pub const fn is_cooperative(self) -> bool {
        matches!(self, Self::CooperativeSticky)
    }
}

impl GroupSettings {
    /// Membership of `group` with the defaults.
    pub fn new(group: impl Into<String>) -> Self {
        Self {
            group: GroupId(group.into()),
            instance: None,
            session_timeout: Span::from_secs(45),
            heartbeat_interval: Span::from_secs(3),
            rebalance_timeout: Span::from_secs(300),
            strategies: vec![Strategy::CooperativeSticky],
            policy: PolicySettings::default(),
            rack: None,
            commit: Commit::Auto(Span::from_secs(5)),
            detail: Detail::Ends,
        }
    }

    /// The same with committing left to the application.
    #[must_use]
    pub const fn with_manual_commit(mut self) -> Self {
        self.commit = Commit::Manual;
        self
    }

    /// The same with other assignors, best first.
    #[must_use]
    pub fn with_strategies(mut self, strategies: impl Into<Vec<Strategy>>) -> Self {
        self.strategies = strategies.into();
        self
    }

    /// The same by a policy, with the assignors that go with it and with what is announced.
    #[must_use]
    pub fn with_policy(mut self, policy: PolicySettings) -> Self {
        let cap = policy.announced();
        let cooperative = cap.has_cooperative().then_some(Strategy::CooperativeSticky);
        let eager = cap.has_eager().then_some(Strategy::Sticky);
        self.strategies = cooperative.into_iter().chain(eager).collect();
        self.policy = policy;
        self
    }
}
