use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::BenchError;
use crate::definition::bounds;

use super::schedule::{Share, Skew, shares};

/// What to generate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadRequest {
    /// The Kafka to send to, `HOST:PORT`.
    pub bootstrap: String,
    /// A client property file (librdkafka's and Java's keys) for it.
    pub client_config: Option<PathBuf>,
    /// The topic; made with `partitions` and unlimited retention when missing.
    pub topic: String,
    /// Partitions of a topic made here.
    pub partitions: u32,
    /// Records per second over all keys.
    pub rate: u64,
    /// Number of keys (sensors).
    pub keys: u32,
    /// How long, in milliseconds.
    pub duration_ms: u64,
    /// So many of a hundred records go to partition 0 beside its even share; 0 gives all partitions the same.
    pub skew_percent: u32,
}

/// What the numbers of a request may be, by their names on the command line and in files.
pub fn range(name: &str) -> RangeInclusive<u64> {
    let wide = |range: RangeInclusive<u32>| u64::from(*range.start())..=u64::from(*range.end());
    match name {
        "rate" => bounds::LOADS,
        "keys" => wide(bounds::KEYS),
        "partitions" => wide(bounds::PARTITIONS),
        "skew" => wide(bounds::SKEW),
        _ => 1..=bounds::LONGEST_MS,
    }
}

/// What a setting takes, for people.
pub(super) fn wanted(name: &str) -> String {
    match name {
        "topic" => "a topic's name".to_owned(),
        "duration" => "a duration from 1ms to 24h".to_owned(),
        _ => bounds::whole(range(name)),
    }
}

impl LoadRequest {
    /// Refuses numbers that make no load.
    pub(super) fn check(&self) -> Result<(), BenchError> {
        let numbers = [
            ("rate", self.rate),
            ("keys", u64::from(self.keys)),
            ("partitions", u64::from(self.partitions)),
            ("skew", u64::from(self.skew_percent)),
            ("duration", self.duration_ms),
        ];
        let wrong = numbers.into_iter().find(|(name, number)| !range(name).contains(number));
        wrong.map_or(Ok(()), |(name, number)| {
            let unit = if name == "duration" { "ms" } else { "" };
            Err(BenchError::Usage(format!("--{name} {number}{unit} makes no load; give {}", wanted(name))))
        })
    }

    /// What each of the processes sends that this load needs. `partitions` must be the topic's own number for skew.
    pub(super) fn shares(&self) -> Vec<Share> {
        let parts = u32::try_from(self.rate.div_ceil(RATE_EACH)).unwrap_or(u32::MAX);
        let skew = Skew { percent: self.skew_percent, partitions: self.partitions };
        shares(self.rate, self.keys, self.duration_ms, parts).into_iter().map(|share| share.skewed(skew)).collect()
    }
}

/// What one process sends with ease on one core.
const RATE_EACH: u64 = 1_000_000;
