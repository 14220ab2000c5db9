use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::BenchError;

/// Ctrl-C and SIGTERM, as something that can be waited for in many places; what comes while nobody waits is kept.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt {
    asked: watch::Receiver<bool>,
}

impl Interrupt {
    /// Listens from now on. Needs a running runtime.
    pub(crate) fn listen() -> Result<Self, BenchError> {
        let failed = |e: std::io::Error| BenchError::Machine(format!("cannot listen for signals ({e})"));
        let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
        let (sender, asked) = watch::channel(false);
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            let _ = sender.send(true);
            sender.closed().await;
        });
        Ok(Self { asked })
    }

    /// Whether the process was asked to stop.
    pub(crate) fn has_come(&self) -> bool {
        *self.asked.borrow()
    }

    /// Waits until the process is asked to stop.
    pub(crate) async fn wait(&self) {
        let mut asked = self.asked.clone();
        let _ = asked.wait_for(|asked| *asked).await;
    }
}
