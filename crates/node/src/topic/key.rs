use crate::settings::{Kind, Settings, parse_bool, parse_i64};

use super::config::{CleanupPolicy, TimestampType};

/// A topic setting under its name in Kafka.
pub(crate) struct TopicKey {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// The broker's setting that holds where the topic has none.
    pub(crate) synonym: Option<&'static str>,
    pub(crate) check: fn(&str) -> Result<(), String>,
    pub(crate) default: fn(&Settings) -> String,
}

fn long(value: &str) -> Result<(), String> {
    parse_i64(value, 0..=i64::MAX).map(drop)
}

fn int(value: &str) -> Result<(), String> {
    parse_i64(value, 0..=i64::from(i32::MAX)).map(drop)
}

fn endless(value: &str) -> Result<(), String> {
    parse_i64(value, -1..=i64::MAX).map(drop)
}

fn local(value: &str) -> Result<(), String> {
    parse_i64(value, -2..=i64::MAX).map(drop)
}

fn flag(value: &str) -> Result<(), String> {
    parse_bool(value).map(drop)
}

fn ratio(value: &str) -> Result<(), String> {
    match value.parse::<f64>() {
        Ok(ratio) if (0.0..=1.0).contains(&ratio) => Ok(()),
        _ => Err("a number from 0 to 1".to_owned()),
    }
}

fn any(_: &str) -> Result<(), String> {
    Ok(())
}

fn compression(value: &str) -> Result<(), String> {
    match value {
        "producer" => Ok(()),
        _ => Err("producer: batches are stored as they arrive".to_owned()),
    }
}

fn off(value: &str) -> Result<(), String> {
    if parse_bool(value)? { Err("false: there is no tiered storage".to_owned()) } else { Ok(()) }
}

fn limit(limit: Option<u64>) -> String {
    limit.map_or_else(|| "-1".to_owned(), |limit| limit.to_string())
}

macro_rules! topic_keys {
    ($($name:literal $kind:ident $synonym:expr, $check:expr, |$s:ident| $default:expr;)*) => {
        /// Every topic setting of Kafka, by name. All are checked and shown; retention, cleanup policy, segment and
        /// batch size and the timestamp type have an effect.
        pub(crate) const TOPIC_KEYS: &[TopicKey] = &[$(TopicKey {
            name: $name,
            kind: Kind::$kind,
            synonym: $synonym,
            check: $check,
            default: |$s| $default,
        }),*];
    };
}

topic_keys! {
    "cleanup.policy" List None, |v| CleanupPolicy::parse(v).map(drop), |_s| "delete".to_owned();
    "compression.type" Text None, compression, |_s| "producer".to_owned();
    "delete.retention.ms" Long None, long, |_s| "86400000".to_owned();
    "file.delete.delay.ms" Long None, long, |_s| "0".to_owned();
    "flush.messages" Long None, long, |_s| i64::MAX.to_string();
    "flush.ms" Long None, long, |_s| i64::MAX.to_string();
    "follower.replication.throttled.replicas" List None, any, |_s| String::new();
    "index.interval.bytes" Int None, int, |_s| "4096".to_owned();
    "leader.replication.throttled.replicas" List None, any, |_s| String::new();
    "local.retention.bytes" Long None, local, |_s| "-2".to_owned();
    "local.retention.ms" Long None, local, |_s| "-2".to_owned();
    "max.compaction.lag.ms" Long None, long, |_s| i64::MAX.to_string();
    "max.message.bytes" Int Some("message.max.bytes"), int, |s| s.message_max_bytes.to_string();
    "message.timestamp.after.max.ms" Long None, long, |_s| i64::MAX.to_string();
    "message.timestamp.before.max.ms" Long None, long, |_s| i64::MAX.to_string();
    "message.timestamp.type" Text None, |v| TimestampType::parse(v).map(drop), |_s| "CreateTime".to_owned();
    "min.cleanable.dirty.ratio" Double None, ratio, |_s| "0.5".to_owned();
    "min.compaction.lag.ms" Long None, long, |_s| "0".to_owned();
    "min.insync.replicas" Int None, int, |_s| "1".to_owned();
    "preallocate" Bool None, flag, |_s| "false".to_owned();
    "remote.log.copy.disable" Bool None, flag, |_s| "false".to_owned();
    "remote.log.delete.on.disable" Bool None, flag, |_s| "false".to_owned();
    "remote.storage.enable" Bool None, off, |_s| "false".to_owned();
    "retention.bytes" Long Some("log.retention.bytes"), endless, |s| limit(s.retention_bytes);
    "retention.ms" Long Some("log.retention.ms"), endless, |s| limit(s.retention.map(groma_model::Span::as_millis));
    "segment.bytes" Int Some("log.segment.bytes"), |v| parse_i64(v, 14..=i64::from(i32::MAX)).map(drop), |s| s.segment_bytes.to_string();
    "segment.index.bytes" Int None, int, |_s| "10485760".to_owned();
    "segment.jitter.ms" Long None, long, |_s| "0".to_owned();
    "segment.ms" Long None, long, |_s| i64::MAX.to_string();
    "unclean.leader.election.enable" Bool None, flag, |_s| "false".to_owned();
}
