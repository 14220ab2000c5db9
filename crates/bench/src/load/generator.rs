use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use groma_client::{PartitionHandle, Producer};
use groma_model::{Span, Timestamp};
use groma_usecases::load::Sensors;
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};
use tokio::time::{sleep, timeout};

use super::errors::kafka;
use super::report::{ShareReport, lateness};
use super::schedule::{Schedule, Share};
use super::stall::Watched;
use super::topic::properties;
use crate::BenchError;

/// What one generator process does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The Kafka to send to.
    pub bootstrap: String,
    /// A client property file for it.
    pub client_config: Option<std::path::PathBuf>,
    /// The topic, which must exist.
    pub topic: String,
    /// The keys and their rate.
    pub share: Share,
}

/// A connected generator, ready to start.
pub(super) struct Generator {
    bootstrap: String,
    producer: Arc<Producer>,
    partitions: Vec<PartitionHandle>,
    share: Share,
    errors: Histogram<u64>,
    value: Vec<u8>,
}

impl Generator {
    pub(super) async fn connect(job: &Job) -> Result<Self, BenchError> {
        let wrong = kafka(&job.bootstrap);
        let mut settings = properties(&job.bootstrap, job.client_config.as_ref())?;
        settings.producer.linger = LINGER;
        let producer = Producer::connect(&settings.client, settings.producer).await.map_err(&wrong)?;
        let partitions = producer.topic(&job.topic).await.map_err(&wrong)?.partitions().to_vec();
        Ok(Self {
            bootstrap: job.bootstrap.clone(),
            producer: Arc::new(producer),
            partitions,
            share: job.share,
            errors: lateness(),
            value: Vec::with_capacity(64),
        })
    }

    /// Sends what is due from `start_ns` on until all is sent or `stop` comes.
    pub(super) async fn run(
        mut self,
        start_ns: i64,
        stop: impl Future<Output = ()>,
    ) -> Result<ShareReport, BenchError> {
        let schedule = Schedule::new(self.share, start_ns);
        let mut sent = 0;
        let over = sleep(Duration::from_nanos(u64::try_from(end_ns(&self.share, start_ns) - now_ns()).unwrap_or(0)));
        let stalled = self.watched().stalls();
        tokio::pin!(stop, over, stalled);
        let mut patience = FLUSH_WAIT;
        while sent < self.share.records() {
            let due = schedule.due(now_ns());
            let caught_up = due <= sent + BURST;
            let pause = if caught_up { TICK } else { Duration::ZERO };
            let numbers = sent..due.min(sent + BURST);
            let turn = async {
                self.burst(&schedule, numbers.clone()).await?;
                pause_for(pause).await;
                Ok(())
            };
            let done = tokio::select! {
                biased;
                () = &mut stop => {
                    patience = EARLY_FLUSH_WAIT;
                    None
                }
                () = &mut over => None,
                error = &mut stalled => Some(Err(error)),
                done = turn => Some(done),
            };
            let Some(done) = done else { break };
            done?;
            sent = numbers.end;
        }
        self.finish(&schedule, (start_ns, sent), patience).await
    }

    fn watched(&self) -> Watched {
        Watched {
            bootstrap: self.bootstrap.clone(),
            producer: Arc::clone(&self.producer),
            partitions: self.partitions.clone(),
        }
    }

    async fn burst(&mut self, schedule: &Schedule, numbers: std::ops::Range<u64>) -> Result<(), BenchError> {
        let sensors = Sensors::new(self.share.keys_total);
        let partitions = self.partitions.len() as u32;
        for number in numbers {
            let key = schedule.key(number);
            let due_ns = schedule.due_at_ns(number);
            let time_ms = due_ns.div_euclid(1_000_000);
            self.value.clear();
            let name = sensors.reading(key, Timestamp(time_ms), &mut self.value);
            let to = self.partitions[Schedule::partition(key, partitions) as usize];
            let sending = self.producer.send(to, time_ms, Some(name.as_bytes()), Some(&self.value));
            sending.await.map_err(kafka(&self.bootstrap))?;
            if number.is_multiple_of(SAMPLED) {
                let late_us = (now_ns() - due_ns).max(0) / 1000;
                self.errors.saturating_record_n(u64::try_from(late_us).unwrap_or(0), SAMPLED);
            }
        }
        Ok(())
    }

    async fn finish(
        self,
        schedule: &Schedule,
        (start_ns, sent): (i64, u64),
        patience: Duration,
    ) -> Result<ShareReport, BenchError> {
        let asked_records = schedule.due(now_ns()).max(sent);
        let asked_until = if asked_records > 0 { schedule.due_at_ns(asked_records - 1) } else { start_ns };
        let flushed = timeout(patience, self.producer.flush()).await;
        if let Ok(Err(error)) = flushed {
            return Err(kafka(&self.bootstrap)(error));
        }
        let settled = self.partitions.iter().map(|p| self.producer.progress(*p));
        let achieved_records = settled.map(|p| p.settled.saturating_sub(p.failed)).sum();
        Ok(ShareReport {
            asked_records,
            achieved_records,
            elapsed_ms: millis(now_ns() - start_ns).max(millis(asked_until - start_ns)),
            asked_ms: millis(asked_until - start_ns),
            schedule_error_us: self
                .errors
                .iter_recorded()
                .map(|v| (v.value_iterated_to(), v.count_at_value()))
                .collect(),
        })
    }
}

/// When the generator gives up what it could not send in time.
fn end_ns(share: &Share, start_ns: i64) -> i64 {
    let duration_ns = i64::try_from(share.duration_ms.saturating_mul(1_000_000)).unwrap_or(i64::MAX);
    start_ns.saturating_add(duration_ns).saturating_add(CATCHING_UP.as_nanos() as i64)
}

async fn pause_for(pause: Duration) {
    if pause.is_zero() {
        tokio::task::yield_now().await;
    } else {
        sleep(pause).await;
    }
}

fn millis(ns: i64) -> u64 {
    u64::try_from(ns / 1_000_000).unwrap_or(0)
}

/// Wall clock, in nanoseconds since the Unix epoch.
pub(crate) fn now_ns() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// How often the generator looks at its schedule.
const TICK: Duration = Duration::from_millis(2);
/// How long after the schedule's end what is late may still be sent.
const CATCHING_UP: Duration = Duration::from_secs(1);
/// Records sent before it looks at the clock again.
const BURST: u64 = 4096;
/// Every so many records the lateness is taken.
const SAMPLED: u64 = 16;
/// Longer makes fewer, larger requests; the lag of 10 ms of load is the same in every cell.
const LINGER: Span = Span::from_millis(10);
const FLUSH_WAIT: Duration = Duration::from_secs(10);
/// The same where the load was ended early, be it because the Kafka is gone.
const EARLY_FLUSH_WAIT: Duration = Duration::from_secs(3);
