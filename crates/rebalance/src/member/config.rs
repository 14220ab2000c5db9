use groma_model::{InstanceId, Span};

/// Settings of a member; defaults are those of Kafka's consumer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemberConfig {
    /// A stable identity over restarts (`group.instance.id`); a member with one never says goodbye.
    pub instance: Option<InstanceId>,
    /// How long the coordinator bears silence (`session.timeout.ms`, 45 s).
    pub session_timeout: Span,
    /// How often to show life (`heartbeat.interval.ms`, 3 s); at most a third of the session timeout is wise.
    pub heartbeat_interval: Span,
    /// How long a round waits for this member (`max.poll.interval.ms`, 5 min): releasing resources must take less.
    pub rebalance_timeout: Span,
    /// Whether the application must show life by [`super::Input::Polled`] within the rebalance timeout; else the
    /// member leaves the group and gives up everything.
    pub liveness: Liveness,
    /// First pause before a retry (`retry.backoff.ms`, 100 ms); doubled each time, with a jitter of 20 %.
    pub backoff: Span,
    /// Longest pause before a retry (`retry.backoff.max.ms`, 1 s).
    pub backoff_max: Span,
    /// How long other requests than a join may take (`request.timeout.ms`, 30 s); a join may take the rebalance
    /// timeout and 5 s more.
    pub request_timeout: Span,
    /// Within what time the shell notices that a request will never be answered; the member stops its work this much
    /// earlier than the coordinator could have given it away. Default: a third of the session timeout.
    pub detection: Option<Span>,
    /// What to do with held resources when the coordinator may have expelled us and cannot be asked.
    pub isolation: Isolation,
    /// When to join a round that is due because others have something to release.
    pub follow_ups: FollowUps,
    /// Seed of the jitter.
    pub seed: u64,
}

/// When a member that has nothing to release joins a round that a plan says is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FollowUps {
    /// At once: the round ends as soon as the last one has released and joined.
    #[default]
    AtOnce,
    /// When a heartbeat says that it has begun, as Kafka's consumer does.
    WhenTold,
}

/// What a member does when it is cut off from its coordinator for as long as its session lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// Give up everything: others may run it now. Never two runners, but a long outage of the coordinator stops work.
    #[default]
    Stop,
    /// Run on, as Kafka's consumer does; commits are fenced, work may be done twice.
    KeepRunning,
}

/// How an application shows that it is alive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Liveness {
    /// Being driven is enough.
    #[default]
    Implied,
    /// By polling within the rebalance timeout, as in Kafka's consumer.
    Polled,
}

impl Default for MemberConfig {
    fn default() -> Self {
        Self {
            instance: None,
            session_timeout: Span::from_secs(45),
            heartbeat_interval: Span::from_secs(3),
            rebalance_timeout: Span::from_secs(300),
            liveness: Liveness::Implied,
            backoff: Span::from_millis(100),
            backoff_max: Span::from_secs(1),
            request_timeout: Span::from_secs(30),
            detection: None,
            isolation: Isolation::Stop,
            follow_ups: FollowUps::AtOnce,
            seed: 0,
        }
    }
}

impl MemberConfig {
    /// Within what time the shell notices that a request will never be answered.
    pub fn detection(&self) -> Span {
        self.detection.unwrap_or(Span(self.session_timeout.0 / 3))
    }

    /// How long a join may stay parked before the shell gives it up.
    pub fn join_patience(&self) -> Span {
        self.request_timeout.max(self.rebalance_timeout + Span::from_secs(5))
    }
}
