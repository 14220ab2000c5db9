//! A broker in a process of its own, which can be killed.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use crate::client::{Client, PATIENCE};

/// The broker as a child; killed when dropped.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
}

/// A folder of the test's own, removed when dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("groma-broker-test-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Process {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ");
        let Some(address) = address else {
            panic!("first line {line:?}, stderr {:?}", rest(&mut child));
        };
        Self { address: address.parse().unwrap(), child }
    }

    pub(crate) fn over(folder: &Folder) -> Self {
        Self::start(&["--listen", "127.0.0.1:0", "--data", folder.path().to_str().unwrap()])
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(self.address)
    }

    /// Ends it by SIGKILL and returns what it had said on stderr.
    pub(crate) fn kill(mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        rest(&mut self.child)
    }

    /// Asks it by SIGTERM to end, and returns how it did and what it had said on stderr.
    pub(crate) fn terminate(mut self) -> (ExitStatus, String) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, rest(&mut self.child));
            }
            assert!(began.elapsed() < PATIENCE, "the broker does not end");
            std::thread::yield_now();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs it until it ends by itself, and returns its exit code and stderr.
pub(crate) fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = command(arguments).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(example());
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The example beside this test's own program: cargo builds it with the tests.
fn example() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let profile = here.parent().and_then(Path::parent).unwrap();
    profile.join("examples").join("broker")
}

fn rest(child: &mut Child) -> String {
    let mut text = String::new();
    let _ = child.stderr.take().unwrap().read_to_string(&mut text);
    text
}
