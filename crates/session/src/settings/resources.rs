use groma_model::{GroupId, InstanceId, Span};
use groma_rebalance::embedded::Shape;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::embedded::custom::Interest;
use groma_rebalance::member::MemberConfig;
use groma_rebalance::policy::PolicySettings;

use super::{ClientSettings, Detail};

/// Membership of a group that shares out an application's own resources.
///
/// # Defaults
/// `instance` none, `session_timeout` 45 s, `heartbeat_interval` 3 s, `rebalance_timeout` 5 min, `strategies`
/// cooperative-sticky in two rounds, `shape` full sets, `interest` everything, `detail` ends.
#[derive(Clone, Debug)]
pub struct ResourceGroupSettings {
    /// The group's name.
    pub group: GroupId,
    /// The kind of application, such as `cameras`: members of another kind are refused by the coordinator.
    pub protocol_type: String,
    /// A stable identity over restarts: whoever comes back under it within the session timeout has its resources
    /// again, without a round.
    pub instance: Option<InstanceId>,
    /// The coordinator drops a member after this long without a sign of life, and its resources go to others.
    pub session_timeout: Span,
    /// The distance of the signs of life.
    pub heartbeat_interval: Span,
    /// How long a round waits for a member to join again, and so how long giving up resources may take.
    pub rebalance_timeout: Span,
    /// Ways to share out, best first: who is to have what (the assignor), and how to get there (the policy).
    pub strategies: Vec<Strategy>,
    /// The policy that [`Self::with_policy`] has set; a setting in it that the policy does not use is refused by
    /// whoever joins. None where the strategies are the application's own.
    pub policy: Option<PolicySettings>,
    /// How a leader says what it gives.
    pub shape: Shape,
    /// Which resources to ask for.
    pub interest: Interest,
    /// What is told about rounds: with [`Detail::Steps`] each step of this member, as a trace for `groma group explain`
    /// needs it.
    pub detail: Detail,
}

impl ResourceGroupSettings {
    /// Membership of `group` with the defaults.
    pub fn new(group: impl Into<String>, protocol_type: impl Into<String>) -> Self {
        Self {
            group: GroupId(group.into()),
            protocol_type: protocol_type.into(),
            instance: None,
            session_timeout: Span::from_secs(45),
            heartbeat_interval: Span::from_secs(3),
            rebalance_timeout: Span::from_secs(300),
            strategies: vec![Strategy::cooperative_sticky()],
            policy: None,
            shape: Shape::Full,
            interest: Interest::Everything,
            detail: Detail::Ends,
        }
    }

    /// The same under a stable identity.
    #[must_use]
    pub fn with_instance(mut self, instance: impl Into<String>) -> Self {
        self.instance = Some(InstanceId(instance.into()));
        self
    }

    /// The same with another session timeout, and a heartbeat ten times within it.
    #[must_use]
    pub const fn with_session_timeout(mut self, timeout: Span) -> Self {
        self.session_timeout = timeout;
        self.heartbeat_interval = Span(timeout.0 / 10);
        self
    }

    /// The same by a policy, with the assignors that go with it and with what is announced. A setting of another policy
    /// is refused when the group is joined, see [`PolicySettings::check`].
    #[must_use]
    pub fn with_policy(mut self, policy: &PolicySettings) -> Self {
        let cap = policy.announced();
        let cooperative = || Strategy::cooperative_sticky().with_policy(policy.build());
        let cooperative = cap.has_cooperative().then(cooperative);
        self.strategies = cooperative.into_iter().chain(cap.has_eager().then(Strategy::sticky)).collect();
        self.policy = Some(policy.clone());
        self
    }

    pub(crate) fn member(&self, client: &ClientSettings) -> MemberConfig {
        MemberConfig {
            instance: self.instance.clone(),
            session_timeout: self.session_timeout,
            heartbeat_interval: self.heartbeat_interval,
            rebalance_timeout: self.rebalance_timeout,
            ..client.member()
        }
    }
}
