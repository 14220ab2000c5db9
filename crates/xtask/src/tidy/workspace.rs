use std::fs;
use std::path::{Path, PathBuf};

use super::source::Source;

/// Folders that hold output, not source.
const SKIPPED: [&str; 6] = [".git", ".cache", "groma-demo", "groma-known-answer", "node_modules", "__pycache__"];
const LARGEST_TEXT: u64 = 2 << 20;

/// The files of the workspace, read once.
pub(super) struct Workspace {
    /// Rust files.
    pub(super) sources: Vec<Source>,
    /// Every text file: path and text.
    pub(super) texts: Vec<(String, String)>,
    /// The paths of all files.
    pub(super) paths: Vec<String>,
}

impl Workspace {
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let mut paths = Vec::new();
        list(root, &mut paths).map_err(|error| format!("cannot list {}: {error}", root.display()))?;
        paths.sort();
        let mut workspace = Self { sources: Vec::new(), texts: Vec::new(), paths: Vec::new() };
        for path in paths {
            workspace.take(root, &path);
        }
        Ok(workspace)
    }

    fn take(&mut self, root: &Path, path: &Path) {
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
        let small = fs::metadata(path).is_ok_and(|meta| meta.len() <= LARGEST_TEXT);
        if let Some(text) = small.then(|| fs::read_to_string(path).ok()).flatten() {
            if name.ends_with(".rs") {
                self.sources.push(Source::new(&name, &text));
            }
            self.texts.push((name.clone(), text));
        }
        self.paths.push(name);
    }

    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.texts.iter().find(|(name, _)| name == path).map(|(_, text)| text.as_str())
    }

    /// The folders under `crates/` that hold a crate.
    pub(super) fn crates(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().filter_map(|path| path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml"))
    }
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if SKIPPED.contains(&name.as_str()) || name.starts_with("target") {
            continue;
        }
        match entry.file_type()? {
            kind if kind.is_dir() => list(&entry.path(), found)?,
            kind if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    Ok(())
}
