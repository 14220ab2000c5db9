use groma_model::Span;

use super::{Kind, Settings, parse_bool, parse_i64};

/// One broker setting under its name in Kafka.
pub(crate) struct BrokerKey {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) set: fn(&mut Settings, &str) -> Result<(), String>,
    pub(crate) get: fn(&Settings) -> String,
}

const LONG: i64 = i64::MAX / 1_000_000;
const INT: i64 = i32::MAX as i64;
/// The longest name of a rack, in bytes.
const RACK_MAX: usize = 249;

fn millis(value: &str, least: i64) -> Result<Span, String> {
    Ok(Span::from_millis(parse_i64(value, least..=LONG)?.unsigned_abs()))
}

fn endless(value: &str, unit: Span) -> Result<Option<Span>, String> {
    let count = parse_i64(value, -1..=LONG)?;
    Ok(u64::try_from(count).ok().map(|count| unit.times(count)))
}

fn rack(value: &str) -> Result<Option<String>, String> {
    match value.len() {
        0 => Ok(None),
        1..=RACK_MAX => Ok(Some(value.to_owned())),
        _ => Err(format!("a name of at most {RACK_MAX} bytes")),
    }
}

fn shown(limit: Option<u64>) -> String {
    limit.map_or_else(|| "-1".to_owned(), |limit| limit.to_string())
}

macro_rules! keys {
    ($($name:literal $kind:ident |$s:ident, $v:ident| $set:expr, $get:expr;)*) => {
        /// Every broker setting that means something here, by name.
        pub(crate) const BROKER_KEYS: &[BrokerKey] = &[$(BrokerKey {
            name: $name,
            kind: Kind::$kind,
            set: |$s, $v| { $set; Ok(()) },
            get: |$s| $get,
        }),*];
    };
}

keys! {
    "auto.create.topics.enable" Bool |s, v| s.auto_create_topics = parse_bool(v)?, s.auto_create_topics.to_string();
    "broker.id" Int |s, v| s.broker_id = parse_i64(v, 0..=INT)? as i32, s.broker_id.to_string();
    "broker.rack" Text |s, v| s.rack = rack(v)?, s.rack.clone().unwrap_or_default();
    "connections.max.idle.ms" Long |s, v| s.connections_max_idle = millis(v, 1)?, s.connections_max_idle.as_millis().to_string();
    "fetch.max.bytes" Int |s, v| s.fetch_max_bytes = parse_i64(v, 1024..=INT)? as i32, s.fetch_max_bytes.to_string();
    "group.initial.rebalance.delay.ms" Int |s, v| s.group_initial_rebalance_delay = millis(v, 0)?, s.group_initial_rebalance_delay.as_millis().to_string();
    "group.max.session.timeout.ms" Int |s, v| s.group_max_session_timeout = millis(v, 1)?, s.group_max_session_timeout.as_millis().to_string();
    "group.max.size" Int |s, v| s.group_max_size = parse_i64(v, 1..=INT)? as u32, s.group_max_size.to_string();
    "group.min.session.timeout.ms" Int |s, v| s.group_min_session_timeout = millis(v, 1)?, s.group_min_session_timeout.as_millis().to_string();
    "log.retention.bytes" Long |s, v| s.retention_bytes = u64::try_from(parse_i64(v, -1..=i64::MAX)?).ok(), shown(s.retention_bytes);
    "log.retention.check.interval.ms" Long |s, v| s.retention_check_interval = millis(v, 1)?, s.retention_check_interval.as_millis().to_string();
    "log.retention.hours" Int |s, v| s.retention = endless(v, Span::from_secs(3600))?, shown(s.retention.map(|span| span.as_millis() / 3_600_000));
    "log.retention.minutes" Int |s, v| s.retention = endless(v, Span::from_secs(60))?, shown(s.retention.map(|span| span.as_millis() / 60_000));
    "log.retention.ms" Long |s, v| s.retention = endless(v, Span::from_millis(1))?, shown(s.retention.map(Span::as_millis));
    "log.segment.bytes" Int |s, v| s.segment_bytes = parse_i64(v, 1024..=INT)? as u32, s.segment_bytes.to_string();
    "max.connections" Int |s, v| s.max_connections = parse_i64(v, 1..=INT)? as usize, s.max_connections.to_string();
    "message.max.bytes" Int |s, v| s.message_max_bytes = parse_i64(v, 0..=INT)? as i32, s.message_max_bytes.to_string();
    "num.partitions" Int |s, v| s.num_partitions = parse_i64(v, 1..=100_000)? as i32, s.num_partitions.to_string();
    "offset.metadata.max.bytes" Int |s, v| s.offset_metadata_max_bytes = parse_i64(v, 0..=INT)? as usize, s.offset_metadata_max_bytes.to_string();
    "offsets.retention.check.interval.ms" Long |s, v| s.offsets_retention_check_interval = millis(v, 1)?, s.offsets_retention_check_interval.as_millis().to_string();
    "offsets.retention.minutes" Int |s, v| s.offsets_retention = Span::from_secs(60).times(parse_i64(v, 1..=INT)?.unsigned_abs()), (s.offsets_retention.as_millis() / 60_000).to_string();
    "offsets.topic.num.partitions" Int |s, v| s.offsets_topic_partitions = parse_i64(v, 1..=10_000)? as i32, s.offsets_topic_partitions.to_string();
    "producer.id.expiration.ms" Int |s, v| s.producer_id_expiration = millis(v, 1)?, s.producer_id_expiration.as_millis().to_string();
    "queued.max.request.bytes" Long |s, v| s.queued_max_bytes = parse_i64(v, 1 << 20..=i64::MAX)?.unsigned_abs(), s.queued_max_bytes.to_string();
    "socket.request.max.bytes" Int |s, v| s.request_max_bytes = parse_i64(v, 1024..=INT)? as u32, s.request_max_bytes.to_string();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_shown() {
        for key in BROKER_KEYS {
            let value = match key.kind {
                Kind::Bool => "false",
                _ => "2097152",
            };
            let mut settings = Settings::default();
            if (key.set)(&mut settings, value).is_ok() {
                assert_eq!((key.get)(&settings), value, "{}", key.name);
            }
        }
    }

    #[test]
    fn values_out_of_range_say_what_would_do() {
        let mut settings = Settings::default();
        let error = settings.set("num.partitions", "0").unwrap_err();
        assert_eq!(error.to_string(), "num.partitions=0 cannot be used: give a whole number from 1 to 100000");
        let error = settings.set("num.partitons", "3").unwrap_err();
        assert_eq!(error.to_string(), "unknown setting num.partitons: did you mean num.partitions?");
        settings.set("log.retention.ms", "-1").unwrap();
        assert_eq!(settings.retention, None);
    }
}
