use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::process::Stdio;

use tokio::process::Command;

use super::follow::FOLLOW;
use super::hidden::LIMITED;
use crate::BenchError;
use crate::limits::Limited;

/// A child to be started.
#[derive(Clone, Debug)]
pub struct Spawn {
    /// What it is called in errors and what its log file is called.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<OsString>,
    /// What it does to itself first.
    pub limited: Limited,
    /// Where its stderr, and its stdout after ready, go.
    pub logs: PathBuf,
    /// How it says that it is ready.
    pub ready: Ready,
    /// Where it puts temporary files; none leaves that to the environment.
    pub scratch: Option<PathBuf>,
}

/// How a child says that it is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ready {
    /// By a line on stdout that begins with this.
    Line(String),
    /// It need not say so.
    Started,
}

impl Spawn {
    /// Where its stderr goes.
    pub(super) fn log_path(&self) -> PathBuf {
        self.logs.join(format!("{}.log", self.name))
    }

    /// The command that starts this binary, which then turns into the child's program.
    pub(super) fn prepare(&self) -> Result<Command, BenchError> {
        let log_path = self.log_path();
        let emptied = File::create(&log_path).and_then(|_| File::options().append(true).open(&log_path));
        let log = emptied.map_err(|e| BenchError::file("write", &log_path, e))?;
        let limited = serde_json::to_string(&self.limited).map_err(|e| BenchError::Usage(e.to_string()))?;
        let mut command = Command::new(own_program()?);
        command.arg(LIMITED).arg(limited).arg("--").args(&self.command);
        command.env(KEEP_PAGES, "-1");
        command.envs(self.scratch.iter().map(|folder| ("TMPDIR", folder)));
        command.env(FOLLOW, "1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
        command.kill_on_drop(true).process_group(0);
        Ok(command)
    }
}

/// The program that children are made of.
pub(crate) fn own_program() -> Result<PathBuf, BenchError> {
    std::env::current_exe().map_err(|e| BenchError::Machine(format!("cannot find this program's own file ({e})")))
}

/// Our allocator gives freed pages back after 10 ms, which is less than a quota's period: under a small quota an
/// instance would then touch fresh pages after every pause, at up to 16 times the cost of a record.
const KEEP_PAGES: &str = "MIMALLOC_PURGE_DELAY";
