use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::schema::Definition;

/// The release of Kafka whose definitions are read.
const RELEASE: &str = "4.4.0";
/// The artifacts that carry definitions.
const ARTIFACTS: [&str; 2] = ["kafka-clients", "kafka-group-coordinator"];

/// The jars that carry definitions, opened.
pub(crate) struct Jars(Vec<ZipArchive<File>>);

impl Jars {
    /// Opens the jars in a folder, or in Maven's local repository.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, String> {
        ARTIFACTS.iter().map(|artifact| open(&place(artifact, folder), artifact)).collect::<Result<_, _>>().map(Self)
    }

    /// Whether the jars are there.
    #[cfg(test)]
    pub(crate) fn are_at_hand() -> bool {
        ARTIFACTS.iter().all(|artifact| place(artifact, None).exists())
    }

    /// Reads the definition of a name from whichever jar has it.
    pub(crate) fn definition(&mut self, name: &str) -> Result<Definition, String> {
        let entry = format!("common/message/{name}.json");
        for jar in &mut self.0 {
            let Ok(mut file) = jar.by_name(&entry) else { continue };
            let mut text = String::new();
            file.read_to_string(&mut text).map_err(|error| format!("{entry} cannot be read: {error}"))?;
            return Definition::parse(&text).map_err(|error| format!("{entry}: {error}"));
        }
        Err(format!("no jar has {entry}: is it Kafka {RELEASE}?"))
    }
}

fn place(artifact: &str, folder: Option<&Path>) -> PathBuf {
    let file = format!("{artifact}-{RELEASE}.jar");
    match folder {
        Some(folder) => folder.join(file),
        None => {
            let home = std::env::home_dir().unwrap_or_default();
            home.join(".m2/repository/org/apache/kafka").join(artifact).join(RELEASE).join(file)
        }
    }
}

fn open(path: &Path, artifact: &str) -> Result<ZipArchive<File>, String> {
    let file = File::open(path).map_err(|error| {
        let shown = path.display();
        format!(
            "{shown} cannot be opened ({error}); \
             get it with `mvn dependency:get -Dartifact=org.apache.kafka:{artifact}:{RELEASE}`"
        )
    })?;
    ZipArchive::new(file).map_err(|error| format!("{} is not a jar: {error}", path.display()))
}
