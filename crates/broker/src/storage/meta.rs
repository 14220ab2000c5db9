use std::fs;
use std::io;
use std::path::Path;

use super::folder::replace;
use crate::StartError;

/// What a data folder says about itself, in `meta.properties`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meta {
    /// Names the cluster.
    pub(crate) cluster_id: String,
    /// How many times the folder was opened before.
    pub(crate) boot: u32,
}

const FILE: &str = "meta.properties";
/// What may lie in a folder that nobody has written to: our own lock and first description where a broker was killed
/// while it made them, and what file systems put there.
const UNOWNED: [&str; 3] = [".lock", "meta.properties~", "lost+found"];

/// Apache Kafka calls its description the same.
fn is_foreign(text: &str) -> bool {
    text.contains("cluster.id=") && !text.contains("groma.boot=")
}

impl Meta {
    /// Finds out, without writing, whether `root` is or can become a data folder of this broker.
    pub(crate) fn check_owner(root: &Path) -> Result<(), StartError> {
        let path = root.to_owned();
        let names = match fs::read_dir(root) {
            Ok(entries) => entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<io::Result<Vec<_>>>(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(StartError::DataFolderIsFile { path });
            }
            Err(error) => Err(error),
        };
        let names = names.map_err(|source| StartError::DataFolder { path: path.clone(), source })?;
        if names.iter().any(|name| name == FILE) {
            return Ok(());
        }
        let foreign = names.iter().find(|name| !UNOWNED.iter().any(|known| name == known));
        match foreign {
            Some(name) => Err(StartError::DataFolderForeign { path, found: format!("`{}`", name.to_string_lossy()) }),
            None => Ok(()),
        }
    }

    /// Reads the folder's description and notes that it is opened once more; a fresh folder gets `cluster_id`.
    pub(crate) fn open(root: &Path, broker_id: i32, cluster_id: String) -> Result<Self, StartError> {
        let path = root.join(FILE);
        let failed = |source| StartError::DataFolder { path: path.clone(), source };
        let meta = match fs::read_to_string(&path) {
            Ok(text) if is_foreign(&text) => {
                let found = "the data of another Kafka".to_owned();
                return Err(StartError::DataFolderForeign { path: root.to_owned(), found });
            }
            Ok(text) => Self::parse(&text).map_err(|found| StartError::Damaged {
                path: path.clone(),
                expected: "a broker's meta.properties",
                found,
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self { cluster_id, boot: 0 },
            Err(error) => return Err(failed(error)),
        };
        let next = Self { boot: meta.boot.saturating_add(1), ..meta.clone() };
        replace(&path, &next.text(broker_id)).map_err(failed)?;
        Ok(meta)
    }

    fn text(&self, broker_id: i32) -> String {
        format!("version=1\ncluster.id={}\nnode.id={broker_id}\ngroma.boot={}\n", self.cluster_id, self.boot)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let value = |key: &str| {
            let found = text.lines().filter_map(|line| line.split_once('=')).find(|(name, _)| name.trim() == key);
            found.map(|(_, value)| value.trim().to_owned()).ok_or_else(|| format!("no line {key}="))
        };
        let boot = value("groma.boot")?;
        let boot = boot.parse().map_err(|_| format!("groma.boot={boot} is no number"))?;
        Ok(Self { cluster_id: value("cluster.id")?, boot })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let meta = Meta { cluster_id: "abc".to_owned(), boot: 7 };
        assert_eq!(Meta::parse(&meta.text(1)), Ok(meta));
        assert_eq!(Meta::parse("cluster.id=x"), Err("no line groma.boot=".to_owned()));
    }
}
