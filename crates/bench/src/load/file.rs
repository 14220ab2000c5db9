use std::path::Path;

use serde::Deserialize;

use crate::BenchError;
use crate::definition::{Duration, sentence};

/// `groma load FILE`: any of the settings of the command line, which win over the file's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoadFile {
    /// The topic.
    pub topic: Option<String>,
    /// Partitions of a topic that is made.
    pub partitions: Option<u32>,
    /// Records per second over all keys.
    pub rate: Option<u64>,
    /// Number of keys.
    pub keys: Option<u32>,
    /// How long.
    pub duration: Option<Duration>,
    /// So many of a hundred records go to partition 0 beside its even share.
    pub skew: Option<u32>,
}

impl LoadFile {
    /// Reads a YAML file.
    ///
    /// # Errors
    /// One sentence with the line where the text is wrong.
    pub fn read(path: &Path) -> Result<Self, BenchError> {
        let text = std::fs::read_to_string(path).map_err(|e| BenchError::file("read", path, e))?;
        let wrong = |e: serde_saphyr::Error| BenchError::Definition {
            file: path.display().to_string(),
            reason: sentence(&e, &text),
        };
        serde_saphyr::from_str(&text).map_err(wrong)
    }
}
