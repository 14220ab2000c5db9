use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use groma_explain::{MemberTrace, What};
use groma_rebalance::member::Event;

/// A file in which a member writes what happens to it, for `groma group explain --trace FILE`: a line at once for each
/// step, so that a killed process leaves all but its last moments.
///
/// Each process needs a file of its own; `explain` takes several. Times are the wall clock's.
#[derive(Debug)]
pub struct Trace {
    /// None after it could not be written.
    file: Option<File>,
    lines: MemberTrace,
}

impl Trace {
    /// Opens the file of a member of this group for appending; makes it where there is none.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn open(path: impl AsRef<Path>, group: impl Into<String>) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file: Some(file), lines: MemberTrace::of(group) })
    }

    /// Writes what happens now.
    ///
    /// # Errors
    /// It cannot be written. The trace ends there: what is noted later is left out, without an error.
    pub fn note(&mut self, what: What) -> io::Result<()> {
        self.write(&self.lines.says(now_ms(), what))
    }

    /// Writes a step in a round as far as it belongs to a trace, with resources as `name` names them.
    ///
    /// # Errors
    /// As [`Self::note`].
    pub fn step<R>(&mut self, step: &Event<R>, name: impl Fn(&R) -> String) -> io::Result<()> {
        let lines = self.lines.steps(now_ms(), step, name);
        self.write(&lines)
    }

    fn write(&mut self, lines: &str) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let written = file.write_all(lines.as_bytes());
        if written.is_err() {
            self.file = None;
        }
        written
    }
}

fn now_ms() -> i64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(passed.as_millis()).unwrap_or(i64::MAX)
}
