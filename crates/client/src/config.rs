use std::path::Path;
use std::str::FromStr;

use groma_model::Span;
use groma_session::net::Address;
use groma_session::{Acks, Commit, Compression, Delivery, Reset, Strategy};

use crate::{ClientConfig, ConsumerConfig, GroupConfig, ProducerConfig};

/// A setting that cannot be used, named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("client configuration {path}: {cause}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        cause: String,
    },
    /// A line is not `key=value`.
    #[error("line {line} of the client configuration is not key=value: {text}")]
    NotAPair {
        /// Its number, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A key means nothing here.
    #[error("unknown key {key} in the client configuration")]
    UnknownKey {
        /// The key.
        key: String,
    },
    /// A key asks for what is not there yet.
    #[error("{key} is not supported yet: only plain connections without authentication")]
    NotSupported {
        /// The key.
        key: String,
    },
    /// A value cannot be used.
    #[error("{key} cannot be {value}: {cause}")]
    BadValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What it should be.
        cause: String,
    },
}

/// Settings by the property keys of librdkafka and the Java clients, such as `bootstrap.servers`.
#[derive(Clone, Debug)]
pub struct Properties {
    /// How to reach the cluster.
    pub client: ClientConfig,
    /// How to produce.
    pub producer: ProducerConfig,
    /// How to fetch.
    pub consumer: ConsumerConfig,
    /// Membership, when `group.id` is given.
    pub group: Option<GroupConfig>,
    /// Membership as read so far; the group's name may come last.
    membership: GroupConfig,
}

impl Properties {
    /// The defaults for the cluster behind `bootstrap`.
    pub fn new(bootstrap: &str) -> Self {
        Self {
            client: ClientConfig::new(bootstrap),
            producer: ProducerConfig::default(),
            consumer: ConsumerConfig::default(),
            group: None,
            membership: GroupConfig::new(""),
        }
    }

    /// Reads a property file (`key=value` lines, `#` comments) over the defaults.
    ///
    /// # Errors
    /// Names the line, key or value that cannot be used.
    pub fn from_file(path: &Path, bootstrap: &str) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| ConfigError::Unreadable { path: path.display().to_string(), cause: e.to_string() })?;
        let mut properties = Self::new(bootstrap);
        for (index, line) in text.lines().map(str::trim).enumerate() {
            if line.is_empty() || line.starts_with(['#', '!']) {
                continue;
            }
            let (key, value) =
                line.split_once('=').ok_or_else(|| ConfigError::NotAPair { line: index + 1, text: line.to_owned() })?;
            properties.set(key.trim(), value.trim())?;
        }
        Ok(properties)
    }

    /// Sets one property.
    ///
    /// # Errors
    /// Names the key or value that cannot be used.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let pair = Pair { key, value };
        if is_security(key, value) {
            return Err(ConfigError::NotSupported { key: key.to_owned() });
        }
        let known = set_client(&mut self.client, pair)?
            || set_producer(&mut self.producer, pair)?
            || set_consumer(&mut self.consumer, pair)?
            || self.set_group(pair)?;
        if known { Ok(()) } else { Err(ConfigError::UnknownKey { key: key.to_owned() }) }
    }

    fn set_group(&mut self, pair: Pair<'_>) -> Result<bool, ConfigError> {
        let known = match pair.key {
            "group.id" => {
                self.membership.group = pair.value.into();
                true
            }
            _ => set_group(&mut self.membership, pair)?,
        };
        if known && !self.membership.group.as_str().is_empty() {
            self.group = Some(self.membership.clone());
        }
        Ok(known)
    }
}

/// A property as it was written.
#[derive(Clone, Copy)]
struct Pair<'a> {
    key: &'a str,
    value: &'a str,
}

impl Pair<'_> {
    fn bad(self, cause: &str) -> ConfigError {
        ConfigError::BadValue { key: self.key.to_owned(), value: self.value.to_owned(), cause: cause.to_owned() }
    }

    fn number<T: FromStr>(self) -> Result<T, ConfigError> {
        self.value.parse().map_err(|_| self.bad("it must be a number in range"))
    }

    fn millis(self) -> Result<Span, ConfigError> {
        self.number().map(Span::from_millis)
    }

    fn flag(self) -> Result<bool, ConfigError> {
        self.value.parse().map_err(|_| self.bad("it must be true or false"))
    }
}

fn is_security(key: &str, value: &str) -> bool {
    match key {
        "security.protocol" => !value.eq_ignore_ascii_case("plaintext"),
        _ => ["ssl.", "sasl.", "enable.ssl", "oauthbearer"].iter().any(|prefix| key.starts_with(prefix)),
    }
}

