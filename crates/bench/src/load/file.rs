use std::path::Path;

use groma_client::read_text_file;
use groma_model::check_topic_name;
use serde::Deserialize;

use super::request;
use crate::BenchError;
use crate::definition::Duration;
use crate::yaml::{Hint, Tree, Wrong};

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
    /// One sentence with the line and the key where the text is wrong.
    pub fn read(path: &Path) -> Result<Self, BenchError> {
        let wrong = |reason| BenchError::Definition { file: path.display().to_string(), reason };
        let text = read_text_file(path, FILE_BYTES_MAX)
            .map_err(|cause| BenchError::Usage(format!("{} {cause}", path.display())))?;
        Self::parse(&text).map_err(wrong)
    }

    fn parse(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("the file is empty; give at least one setting, such as `rate: 10000`".to_owned());
        }
        let tree = Tree::parse(text)?;
        let file: Self = tree.read(hint)?;
        file.check().map_err(|wrong| tree.sentence(wrong, hint))?;
        Ok(file)
    }

    fn check(&self) -> Result<(), Wrong> {
        let numbers = [
            ("partitions", self.partitions.map(u64::from)),
            ("rate", self.rate),
            ("keys", self.keys.map(u64::from)),
            ("duration", self.duration.map(|duration| duration.ms)),
            ("skew", self.skew.map(u64::from)),
        ];
        for (name, number) in numbers {
            if number.is_some_and(|number| !request::range(name).contains(&number)) {
                return Err(Wrong::unfit(name));
            }
        }
        let topic = self.topic.as_deref().map_or(Ok(()), check_topic_name);
        topic.map_err(|sentence| Wrong::because("topic", sentence))
    }
}

fn hint(place: &str) -> Option<Hint> {
    let example = match place {
        "topic" => "topic: input",
        "partitions" => "partitions: 12",
        "rate" => "rate: 10000",
        "keys" => "keys: 1000",
        "duration" => "duration: 30s",
        "skew" => "skew: 20",
        _ => return None,
    };
    Some(Hint { wanted: request::wanted(place), example })
}

/// Nobody writes more than that by hand.
const FILE_BYTES_MAX: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_files_are_told_by_line_and_key() {
        for (text, sentence) in [
            ("", "the file is empty; give at least one setting, such as `rate: 10000`"),
            ("rate: 10\nkey: 5\n", "line 2: `key` is unknown; did you mean `keys`?"),
            (
                "rate: fast\n",
                "line 1: `rate` is `fast`; give a whole number from 1 to 20,000,000, such as `rate: 10000`",
            ),
            ("keys: 0\n", "line 1: `keys` is `0`; give a whole number from 1 to 1,000,000,000, such as `keys: 1000`"),
            ("duration: 0s\n", "line 1: `duration` is `0s`; give a duration from 1ms to 24h, such as `duration: 30s`"),
            ("duration: 30\n", "line 1: `duration` is `30`; give a duration from 1ms to 24h, such as `duration: 30s`"),
            ("skew: 101\n", "line 1: `skew` is `101`; give a whole number from 0 to 100, such as `skew: 20`"),
            ("topic: a b\n", "line 1: `topic`: topic name \"a b\" may hold only letters, digits, '.', '_' and '-'"),
            ("- rate\n", "line 1: the file is a list; give keys with values, one a line"),
        ] {
            assert_eq!(LoadFile::parse(text).as_ref().map_err(String::as_str), Err(sentence), "{text}");
        }
    }
}
