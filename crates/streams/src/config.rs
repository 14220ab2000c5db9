use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use groma_client::{
    ClientConfig, Compression, ConsumerConfig, Detail, GroupConfig, Misfit, OnAssigned, PolicySettings,
};
use groma_dataflow::Tumbling;
use groma_model::{Span, check_topic_name, nearest};
use groma_usecases::{Settings, UseCase, progress};

use crate::fault::Fault;
use crate::{SettingError, roles, settings, units};

/// What an instance runs with.
///
/// # Defaults
/// `input` "input", `output` "output", `window` 60 s, `grace` 0, `commit` 5 s, `threads` 1, `emit` updates,
/// `rebalance.policy` two-round, the other `rebalance.` settings as [`PolicySettings`] says, `memory.pretouch` 0,
/// `progress` on the topic `groma-progress`, `rejects` skip, `sink` topic, session timeout 45 s, heartbeats each 3 s,
/// rebalance timeout 5 min.
#[derive(Clone, Debug)]
pub struct InstanceConfig {
    /// What it computes.
    pub use_case: UseCase,
    /// The group whose members share the tasks.
    pub group: String,
    /// How the cluster is reached.
    pub client: ClientConfig,
    /// The topic read.
    pub input: String,
    /// The topic results go to; made with as many partitions as the input where it does not exist.
    pub output: String,
    /// The time between the beginnings of two flushes.
    pub commit: Duration,
    /// How tasks move between members.
    pub policy: PolicySettings,
    /// A stable identity over restarts (KIP-345).
    pub instance_id: Option<String>,
    /// Where the instance runs: inputs with a copy there are preferred (KIP-881).
    pub rack: Option<String>,
    /// The coordinator drops a member after this long without a sign of life.
    pub session_timeout: Duration,
    /// The distance of the signs of life.
    pub heartbeat_interval: Duration,
    /// A round waits so long for a member, and so does giving up tasks.
    pub rebalance_timeout: Duration,
    /// How results and changelog are compressed.
    pub compression: Compression,
    /// The share of one core that the instance may use, by its own thread's clock, where nothing else limits it.
    pub cpu: Option<f64>,
    /// Memory that is written to before the group is joined, in bytes: under a processor quota the first use of a page
    /// is dear.
    pub pretouch_bytes: usize,
    /// Whether it reports, and on which topic.
    pub progress: Reporting,
    /// Where to abort, for tests.
    pub fault: Option<Arc<Fault>>,
    window: Duration,
    grace: Duration,
    use_case_settings: Settings,
}

/// Whether an instance reports how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reporting {
    /// Ten times a second on this topic.
    To(String),
    /// Never.
    Off,
}

impl Default for Reporting {
    fn default() -> Self {
        Self::To(progress::TOPIC.to_owned())
    }
}

impl InstanceConfig {
    /// An instance of `use_case` in `group`, with the defaults.
    pub fn new(use_case: UseCase, group: impl Into<String>, client: ClientConfig) -> Self {
        Self {
            use_case,
            group: group.into(),
            client,
            input: "input".to_owned(),
            output: "output".to_owned(),
            commit: Duration::from_secs(5),
            policy: PolicySettings::default(),
            instance_id: None,
            rack: None,
            session_timeout: Duration::from_secs(45),
            heartbeat_interval: Duration::from_secs(3),
            rebalance_timeout: Duration::from_secs(300),
            compression: Compression::None,
            cpu: None,
            pretouch_bytes: 0,
            progress: Reporting::default(),
            fault: None,
            window: Duration::from_millis(Settings::WINDOW_MS as u64),
            grace: Duration::ZERO,
            use_case_settings: Settings::default(),
        }
    }

