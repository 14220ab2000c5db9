use groma_model::{GroupId, InstanceId, Span};
use groma_rebalance::embedded::tasks::Workplace;
use groma_rebalance::member::MemberConfig;
use groma_rebalance::tasks::CatchUp;

use super::{ClientSettings, Detail};

/// Membership of a group that shares out tasks with state.
///
/// # Defaults
/// `instance` none, `session_timeout` 45 s, `heartbeat_interval` 3 s, `rebalance_timeout` 5 min, `workplace` without
/// state, as much as any other, `catch_up` as in Kafka Streams, `probing` 10 min, `detail` ends.
#[derive(Clone, Debug)]
pub struct TaskGroupSettings {
    /// The group's name.
    pub group: GroupId,
    /// The kind of application, such as `billing`: members of another kind are refused by the coordinator.
    pub protocol_type: String,
    /// A stable identity over restarts: whoever comes back under it within the session timeout has its tasks again,
    /// without a round.
    pub instance: Option<InstanceId>,
    /// The coordinator drops a member after this long without a sign of life, and its tasks go to others.
    pub session_timeout: Span,
    /// The distance of the signs of life.
    pub heartbeat_interval: Span,
    /// How long a round waits for a member to join again, and so how long giving up tasks may take.
    pub rebalance_timeout: Span,
    /// How much this member can do, and what state it has from before.
    pub workplace: Workplace,
    /// When state is good enough, how much is built up at a time, and how often it is kept. The leader's count.
    pub catch_up: CatchUp,
    /// While tasks warm up anywhere, all say this often how far they are, in case nobody who has caught up has said so
    /// (`probing.rebalance.interval.ms`).
    pub probing: Span,
    /// What is told about rounds.
    pub detail: Detail,
}

impl TaskGroupSettings {
    /// Membership of `group` with the defaults.
    pub fn new(group: impl Into<String>, protocol_type: impl Into<String>) -> Self {
        Self {
            group: GroupId(group.into()),
            protocol_type: protocol_type.into(),
            instance: None,
            session_timeout: Span::from_secs(45),
            heartbeat_interval: Span::from_secs(3),
            rebalance_timeout: Span::from_secs(300),
            workplace: Workplace::default(),
            catch_up: CatchUp::default(),
            probing: Span::from_secs(600),
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
