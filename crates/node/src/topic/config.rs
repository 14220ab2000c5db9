use std::collections::BTreeMap;

use groma_model::Span;

use super::key::TOPIC_KEYS;
use crate::settings::{SettingError, Settings};

/// The settings given for a topic, each checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct TopicConfig {
    given: BTreeMap<String, String>,
}

/// What a topic's settings amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TopicLimits {
    pub(crate) cleanup: CleanupPolicy,
    pub(crate) timestamps: TimestampType,
    pub(crate) batch_bytes_max: u32,
    pub(crate) segment_bytes: u32,
    pub(crate) retention: Option<Span>,
    pub(crate) retention_bytes: Option<u64>,
}

/// What becomes of old records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CleanupPolicy {
    /// They go by age or size where a limit is set.
    Delete,
    /// The last record of each key is kept; here all are.
    Compact,
    /// Both.
    CompactDelete,
}

/// Whose clock a record's time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TimestampType {
    /// The producer's.
    Create,
    /// The broker's.
    LogAppend,
}

impl CleanupPolicy {
    pub(super) fn parse(value: &str) -> Result<Self, String> {
        let mut names: Vec<&str> = value.split(',').map(str::trim).collect();
        names.sort_unstable();
        match names[..] {
            ["delete"] => Ok(Self::Delete),
            ["compact"] => Ok(Self::Compact),
            ["compact", "delete"] => Ok(Self::CompactDelete),
            _ => Err("delete, compact, or compact,delete".to_owned()),
        }
    }

    /// Whether old records may go.
    pub(crate) const fn deletes(self) -> bool {
        matches!(self, Self::Delete | Self::CompactDelete)
    }
}

impl TimestampType {
    pub(super) fn parse(value: &str) -> Result<Self, String> {
        match value {
            "CreateTime" => Ok(Self::Create),
            "LogAppendTime" => Ok(Self::LogAppend),
            _ => Err("CreateTime or LogAppendTime".to_owned()),
        }
    }
}

impl TopicConfig {
    /// Takes settings by their names in Kafka.
    pub(crate) fn parse(given: BTreeMap<String, String>) -> Result<Self, SettingError> {
        for (key, value) in &given {
            let Some(known) = TOPIC_KEYS.iter().find(|known| known.name == key) else {
                return Err(SettingError::unknown(key, TOPIC_KEYS.iter().map(|known| known.name)));
            };
            (known.check)(value.trim()).map_err(|wanted| SettingError::BadValue {
                key: key.clone(),
                value: value.clone(),
                wanted,
            })?;
        }
        Ok(Self { given })
    }

    /// The settings given.
    pub(crate) fn given(&self) -> &BTreeMap<String, String> {
        &self.given
    }

    /// What they amount to over the broker's.
    pub(crate) fn limits(&self, settings: &Settings) -> TopicLimits {
        let text = |key: &str| self.given.get(key).map(|value| value.trim());
        let number = |key: &str| text(key).and_then(|value| value.parse::<i64>().ok());
        let endless = |key: &str| number(key).map(|number| u64::try_from(number).ok());
        TopicLimits {
            cleanup: text("cleanup.policy")
                .and_then(|value| CleanupPolicy::parse(value).ok())
                .unwrap_or(CleanupPolicy::Delete),
            timestamps: text("message.timestamp.type")
                .and_then(|value| TimestampType::parse(value).ok())
                .unwrap_or(TimestampType::Create),
            batch_bytes_max: number("max.message.bytes").unwrap_or_else(|| i64::from(settings.message_max_bytes))
                as u32,
            segment_bytes: number("segment.bytes").map_or(settings.segment_bytes, |bytes| bytes as u32),
            retention: endless("retention.ms").map_or(settings.retention, |limit| limit.map(Span::from_millis)),
            retention_bytes: endless("retention.bytes").unwrap_or(settings.retention_bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(given: &[(&str, &str)]) -> Result<TopicConfig, SettingError> {
        TopicConfig::parse(given.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect())
    }

    #[test]
    fn a_topics_settings_stand_over_the_brokers() {
        let mut settings = Settings::default();
        settings.set("log.retention.ms", "1000").unwrap();
        let limits = |given: &[(&str, &str)]| config(given).unwrap().limits(&settings);
        assert_eq!(limits(&[]).retention, Some(Span::from_millis(1000)));
        assert_eq!(limits(&[("retention.ms", "-1")]).retention, None);
        assert_eq!(limits(&[("retention.ms", "5")]).retention, Some(Span::from_millis(5)));
        assert_eq!(limits(&[("cleanup.policy", "delete,compact")]).cleanup, CleanupPolicy::CompactDelete);
    }

    #[test]
    fn what_cannot_be_served_is_refused_in_one_sentence() {
        let refused = |key, value| config(&[(key, value)]).unwrap_err().to_string();
        assert_eq!(
            refused("compression.type", "lz4"),
            "compression.type=lz4 cannot be used: give producer: batches are stored as they arrive"
        );
        assert_eq!(refused("retention", "5"), "unknown setting retention: did you mean retention.ms?");
        assert!(config(&[("min.cleanable.dirty.ratio", "1.5")]).is_err());
    }

    #[test]
    fn every_default_passes_its_own_check() {
        for key in TOPIC_KEYS {
            assert_eq!((key.check)(&(key.default)(&Settings::default())), Ok(()), "{}", key.name);
        }
    }
}