    /// Sets a setting by its name on the command line, such as `window=1m`.
    ///
    /// # Errors
    /// One sentence for a key that does not exist or a value that does not fit.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let bad = |cause: String| SettingError::Bad { key: key.to_owned(), value: value.to_owned(), cause };
        match key {
            "input" => self.input = topic(value).map_err(bad)?,
            "output" => self.output = topic(value).map_err(bad)?,
            "commit" => self.commit = between(value, DAY).map_err(bad)?,
            "threads" => one_thread(value).map_err(bad)?,
            "compression" => self.compression = value.parse().map_err(bad)?,
            "cpu" => self.cpu = Some(share(value).map_err(bad)?),
            "memory.pretouch" => self.pretouch_bytes = touched(value).map_err(bad)?,
            "progress" => self.progress = value.parse().map_err(bad)?,
            "fault" => self.fault = Some(Arc::new(value.parse().map_err(bad)?)),
            "instance.id" => self.instance_id = Some(name(value).map_err(bad)?),
            "session.timeout" => self.session_timeout = between(value, DAY).map_err(bad)?,
            "heartbeat.interval" => self.heartbeat_interval = between(value, DAY).map_err(bad)?,
            "rebalance.timeout" => self.rebalance_timeout = between(value, DAY).map_err(bad)?,
            "request.timeout" => self.client.request_timeout = span(between(value, DAY).map_err(bad)?),
            "client.id" => self.client.client_id = name(value).map_err(bad)?,
            "client.rack" => self.rack = Some(name(value).map_err(bad)?),
            key if PolicySettings::KEYS.contains(&key) => {
                let time = |text: &str| units::duration(text).map(span);
                self.policy.set(key, value, time).map_err(bad)?;
            }
            _ => return self.set_use_case(key, value),
        }
        Ok(())
    }

    fn set_use_case(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let bad = |cause: String| SettingError::Bad { key: key.to_owned(), value: value.to_owned(), cause };
        let settings = &mut self.use_case_settings;
        match key {
            "window" => self.window = between(value, YEAR).map_err(bad)?,
            "grace" => self.grace = up_to(value, YEAR).map_err(bad)?,
            "emit" => settings.emission = value.parse().map_err(bad)?,
            "rejects" => settings.rejects = value.parse().map_err(bad)?,
            "sink" => settings.target = value.parse().map_err(bad)?,
            _ => return Err(unknown(key)),
        }
        if let Some(windows) = Tumbling::new(millis(self.window), millis(self.grace)) {
            settings.windows = windows;
        }
        Ok(())
    }

    /// Refuses settings that contradict each other, and topics that cannot be what they are to be; to be asked once all
    /// are set.
    ///
    /// # Errors
    /// One sentence that names the settings.
    pub fn check(&self) -> Result<(), SettingError> {
        self.policy.check().map_err(|Misfit { key, value, cause }| SettingError::Bad {
            key: key.to_owned(),
            value,
            cause,
        })?;
        if self.heartbeat_interval < self.session_timeout {
            return roles::check(self);
        }
        Err(SettingError::Bad {
            key: "heartbeat.interval".to_owned(),
            value: shown(self.heartbeat_interval),
            cause: format!("must be shorter than session.timeout ({})", shown(self.session_timeout)),
        })
    }

    /// What the use case's tasks are made with.
    pub const fn use_case_settings(&self) -> &Settings {
        &self.use_case_settings
    }

    /// The topic of the tasks' changelogs.
    pub fn changelog(&self) -> String {
        format!("{}-changelog", self.group)
    }

    /// The topic of rejected records under `rejects=dead-letter`.
    pub fn dead_letters(&self) -> String {
        format!("{}-dead-letters", self.group)
    }

    pub(crate) fn membership(&self) -> GroupConfig {
        let membership = GroupConfig::new(self.group.as_str()).with_manual_commit();
        let mut membership = membership.with_policy(self.policy.clone());
        membership.detail = Detail::Steps;
        membership.instance = self.instance_id.as_deref().map(Into::into);
        membership.rack.clone_from(&self.rack);
        membership.session_timeout = span(self.session_timeout);
        membership.heartbeat_interval = span(self.heartbeat_interval);
        membership.rebalance_timeout = span(self.rebalance_timeout);
        membership
    }

    pub(crate) fn fetching(&self) -> ConsumerConfig {
        let on_assigned = if self.use_case.is_stateful() { OnAssigned::Wait } else { OnAssigned::Fetch };
        ConsumerConfig {
            on_assigned,
            queue_bytes: FETCHED_BYTES,
            fetch_max_bytes: FETCH_BYTES,
            partition_max_bytes: PARTITION_BYTES,
            ..ConsumerConfig::default()
        }
    }
}

/// Bytes fetched ahead by the client, beside what the tasks hold. An instance that falls behind fills all of it, and
/// under a small quota every page that it then touches for the first time makes it fall behind further.
const FETCHED_BYTES: usize = 2 << 20;
/// The size of one answer to a fetch: about a millisecond's work.
const FETCH_BYTES: i32 = 1 << 20;
/// The share of one partition in it.
const PARTITION_BYTES: i32 = 256 << 10;

impl FromStr for Reporting {
    type Err = String;

    /// `on` is the topic `groma-progress`, `off` none; anything else is a topic's name.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "on" => Ok(Self::default()),
            "off" => Ok(Self::Off),
            topic => name(topic).map(Self::To),
        }
    }
}

fn name(value: &str) -> Result<String, String> {
    if value.is_empty() { Err("must not be empty".to_owned()) } else { Ok(value.to_owned()) }
}

fn topic(value: &str) -> Result<String, String> {
    check_topic_name(value).map(|()| value.to_owned())
}

fn unknown(key: &str) -> SettingError {
    let mend = match nearest(key, settings::keys()) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("settings are {}", settings::keys().collect::<Vec<_>>().join(", ")),
    };
    SettingError::Unknown { key: key.to_owned(), mend }
}

