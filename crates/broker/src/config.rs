use std::path::PathBuf;

use groma_node::{SettingError, Settings};

/// What a broker is started with. [`BrokerConfig::default`] listens on `127.0.0.1:9092` and keeps its data in an
/// unlinked temporary directory of at most 4 GiB.
#[derive(Clone, Debug)]
pub struct BrokerConfig {
    /// Where to listen, as `HOST:PORT`; port 0 picks a free one.
    pub listen: String,
    /// What clients are told to connect to, as `HOST:PORT`; default: where the broker listens.
    pub advertise: Option<String>,
    /// The folder that keeps topics and offsets over restarts; without it the data ends with the broker.
    pub data: Option<PathBuf>,
    /// The most bytes all logs may hold. At the cap Produce is refused with `KAFKA_STORAGE_ERROR`; nothing is deleted.
    /// Default: 4 GiB without a data folder, none with one.
    pub max_bytes: Option<u64>,
    /// Kafka's broker settings; [`BrokerConfig::set`] takes them by their names in Kafka.
    pub settings: Settings,
}

impl Default for BrokerConfig {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:9092".to_owned(),
            advertise: None,
            data: None,
            max_bytes: None,
            settings: Settings::default(),
        }
    }
}

impl BrokerConfig {
    /// A broker on a free port of the loopback interface, for tests and tools.
    pub fn ephemeral() -> Self {
        Self { listen: "127.0.0.1:0".to_owned(), ..Self::default() }
    }

    /// Sets a broker setting by its name in Kafka, such as `num.partitions`.
    ///
    /// # Errors
    /// One sentence when the key is unknown (with the nearest known one) or the value does not fit.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        self.settings.set(key, value)
    }

    /// [`BrokerConfig::set`] in builder style.
    ///
    /// # Errors
    /// As [`BrokerConfig::set`].
    pub fn with(mut self, key: &str, value: &str) -> Result<Self, SettingError> {
        self.set(key, value)?;
        Ok(self)
    }
}
