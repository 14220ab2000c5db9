use std::collections::{BTreeMap, VecDeque};

use groma_scalability::Sample;
use groma_usecases::progress::Progress;

/// What is known of positions and log ends over time, and the lag that follows. Times are wall-clock ms.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    ends: VecDeque<(f64, BTreeMap<i32, i64>)>,
    /// Per partition: when the position was reported, and what it was.
    positions: BTreeMap<i32, (f64, i64)>,
    generations: BTreeMap<String, i32>,
}

impl Track {
    /// The log ends as they were at `at_ms`.
    pub(super) fn ends(&mut self, at_ms: f64, ends: BTreeMap<i32, i64>) {
        if self.ends.len() == KEPT {
            self.ends.pop_front();
        }
        self.ends.push_back((at_ms, ends));
    }

    /// What an instance reported.
    pub(super) fn report(&mut self, progress: &Progress) {
        let at_ms = progress.time_ms as f64;
        self.generations.insert(progress.instance.clone(), progress.generation);
        for task in &progress.tasks {
            let known = self.positions.entry(task.partition).or_insert((at_ms, task.position));
            if known.0 <= at_ms {
                *known = (at_ms, task.position);
            }
        }
    }

    /// The newest generation that an instance reported.
    pub(super) fn generation(&self) -> Option<i32> {
        self.generations.values().max().copied()
    }

    /// Whether so many instances are in the newest generation and every partition has a reader.
    pub(super) fn is_settled(&self, instances: u32, partitions: u32) -> bool {
        let newest = self.generation();
        let there = self.generations.values().filter(|generation| Some(**generation) == newest).count();
        there as u64 >= u64::from(instances) && self.positions.len() as u64 >= u64::from(partitions)
    }

    /// Records processed so far, and when the reports of them were made on average.
    pub(super) fn processed(&self) -> Option<(f64, i64)> {
        let count = self.positions.len();
        let at_ms = self.positions.values().map(|(at, _)| at).sum::<f64>() / count as f64;
        (count > 0).then(|| (at_ms, self.positions.values().map(|(_, position)| position).sum()))
    }

    /// All records on the log as of the newest look.
    pub(super) fn total(&self) -> Option<(f64, i64)> {
        self.ends.back().map(|(at_ms, ends)| (*at_ms, ends.values().sum()))
    }

    /// The lag over processed positions: each partition's position against its log end at the time of the report.
    pub(super) fn processed_lag(&self) -> Option<Sample> {
        let (at_ms, _) = self.processed()?;
        let lag = self.positions.iter().map(|(partition, (at, position))| {
            (self.end_at(*partition, *at).unwrap_or(*position as f64) - *position as f64).max(0.0)
        });
        Some(Sample { at_ms, lag: lag.sum() })
    }

    /// The lag over committed offsets that were read before the newest look at the log ends.
    pub(super) fn committed_lag(&self, committed: &BTreeMap<i32, i64>) -> Option<Sample> {
        let (at_ms, ends) = self.ends.back()?;
        let lag = ends.iter().map(|(partition, end)| (end - committed.get(partition).unwrap_or(&0)).max(0));
        Some(Sample { at_ms: *at_ms, lag: lag.sum::<i64>() as f64 })
    }

    /// A partition's log end at a time, between the looks before and after it.
    fn end_at(&self, partition: i32, at_ms: f64) -> Option<f64> {
        let looks = self.ends.iter().filter_map(|(at, ends)| Some((*at, *ends.get(&partition)? as f64)));
        let (mut before, mut after) = (None, None);
        for look in looks {
            if look.0 <= at_ms {
                before = Some(look);
            } else if after.is_none() {
                after = Some(look);
            }
        }
        match (before, after) {
            (Some((t0, e0)), Some((t1, e1))) => Some(e0 + (e1 - e0) * (at_ms - t0) / (t1 - t0)),
            (Some((_, end)), None) | (None, Some((_, end))) => Some(end),
            (None, None) => None,
        }
    }
}

/// Looks at the log ends that are kept: three seconds of them.
const KEPT: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;
    use groma_usecases::progress::TaskProgress;

    fn report(time_ms: i64, position: i64) -> Progress {
        let tasks = vec![TaskProgress { partition: 0, position, ..TaskProgress::default() }];
        Progress { instance: "i".to_owned(), time_ms, generation: 3, tasks, ..Progress::default() }
    }

    #[test]
    fn a_position_is_compared_with_the_log_end_of_its_own_time() {
        let mut track = Track::default();
        track.ends(1000.0, BTreeMap::from([(0, 100)]));
        track.ends(1100.0, BTreeMap::from([(0, 200)]));
        track.report(&report(1050, 140));
        assert_eq!(track.processed_lag(), Some(Sample { at_ms: 1050.0, lag: 10.0 }));
    }

    #[test]
    fn lag_is_never_negative() {
        let mut track = Track::default();
        track.ends(1000.0, BTreeMap::from([(0, 100)]));
        track.report(&report(1200, 140));
        assert_eq!(track.processed_lag().map(|s| s.lag), Some(0.0));
        assert_eq!(track.committed_lag(&BTreeMap::from([(0, 150)])).map(|s| s.lag), Some(0.0));
        assert_eq!(track.committed_lag(&BTreeMap::new()).map(|s| s.lag), Some(100.0));
    }

    #[test]
    fn late_reports_do_not_turn_a_position_back() {
        let mut track = Track::default();
        track.report(&report(1200, 140));
        track.report(&report(1100, 90));
        assert_eq!(track.processed(), Some((1200.0, 140)));
        assert!(track.is_settled(1, 1));
        assert!(!track.is_settled(2, 1));
    }
}
