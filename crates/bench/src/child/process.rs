use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child as Process, ChildStdin, ChildStdout};
use tokio::time::timeout;

use super::spawn::{Ready, Spawn};
use crate::BenchError;

/// A running child. Dropping it kills it.
#[derive(Debug)]
pub struct Child {
    name: String,
    id: u32,
    process: Process,
    stdin: Option<ChildStdin>,
    /// None once nobody but the log wants its lines.
    lines: Option<Lines<BufReader<ChildStdout>>>,
    log: PathBuf,
}

impl Child {
    /// Starts a child and waits until it is ready; with the line that said so.
    ///
    /// # Errors
    /// It cannot be started, ends, or is not ready in time; the text quotes what it last said.
    pub async fn start(spawn: &Spawn, limit: Duration) -> Result<(Self, String), BenchError> {
        let mut child = Self::launch(spawn)?;
        let line = match &spawn.ready {
            Ready::Started => String::new(),
            Ready::Line(begin) => child.await_line(begin, limit).await?,
        };
        Ok((child, line))
    }

    /// Starts a child without waiting.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn launch(spawn: &Spawn) -> Result<Self, BenchError> {
        let started = spawn.prepare()?.spawn();
        let mut process = started.map_err(|e| BenchError::Child(format!("cannot start the {} ({e})", spawn.name)))?;
        let (Some(id), Some(stdout)) = (process.id(), process.stdout.take()) else {
            return Err(BenchError::Child(format!("the {} ended at once", spawn.name)));
        };
        let stdin = process.stdin.take();
        let lines = BufReader::new(stdout).lines();
        Ok(Self { name: spawn.name.clone(), id, process, stdin, lines: Some(lines), log: spawn.log_path() })
    }

    /// Waits for a line that begins with `begin`.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub async fn await_line(&mut self, begin: &str, limit: Duration) -> Result<String, BenchError> {
        let Some(lines) = &mut self.lines else { return Ok(String::new()) };
        let wait = async {
            while let Ok(Some(line)) = lines.next_line().await {
                if line.starts_with(begin) {
                    return Some(line);
                }
            }
            None
        };
        match timeout(limit, wait).await {
            Ok(Some(line)) => Ok(line),
            Ok(None) => Err(self.death().await),
            Err(_) => Err(BenchError::Child(format!(
                "the {} did not say `{begin}` within {} s{}",
                self.name,
                limit.as_secs(),
                last_words(&self.log)
            ))),
        }
    }

    /// The next line on stdout; none once the child has closed it.
    pub async fn next_line(&mut self) -> Option<String> {
        self.lines.as_mut()?.next_line().await.ok().flatten()
    }

    /// Lets what it prints from now on go to its log: a full pipe would stop it.
    pub fn ignore_lines(&mut self) {
        let Some(lines) = self.lines.take() else { return };
        let log = self.log.clone();
        tokio::spawn(async move {
            let mut log = OpenOptions::new().append(true).open(&log).ok();
            let mut rest = lines.into_inner();
            while let Ok(read) = rest.fill_buf().await.map(<[u8]>::to_vec)
                && !read.is_empty()
            {
                rest.consume(read.len());
                log = log.filter(|mut log| log.write_all(&read).is_ok());
            }
        });
    }

    /// Writes a line to the child's stdin.
    ///
    /// # Errors
    /// The child is gone.
    pub async fn tell(&mut self, line: &str) -> Result<(), BenchError> {
        let written = match &mut self.stdin {
            Some(stdin) => stdin.write_all(format!("{line}\n").as_bytes()).await.is_ok(),
            None => false,
        };
        if written { Ok(()) } else { Err(self.death().await) }
    }

    /// The process id.
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.process.try_wait().ok().flatten()
    }

    /// The error that says how the child ended.
    pub async fn death(&mut self) -> BenchError {
        let status = timeout(DEATH_WAIT, self.process.wait()).await;
        let how = match status {
            Ok(Ok(status)) => status.to_string(),
            Ok(Err(e)) => e.to_string(),
            Err(_) => "its output closed".to_owned(),
        };
        BenchError::Child(format!("the {} ended early ({how}){}", self.name, last_words(&self.log)))
    }

    /// Asks the child, and what it has started, to end.
    pub fn ask_to_end(&self) {
        self.signal(Signal::TERM);
    }

    /// The child leads a process group of its own.
    fn signal(&self, signal: Signal) {
        if let Some(group) = i32::try_from(self.id).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, signal);
        }
    }

    /// Asks the child to end, and kills it if it has not after `grace`.
    pub async fn stop(mut self, grace: Duration) {
        if self.ended().is_none() {
            self.ask_to_end();
            let _ = timeout(grace, self.process.wait()).await;
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// What a child last wrote to its log, for an error's text.
fn last_words(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let last: Vec<&str> = text.lines().rev().filter(|line| !line.trim().is_empty()).take(QUOTED_LINES).collect();
    if last.is_empty() {
        return format!("; its log {} is empty", log.display());
    }
    let quoted: Vec<&str> = last.into_iter().rev().collect();
    format!("; it last said: {}", quoted.join(" | "))
}

const DEATH_WAIT: Duration = Duration::from_secs(2);
const QUOTED_LINES: usize = 3;
