use std::collections::BTreeMap;

use groma_model::{Offset, TopicPartition};

/// What has been fetched and what has been handled, per partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shelf {
    partitions: BTreeMap<TopicPartition, Stretch>,
    turn: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stretch {
    position: i64,
    fetched: i64,
}

impl Shelf {
    /// Takes a partition in, to go on from `position`.
    pub(super) fn open(&mut self, partition: TopicPartition, position: Offset) {
        self.partitions.insert(partition, Stretch { position: position.0, fetched: position.0 });
    }

    /// Gives a partition up.
    pub(super) fn close(&mut self, partition: &TopicPartition) {
        self.partitions.remove(partition);
    }

    /// Records from `from` up to `next` were fetched.
    pub(super) fn fetched(&mut self, partition: &TopicPartition, from: Offset, next: Offset) {
        if let Some(stretch) = self.partitions.get_mut(partition) {
            if stretch.position == stretch.fetched {
                stretch.position = from.0.max(stretch.position);
            }
            stretch.fetched = next.0.max(stretch.fetched);
        }
    }

    /// Records fetched and not handled.
    pub(super) fn waiting(&self) -> u64 {
        self.partitions.values().map(|s| s.waiting()).sum()
    }

    /// Handles `count` records, a fair share of each partition.
    pub(super) fn handle(&mut self, count: u64) {
        let mut left = count;
        while left > 0 {
            let busy = self.partitions.values().filter(|s| s.waiting() > 0).count();
            if busy == 0 {
                return;
            }
            let each = (left / busy as u64).max(1);
            left -= self.round(left, each);
        }
    }

    /// The position of each partition.
    pub(super) fn positions(&self) -> impl Iterator<Item = (&TopicPartition, Offset)> {
        self.partitions.iter().map(|(partition, stretch)| (partition, Offset(stretch.position)))
    }

    /// Up to `each` records of every partition and `left` of all, beginning where the last round ended.
    fn round(&mut self, left: u64, each: u64) -> u64 {
        let count = self.partitions.len();
        let start = self.turn % count.max(1);
        let mut done = 0;
        for index in (start..count).chain(0..start) {
            let Some(stretch) = self.partitions.values_mut().nth(index) else { continue };
            let step = each.min(left - done).min(stretch.waiting());
            stretch.position += i64::try_from(step).unwrap_or(i64::MAX);
            done += step;
            if done == left {
                self.turn = index + 1;
                break;
            }
        }
        done
    }
}

impl Stretch {
    fn waiting(self) -> u64 {
        u64::try_from(self.fetched - self.position).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf() -> Shelf {
        let mut shelf = Shelf::default();
        for (partition, fetched) in [(0, 10), (1, 0), (2, 100)] {
            let partition = TopicPartition::new("t", partition);
            shelf.open(partition.clone(), Offset(0));
            shelf.fetched(&partition, Offset(0), Offset(fetched));
        }
        shelf
    }

    fn positions(shelf: &Shelf) -> Vec<i64> {
        shelf.positions().map(|(_, offset)| offset.0).collect()
    }

    #[test]
    fn every_partition_gets_its_share() {
        let mut shelf = shelf();
        shelf.handle(40);
        assert_eq!(positions(&shelf), [10, 0, 30]);
        assert_eq!(shelf.waiting(), 70);
    }

    #[test]
    fn single_records_go_round() {
        let mut shelf = shelf();
        (0..6).for_each(|_| shelf.handle(1));
        assert_eq!(positions(&shelf), [3, 0, 3]);
    }

    #[test]
    fn no_more_is_handled_than_there_is() {
        let mut shelf = shelf();
        shelf.handle(1000);
        assert_eq!(positions(&shelf), [10, 0, 100]);
    }

    #[test]
    fn what_was_given_up_is_forgotten() {
        let mut shelf = shelf();
        shelf.close(&TopicPartition::new("t", 2));
        assert_eq!(shelf.waiting(), 10);
    }
}
