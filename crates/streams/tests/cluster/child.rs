use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use groma_client::ClientConfig;
use groma_streams::{Instance, InstanceConfig, Notice};
use rustix::process::{Pid, Signal, kill_process};
use tokio::signal::unix::{SignalKind, signal};

const ARGUMENTS: &str = "GROMA_TEST_INSTANCE";
/// Far longer than anything takes even on a slow machine that is busy with other work.
const PATIENCE: Duration = Duration::from_secs(300);

/// Where this test binary turns into an instance, when it is told to by its environment.
#[test]
fn instance() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else { return };
    let mut words = arguments.split(' ');
    let mut word = || words.next().expect("use case, bootstrap and group");
    let (use_case, bootstrap, group) = (word().parse().expect("a use case"), word(), word());
    let mut config = InstanceConfig::new(use_case, group, ClientConfig::new(bootstrap));
    for setting in words {
        let (key, value) = setting.split_once('=').expect("key=value");
        config.set(key, value).expect("a setting");
    }
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(3);
    });
    let notify = |notice: Notice| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "notice: {notice}").and_then(|()| out.flush()).expect("the parent reads");
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let ended = runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate()).expect("signals");
        Instance::run(config, async { while terminate.recv().await.is_none() {} }, notify).await
    });
    match ended {
        Ok(summary) => println!("notice: done {summary:?}"),
        Err(error) => {
            println!("notice: failed {error}");
            std::process::exit(2);
        }
    }
}

/// An instance in a process of its own; it ends with this value, or with this process.
pub(crate) struct InstanceProcess {
    child: Child,
    lines: Receiver<String>,
    pub(crate) said: Vec<String>,
}

impl InstanceProcess {
    pub(crate) fn spawn(use_case: &str, bootstrap: &str, group: &str, settings: &[&str]) -> Self {
        let arguments = format!("{use_case} {bootstrap} {group} {}", settings.join(" "));
        let mut child = Command::new(std::env::current_exe().expect("a path"))
            .args(["--exact", "child::instance", "--nocapture"])
            .env(ARGUMENTS, arguments.trim_end())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this binary runs");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if let Some(notice) = line.strip_prefix("notice: ") {
                    let _ = sender.send(notice.to_owned());
                }
            }
        });
        Self { child, lines, said: Vec::new() }
    }

    /// Waits until the instance says `text`.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    let found = line.contains(text);
                    self.said.push(line);
                    if found {
                        return;
                    }
                }
                Err(_) => panic!("the instance never said `{text}`, but {:?}", self.said),
            }
        }
    }

    /// What the instance has said so far.
    pub(crate) fn said(&mut self) -> &[String] {
        self.said.extend(self.lines.try_iter());
        &self.said
    }

    /// How the process ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child of ours")
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("a child of ours");
        self.child.wait().expect("a child of ours");
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("a child of ours");
    }

    /// Asks the instance to stop and waits until it has.
    pub(crate) fn stop(mut self) -> Vec<String> {
        let stdin = self.child.stdin.take();
        self.signal(Signal::TERM);
        let status = self.child.wait().expect("a child of ours");
        let said = self.lines.iter();
        let all: Vec<String> = self.said.iter().cloned().chain(said).collect();
        drop(stdin);
        assert!(status.success(), "{status}: {all:?}");
        all
    }
}

impl Drop for InstanceProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
