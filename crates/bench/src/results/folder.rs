use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use groma_client::{TextFileError, read_text_file};
use serde::Serialize;
use serde_json::Value;

use super::{CellRecord, Document, SCHEMA};
use crate::BenchError;

/// The folder that a benchmark writes to. Files appear whole or not at all.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// Whether it was not there before.
    is_new: bool,
    /// What to do where a file of it cannot be written or read.
    mend: &'static str,
}

impl Folder {
    /// Makes the folder where missing, and finds out now whether it can be written.
    pub fn create(path: &Path) -> Result<Self, BenchError> {
        let folder = Self { path: path.to_owned(), is_new: !path.exists(), mend: CHOOSE_ANOTHER };
        for part in [folder.cells_path(), folder.logs_path()] {
            fs::create_dir_all(&part).map_err(|e| folder.failed("make the folder", &part, e))?;
        }
        let probe = path.join(".groma-write-test");
        fs::write(&probe, b"").map_err(|e| folder.failed("write to", path, e))?;
        fs::remove_file(&probe).map_err(|e| folder.failed("write to", path, e))?;
        Ok(folder)
    }

    /// Removes what [`Self::create`] made where nothing has been put into it.
    pub fn forget_empty(&self) {
        for part in [self.cells_path(), self.logs_path()] {
            let _ = fs::remove_dir(part);
        }
        if self.is_new {
            let _ = fs::remove_dir(&self.path);
        }
    }

    /// A folder that is there already, to be looked at.
    pub fn open(path: &Path) -> Result<Self, BenchError> {
        let folder = Self { path: path.to_owned(), is_new: false, mend: LET_IT_BE_USED };
        let results = path.join(RESULTS);
        match results.try_exists() {
            Ok(true) => Ok(folder),
            Ok(false) if path.is_dir() => Err(BenchError::Usage(format!(
                "{} holds no {RESULTS}; name a folder that `groma demo` or `groma bench run` wrote",
                path.display()
            ))),
            Ok(false) => Err(BenchError::Usage(format!(
                "{} is no folder; name one that `groma demo` or `groma bench run` wrote",
                path.display()
            ))),
            Err(e) => Err(folder.failed("read", &results, e)),
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
        self.replace(&path, html.as_bytes())?;
        Ok(path)
    }

    /// Writes the demand curves as a picture.
    pub fn save_picture(&self, svg: &str) -> Result<(), BenchError> {
        self.replace(&self.path.join("demand.svg"), svg.as_bytes())
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
        let path = self.path.join(RESULTS);
        let text = self.text(&path)?;
        document(&text).map_err(|offence| BenchError::Usage(format!("{} {offence}", path.display())))
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
            Err(e) => return Err(self.failed("read", &folder, e)),
        };
        let mut cells = Vec::new();
        for entry in entries {
            let path = entry.map_err(|e| self.failed("read", &folder, e))?.path();
            if path.extension().is_some_and(|e| e == "json") {
                let cell = self.cell(&path)?;
                cells.extend((cell.run == run).then_some(cell));
            }
        }
        cells.sort_by_key(CellRecord::id);
        Ok(cells)
    }

