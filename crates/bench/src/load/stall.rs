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
        let began = Instant::now();
        let mut stall = Stall::default();
        let address = &self.bootstrap;
        loop {
            turn.tick().await;
            let (settled, waiting) = self.standing();
            match stall.look(began.elapsed(), settled, waiting) {
                Found::Moving => {}
                Found::Slow => {
                    let seconds = WORTH_A_WORD.as_secs();
                    let text =
                        format!("the Kafka at {address} has acknowledged nothing for {seconds} s; waiting for it");
                    // Nobody may be there to read it.
                    let _ = writeln!(std::io::stderr(), "{text}");
                }
                Found::Stalled => {
                    let seconds = GIVEN_UP.as_secs();
                    return BenchError::Kafka(format!(
                        "the Kafka at {address} has acknowledged nothing for {seconds} s, {waiting} records wait and \
                         {settled} were taken before; check that the broker runs and that its disk is not full"
                    ));
                }
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

/// How long nothing has been acknowledged.
#[derive(Clone, Debug, Default)]
struct Stall {
    settled: u64,
    /// When records last were acknowledged, or none waited.
    moved: Duration,
    said: Option<Duration>,
}

/// What a look at the records finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Moving,
    /// Nothing has moved for long; found once.
    Slow,
    /// Nothing has moved for too long.
    Stalled,
}

impl Stall {
    fn look(&mut self, now: Duration, settled: u64, waiting: u64) -> Found {
        if settled > self.settled || waiting == 0 {
            *self = Self { settled, moved: now, said: None };
        }
        match now.saturating_sub(self.moved) {
            still if still >= GIVEN_UP => Found::Stalled,
            still if still >= WORTH_A_WORD && self.said.replace(now).is_none() => Found::Slow,
            _ => Found::Moving,
        }
    }
}

const EVERY: Duration = Duration::from_secs(1);
const WORTH_A_WORD: Duration = Duration::from_secs(10);
/// Long enough for a broker to be started again.
const GIVEN_UP: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found second by second, of records settled and waiting.
    fn found(seen: impl IntoIterator<Item = (u64, u64)>) -> Vec<(u64, Found)> {
        let mut stall = Stall::default();
        let looks =
            (0..).zip(seen).map(|(at, (settled, waiting))| (at, stall.look(Duration::from_secs(at), settled, waiting)));
        looks.filter(|(_, found)| *found != Found::Moving).collect()
    }

    #[test]
    fn records_that_only_wait_are_told_once_and_given_up() {
        assert_eq!(found([(5, 1); 61]), [(10, Found::Slow), (60, Found::Stalled)]);
    }

    #[test]
    fn any_acknowledgement_begins_anew() {
        let restarted = (0..130).map(|second| if second < 55 { (5, 1) } else { (6, 1) });
        assert_eq!(found(restarted.take(115)), [(10, Found::Slow), (65, Found::Slow)]);
    }

    #[test]
    fn where_nothing_waits_nothing_stalls() {
        assert_eq!(found([(5, 0); 200]), []);
    }
}
