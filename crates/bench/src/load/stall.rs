use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use groma_client::{PartitionHandle, Producer};
use tokio::time::{Instant, interval};

use crate::BenchError;

/// A producer whose records should be acknowledged.
pub(super) struct Watched {
    pub(super) bootstrap: String,
    pub(super) producer: Arc<Producer>,
    pub(super) partitions: Vec<PartitionHandle>,
}

impl Watched {
    /// Ends once records have waited for a minute and none was acknowledged; says before on stderr that they wait.
    pub(super) async fn stalls(self) -> BenchError {
        let mut turn = interval(EVERY);
        let (mut settled, mut moved) = (0, Instant::now());
        let mut word = Word::Unsaid;
        loop {
            turn.tick().await;
            let (now, waiting) = self.standing();
            if now > settled || waiting == 0 {
                (settled, moved, word) = (now, Instant::now(), Word::Unsaid);
            }
            let address = &self.bootstrap;
            if moved.elapsed() > GIVEN_UP {
                let seconds = GIVEN_UP.as_secs();
                return BenchError::Kafka(format!(
                    "the Kafka at {address} has acknowledged nothing for {seconds} s, {waiting} records wait and {settled} \
                     were taken before; check that the broker runs and that its disk is not full"
                ));
            }
            if moved.elapsed() > WORTH_A_WORD && word == Word::Unsaid {
                word = Word::Said;
                let seconds = WORTH_A_WORD.as_secs();
                let text = format!("the Kafka at {address} has acknowledged nothing for {seconds} s; waiting for it");
                // Nobody may be there to read it.
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        }
    }

    /// Records settled, and records that wait.
    fn standing(&self) -> (u64, u64) {
        self.partitions
            .iter()
            .map(|partition| self.producer.progress(*partition))
            .fold((0, 0), |(settled, waiting), p| (settled + p.settled, waiting + p.appended.saturating_sub(p.settled)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Unsaid,
    Said,
}

const EVERY: Duration = Duration::from_secs(1);
const WORTH_A_WORD: Duration = Duration::from_secs(10);
/// Long enough for a broker to be started again.
const GIVEN_UP: Duration = Duration::from_secs(60);