    /// Removes the cells of earlier measurements of `run`.
    pub fn clear_cells(&self, run: &str) -> Result<(), BenchError> {
        let folder = self.cells_path();
        for entry in fs::read_dir(&folder).map_err(|e| self.failed("read", &folder, e))?.flatten() {
            if entry.file_name().to_str().is_some_and(|name| is_cell_of(name, run)) {
                let path = entry.path();
                fs::remove_file(&path).map_err(|e| self.failed("remove", &path, e))?;
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
        let mut text = serde_json::to_vec(value).map_err(|e| self.failed("write", path, e.into()))?;
        text.push(b'\n');
        self.replace(path, &text)
    }

    fn replace(&self, path: &Path, content: &[u8]) -> Result<(), BenchError> {
        let partial = path.with_extension("partial");
        fs::write(&partial, content).map_err(|e| self.failed("write", &partial, e))?;
        fs::rename(&partial, path).map_err(|e| self.failed("write", path, e))
    }

    fn cell(&self, path: &Path) -> Result<CellRecord, BenchError> {
        serde_json::from_str(&self.text(path)?).map_err(|_| {
            BenchError::Usage(format!(
                "{} is cut off or no cell of this version; remove it, and `groma bench run` with --resume measures it \
                 again",
                path.display()
            ))
        })
    }

    fn text(&self, path: &Path) -> Result<String, BenchError> {
        let named = |cause: TextFileError| BenchError::Usage(format!("{} {cause}", path.display()));
        match read_text_file(path, FILE_BYTES_MAX) {
            Err(TextFileError::Unreadable(source)) => Err(self.failed("read", path, source)),
            read => read.map_err(named),
        }
    }

    fn failed(&self, action: &'static str, path: &Path, source: io::Error) -> BenchError {
        BenchError::file_mended(action, path, source, self.mend)
    }
}

/// What `results.json` holds, or why it does not, to be said after its name.
fn document(text: &str) -> Result<Document, String> {
    let foreign = || "was not written by groma; name a folder that `groma demo` or `groma bench run` wrote".to_owned();
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) if error.is_eof() => return Err(format!("is cut off; {ANEW}")),
        Err(_) => return Err(format!("is no JSON; {ANEW}")),
    };
    let Some(schema) = value.get("schema") else { return Err(foreign()) };
    if value.get("runs").is_none() {
        return Err(foreign());
    }
    if schema.as_u64() != Some(u64::from(SCHEMA)) {
        return Err(format!(
            "has schema {schema}, and this version of groma knows {SCHEMA} only; use the version that wrote it, or \
             choose another folder"
        ));
    }
    serde_json::from_value(value).map_err(|_| format!("lacks what schema {SCHEMA} asks for, or was changed; {ANEW}"))
}

/// Whether a file is called `RUN-LOAD-RESOURCES-REPETITION.json`.
fn is_cell_of(name: &str, run: &str) -> bool {
    let place = name.strip_suffix(".json").and_then(|name| name.strip_prefix(run)?.strip_prefix('-'));
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    place.is_some_and(|place| place.split('-').count() == 3 && place.split('-').all(is_number))
}

const RESULTS: &str = "results.json";
const CHOOSE_ANOTHER: &str = "choose another folder with --out or mend its permissions";
const LET_IT_BE_USED: &str = "mend its permissions, or copy the folder to where it can be written";
/// What to do without `results.json`.
const ANEW: &str = "remove it, and `groma bench run` with --resume makes it again; the cells of loads that are listed in the benchmark file are kept";
/// Far more than thousands of cells.
const FILE_BYTES_MAX: u64 = 1 << 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_results_file_is_told_with_the_mend() {
        for (text, says) in [
            ("{\"schema\": 1, \"runs\": [", "is cut off; remove it"),
            ("", "is cut off; remove it"),
            ("runs: 5", "is no JSON; remove it"),
            ("{\"name\": \"package\"}", "was not written by groma; name a folder"),
            ("[1, 2]", "was not written by groma; name a folder"),
            ("{\"schema\": 2, \"runs\": []}", "has schema 2, and this version of groma knows 1 only; use the version"),
            ("{\"schema\": 1, \"runs\": 7}", "lacks what schema 1 asks for, or was changed; remove it"),
        ] {
            let said = document(text).unwrap_err();
            assert!(said.starts_with(says), "{text}: {said}");
        }
    }

    #[test]
    fn only_cells_of_the_run_are_removed() {
        assert!(is_cell_of("uc2-1000-2-1.json", "uc2"));
        for other in ["uc2-b-1000-2-1.json", "notes.txt", "uc2-notes.json", "uc2-1-2.json", "uc1-1000-2-1.json"] {
            assert!(!is_cell_of(other, "uc2"), "{other}");
        }
    }
}
