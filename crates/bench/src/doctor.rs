use std::fmt;
use std::net::TcpListener;
use std::time::Duration;

use serde::Serialize;

use crate::limits::{self, allowed_cores};
use crate::machine::{self, Host, find_program};

/// One line of `doctor`.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub name: &'static str,
    /// What was found, with the mend where something is missing.
    pub value: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<14} {}", self.name, self.value)
    }
}

/// What this machine allows, one finding per line. Takes half a second, to see how much the hypervisor takes.
pub fn doctor() -> Vec<Finding> {
    let described = machine::describe();
    let finding = |name, value| Finding { name, value };
    vec![
        finding("processor", described.processor),
        finding("cores", cores()),
        finding("memory", format!("{:.1} GiB", described.memory_bytes as f64 / f64::from(1 << 30))),
        finding("system", format!("{}, {}", described.system, described.kernel)),
        finding("clock tick", tick(described.clock_ticks_per_s)),
        finding("steal", steal()),
        finding("limits", format!("instances are limited by {}", limits::to_come())),
        finding("port 9092", port()),
        finding(
            "java",
            tool("java", "for Kafka Streams, Flink and Kafka's own tools, on Debian: apt-get install default-jdk"),
        ),
        finding("python3", tool("python3", "for the checks with foreign clients, on Debian: apt-get install python3")),
        finding("kcat", tool("kcat", "a Kafka client for the shell, on Debian: apt-get install kcat")),
    ]
}

fn cores() -> String {
    match allowed_cores().len() {
        0 | 1 => "1: instances and broker share it, so results are rough".to_owned(),
        count => format!("{count}: instances on their own, broker and generator on the rest"),
    }
}

fn tick(per_s: u32) -> String {
    match per_s {
        0 => "unknown".to_owned(),
        per_s => format!("{} ms; quotas hold in periods of several ticks", 1000 / per_s),
    }
}

fn steal() -> String {
    let before = Host::read().times(&[]);
    std::thread::sleep(STEAL_WATCH);
    let share = Host::read().times(&[]).stolen_since(before);
    format!("{:.1} % in the last half second", share * 100.0)
}

fn port() -> String {
    match TcpListener::bind(("127.0.0.1", 9092)) {
        Ok(_) => "free".to_owned(),
        Err(error) => format!("taken ({error}); `groma broker --listen 127.0.0.1:0` picks another"),
    }
}

fn tool(name: &str, mend: &str) -> String {
    find_program(name).map_or_else(|| format!("missing: {mend}"), |path| path.display().to_string())
}

const STEAL_WATCH: Duration = Duration::from_millis(500);
