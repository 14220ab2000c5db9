use std::io;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::BenchError;

/// Ctrl-C, SIGTERM and SIGHUP, as something that can be waited for in many places; what comes while nobody waits is kept.
///
/// A thread of its own listens, so that the process can be stopped whatever it is busy with: a second Ctrl-C ends it at
/// once.
#[derive(Clone, Debug)]
pub struct Interrupt {
    asked: watch::Receiver<Option<(Asked, Instant)>>,
}

/// How the process was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Ctrl-C, which is SIGINT.
    CtrlC,
    /// SIGTERM.
    Terminate,
    /// SIGHUP: the terminal was closed.
    HangUp,
}

impl Interrupt {
    /// Listens from now on. SIGHUP is left alone where it is ignored, as under `nohup`.
    ///
    /// # Errors
    /// The system gives no thread, or no way to listen.
    pub fn listen() -> Result<Self, BenchError> {
        let (sender, asked) = watch::channel(None);
        let (begun, begin) = mpsc::sync_channel(1);
        let thread = std::thread::Builder::new().name("signals".to_owned());
        thread.spawn(move || attend(&sender, &begun)).map_err(failed)?;
        match begin.recv() {
            Ok(Ok(())) => Ok(Self { asked }),
            Ok(Err(error)) => Err(failed(error)),
            Err(_) => Err(failed(io::Error::other("the thread ended at once"))),
        }
    }

    /// How the process was asked to stop, if it was.
    pub fn asked(&self) -> Option<Asked> {
        self.asked.borrow().map(|(asked, _)| asked)
    }

    /// Time since the process was asked to stop, if it was.
    pub fn since(&self) -> Option<Duration> {
        self.asked.borrow().map(|(_, at)| at.elapsed())
    }

    /// Waits until the process is asked to stop.
    pub async fn wait(&self) {
        let mut asked = self.asked.clone();
        let _ = asked.wait_for(Option::is_some).await;
    }

    /// Does `work`, which is dropped when the process is asked to stop meanwhile: then there is nothing.
    pub async fn unless_asked<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.wait() => None,
            done = work => Some(done),
        }
    }

    /// As [`Self::unless_asked`].
    ///
    /// # Errors
    /// `Interrupted`, and what `work` fails with.
    pub(crate) async fn or_interrupted<T>(
        &self,
        work: impl Future<Output = Result<T, BenchError>>,
    ) -> Result<T, BenchError> {
        self.unless_asked(work).await.unwrap_or(Err(BenchError::Interrupted))
    }
}

/// Tells of the first signal, and ends the process at the second Ctrl-C.
fn attend(sender: &watch::Sender<Option<(Asked, Instant)>>, begun: &mpsc::SyncSender<io::Result<()>>) {
    let runtime = match Builder::new_current_thread().enable_io().build() {
        Ok(runtime) => runtime,
        Err(error) => return drop(begun.send(Err(error))),
    };
    runtime.block_on(async {
        let mut signals = match Signals::listen() {
            Ok(signals) => signals,
            Err(error) => return drop(begun.send(Err(error))),
        };
        let _ = begun.send(Ok(()));
        let asked = signals.next().await;
        let at = Instant::now();
        if sender.send(Some((asked, at))).is_err() {
            std::process::exit(INTERRUPTED);
        }
        signals.second_ctrl_c(at).await;
        std::process::exit(INTERRUPTED)
    });
}

struct Signals {
    ctrl_c: Signal,
    terminate: Signal,
    hang_up: Option<Signal>,
}

impl Signals {
    fn listen() -> io::Result<Self> {
        let hang_up = if ignores_hang_up() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Self { ctrl_c: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())?, hang_up })
    }

    async fn next(&mut self) -> Asked {
        let hung_up = async {
            match &mut self.hang_up {
                Some(signal) => drop(signal.recv().await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.ctrl_c.recv() => Asked::CtrlC,
            _ = self.terminate.recv() => Asked::Terminate,
            () = hung_up => Asked::HangUp,
        }
    }

    /// The same keystroke may come twice: `timeout` signals the process and then its group.
    async fn second_ctrl_c(&mut self, first: Instant) {
        loop {
            self.ctrl_c.recv().await;
            if first.elapsed() > ECHO {
                return;
            }
        }
    }
}

/// Whether whoever started this process wants it to outlive the terminal.
fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

fn failed(error: io::Error) -> BenchError {
    BenchError::Machine(format!("cannot listen for signals ({error})"))
}

/// The exit code of a process that did not end in its own time.
const INTERRUPTED: i32 = 130;
const ECHO: Duration = Duration::from_millis(200);
