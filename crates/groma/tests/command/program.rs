use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Far longer than anything takes even on a slow machine that is busy with other work: whoever waits longer hangs.
pub(crate) const LIMIT: Duration = Duration::from_secs(300);

/// The program with its arguments; killed when dropped.
pub(crate) struct Program {
    child: Child,
    /// What it has said on stderr so far; read by a thread, so that a full pipe never stops it.
    said: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder of the test's own, removed when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("groma-command-test-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A file in it, as a word for a command line.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// A place in it where nothing is yet.
    pub(crate) fn place(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Program {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_in(arguments, &[])
    }

    /// The same with more in its environment.
    pub(crate) fn start_in(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_groma"));
        command.args(arguments).envs(environment.iter().copied());
        Self::start_other(command)
    }

    /// A benchmark whose cells a machine that is busy with other work makes no less valid.
    pub(crate) fn start_beside_others(arguments: &[&str]) -> Self {
        Self::start_in(arguments, &[("GROMA_VALIDITY", "loose")])
    }

    /// Another program that turns into it.
    pub(crate) fn start_other(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let (stderr, writer) = (child.stderr.take().unwrap(), Arc::clone(&said));
        let reader = std::thread::spawn(move || {
            let mut lines = BufReader::new(stderr);
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                writer.lock().unwrap().push_str(&String::from_utf8_lossy(&line));
                line.clear();
            }
        });
        Self { child, said, reader: Some(reader) }
    }

    /// Waits until it has said `words` on stderr.
    pub(crate) fn await_words(&mut self, words: &str) {
        let began = Instant::now();
        while !self.said.lock().unwrap().contains(words) {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "it ended ({ended:?}) without {words:?}: {}", self.said.lock().unwrap());
            assert!(began.elapsed() < LIMIT, "no {words:?} within {LIMIT:?}: {}", self.said.lock().unwrap());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// A broker on a free port, and its address.
    pub(crate) fn broker() -> (Self, String) {
        Self::broker_with(&[])
    }

    /// A broker on a free port with more arguments, and its address.
    pub(crate) fn broker_with(arguments: &[&str]) -> (Self, String) {
        Self::listening(Self::start(&[&["broker", "--listen", "127.0.0.1:0"][..], arguments].concat()))
    }

    /// A broker that was started, and its address.
    pub(crate) fn listening(mut broker: Self) -> (Self, String) {
        let line = broker.wait_for_line("listening on ");
        let address = line.strip_prefix("listening on ").unwrap().to_owned();
        (broker, address)
    }

    /// Waits for a line on stdout that begins with `begin`; what comes before is lost.
    pub(crate) fn wait_for_line(&mut self, begin: &str) -> String {
        line_of(self.child.stdout.as_mut().unwrap(), begin)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Ends it as nothing can be prevented from.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for its end; what it prints meanwhile must fit into the pipes.
    pub(crate) fn end(mut self) -> Ended {
        let began = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code();
            }
            assert!(began.elapsed() < LIMIT, "it has not ended within {LIMIT:?}");
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut ended = Ended { code, stdout: String::new(), stderr: String::new() };
        let _ = self.child.stdout.take().unwrap().read_to_string(&mut ended.stdout);
        let _ = self.reader.take().unwrap().join();
        ended.stderr.clone_from(&self.said.lock().unwrap());
        ended
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Read byte by byte, so that nothing after the line is lost.
fn line_of(mut from: impl Read, begin: &str) -> String {
    loop {
        let (mut line, mut byte) = (Vec::new(), [0]);
        while byte != *b"\n" {
            assert_eq!(from.read(&mut byte).unwrap(), 1, "it never said `{begin}`");
            line.extend(byte);
        }
        let line = String::from_utf8(line).unwrap();
        if line.starts_with(begin) {
            return line.trim_end().to_owned();
        }
    }
}

/// Runs it to its end.
pub(crate) fn run(arguments: &[&str]) -> Ended {
    Program::start(arguments).end()
}

/// Waits until something is so.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < LIMIT, "{what}: not within {LIMIT:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