fn set_client(to: &mut ClientConfig, pair: Pair<'_>) -> Result<bool, ConfigError> {
    match pair.key {
        "bootstrap.servers" | "metadata.broker.list" => to.bootstrap = ClientConfig::new(pair.value).bootstrap,
        "client.id" => to.client_id = pair.value.to_owned(),
        "security.protocol" => {}
        "request.timeout.ms" | "socket.timeout.ms" => to.request_timeout = pair.millis()?,
        "socket.connection.setup.timeout.ms" => to.connect_timeout = pair.millis()?,
        "metadata.max.age.ms" | "topic.metadata.refresh.interval.ms" => to.metadata_max_age = pair.millis()?,
        "retry.backoff.ms" => to.retry_backoff = pair.millis()?,
        "retry.backoff.max.ms" => to.retry_backoff_max = pair.millis()?,
        "reconnect.backoff.ms" => to.reconnect_backoff = pair.millis()?,
        "reconnect.backoff.max.ms" => to.reconnect_backoff_max = pair.millis()?,
        "receive.message.max.bytes" => to.max_frame_bytes = pair.number()?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn set_producer(to: &mut ProducerConfig, pair: Pair<'_>) -> Result<bool, ConfigError> {
    match pair.key {
        "acks" | "request.required.acks" => {
            to.acks = match pair.value {
                "all" | "-1" => Acks::All,
                "1" => Acks::Leader,
                "0" => Acks::None,
                _ => return Err(pair.bad("it must be all, 1 or 0")),
            }
        }
        "enable.idempotence" => {
            to.delivery = if pair.flag()? { Delivery::Idempotent } else { Delivery::AtLeastOnce };
        }
        "linger.ms" | "queue.buffering.max.ms" => to.linger = pair.millis()?,
        "batch.size" => to.batch_bytes = pair.number()?,
        "buffer.memory" => to.buffer_bytes = pair.number()?,
        "max.request.size" | "message.max.bytes" => to.request_bytes = pair.number()?,
        "delivery.timeout.ms" | "message.timeout.ms" => to.delivery_timeout = pair.millis()?,
        "max.in.flight.requests.per.connection" => to.max_in_flight = pair.number()?,
        "compression.type" | "compression.codec" => {
            to.compression = match pair.value {
                "none" => Compression::None,
                "gzip" => Compression::Gzip,
                "snappy" => Compression::Snappy,
                "lz4" => Compression::Lz4,
                "zstd" => Compression::Zstd,
                _ => return Err(pair.bad("it must be none, gzip, snappy, lz4 or zstd")),
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn set_consumer(to: &mut ConsumerConfig, pair: Pair<'_>) -> Result<bool, ConfigError> {
    match pair.key {
        "auto.offset.reset" => {
            to.reset = match pair.value {
                "earliest" | "smallest" => Reset::Earliest,
                "latest" | "largest" => Reset::Latest,
                "none" | "error" => Reset::Fail,
                _ => return Err(pair.bad("it must be earliest, latest or none")),
            }
        }
        "fetch.min.bytes" => to.fetch_min_bytes = pair.number()?,
        "fetch.max.bytes" => to.fetch_max_bytes = pair.number()?,
        "fetch.max.wait.ms" | "fetch.wait.max.ms" => to.fetch_max_wait = pair.millis()?,
        "max.partition.fetch.bytes" | "fetch.message.max.bytes" => to.partition_max_bytes = pair.number()?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn set_group(to: &mut GroupConfig, pair: Pair<'_>) -> Result<bool, ConfigError> {
    match pair.key {
        "group.instance.id" => to.instance = Some(pair.value.into()),
        "session.timeout.ms" => to.session_timeout = pair.millis()?,
        "heartbeat.interval.ms" => to.heartbeat_interval = pair.millis()?,
        "max.poll.interval.ms" | "rebalance.timeout.ms" => to.rebalance_timeout = pair.millis()?,
        "partition.assignment.strategy" => {
            let named = |name: &str| Strategy::from_name(class_to_name(name.trim()));
            let strategies: Option<Vec<Strategy>> = pair.value.split(',').map(named).collect();
            let known = "it must list range, roundrobin, sticky or cooperative-sticky";
            to.strategies = strategies.ok_or_else(|| pair.bad(known))?;
        }
        "enable.auto.commit" => {
            to.commit = match (pair.flag()?, to.commit) {
                (false, _) => Commit::Manual,
                (true, Commit::Auto(interval)) => Commit::Auto(interval),
                (true, Commit::Manual) => Commit::Auto(Span::from_secs(5)),
            }
        }
        "auto.commit.interval.ms" => {
            let interval = pair.millis()?;
            if to.commit != Commit::Manual {
                to.commit = Commit::Auto(interval);
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Java names assignors by class.
fn class_to_name(name: &str) -> &str {
    match name.strip_prefix("org.apache.kafka.clients.consumer.").unwrap_or(name) {
        "RangeAssignor" => "range",
        "RoundRobinAssignor" => "roundrobin",
        "StickyAssignor" => "sticky",
        "CooperativeStickyAssignor" => "cooperative-sticky",
        other => other,
    }
}

/// Refuses settings that cannot reach anything.
pub(crate) fn check_client(settings: &ClientConfig) -> Result<(), ConfigError> {
    let bad = |value: &str, cause: &str| ConfigError::BadValue {
        key: "bootstrap.servers".to_owned(),
        value: value.to_owned(),
        cause: cause.to_owned(),
    };
    if settings.bootstrap.is_empty() {
        return Err(bad("empty", "give at least one host:port"));
    }
    match settings.bootstrap.iter().find(|text| Address::parse(text).is_none()) {
        Some(text) => Err(bad(text, "an address is host:port, such as 127.0.0.1:9092")),
        None => Ok(()),
    }
}

/// Refuses memberships that cannot work.
pub(crate) fn check_group(settings: &GroupConfig) -> Result<(), ConfigError> {
    let bad = |key: &str, value: String, cause: &str| {
        Err(ConfigError::BadValue { key: key.to_owned(), value, cause: cause.to_owned() })
    };
    let cooperative = settings.strategies.iter().filter(|strategy| strategy.is_cooperative()).count();
    if settings.group.0.is_empty() {
        return bad("group.id", "empty".to_owned(), "a group has a name");
    }
    if settings.strategies.is_empty() || (cooperative > 0 && cooperative < settings.strategies.len()) {
        let names: Vec<_> = settings.strategies.iter().map(|strategy| strategy.name()).collect();
        return bad("partition.assignment.strategy", names.join(","), "give one or more, all eager or all cooperative");
    }
    if settings.heartbeat_interval >= settings.session_timeout {
        let value = settings.heartbeat_interval.to_string();
        return bad("heartbeat.interval.ms", value, "it must be shorter than the session timeout");
    }
    Ok(())
}

/// Refuses settings that contradict each other.
pub(crate) fn check_producer(settings: &ProducerConfig) -> Result<(), ConfigError> {
    let bad = |key: &str, value: String, cause: &str| {
        Err(ConfigError::BadValue { key: key.to_owned(), value, cause: cause.to_owned() })
    };
    let idempotent = settings.delivery == Delivery::Idempotent;
    if idempotent && settings.acks != Acks::All {
        return bad("acks", format!("{:?}", settings.acks).to_lowercase(), "an idempotent producer needs acks=all");
    }
    if settings.max_in_flight == 0 || (idempotent && settings.max_in_flight > 5) {
        let key = "max.in.flight.requests.per.connection";
        return bad(key, settings.max_in_flight.to_string(), "it must be 1 to 5 for an idempotent producer");
    }
    if settings.batch_bytes > settings.request_bytes {
        return bad("batch.size", settings.batch_bytes.to_string(), "a batch must fit into max.request.size");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(pairs: &[(&str, &str)]) -> Result<Properties, String> {
        let mut properties = Properties::new("a:1");
        for (key, value) in pairs {
            properties.set(key, value).map_err(|error| error.to_string())?;
        }
        Ok(properties)
    }

    #[test]
    fn keys_of_java_and_librdkafka_are_understood_in_any_order() {
        let read = set(&[
            ("bootstrap.servers", "k1:9092, k2:9092"),
            ("session.timeout.ms", "9000"),
            ("group.id", "g"),
            ("enable.auto.commit", "false"),
            ("partition.assignment.strategy", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"),
            ("compression.codec", "zstd"),
            ("auto.offset.reset", "latest"),
            ("security.protocol", "PLAINTEXT"),
        ])
        .expect("understood");
        assert_eq!(read.client.bootstrap, ["k1:9092", "k2:9092"]);
        let group = read.group.expect("a group");
        assert_eq!((group.group.as_str(), group.session_timeout), ("g", Span::from_secs(9)));
        assert_eq!((group.commit, group.strategies), (Commit::Manual, vec![Strategy::CooperativeSticky]));
        assert_eq!((read.producer.compression, read.consumer.reset), (Compression::Zstd, Reset::Latest));
        assert!(set(&[("session.timeout.ms", "9000")]).expect("understood").group.is_none());
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let cases = [
            ("acks", "2", "acks cannot be 2: it must be all, 1 or 0"),
            ("linger.ms", "soon", "linger.ms cannot be soon: it must be a number in range"),
            ("no.such.key", "1", "unknown key no.such.key in the client configuration"),
            (
                "sasl.mechanism",
                "PLAIN",
                "sasl.mechanism is not supported yet: only plain connections without authentication",
            ),
            (
                "security.protocol",
                "SSL",
                "security.protocol is not supported yet: only plain connections without authentication",
            ),
        ];
        for (key, value, expected) in cases {
            assert_eq!(set(&[(key, value)]).err().as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_file_is_read_line_by_line_over_the_defaults() {
        let path = std::env::temp_dir().join(format!("groma-properties-{}", std::process::id()));
        std::fs::write(&path, "# a comment\n\nclient.id = me\nacks=all\n").expect("written");
        let read = Properties::from_file(&path, "b:1").expect("read");
        assert_eq!((read.client.client_id.as_str(), read.client.bootstrap[0].as_str()), ("me", "b:1"));
        std::fs::write(&path, "client.id=me\nnonsense\n").expect("written");
        let error = Properties::from_file(&path, "b:1").expect_err("not a pair").to_string();
        assert_eq!(error, "line 2 of the client configuration is not key=value: nonsense");
        std::fs::remove_file(&path).expect("removed");
        assert!(Properties::from_file(&path, "b:1").expect_err("gone").to_string().contains("groma-properties"));
    }
}
