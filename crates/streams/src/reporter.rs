use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use groma_client::{ClientError, Producer, TopicHandle};
use groma_usecases::progress::{Progress, TaskProgress};

use crate::lane::Lane;
use crate::meter;

/// Says ten times a second how far the instance is.
#[derive(Debug)]
pub(crate) struct Reporter {
    producer: Arc<Producer>,
    topic: TopicHandle,
    group: String,
    instance: String,
}

/// What the reporter is told beside the tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) generation: i32,
    pub(crate) ready: Readiness,
}

/// Whether all is in place for records to flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readiness {
    Waiting,
    Ready,
}

/// The time between two reports.
pub(crate) const PERIOD: Duration = Duration::from_millis(100);

impl Reporter {
    pub(crate) async fn open(producer: Arc<Producer>, topic: &str, group: &str) -> Result<Self, ClientError> {
        let topic = producer.topic(topic).await?;
        let instance = format!("{}-{}", std::process::id(), now_ms());
        Ok(Self { producer, topic, group: group.to_owned(), instance })
    }

    /// Reports; a report that finds the buffer full is left out.
    pub(crate) fn report<'a>(
        &self,
        standing: Standing,
        restoring: impl Iterator<Item = i32>,
        lanes: impl Iterator<Item = &'a Lane>,
    ) -> Result<(), ClientError> {
        let waiting = restoring.map(|partition| TaskProgress { partition, ..TaskProgress::default() });
        let progress = Progress {
            group: self.group.clone(),
            instance: self.instance.clone(),
            time_ms: now_ms(),
            generation: standing.generation,
            ready: standing.ready == Readiness::Ready,
            cpu_ns: u64::try_from(meter::process_cpu().as_nanos()).unwrap_or(u64::MAX),
            rss_bytes: meter::resident_bytes(),
            tasks: waiting.chain(lanes.map(of_lane)).collect(),
        };
        let slot = self.topic.partition_for(self.group.as_bytes());
        let value = progress.encode();
        self.producer.try_send(slot, progress.time_ms, Some(self.group.as_bytes()), Some(&value)).map(drop)
    }
}

fn of_lane(lane: &Lane) -> TaskProgress {
    let counters = lane.task.counters();
    let counted = lane.task.counted();
    TaskProgress {
        partition: lane.partition,
        position: lane.task.position().map_or(0, |offset| offset.0),
        restored: true,
        records: counters.records,
        late: counters.late.count,
        rejected: counters.rejected(),
        counted: counted.map(|counted| counted.events),
        checksum: counted.map(|counted| counted.checksum),
    }
}

fn now_ms() -> i64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(passed.as_millis()).unwrap_or(i64::MAX)
}