fn between(value: &str, most: Duration) -> Result<Duration, String> {
    match units::duration(value)? {
        Duration::ZERO => Err(format!("must be from 1ms to {}", shown(most))),
        duration if duration > most => Err(format!("must be from 1ms to {}", shown(most))),
        duration => Ok(duration),
    }
}

fn up_to(value: &str, most: Duration) -> Result<Duration, String> {
    let duration = units::duration(value)?;
    if duration > most { Err(format!("must be from 0ms to {}", shown(most))) } else { Ok(duration) }
}

fn touched(value: &str) -> Result<usize, String> {
    let bytes = units::size(value)?;
    if bytes > TOUCHED_MAX { Err("must be at most 64GiB".to_owned()) } else { Ok(bytes) }
}

/// A duration as it is written in settings.
fn shown(duration: Duration) -> String {
    match duration.as_millis() {
        ms if ms.is_multiple_of(DAY.as_millis()) && ms > 0 => format!("{}d", ms / DAY.as_millis()),
        ms if ms.is_multiple_of(1000) => format!("{}s", ms / 1000),
        ms => format!("{ms}ms"),
    }
}

fn share(value: &str) -> Result<f64, String> {
    let share: f64 = value.parse().map_err(|_| "must be a share of a core, such as 0.05".to_owned())?;
    if share > 0.0 && share <= 1.0 { Ok(share) } else { Err("must be above 0 and at most 1 core".to_owned()) }
}

fn one_thread(value: &str) -> Result<(), String> {
    if value == "1" { Ok(()) } else { Err("this version runs one thread an instance; start more instances".to_owned()) }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

pub(crate) fn span(duration: Duration) -> Span {
    Span(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}

/// The longest time between two things that an instance does again and again.
const DAY: Duration = Duration::from_secs(24 * 3600);
/// The longest window; sums of record times stay far from the ends of their numbers.
const YEAR: Duration = Duration::from_secs(366 * 24 * 3600);
const TOUCHED_MAX: usize = 64 << 30;

#[cfg(test)]
mod tests {
    use groma_client::PolicyName;

    use super::*;

    fn config() -> InstanceConfig {
        InstanceConfig::new(UseCase::Uc2, "g", ClientConfig::new("127.0.0.1:9092"))
    }

    #[test]
    fn settings_are_set_by_name() {
        let mut config = config();
        for (key, value) in [("window", "5s"), ("grace", "1s"), ("commit", "100ms"), ("rebalance.policy", "eager")] {
            config.set(key, value).unwrap();
        }
        assert_eq!(Some(config.use_case_settings().windows), Tumbling::new(5_000, 1_000));
        assert_eq!((config.commit, config.policy.policy), (Duration::from_millis(100), PolicyName::Eager));
        assert_eq!(config.changelog(), "g-changelog");
    }

    #[test]
    fn wrong_settings_are_one_sentence() {
        for (key, value, part) in [
            ("windw", "5s", "unknown setting `windw`; did you mean window?"),
            ("colour", "red", "unknown setting `colour`; settings are input, "),
            ("window", "5", "setting `window=5`: a duration has a unit"),
            ("window", "0s", "setting `window=0s`: must be from 1ms to 366d"),
            ("window", "367d", "must be from 1ms to 366d"),
            ("grace", "400d", "must be from 0ms to 366d"),
            ("commit", "0ms", "must be from 1ms to 1d"),
            ("commit", "25h", "must be from 1ms to 1d"),
            ("memory.pretouch", "65GiB", "at most 64GiB"),
            ("input", "a b", "may hold only letters"),
            ("threads", "2", "start more instances"),
            ("cpu", "2", "at most 1 core"),
            ("emit", "sometimes", "use updates or final"),
            ("rebalance.policy", "fair", "use eager, two-round, deferred, incremental, deferred+incremental"),
            ("rebalance.interval", "1", "setting `rebalance.interval=1`: a duration has a unit"),
            ("rebalance.moves-per-round", "0", "give a whole number from 1"),
        ] {
            let said = config().set(key, value).unwrap_err().to_string();
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn settings_that_contradict_each_other_are_told() {
        let mut config = config();
        config.set("session.timeout", "2s").unwrap();
        let said = config.check().unwrap_err().to_string();
        assert_eq!(said, "setting `heartbeat.interval=3s`: must be shorter than session.timeout (2s)");
        config.set("heartbeat.interval", "1999ms").unwrap();
        assert_eq!(config.check(), Ok(()));
    }

    #[test]
    fn every_setting_is_known_and_those_of_policies_are_told() {
        for key in settings::keys() {
            assert!(!matches!(config().set(key, "?"), Err(SettingError::Unknown { .. })), "{key}");
        }
        for key in PolicySettings::KEYS {
            assert!(settings::keys().any(|told| told == key), "{key}");
        }
    }
}
