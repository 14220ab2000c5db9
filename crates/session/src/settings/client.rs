use groma_model::Span;
use groma_rebalance::member::MemberConfig;

/// What every session needs to reach a cluster.
///
/// # Defaults
/// `client_id` "groma", `request_timeout` 30 s, `connect_timeout` 5 s, `handshake_timeout` 5 s, `bootstrap_timeout` 10 s,
/// `metadata_max_age` 5 min, `retry_backoff` 100 ms to 1 s, `reconnect_backoff` 50 ms to 1 s, `max_frame_bytes`
/// 100 MiB, `seed` 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClientSettings {
    /// Addresses, `host:port` each, of which one must answer.
    pub bootstrap: Vec<String>,
    /// The name brokers log for this client.
    pub client_id: String,
    /// How long a request may take before its connection is given up.
    pub request_timeout: Span,
    /// How long opening a connection may take, looking up the name included.
    pub connect_timeout: Span,
    /// How long the first answer (ApiVersions) over a new connection may take.
    pub handshake_timeout: Span,
    /// How long the first contact with the cluster may take before it counts as unreachable. Where every address refuses
    /// or closes the connection, speaks another protocol, or does not resolve, a few attempts in about a second are
    /// enough.
    pub bootstrap_timeout: Span,
    /// How old metadata may grow before it is asked for again.
    pub metadata_max_age: Span,
    /// The wait before the first repetition of a failed request; it doubles with each further one.
    pub retry_backoff: Span,
    /// The longest wait between repetitions of a request.
    pub retry_backoff_max: Span,
    /// The wait before a lost connection is opened again; it doubles with each failure.
    pub reconnect_backoff: Span,
    /// The longest wait between attempts to connect.
    pub reconnect_backoff_max: Span,
    /// The largest answer accepted, in bytes; a larger one closes the connection.
    pub max_frame_bytes: usize,
    /// The seed of the jitter on every wait.
    pub seed: u64,
}

impl ClientSettings {
    /// Settings for the cluster behind `bootstrap`, one or more `host:port` separated by commas.
    pub fn new(bootstrap: &str) -> Self {
        Self {
            bootstrap: bootstrap.split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect(),
            client_id: "groma".to_owned(),
            request_timeout: Span::from_secs(30),
            connect_timeout: Span::from_secs(5),
            handshake_timeout: Span::from_secs(5),
            bootstrap_timeout: Span::from_secs(10),
            metadata_max_age: Span::from_secs(300),
            retry_backoff: Span::from_millis(100),
            retry_backoff_max: Span::from_secs(1),
            reconnect_backoff: Span::from_millis(50),
            reconnect_backoff_max: Span::from_secs(1),
            max_frame_bytes: 100 << 20,
            seed: 0,
        }
    }

    /// What of this concerns a member of a group.
    pub(crate) fn member(&self) -> MemberConfig {
        MemberConfig {
            backoff: self.retry_backoff,
            backoff_max: self.retry_backoff_max,
            request_timeout: self.request_timeout,
            seed: self.seed,
            ..MemberConfig::default()
        }
    }

    /// The same with another client id.
    #[must_use]
    pub fn with_client_id(mut self, client_id: impl Into<String>) -> Self {
        self.client_id = client_id.into();
        self
    }
}
