use std::ops::RangeInclusive;
use std::path::Path;

use groma_model::{GroupId, Span, nearest};
use groma_rebalance::policy::{Misfit, PolicyName, PolicySettings, ProtocolCap};
use groma_session::net::Address;
use groma_session::{Acks, Commit, Compression, Delivery, Reset, Strategy};

use crate::{
    ClientConfig, ConsumerConfig, GroupConfig, ProducerConfig, ResourceGroupConfig, Shape, TaskGroupConfig,
    read_text_file,
};

/// A setting that cannot be used, named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("client configuration {path} {cause}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why, and the mend.
        cause: String,
    },
    /// A line of the file cannot be used.
    #[error("client configuration {path}, line {line}: {cause}")]
    Line {
        /// The file.
        path: String,
        /// The line's number, from 1.
        line: usize,
        /// What is wrong with it.
        cause: Box<Self>,
    },
    /// A line is not `key=value`.
    #[error("`{text}` is not a setting; write key=value, such as acks=all")]
    NotAPair {
        /// The line.
        text: String,
    },
    /// A key means nothing here.
    #[error("unknown key {key}: {mend}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The known key closest to it, or what to do.
        mend: String,
    },
    /// A key asks for what is not there yet.
    #[error("{key} is not supported yet: only plain connections without authentication; leave it out")]
    NotSupported {
        /// The key.
        key: String,
    },
    /// Resources cannot be shared out.
    #[error("{0}")]
    Resources(String),
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
    /// The keys that were set about it.
    membership_keys: Vec<String>,
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
            membership_keys: Vec::new(),
        }
    }

    /// Membership whether `group.id` is given or not, and the keys that were set about it, for programs that name the
    /// group otherwise.
    pub const fn membership(&self) -> (&GroupConfig, &[String]) {
        (&self.membership, self.membership_keys.as_slice())
    }

    /// Reads a property file (`key=value` lines, `#` comments) over the defaults. `bootstrap` is what was asked for
    /// beside the file, and wins over its `bootstrap.servers`; with neither it is `127.0.0.1:9092`.
    ///
    /// # Errors
    /// Names the file, and the line, key or value that cannot be used.
    pub fn from_file(path: &Path, bootstrap: Option<&str>) -> Result<Self, ConfigError> {
        let name = path.display().to_string();
        let text = read_text_file(path, FILE_BYTES_MAX)
            .map_err(|cause| ConfigError::Unreadable { path: name.clone(), cause: cause.to_string() })?;
        let mut properties = Self::new(DEFAULT_BOOTSTRAP);
        for (index, line) in text.lines().map(str::trim).enumerate() {
            let set = properties.set_line(line);
            set.map_err(|cause| ConfigError::Line { path: name.clone(), line: index + 1, cause: Box::new(cause) })?;
        }
        if let Some(bootstrap) = bootstrap {
            properties.client.bootstrap = ClientConfig::new(bootstrap).bootstrap;
        }
        Ok(properties)
    }

    fn set_line(&mut self, line: &str) -> Result<(), ConfigError> {
        if line.is_empty() || line.starts_with(['#', '!']) {
            return Ok(());
        }
        let pair = line.split_once('=').filter(|(key, _)| !key.trim().is_empty());
        let (key, value) = pair.ok_or_else(|| ConfigError::NotAPair { text: line.to_owned() })?;
        self.set(key.trim(), value.trim())
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
        if known { Ok(()) } else { Err(unknown(key)) }
    }

    fn set_group(&mut self, pair: Pair<'_>) -> Result<bool, ConfigError> {
        let known = match pair.key {
            "group.id" => {
                self.membership.group = pair.value.into();
                true
            }
            _ => set_group(&mut self.membership, pair)?,
        };
        if known {
            self.membership_keys.push(pair.key.to_owned());
        }
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

    fn number<T: TryFrom<u64>>(self, range: RangeInclusive<u64>) -> Result<T, ConfigError> {
        let number = self.value.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| self.bad(&format!("give a whole number from {} to {}", range.start(), range.end())))
    }

    fn millis(self, range: RangeInclusive<u64>) -> Result<Span, ConfigError> {
        self.number(range).map(Span::from_millis)
    }

    fn flag(self) -> Result<bool, ConfigError> {
        self.value.parse().map_err(|_| self.bad("give true or false"))
    }

    fn addresses(self) -> Result<Vec<String>, ConfigError> {
        let addresses = ClientConfig::new(self.value).bootstrap;
        check_addresses(self.key, &addresses).map(|()| addresses)
    }
}

