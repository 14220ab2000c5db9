use std::path::PathBuf;
use std::time::{Duration, Instant};

use groma_client::{Consumer, Event, PartitionHandle, Producer, Subscribed};
use groma_model::{Offset, TopicPartition};
use groma_usecases::progress::{Progress, TaskProgress};
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval};

use super::bucket::Bucket;
use super::shelf::Shelf;
use crate::load::{block_on, kafka, now_ns, orders, properties};
use crate::{BenchError, machine};

/// What a synthetic instance does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SyntheticJob {
    pub(crate) bootstrap: String,
    pub(crate) client_config: Option<PathBuf>,
    pub(crate) group: String,
    pub(crate) input: String,
    /// The topic of its reports.
    pub(crate) progress: String,
    pub(crate) rate: u64,
}

/// Runs a synthetic instance until stdin ends or a signal comes.
pub(crate) fn serve(job: &SyntheticJob) -> Result<(), BenchError> {
    let interrupt = crate::Interrupt::listen()?;
    block_on(async {
        let mut orders = orders();
        let mut instance = interrupt.or_interrupted(Instance::connect(job)).await?;
        let mut work = interval(WORK_EVERY);
        work.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut report = interval(REPORT_EVERY);
        let mut commit = interval(COMMIT_EVERY);
        loop {
            tokio::select! {
                event = instance.consumer.next() => instance.on_event(event),
                _ = work.tick() => instance.work(),
                _ = report.tick() => instance.report(),
                _ = commit.tick() => instance.commit().await,
                () = interrupt.wait() => break,
                order = orders.recv() => if order.is_none() { break },
            }
        }
        instance.leave().await
    })
}

struct Instance {
    job: SyntheticJob,
    consumer: Consumer<Subscribed>,
    producer: Producer,
    to: Option<PartitionHandle>,
    started: Instant,
    bucket: Bucket,
    shelf: Shelf,
    generation: Option<i32>,
    said_ready: bool,
}

impl Instance {
    async fn connect(job: &SyntheticJob) -> Result<Self, BenchError> {
        let wrong = kafka(&job.bootstrap);
        let mut settings = properties(&job.bootstrap, job.client_config.as_ref())?;
        for (key, value) in [
            ("group.id", job.group.as_str()),
            ("auto.offset.reset", "earliest"),
            ("enable.auto.commit", "false"),
            ("heartbeat.interval.ms", "300"),
        ] {
            settings.set(key, value).map_err(|e| BenchError::Usage(e.to_string()))?;
        }
        let producer = Producer::connect(&settings.client, settings.producer).await.map_err(&wrong)?;
        let topic = producer.topic(&job.progress).await.map_err(&wrong)?;
        let group = settings.group.ok_or_else(|| BenchError::Usage("group.id is missing".to_owned()))?;
        let inputs = [job.input.as_str()];
        let consumer =
            Consumer::subscribe(&settings.client, settings.consumer, group, &inputs).await.map_err(&wrong)?;
        Ok(Self {
            job: job.clone(),
            consumer,
            to: topic.partitions().first().copied(),
            producer,
            started: Instant::now(),
            bucket: Bucket::new(job.rate as f64, 0),
            shelf: Shelf::default(),
            generation: None,
            said_ready: false,
        })
    }

    fn on_event(&mut self, event: Event) {
        match event {
            Event::Assigned(partitions) => {
                for partition in partitions {
                    let position = self.consumer.position(&partition).unwrap_or(Offset(0));
                    self.shelf.open(partition, position);
                }
            }
            Event::Revoked(revoked) => {
                revoked.partitions().iter().for_each(|p| self.shelf.close(p));
                revoked.done();
            }
            Event::Lost(partitions) => partitions.iter().for_each(|p| self.shelf.close(p)),
            Event::Records(fetched) => self.shelf.fetched(&fetched.partition, fetched.from, fetched.next),
            Event::Rebalancing | Event::Step(_) => {}
            Event::Stable(generation) => {
                self.generation = Some(generation.0);
                if !self.said_ready {
                    self.said_ready = true;
                    println!("ready");
                }
            }
            Event::Error(error) => eprintln!("{error}"),
        }
    }

    fn work(&mut self) {
        let now = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let count = self.bucket.take(now, self.shelf.waiting());
        self.shelf.handle(count);
    }

    /// Says where it is. A report that finds the buffer full is left out; the next one says more.
    fn report(&self) {
        let Some(to) = self.to else { return };
        let time_ms = now_ns() / 1_000_000;
        let usage = machine::usage(std::process::id());
        let progress = Progress {
            group: self.job.group.clone(),
            instance: std::process::id().to_string(),
            time_ms,
            generation: self.generation.unwrap_or(-1),
            ready: self.generation.is_some(),
            cpu_ns: usage.cpu_ns,
            rss_bytes: usage.rss_bytes,
            tasks: self.shelf.positions().map(task).collect(),
        };
        let sent = self.producer.try_send(to, time_ms, Some(self.job.group.as_bytes()), Some(&progress.encode()));
        if let Err(error) = sent {
            eprintln!("{error}");
        }
    }

    async fn commit(&self) {
        let positions: Vec<(TopicPartition, Offset)> =
            self.shelf.positions().map(|(partition, offset)| (partition.clone(), offset)).collect();
        if positions.is_empty() || self.generation.is_none() {
            return;
        }
        if let Err(error) = self.consumer.commit(&positions).await {
            eprintln!("{error}");
        }
    }

    async fn leave(self) -> Result<(), BenchError> {
        self.commit().await;
        self.consumer.close().await.map_err(kafka(&self.job.bootstrap))
    }
}

fn task((partition, offset): (&TopicPartition, Offset)) -> TaskProgress {
    TaskProgress { partition: partition.partition.0, position: offset.0, restored: true, ..TaskProgress::default() }
}

const WORK_EVERY: Duration = Duration::from_millis(5);
const REPORT_EVERY: Duration = Duration::from_millis(100);
const COMMIT_EVERY: Duration = Duration::from_secs(1);
