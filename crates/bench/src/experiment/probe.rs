use std::collections::BTreeMap;
use std::time::Duration;

use groma_client::{Assigned, Consumer, ConsumerConfig, Event, OffsetSpec, TopicPartition};
use groma_scalability::Sample;
use groma_usecases::progress::Progress;
use tokio::time::Instant;

use super::bed::Bed;
use super::names::Names;
use super::track::Track;
use crate::BenchError;
use crate::load::{kafka, now_ns};

/// Reads, ten times a second with jitter, how far a cell's instances are behind.
#[derive(Debug)]
pub(super) struct Probe<'a> {
    pub(super) bed: &'a Bed,
    names: &'a Names,
    input: Vec<TopicPartition>,
    reports: Consumer<Assigned>,
    pub(super) track: Track,
    began: Instant,
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
        let progress = TopicPartition::new(bed.progress.as_str(), 0);
        let ends = bed.admin.list_offsets(OffsetSpec::Latest, std::slice::from_ref(&progress)).await.map_err(&wrong)?;
        reports.assign(&[(progress, ends.first().and_then(|listed| listed.offset))]);
        drop(wrong);
        let partitions = i32::try_from(partitions).unwrap_or(i32::MAX);
        let input = (0..partitions).map(|partition| TopicPartition::new(&names.input, partition)).collect();
        Ok(Self { bed, names, input, reports, track: Track::default(), began: Instant::now(), turn: 0 })
    }

    /// Waits for the time of the next look and takes it; reports are read meanwhile.
    pub(super) async fn look(&mut self) -> Result<Look, BenchError> {
        self.turn = next_turn(self.turn, self.began.elapsed());
        let pause = tokio::time::sleep_until(self.began + due(self.turn));
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

    /// The members of the cell's group and what each holds, by what its coordinator says; none where it does not say.
    pub(super) async fn group(&self) -> Option<BTreeMap<String, Vec<TopicPartition>>> {
        let described = self.bed.admin.describe_group(&self.names.group).await.ok()?;
        let members = described.members.into_iter().map(|member| (member.member_id, member.assignment));
        Some(members.collect())
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

/// The turn after `turn`, or a later one where its time has passed.
fn next_turn(turn: u32, elapsed: Duration) -> u32 {
    (turn + 1).max(u32::try_from(elapsed.as_millis() / EVERY.as_millis()).unwrap_or(u32::MAX))
}

/// When a turn's look is due: on a grid, so that looks that take long do not make them fewer, give or take a fifth of
/// its distance in an order without a period that a commit interval could share.
fn due(turn: u32) -> Duration {
    let mixed = u64::from(turn.wrapping_mul(0x9e37_79b9) >> 16);
    (EVERY * turn + Duration::from_micros(mixed * 2 * JITTER_US / 65_536))
        .saturating_sub(Duration::from_micros(JITTER_US))
}

/// A little more than ten times a second: 41 looks in 4 s.
const EVERY: Duration = Duration::from_millis(97);
const JITTER_US: u64 = 20_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_on_a_grid_and_never_far_from_it() {
        for turn in 1..1000 {
            let off = due(turn).as_secs_f64() - (EVERY * turn).as_secs_f64();
            assert!(off.abs() <= 0.0201, "turn {turn}: {off}");
            assert!(due(turn + 1) > due(turn));
        }
    }

    #[test]
    fn four_seconds_have_room_for_the_samples_of_a_verdict() {
        let mut turn = 0;
        let mut looks = 0;
        loop {
            let took = Duration::from_millis(30);
            turn = next_turn(turn, due(turn) + took);
            if due(turn) > Duration::from_secs(4) {
                break;
            }
            looks += 1;
        }
        assert!(looks >= groma_scalability::MIN_SAMPLES, "{looks}");
    }

    #[test]
    fn a_late_look_leaves_out_the_turns_that_have_passed() {
        assert_eq!(next_turn(3, Duration::from_millis(300)), 4);
        assert_eq!(next_turn(3, EVERY * 9 + Duration::from_millis(1)), 9);
    }
}
