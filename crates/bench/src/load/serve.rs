use std::io::BufRead;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::sync::mpsc;

use super::generator::{Generator, Job};
use super::report::ShareReport;
use crate::BenchError;

/// One generator process: says `ready`, waits for `start UNIX_NS` on stdin, sends until done, `stop` or the end of
/// stdin, and reports in one line of JSON.
pub(crate) fn serve(job: &Job) -> Result<(), BenchError> {
    block_on(async {
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

/// Does `work` on this thread. Nothing that still runs then holds up the end: looking up a name may take long.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, BenchError>>) -> Result<T, BenchError> {
    let built = Builder::new_current_thread().enable_all().event_interval(EVENT_INTERVAL).build();
    let runtime = built.map_err(|e| BenchError::Machine(format!("cannot start the runtime ({e})")))?;
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    done
}

/// The order that starts a generator.
pub(super) const START: &str = "start ";
/// The order that ends it early.
pub(super) const STOP: &str = "stop";
/// How much longer than its schedule a generator may take, the wait for its last acknowledgements included.
pub(super) const GRACE: Duration = Duration::from_secs(12);
/// How long a generator may take that is ended early.
pub(super) const EARLY_GRACE: Duration = Duration::from_secs(5);
const EVENT_INTERVAL: u32 = 31;