/// Every key that means something here; the policies know their own.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    KEYS.into_iter().chain(PolicySettings::KEYS)
}

fn unknown(key: &str) -> ConfigError {
    let mend = match nearest(key, keys()) {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => "leave it out; keys are those of librdkafka and the Java clients that mean something here".to_owned(),
    };
    ConfigError::UnknownKey { key: key.to_owned(), mend }
}

fn is_security(key: &str, value: &str) -> bool {
    match key {
        "security.protocol" => !value.eq_ignore_ascii_case("plaintext"),
        _ => ["ssl.", "sasl.", "enable.ssl", "oauthbearer"].iter().any(|prefix| key.starts_with(prefix)),
    }
}

fn set_client(to: &mut ClientConfig, pair: Pair<'_>) -> Result<bool, ConfigError> {
    match pair.key {
        "bootstrap.servers" | "metadata.broker.list" => to.bootstrap = pair.addresses()?,
        "client.id" => to.client_id = pair.value.to_owned(),
        "security.protocol" => {}
        "request.timeout.ms" | "socket.timeout.ms" => to.request_timeout = pair.millis(1..=INT)?,
        "socket.connection.setup.timeout.ms" => to.connect_timeout = pair.millis(1..=INT)?,
        "metadata.max.age.ms" | "topic.metadata.refresh.interval.ms" => to.metadata_max_age = pair.millis(1..=INT)?,
        "retry.backoff.ms" => to.retry_backoff = pair.millis(1..=INT)?,
        "retry.backoff.max.ms" => to.retry_backoff_max = pair.millis(1..=INT)?,
        "reconnect.backoff.ms" => to.reconnect_backoff = pair.millis(1..=INT)?,
        "reconnect.backoff.max.ms" => to.reconnect_backoff_max = pair.millis(1..=INT)?,
        "receive.message.max.bytes" => to.max_frame_bytes = pair.number(1000..=INT)?,
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
                _ => return Err(pair.bad("give all, 1 or 0")),
            }
        }
        "enable.idempotence" => {
            to.delivery = if pair.flag()? { Delivery::Idempotent } else { Delivery::AtLeastOnce };
        }
        "linger.ms" | "queue.buffering.max.ms" => to.linger = pair.millis(0..=INT)?,
        "batch.size" => to.batch_bytes = pair.number(1..=INT)?,
        "buffer.memory" => to.buffer_bytes = pair.number(1..=1 << 40)?,
        "max.request.size" | "message.max.bytes" => to.request_bytes = pair.number(1000..=INT)?,
        "delivery.timeout.ms" | "message.timeout.ms" => to.delivery_timeout = pair.millis(1..=INT)?,
        "max.in.flight.requests.per.connection" => to.max_in_flight = pair.number(1..=1_000_000)?,
        "compression.type" | "compression.codec" => {
            to.compression = match pair.value {
                "none" => Compression::None,
                "gzip" => Compression::Gzip,
                "snappy" => Compression::Snappy,
                "lz4" => Compression::Lz4,
                "zstd" => Compression::Zstd,
                _ => return Err(pair.bad("give none, gzip, snappy, lz4 or zstd")),
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
                _ => return Err(pair.bad("give earliest, latest or none")),
            }
        }
        "fetch.min.bytes" => to.fetch_min_bytes = pair.number(0..=INT)?,
        "fetch.max.bytes" => to.fetch_max_bytes = pair.number(1..=INT)?,
        "fetch.max.wait.ms" | "fetch.wait.max.ms" => to.fetch_max_wait = pair.millis(0..=INT)?,
        "max.partition.fetch.bytes" | "fetch.message.max.bytes" => to.partition_max_bytes = pair.number(1..=INT)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn set_group(to: &mut GroupConfig, pair: Pair<'_>) -> Result<bool, ConfigError> {
    match pair.key {
        "group.instance.id" => to.instance = Some(pair.value.into()),
        "client.rack" => to.rack = (!pair.value.is_empty()).then(|| pair.value.to_owned()),
        "session.timeout.ms" => to.session_timeout = pair.millis(1..=INT)?,
        "heartbeat.interval.ms" => to.heartbeat_interval = pair.millis(1..=INT)?,
        "max.poll.interval.ms" | "rebalance.timeout.ms" => to.rebalance_timeout = pair.millis(1..=INT)?,
        "partition.assignment.strategy" => {
            let named = |name: &str| Strategy::from_name(class_to_name(name.trim()));
            let strategies: Option<Vec<Strategy>> = pair.value.split(',').map(named).collect();
            let known = "list range, roundrobin, sticky or cooperative-sticky";
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
            let interval = pair.millis(1..=INT)?;
            if to.commit != Commit::Manual {
                to.commit = Commit::Auto(interval);
            }
        }
        key if PolicySettings::KEYS.contains(&key) => {
            to.policy.set(key, pair.value, time).map_err(|cause| pair.bad(&cause))?;
            if matches!(key, "rebalance.policy" | "rebalance.protocol") {
                *to = to.clone().with_policy(to.policy.clone());
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// A time as `250ms`, `5s`, `2m`, `1h`, or a number of milliseconds.
fn time(text: &str) -> Result<Span, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let millis = match text.get(digits.len()..).unwrap_or_default() {
        "" | "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => 0,
    };
    let number = digits.parse::<u32>().ok().filter(|_| millis > 0);
    let wrong = || "give a time such as 250ms, 5s, 2m or 1h".to_owned();
    number.map(|number| Span::from_millis(u64::from(number)).times(millis)).ok_or_else(wrong)
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
    check_addresses("bootstrap.servers", &settings.bootstrap)
}

fn check_addresses(key: &str, addresses: &[String]) -> Result<(), ConfigError> {
    if addresses.is_empty() {
        return Err(bad(key, "empty", "give at least one host:port"));
    }
    match addresses.iter().find(|text| Address::parse(text).is_none()) {
        Some(text) => Err(bad(key, text, "an address is host:port, such as 127.0.0.1:9092")),
        None => Ok(()),
    }
}

/// Refuses memberships of groups of resources that cannot work.
pub(crate) fn check_resource_group(settings: &ResourceGroupConfig) -> Result<(), ConfigError> {
    check_kind(&settings.group, &settings.protocol_type)?;
    if settings.strategies.is_empty() {
        return Err(bad("strategies", "empty", "give one or more ways to share out"));
    }
    if let Some(Misfit { key, value, cause }) = settings.policy.as_ref().and_then(|policy| policy.check().err()) {
        return Err(bad(key, value, &cause));
    }
    if settings.shape == Shape::Delta && settings.instance.is_some() {
        let cause = "a member with a stable identity needs full sets, since it may come back to them";
        return Err(bad("shape", "Delta", cause));
    }
    check_times(TIMES, (settings.heartbeat_interval, settings.session_timeout, settings.rebalance_timeout))
}

/// Refuses memberships of groups of tasks that cannot work.
pub(crate) fn check_task_group(settings: &TaskGroupConfig) -> Result<(), ConfigError> {
    check_kind(&settings.group, &settings.protocol_type)?;
    if settings.catch_up.warmups.moves == 0 {
        return Err(bad("catch_up.warmups", "0", "one task at least warms up at a time; give 1 or more"));
    }
    if settings.probing == Span::ZERO {
        let cause = "members would join again without end while tasks warm up; give a minute or more";
        return Err(bad("probing", "0", cause));
    }
    check_times(TIMES, (settings.heartbeat_interval, settings.session_timeout, settings.rebalance_timeout))
}

fn bad(key: &str, value: impl Into<String>, cause: &str) -> ConfigError {
    ConfigError::BadValue { key: key.to_owned(), value: value.into(), cause: cause.to_owned() }
}

fn check_kind(group: &GroupId, protocol_type: &str) -> Result<(), ConfigError> {
    let cause = "give the kind of application, such as cameras; consumer is for topic partitions";
    match protocol_type {
        _ if group.0.is_empty() => Err(bad("group", "empty", "a group has a name")),
        "" => Err(bad("protocol_type", "empty", cause)),
        "consumer" => Err(bad("protocol_type", "consumer", cause)),
        _ => Ok(()),
    }
}

/// The heartbeat interval, the session timeout and the rebalance timeout, by the names of the first and the last.
fn check_times(
    (heartbeat, rebalance): (&str, &str),
    (interval, session, timeout): (Span, Span, Span),
) -> Result<(), ConfigError> {
    if interval >= session {
        return Err(bad(heartbeat, interval.to_string(), "it must be shorter than the session timeout"));
    }
    for (key, span) in [(heartbeat, interval), (rebalance, timeout)] {
        if span < Span::from_millis(1) {
            return Err(bad(key, span.to_string(), "give at least a millisecond"));
        }
    }
    Ok(())
}

/// The names of these two in groups of an application's own.
const TIMES: (&str, &str) = ("heartbeat_interval", "rebalance_timeout");

/// Refuses memberships that cannot work.
pub(crate) fn check_group(settings: &GroupConfig) -> Result<(), ConfigError> {
    let cooperative = settings.strategies.iter().filter(|strategy| strategy.is_cooperative()).count();
    if settings.group.0.is_empty() {
        return Err(bad("group.id", "empty", "a group has a name"));
    }
    if settings.strategies.is_empty() {
        return Err(bad("partition.assignment.strategy", "empty", "give one or more"));
    }
    if let Err(Misfit { key, value, cause }) = settings.policy.check() {
        return Err(bad(key, value, &cause));
    }
    if cooperative > 0 && settings.policy.policy == PolicyName::Eager {
        let cause = "that assignor is cooperative; give range, roundrobin or sticky as partition.assignment.strategy";
        return Err(bad("rebalance.policy", settings.policy.policy.to_string(), cause));
    }
    let eager = settings.strategies.len() - cooperative;
    if let Some(cap) = settings.policy.protocol
        && (cap.has_eager(), cap.has_cooperative()) != (eager > 0, cooperative > 0)
    {
        let cause = "partition.assignment.strategy lists other kinds of assignors; leave one of the two out";
        return Err(bad("rebalance.protocol", cap.name().to_owned(), cause));
    }
    let capped = settings.policy.announced() == ProtocolCap::Eager;
    if cooperative == 0 && !capped && settings.policy.policy != PolicyName::TwoRound {
        let cause = "that needs cooperative-sticky as partition.assignment.strategy";
        return Err(bad("rebalance.policy", settings.policy.policy.to_string(), cause));
    }
    let keys = ("heartbeat.interval.ms", "max.poll.interval.ms");
    check_times(keys, (settings.heartbeat_interval, settings.session_timeout, settings.rebalance_timeout))
}

/// Refuses settings that contradict each other.
pub(crate) fn check_producer(settings: &ProducerConfig) -> Result<(), ConfigError> {
    let idempotent = settings.delivery == Delivery::Idempotent;
    if idempotent && settings.acks != Acks::All {
        return Err(bad(
            "acks",
            format!("{:?}", settings.acks).to_lowercase(),
            "an idempotent producer needs acks=all",
        ));
    }
    if settings.max_in_flight == 0 || (idempotent && settings.max_in_flight > 5) {
        let key = "max.in.flight.requests.per.connection";
        return Err(bad(key, settings.max_in_flight.to_string(), "it must be 1 to 5 for an idempotent producer"));
    }
    if settings.batch_bytes > settings.request_bytes {
        return Err(bad("batch.size", settings.batch_bytes.to_string(), "a batch must fit into max.request.size"));
    }
    Ok(())
}

/// The keys that mean something here, beside those of policies.
const KEYS: [&str; 45] = [
    "acks",
    "auto.commit.interval.ms",
    "auto.offset.reset",
    "batch.size",
    "bootstrap.servers",
    "buffer.memory",
    "client.id",
    "client.rack",
    "compression.codec",
    "compression.type",
    "delivery.timeout.ms",
    "enable.auto.commit",
    "enable.idempotence",
    "fetch.max.bytes",
    "fetch.max.wait.ms",
    "fetch.message.max.bytes",
    "fetch.min.bytes",
    "fetch.wait.max.ms",
    "group.id",
    "group.instance.id",
    "heartbeat.interval.ms",
    "linger.ms",
    "max.in.flight.requests.per.connection",
    "max.partition.fetch.bytes",
    "max.poll.interval.ms",
    "max.request.size",
    "message.max.bytes",
    "message.timeout.ms",
    "metadata.broker.list",
    "metadata.max.age.ms",
    "partition.assignment.strategy",
    "queue.buffering.max.ms",
    "rebalance.timeout.ms",
    "receive.message.max.bytes",
    "reconnect.backoff.max.ms",
    "reconnect.backoff.ms",
    "request.required.acks",
    "request.timeout.ms",
    "retry.backoff.max.ms",
    "retry.backoff.ms",
    "security.protocol",
    "session.timeout.ms",
    "socket.connection.setup.timeout.ms",
    "socket.timeout.ms",
    "topic.metadata.refresh.interval.ms",
];
/// Kafka's counts and times are signed 32-bit numbers.
const INT: u64 = i32::MAX as u64;
/// Nobody writes more settings than this by hand.
const FILE_BYTES_MAX: u64 = 1 << 20;
/// Where a Kafka is looked for when nobody says where.
pub const DEFAULT_BOOTSTRAP: &str = "127.0.0.1:9092";

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
            ("client.rack", "r1"),
            ("rebalance.policy", "deferred"),
            ("partition.assignment.strategy", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"),
            ("rebalance.max-delay", "90s"),
            ("compression.codec", "zstd"),
            ("auto.offset.reset", "latest"),
            ("security.protocol", "PLAINTEXT"),
        ])
        .expect("understood");
        assert_eq!(read.client.bootstrap, ["k1:9092", "k2:9092"]);
        let group = read.group.expect("a group");
        assert_eq!((group.group.as_str(), group.session_timeout), ("g", Span::from_secs(9)));
        assert_eq!(group.rack.as_deref(), Some("r1"));
        assert_eq!((group.policy.policy, group.policy.max_delay), (PolicyName::Deferred, Span::from_secs(90)));
        assert_eq!(check_group(&group), Ok(()));
        assert!(check_group(&GroupConfig { strategies: vec![Strategy::Range], ..group.clone() }).is_err());
        assert_eq!((group.commit, group.strategies), (Commit::Manual, vec![Strategy::CooperativeSticky]));
        assert_eq!((read.producer.compression, read.consumer.reset), (Compression::Zstd, Reset::Latest));
        assert!(set(&[("session.timeout.ms", "9000")]).expect("understood").group.is_none());
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let cases = [
            ("acks", "2", "acks cannot be 2: give all, 1 or 0"),
            ("linger.ms", "soon", "linger.ms cannot be soon: give a whole number from 0 to 2147483647"),
            ("request.timeout.ms", "0", "request.timeout.ms cannot be 0: give a whole number from 1 to 2147483647"),
            ("lingr.ms", "5", "unknown key lingr.ms: did you mean linger.ms?"),
            (
                "no.such.key",
                "1",
                "unknown key no.such.key: leave it out; keys are those of librdkafka and the Java clients that mean \
                 something here",
            ),
            (
                "bootstrap.servers",
                "k1:9092,k2:port",
                "bootstrap.servers cannot be k2:port: an address is host:port, such as 127.0.0.1:9092",
            ),
            (
                "sasl.mechanism",
                "PLAIN",
                "sasl.mechanism is not supported yet: only plain connections without authentication; leave it out",
            ),
            (
                "security.protocol",
                "SSL",
                "security.protocol is not supported yet: only plain connections without authentication; leave it out",
            ),
        ];
        for (key, value, expected) in cases {
            assert_eq!(set(&[(key, value)]).err().as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_is_announced_goes_with_the_policy_and_what_changes_nothing_is_refused() {
        let checked = |pairs: &[(&str, &str)]| {
            let group = set(pairs).expect("understood").group.expect("a group");
            check_group(&group).map(|()| group.strategies).map_err(|error| error.to_string())
        };
        let (cooperative, eager) = (Strategy::CooperativeSticky, Strategy::Sticky);
        let announces = |protocol| checked(&[("group.id", "g"), ("rebalance.protocol", protocol)]);
        assert_eq!(announces("eager"), Ok(vec![eager]));
        assert_eq!(announces("compatible"), Ok(vec![cooperative, eager]));
        assert_eq!(announces("cooperative"), Ok(vec![cooperative]));
        let java = ("partition.assignment.strategy", "range,cooperative-sticky");
        assert_eq!(checked(&[("group.id", "g"), java]), Ok(vec![Strategy::Range, cooperative]));
        let capped = [("group.id", "g"), ("rebalance.policy", "deferred"), ("rebalance.protocol", "eager")];
        assert_eq!(checked(&capped), Ok(vec![eager]));
        for (pairs, says) in [
            (
                vec![("rebalance.protocol", "cooperative"), java],
                "rebalance.protocol cannot be cooperative: partition.assignment.strategy lists other kinds of assignors; \
                 leave one of the two out",
            ),
            (
                vec![("rebalance.policy", "eager"), ("rebalance.protocol", "compatible")],
                "rebalance.protocol cannot be compatible: under rebalance.policy eager no member keeps anything over a \
                 round; choose another policy or leave it out",
            ),
            (
                vec![("rebalance.moves-per-round", "3")],
                "rebalance.moves-per-round cannot be 3: rebalance.policy two-round does not use it; choose incremental or \
                 deferred+incremental, or leave it out",
            ),
        ] {
            let pairs: Vec<_> = [("group.id", "g")].into_iter().chain(pairs).collect();
            assert_eq!(checked(&pairs), Err(says.to_owned()));
        }
    }

    #[test]
    fn every_key_is_known() {
        for key in keys() {
            let set = Properties::new("a:1").set(key, "?");
            assert!(!matches!(set, Err(ConfigError::UnknownKey { .. })), "{key}");
        }
    }

    #[test]
    fn a_file_is_read_line_by_line_over_the_defaults() {
        let path = std::env::temp_dir().join(format!("groma-properties-{}", std::process::id()));
        let read = |text: &str, bootstrap| {
            std::fs::write(&path, text).expect("written");
            Properties::from_file(&path, bootstrap)
        };
        let refused = |text| read(text, None).expect_err(text).to_string().replace(path.to_str().expect("text"), "F");
        let client = |text, bootstrap| read(text, bootstrap).expect(text).client;
        assert_eq!(client("# a comment\n\nclient.id = me\nacks=all\n", None).client_id, "me");
        assert_eq!(client("", None).bootstrap, ["127.0.0.1:9092"]);
        assert_eq!(client("bootstrap.servers=k:1", None).bootstrap, ["k:1"]);
        assert_eq!(client("bootstrap.servers=k:1", Some("typed:2")).bootstrap, ["typed:2"]);
        for (text, sentence) in [
            (
                "client.id=me\nnonsense\n",
                "client configuration F, line 2: `nonsense` is not a setting; write key=value, such as acks=all",
            ),
            ("\nacks=2\n", "client configuration F, line 2: acks cannot be 2: give all, 1 or 0"),
            ("\n\nackss=all\n", "client configuration F, line 3: unknown key ackss: did you mean acks?"),
            (
                "batch.size=-1\n",
                "client configuration F, line 1: batch.size cannot be -1: give a whole number from 1 to 2147483647",
            ),
        ] {
            assert_eq!(refused(text), sentence);
        }
        std::fs::remove_file(&path).expect("removed");
        let gone = Properties::from_file(&path, None).expect_err("gone").to_string();
        assert!(gone.contains("groma-properties") && gone.ends_with("check the path and its permissions"), "{gone}");
    }
}
