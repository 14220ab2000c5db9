//! A broker in a process of its own, for the parts that need one.

use crate::exit::Failure;
use groma_bench::child::{Child, Ready, Spawn};
use groma_bench::limits::Limited;
use groma_bench::machine;
use groma_client::{Admin, ClientConfig, NewTopic};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a child may take until it is ready.
const READY: Duration = Duration::from_secs(20);
/// How long a child may take to end.
const GRACE: Duration = Duration::from_secs(5);

/// A running broker and a folder for the logs of children; both go when it is closed or dropped.
pub(super) struct Bed {
    broker: Child,
    logs: Logs,
    pub(super) cluster: ClientConfig,
}

struct Logs(PathBuf);

impl Bed {
    /// Starts a broker and waits until it accepts.
    pub(super) async fn start() -> Result<Self, Failure> {
        let logs = Logs::create()?;
        let words = ["broker", "--listen", "127.0.0.1:0"].map(OsString::from);
        let (broker, line) = start_child("broker", &words, "listening on ", &logs.0).await?;
        let address = line.trim_start_matches("listening on ").trim().to_owned();
        Ok(Self { broker, logs, cluster: ClientConfig::new(&address) })
    }

    /// Makes a topic whose records are kept whatever their times.
    pub(super) async fn topic(&self, name: &str, partitions: u32) -> Result<(), Failure> {
        let topic = NewTopic::new(name, partitions).with_config("retention.ms", "-1");
        Ok(Admin::connect(&self.cluster).await?.create_topics(&[topic]).await?)
    }

    /// Deletes a topic.
    pub(super) async fn drop_topic(&self, name: &str) -> Result<(), Failure> {
        Ok(Admin::connect(&self.cluster).await?.delete_topics(&[name]).await?)
    }

    /// Processor time of the broker so far, in ns.
    pub(super) fn broker_cpu_ns(&self) -> u64 {
        machine::usage(self.broker.id()).cpu_ns
    }

    /// Resident memory of the broker.
    pub(super) fn broker_rss_bytes(&self) -> u64 {
        machine::usage(self.broker.id()).rss_bytes
    }

    /// Starts this program with `words` and waits for `ready` on its stdout.
    pub(super) async fn child(&self, name: &str, words: &[OsString]) -> Result<Child, Failure> {
        Ok(start_child(name, words, "ready", &self.logs.0).await?.0)
    }

    /// Stops the broker.
    pub(super) async fn close(self) {
        self.broker.stop(GRACE).await;
    }
}

/// Stops a child of the bed.
pub(super) async fn stop(child: Child) {
    child.stop(GRACE).await;
}

async fn start_child(name: &str, words: &[OsString], ready: &str, logs: &Path) -> Result<(Child, String), Failure> {
    let mut command = vec![std::env::current_exe()?.into_os_string()];
    command.extend_from_slice(words);
    let spawn = Spawn {
        name: name.to_owned(),
        command,
        limited: Limited::default(),
        logs: logs.to_owned(),
        ready: Ready::Line(ready.to_owned()),
        scratch: None,
    };
    Ok(Child::start(&spawn, READY).await?)
}

impl Logs {
    fn create() -> Result<Self, Failure> {
        let folder = std::env::temp_dir().join(format!("groma-speed-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Logs {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
