use std::path::Path;

use groma_session::net::Address;

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
}

impl Properties {
    /// The defaults for the cluster behind `bootstrap`.
    pub fn new(bootstrap: &str) -> Self {
        Self {
            client: ClientConfig::new(bootstrap),
            producer: ProducerConfig::default(),
            consumer: ConsumerConfig::default(),
            group: None,
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
        let _ = (key, value);
        todo!()
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
