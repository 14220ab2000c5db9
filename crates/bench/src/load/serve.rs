use std::io::BufRead;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use super::generator::{Generator, Job};
use super::report::ShareReport;
use crate::BenchError;

/// One generator process: says `ready`, waits for `start UNIX_NS` on stdin, sends until done, `stop` or the end of
/// stdin, and reports in one line of JSON.
pub(crate) fn serve(job: &Job) -> Result<(), BenchError> {
    runtime()?.block_on(async {
        let mut orders = orders();
        let generator = Generator::connect(job).await?;
        println!("ready");
        let Some(start_ns) = start(&mut orders).await else { return Ok(()) };
        let stop = async {
            while let Some(line) = orders.recv().await {
                if line == STOP {
                    return;
                }
            }
        };
        let report: ShareReport = generator.run(start_ns, stop).await?;
        println!("{}", serde_json::to_string(&report).unwrap_or_default());
        Ok(())
    })
}

async fn start(orders: &mut mpsc::Receiver<String>) -> Option<i64> {
    while let Some(line) = orders.recv().await {
        if let Some(time) = line.strip_prefix(START) {
            return time.trim().parse().ok();
        }
    }
    None
}

/// Lines of stdin; the channel ends with it.
pub(crate) fn orders() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(16);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// A runtime for one thread.
pub(crate) fn runtime() -> Result<Runtime, BenchError> {
    let built = Builder::new_current_thread().enable_all().event_interval(EVENT_INTERVAL).build();
    built.map_err(|e| BenchError::Machine(format!("cannot start the runtime ({e})")))
}

/// The order that starts a generator.
pub(super) const START: &str = "start ";
/// The order that ends it early.
pub(super) const STOP: &str = "stop";
/// Largest time a generator gets to notice that it should end.
pub(crate) const GRACE: Duration = Duration::from_secs(12);
const EVENT_INTERVAL: u32 = 31;
