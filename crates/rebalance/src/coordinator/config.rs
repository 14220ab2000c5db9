use groma_model::Span;

/// Settings of a coordinator; defaults are Kafka's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CoordinatorConfig {
    /// Shortest session timeout a member may ask for (`group.min.session.timeout.ms`, 6 s). Shorter ones are refused.
    pub session_timeout_min: Span,
    /// Longest session timeout a member may ask for (`group.max.session.timeout.ms`, 30 min).
    pub session_timeout_max: Span,
    /// How long the first round of an empty group waits for more members (`group.initial.rebalance.delay.ms`, 3 s);
    /// it is extended while members keep coming, up to the longest rebalance timeout among them.
    pub initial_rebalance_delay: Span,
    /// Most members, pending ones included (`group.max.size`); more are refused.
    pub members_max: usize,
    /// How long a member that was never admitted may stay parked in a join before it is taken for a ghost (5 min).
    pub new_member_join_timeout: Span,
}

impl Default for CoordinatorConfig {
    fn default() -> Self {
        Self {
            session_timeout_min: Span::from_secs(6),
            session_timeout_max: Span::from_secs(30 * 60),
            initial_rebalance_delay: Span::from_secs(3),
            members_max: i32::MAX as usize,
            new_member_join_timeout: Span::from_secs(5 * 60),
        }
    }
}
