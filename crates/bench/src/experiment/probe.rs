use std::collections::BTreeMap;
use std::time::Duration;

use groma_client::{Assigned, Consumer, ConsumerConfig, Event, OffsetSpec, TopicPartition};
use groma_scalability::Sample;
use groma_usecases::progress::Progress;

use super::bed::{Bed, PROGRESS};
use super::names::Names;
use super::track::Track;
use crate::BenchError;
use crate::load::{kafka, now_ns};

/// Reads, ten times a second with jitter, how far a cell's instances are behind.
#[derive(Debug)]
pub(super) struct Probe<'a> {
    bed: &'a Bed,
    names: &'a Names,
    input: Vec<TopicPartition>,
    reports: Consumer<Assigned>,
    pub(super) track: Track,
    turn: u32,
}

/// One look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// Lag over processed positions; none while no instance reports.
    pub(super) processed: Option<Sample>,
    /// Lag over committed offsets.
    pub(super) committed: Option<Sample>,
    /// All records on the input.
    pub(super) total: i64,
    /// When the input's ends were read, in wall-clock ms.
    pub(super) at_ms: f64,
}

impl<'a> Probe<'a> {
    /// A probe of the cell with these names, whose topics exist.
    pub(super) async fn connect(bed: &'a Bed, names: &'a Names, partitions: u32) -> Result<Self, BenchError> {
        let wrong = kafka(&bed.bootstrap);
        let reports = Consumer::<Assigned>::connect(&bed.properties.client, ConsumerConfig::default()).await;
        let reports = reports.map_err(&wrong)?;
        let progress = TopicPartition::new(PROGRESS, 0);
        let ends = bed.admin.list_offsets(OffsetSpec::Latest, std::slice::from_ref(&progress)).await.map_err(&wrong)?;
        reports.assign(&[(progress, ends.first().and_then(|listed| listed.offset))]);
        drop(wrong);
        let partitions = i32::try_from(partitions).unwrap_or(i32::MAX);
        let input = (0..partitions).map(|partition| TopicPartition::new(&names.input, partition)).collect();
        Ok(Self { bed, names, input, reports, track: Track::default(), turn: 0 })
    }

    /// Waits for the time of the next look and takes it; reports are read meanwhile.
    pub(super) async fn look(&mut self) -> Result<Look, BenchError> {
        self.turn = self.turn.wrapping_add(1);
        let pause = tokio::time::sleep(jittered(self.turn));
        tokio::pin!(pause);
        loop {
            tokio::select! {
                () = &mut pause => break,
                event = self.reports.next() => self.on_event(event)?,
            }
        }
        self.look_now().await
    }

    /// Takes a look now.
    pub(super) async fn look_now(&mut self) -> Result<Look, BenchError> {
        let wrong = kafka(&self.bed.bootstrap);
        let committed = self.bed.admin.committed(&self.names.group).await.map_err(&wrong)?;
        let before = wall_ms();
        let ends = self.bed.admin.list_offsets(OffsetSpec::Latest, &self.input).await.map_err(&wrong)?;
        let at_ms = f64::midpoint(before, wall_ms());
        let ends = ends.iter().filter_map(|end| Some((end.partition.partition.0, end.offset?.0))).collect();
        self.track.ends(at_ms, ends);
        let committed: BTreeMap<i32, i64> = committed
            .into_iter()
            .filter(|(partition, _)| partition.topic == self.names.input)
            .map(|(partition, offset)| (partition.partition.0, offset.0))
            .collect();
        Ok(Look {
            processed: self.track.processed_lag(),
            committed: self.track.committed_lag(&committed),
            total: self.track.total().map_or(0, |(_, total)| total),
            at_ms,
        })
    }

    /// Records that were deleted from the input.
    pub(super) async fn deleted(&self) -> Result<u64, BenchError> {
        let wrong = kafka(&self.bed.bootstrap);
        let starts = self.bed.admin.list_offsets(OffsetSpec::Earliest, &self.input).await.map_err(&wrong)?;
        Ok(starts.iter().filter_map(|start| start.offset).map(|offset| u64::try_from(offset.0).unwrap_or(0)).sum())
    }

    fn on_event(&mut self, event: Event) -> Result<(), BenchError> {
        let Event::Records(fetched) = event else { return Ok(()) };
        let mut records = fetched.records();
        while let Some(record) = records.next().map_err(kafka(&self.bed.bootstrap))? {
            let ours = record.key == Some(self.names.group.as_bytes());
            if let Some(Ok(progress)) = ours.then(|| Progress::decode(record.value.unwrap_or_default())) {
                self.track.report(&progress);
            }
        }
        Ok(())
    }
}

/// The wall clock, as records are stamped with it.
pub(super) fn wall_ms() -> f64 {
    now_ns() as f64 / 1e6
}

/// 100 ms give or take 20, in an order without a period that a commit interval could share.
fn jittered(turn: u32) -> Duration {
    let mixed = u64::from(turn.wrapping_mul(0x9e37_79b9) >> 16);
    Duration::from_micros(80_000 + mixed * 40_000 / 65_536)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_a_tenth_of_a_second_apart_on_average_and_never_far_from_it() {
        let pauses: Vec<Duration> = (0..1000).map(jittered).collect();
        let mean = pauses.iter().sum::<Duration>() / 1000;
        assert!((95..=105).contains(&mean.as_millis()), "{mean:?}");
        assert!(pauses.iter().all(|pause| (80..=120).contains(&pause.as_millis())));
    }
}
