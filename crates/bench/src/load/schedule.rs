use serde::{Deserialize, Serialize};

/// A part of the key space, and the whole it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Its first key.
    pub first_key: u32,
    /// How many keys it has.
    pub keys: u32,
    /// How many keys all shares have together.
    pub keys_total: u32,
    /// Records per second of all shares together.
    pub rate_total: u64,
    /// How long, in milliseconds.
    pub duration_ms: u64,
    /// What of it goes to one partition beside that partition's even share.
    pub skew: Skew,
}

/// How unevenly records go to partitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skew {
    /// So many of a hundred records go to the keys of partition 0, whatever else that partition gets; 0 to 100.
    pub percent: u32,
    /// Partitions of the topic.
    pub partitions: u32,
}

/// When each record of a share is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    share: Share,
    start_ns: i64,
}

/// Splits `keys` keys at `rate` records per second into `parts` shares; the first ones get one key more where it does
/// not come out even. Each key has the same rate in all of them.
pub fn shares(rate: u64, keys: u32, duration_ms: u64, parts: u32) -> Vec<Share> {
    let parts = parts.clamp(1, keys.max(1));
    let (each, more) = (keys / parts, keys % parts);
    (0..parts)
        .map(|part| Share {
            first_key: part * each + part.min(more),
            keys: each + u32::from(part < more),
            keys_total: keys,
            rate_total: rate,
            duration_ms,
            skew: Skew::default(),
        })
        .collect()
}

impl Share {
    /// The same with `skew`.
    #[must_use]
    pub const fn skewed(self, skew: Skew) -> Self {
        Self { skew, ..self }
    }

    /// The first key of this share that goes to partition 0, and how many do.
    fn favoured(&self) -> (u32, u32) {
        let every = self.skew.partitions.max(1);
        let first = self.first_key.next_multiple_of(every);
        let end = self.first_key + self.keys;
        (first, if first < end { (end - first).div_ceil(every) } else { 0 })
    }

    /// Records of this share, over its whole duration.
    pub fn records(&self) -> u64 {
        self.within(i128::from(self.duration_ms) * NANOS_PER_MILLI)
    }

    fn within(&self, elapsed_ns: i128) -> u64 {
        let weighted = elapsed_ns.max(0) * i128::from(self.rate_total) * i128::from(self.keys);
        u64::try_from(weighted / self.divisor()).unwrap_or(u64::MAX)
    }

    fn divisor(&self) -> i128 {
        NANOS_PER_SECOND * i128::from(self.keys_total.max(1))
    }
}

impl Schedule {
    /// The schedule of `share` from `start_ns` on, nanoseconds since the Unix epoch. A start in the past makes a
    /// backlog: everything due meanwhile is sent at once, with the times it would have had.
    pub const fn new(share: Share, start_ns: i64) -> Self {
        Self { share, start_ns }
    }

    /// How many records are due by `now_ns`.
    pub fn due(&self, now_ns: i64) -> u64 {
        self.share.within(i128::from(now_ns) - i128::from(self.start_ns)).min(self.share.records())
    }

    /// When record `number`, counted from 0, is due.
    pub fn due_at_ns(&self, number: u64) -> i64 {
        let weight = i128::from(self.share.rate_total) * i128::from(self.share.keys);
        let elapsed = ((i128::from(number) + 1) * self.share.divisor()).div_euclid(weight.max(1));
        self.start_ns.saturating_add(i64::try_from(elapsed).unwrap_or(i64::MAX))
    }

    /// Whose record it is: the keys take turns, and with skew those of partition 0 take turns for their extra share.
    pub fn key(&self, number: u64) -> u32 {
        let (first, favoured) = self.share.favoured();
        let percent = u64::from(self.share.skew.percent.min(100));
        let extra = number * percent / 100;
        if favoured > 0 && extra < (number + 1) * percent / 100 {
            return first + (extra % u64::from(favoured)) as u32 * self.share.skew.partitions.max(1);
        }
        self.share.first_key + ((number - extra) % u64::from(self.share.keys.max(1))) as u32
    }

    /// The partition of `key`: keys are dealt out, so that all partitions get the same rate as closely as the number of
    /// keys allows. Hashing would give some partitions several per cent more than others.
    pub const fn partition(key: u32, partitions: u32) -> u32 {
        if partitions == 0 { 0 } else { key % partitions }
    }
}

const NANOS_PER_SECOND: i128 = 1_000_000_000;
const NANOS_PER_MILLI: i128 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn schedule(rate: u64, keys: u32) -> Schedule {
        Schedule::new(shares(rate, keys, 10_000, 1)[0], 5 * SECOND)
    }

    #[test]
    fn records_are_due_evenly() {
        let schedule = schedule(1000, 10);
        let due: Vec<u64> = [4, 5, 6, 10, 15, 99].map(|s| schedule.due(s * SECOND)).to_vec();
        assert_eq!(due, [0, 0, 1000, 5000, 10_000, 10_000]);
    }

    #[test]
    fn a_record_is_due_when_its_time_has_come_and_not_before() {
        for (rate, keys) in [(1000, 10), (333_333, 7), (1, 1), (92_437, 10_000)] {
            let schedule = schedule(rate, keys);
            for number in [0, 1, 2, 99, 5000].into_iter().filter(|n| *n < rate * 10) {
                let at = schedule.due_at_ns(number);
                assert!(schedule.due(at + 1) > number, "{rate} {number}");
                assert!(schedule.due(at - 1) <= number, "{rate} {number}");
            }
        }
    }

    #[test]
    fn keys_take_turns() {
        let keys: Vec<u32> = (0..5).map(|n| schedule(10, 3).key(n)).collect();
        assert_eq!(keys, [0, 1, 2, 0, 1]);
    }

    #[test]
    fn shares_cover_all_keys_once_and_all_records() {
        for parts in 1..8 {
            let shares = shares(10_007, 101, 3000, parts);
            let mut next = 0;
            for share in &shares {
                assert_eq!(share.first_key, next);
                next += share.keys;
            }
            assert_eq!(next, 101);
            let records: u64 = shares.iter().map(Share::records).sum();
            assert!((30_021 - u64::from(parts)..=30_021).contains(&records), "{parts}: {records}");
        }
    }

    #[test]
    fn there_are_never_more_shares_than_keys() {
        assert_eq!(shares(10, 2, 1000, 5).len(), 2);
    }

    #[test]
    fn skew_gives_partition_0_its_extra_share_and_the_others_the_rest_evenly() {
        let skew = Skew { percent: 30, partitions: 4 };
        let mut counts = [0; 4];
        for share in shares(1000, 100, 10_000, 3) {
            let schedule = Schedule::new(share.skewed(skew), 0);
            (0..share.records()).for_each(|n| counts[Schedule::partition(schedule.key(n), 4) as usize] += 1);
        }
        let [hot, rest @ ..] = counts;
        assert!((4700..=4800).contains(&hot), "30 % and a quarter of 70 % of 10,000: {hot}");
        assert!(rest.iter().all(|count| (1720..=1780).contains(count)), "{rest:?}");
    }

    #[test]
    fn partitions_get_the_same_number_of_keys() {
        let mut counts = [0; 12];
        (0..10_000).for_each(|key| counts[Schedule::partition(key, 12) as usize] += 1);
        assert!(counts.iter().all(|count| (833..=834).contains(count)), "{counts:?}");
    }
}
