use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{CellRecord, Document};
use crate::BenchError;

/// The folder that a benchmark writes to. Files appear whole or not at all.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder where missing, and finds out now whether it can be written.
    pub fn create(path: &Path) -> Result<Self, BenchError> {
        let folder = Self { path: path.to_owned() };
        for part in [folder.cells_path(), folder.logs_path()] {
            fs::create_dir_all(&part).map_err(|e| BenchError::file("make the folder", &part, e))?;
        }
        let probe = path.join(".groma-write-test");
        fs::write(&probe, b"").map_err(|e| BenchError::file("write to", path, e))?;
        fs::remove_file(&probe).map_err(|e| BenchError::file("write to", path, e))?;
        Ok(folder)
    }

    /// A folder that is there already.
    pub fn open(path: &Path) -> Result<Self, BenchError> {
        let results = path.join(RESULTS);
        match results.try_exists() {
            Ok(true) => Ok(Self { path: path.to_owned() }),
            Ok(false) => Err(BenchError::Usage(format!(
                "{} holds no {RESULTS}; name a folder that `groma demo` or `groma bench run` wrote",
                path.display()
            ))),
            Err(e) => Err(BenchError::file("read", &results, e)),
        }
    }

    /// Where the children's stderr goes.
    pub fn logs_path(&self) -> PathBuf {
        self.path.join("logs")
    }

    /// Where the report goes.
    pub fn report_path(&self) -> PathBuf {
        self.path.join("report.html")
    }

    /// Writes the report.
    pub fn save_report(&self, html: &str) -> Result<PathBuf, BenchError> {
        let path = self.report_path();
        replace(&path, html.as_bytes())?;
        Ok(path)
    }

    /// Writes the demand curves as a picture.
    pub fn save_picture(&self, svg: &str) -> Result<(), BenchError> {
        replace(&self.path.join("demand.svg"), svg.as_bytes())
    }

    /// Stores a cell.
    pub fn save_cell(&self, cell: &CellRecord) -> Result<(), BenchError> {
        self.save(&self.cell_path(cell), cell)
    }

    /// Stores `results.json`.
    pub fn save_results(&self, document: &Document) -> Result<(), BenchError> {
        self.save(&self.path.join(RESULTS), document)
    }

    /// Reads `results.json`.
    pub fn results(&self) -> Result<Document, BenchError> {
        load(&self.path.join(RESULTS))
    }

    /// Reads `results.json` where there is one.
    pub fn earlier_results(&self) -> Result<Option<Document>, BenchError> {
        if self.path.join(RESULTS).exists() { self.results().map(Some) } else { Ok(None) }
    }

    /// Reads all cells of `run`, in order of load, resources and repetition.
    pub fn cells(&self, run: &str) -> Result<Vec<CellRecord>, BenchError> {
        let folder = self.cells_path();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(BenchError::file("read", &folder, e)),
        };
        let mut cells = Vec::new();
        for entry in entries {
            let path = entry.map_err(|e| BenchError::file("read", &folder, e))?.path();
            if path.extension().is_some_and(|e| e == "json") {
                let cell: CellRecord = load(&path)?;
                cells.extend((cell.run == run).then_some(cell));
            }
        }
        cells.sort_by_key(CellRecord::id);
        Ok(cells)
    }

    /// Removes the cells of earlier measurements of `run`.
    pub fn clear_cells(&self, run: &str) -> Result<(), BenchError> {
        let folder = self.cells_path();
        for entry in fs::read_dir(&folder).map_err(|e| BenchError::file("read", &folder, e))?.flatten() {
            if entry.file_name().to_str().is_some_and(|name| is_cell_of(name, run)) {
                let path = entry.path();
                fs::remove_file(&path).map_err(|e| BenchError::file("remove", &path, e))?;
            }
        }
        Ok(())
    }

    fn cells_path(&self) -> PathBuf {
        self.path.join("cells")
    }

    fn cell_path(&self, cell: &CellRecord) -> PathBuf {
        let name = format!("{}-{}-{}-{}.json", cell.run, cell.load, cell.resources, cell.repetition);
        self.cells_path().join(name)
    }

    fn save(&self, path: &Path, value: &impl Serialize) -> Result<(), BenchError> {
        let mut text = serde_json::to_vec(value).map_err(|e| BenchError::file("write", path, e.into()))?;
        text.push(b'\n');
        replace(path, &text)
    }
}

/// Whether a file is called `RUN-LOAD-RESOURCES-REPETITION.json`.
fn is_cell_of(name: &str, run: &str) -> bool {
    let place = name.strip_suffix(".json").and_then(|name| name.strip_prefix(run)?.strip_prefix('-'));
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    place.is_some_and(|place| place.split('-').count() == 3 && place.split('-').all(is_number))
}

fn replace(path: &Path, content: &[u8]) -> Result<(), BenchError> {
    let partial = path.with_extension("partial");
    fs::write(&partial, content).map_err(|e| BenchError::file("write", &partial, e))?;
    fs::rename(&partial, path).map_err(|e| BenchError::file("write", path, e))
}

fn load<T: DeserializeOwned>(path: &Path) -> Result<T, BenchError> {
    let text = fs::read(path).map_err(|e| BenchError::file("read", path, e))?;
    serde_json::from_slice(&text).map_err(|e| {
        BenchError::Usage(format!("{} is not what this version writes ({e}); remove it and run again", path.display()))
    })
}

const RESULTS: &str = "results.json";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cells_of_the_run_are_removed() {
        assert!(is_cell_of("uc2-1000-2-1.json", "uc2"));
        for other in ["uc2-b-1000-2-1.json", "notes.txt", "uc2-notes.json", "uc2-1-2.json", "uc1-1000-2-1.json"] {
            assert!(!is_cell_of(other, "uc2"), "{other}");
        }
    }
}
