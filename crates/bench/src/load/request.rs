use std::path::PathBuf;

use serde::{Deserialize, Serialize};

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
}
