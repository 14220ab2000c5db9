use groma_model::Span;

use super::{BROKER_KEYS, SettingError};

/// The broker's settings. Each field names its key in Kafka; defaults are Kafka's where nothing else is said.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// `broker.id`: the id clients see.
    pub broker_id: i32,
    /// `broker.rack`: where the broker runs, if it says so.
    pub rack: Option<String>,
    /// `auto.create.topics.enable`: whether asking for an unknown topic makes it.
    pub auto_create_topics: bool,
    /// `num.partitions`: partitions of a topic made without a count.
    pub num_partitions: i32,
    /// `message.max.bytes`: the largest record batch taken, in bytes.
    pub message_max_bytes: i32,
    /// `fetch.max.bytes`: the most one Fetch answers, in bytes.
    pub fetch_max_bytes: i32,
    /// `log.segment.bytes`: the size at which a new segment file begins.
    pub segment_bytes: u32,
    /// `log.retention.ms`: how long records are kept by their own time; `None` is for ever and the default here
    /// (Kafka: 7 days), because replayed records carry old times and would vanish.
    pub retention: Option<Span>,
    /// `log.retention.bytes`: how much of a partition is kept; `None` is all.
    pub retention_bytes: Option<u64>,
    /// `log.retention.check.interval.ms`: how often retention is looked at.
    pub retention_check_interval: Span,
    /// `group.initial.rebalance.delay.ms`: how long a new group waits for more members; 0 here (Kafka: 3,000).
    pub group_initial_rebalance_delay: Span,
    /// `group.min.session.timeout.ms`: the shortest session timeout taken; 100 here (Kafka: 6,000), so that short
    /// benchmark runs notice a lost member quickly.
    pub group_min_session_timeout: Span,
    /// `group.max.session.timeout.ms`: the longest session timeout taken.
    pub group_max_session_timeout: Span,
    /// `group.max.size`: the most members of a group.
    pub group_max_size: u32,
    /// `offsets.retention.minutes`: how long the offsets of an empty group are kept.
    pub offsets_retention: Span,
    /// `offsets.retention.check.interval.ms`: how often that is looked at.
    pub offsets_retention_check_interval: Span,
    /// `offset.metadata.max.bytes`: the longest text kept with an offset.
    pub offset_metadata_max_bytes: usize,
    /// `offsets.topic.num.partitions`: partitions of `__consumer_offsets`, fixed when it is made.
    pub offsets_topic_partitions: i32,
    /// `producer.id.expiration.ms`: how long an idle producer's sequence is remembered.
    pub producer_id_expiration: Span,
    /// `socket.request.max.bytes`: the largest request taken.
    pub request_max_bytes: u32,
    /// `queued.max.request.bytes`: bytes of requests held at once over all connections; above it reading stops.
    /// 256 MiB here (Kafka: no limit).
    pub queued_max_bytes: u64,
    /// `max.connections`: connections at once; above it new ones are closed. 10,000 here (Kafka: no limit).
    pub max_connections: usize,
    /// `connections.max.idle.ms`: how long a silent connection is kept.
    pub connections_max_idle: Span,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            broker_id: 1,
            rack: None,
            auto_create_topics: true,
            num_partitions: 1,
            message_max_bytes: 1_048_588,
            fetch_max_bytes: 55 << 20,
            segment_bytes: 1 << 30,
            retention: None,
            retention_bytes: None,
            retention_check_interval: Span::from_secs(300),
            group_initial_rebalance_delay: Span::ZERO,
            group_min_session_timeout: Span::from_millis(100),
            group_max_session_timeout: Span::from_secs(1800),
            group_max_size: i32::MAX as u32,
            offsets_retention: Span::from_secs(7 * 24 * 3600),
            offsets_retention_check_interval: Span::from_secs(600),
            offset_metadata_max_bytes: 4096,
            offsets_topic_partitions: 50,
            producer_id_expiration: Span::from_secs(24 * 3600),
            request_max_bytes: 100 << 20,
            queued_max_bytes: 256 << 20,
            max_connections: 10_000,
            connections_max_idle: Span::from_secs(600),
        }
    }
}

impl Settings {
    /// Sets one setting by its name in Kafka.
    ///
    /// # Errors
    /// One sentence when the key is unknown (with the nearest known one) or the value does not fit.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let Some(known) = BROKER_KEYS.iter().find(|known| known.name == key) else {
            return Err(SettingError::unknown(key, BROKER_KEYS.iter().map(|known| known.name)));
        };
        (known.set)(self, value.trim()).map_err(|wanted| SettingError::BadValue {
            key: key.to_owned(),
            value: value.to_owned(),
            wanted,
        })
    }
}
