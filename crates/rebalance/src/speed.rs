//! The work behind `groma speed assign` and `cargo bench`: groups of Kafka's own assignor benchmarks, without the clock.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use groma_model::{Generation, MemberId, Span, TopicPartition};

use crate::embedded::consumer::{
    Assignment, Candidate, Consumer, Strategy, Subscription, TopicCatalog, Topics, share_out, situation,
};
use crate::embedded::{Council, Decision, Embedded, EmbeddedError, Report, Trail};
use crate::protocol::MemberReport;
use crate::share::{Owners, Situation};

/// A group, and what happens to it. Its name, e.g. `assign-unequal/join/1000x10000x100`, says members, partitions in
/// all and topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssignCell {
    /// Who asks for what.
    pub interests: Interests,
    /// What happens.
    pub event: GroupEvent,
    /// How many members there are in the end.
    pub members: u32,
    /// How many partitions all topics have together.
    pub partitions: u32,
    /// How many topics there are; all have the same number of partitions.
    pub topics: u32,
}

/// Who asks for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interests {
    /// All members ask for all topics.
    Equal,
    /// Members and topics fall into five parts, and each part of the members asks for its part of the topics.
    Unequal,
}

/// What happens to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupEvent {
    /// Nobody holds anything yet.
    Full,
    /// All but one member hold what they were given without it.
    Join,
}

/// A group's reports, typed and as bytes, to be shared out over and over again.
#[derive(Debug)]
pub struct AssignWork {
    strategy: Strategy,
    consumer: Consumer,
    catalog: TopicCatalog,
    lists: BTreeSet<Topics>,
    candidates: Vec<Candidate>,
    reports: Vec<MemberReport>,
    situation: Situation,
}

impl AssignCell {
    /// Kafka's own grid: 100 to 10,000 members, 5, 10 or 50 partitions a member, 10 to 1,000 topics, but for those
    /// cells in which there are more topics than partitions; and a million partitions among 2,000 and 10,000 members.
    pub fn grid() -> Vec<Self> {
        let mut grid = Vec::new();
        for interests in [Interests::Equal, Interests::Unequal] {
            for event in [GroupEvent::Full, GroupEvent::Join] {
                for members in [100, 500, 1000, 5000, 10_000] {
                    for (ratio, topics) in [5, 10, 50].into_iter().flat_map(|r| [10, 100, 1000].map(|t| (r, t))) {
                        let partitions = members * ratio / topics * topics;
                        grid.push(Self { interests, event, members, partitions, topics });
                    }
                }
            }
        }
        grid.retain(|cell| cell.partitions > 0);
        for event in [GroupEvent::Full, GroupEvent::Join] {
            let million =
                |members| Self { interests: Interests::Equal, event, members, partitions: 1_000_000, topics: 100 };
            grid.extend([2000, 10_000].map(million));
        }
        grid
    }
}

impl AssignWork {
    /// Makes the reports of a group; members join in an order of their own.
    pub fn new(strategy: Strategy, cell: AssignCell) -> Self {
        let interests = interests(cell);
        let topics = interests.iter().flatten().map(|name| (name.clone(), cell.partitions / cell.topics));
        let mut work = Self {
            consumer: Consumer::new(vec![strategy.clone()]),
            strategy,
            catalog: topics.collect::<BTreeMap<_, _>>().into(),
            lists: BTreeSet::new(),
            candidates: Vec::new(),
            reports: Vec::new(),
            situation: Situation::default(),
        };
        let share = cell.members.div_ceil(interests.len() as u32);
        let add = |work: &mut Self, number: u32| {
            let interest = &interests[(number / share) as usize];
            work.add(MemberId(format!("member-{number:05}")), interest, &BTreeSet::new());
        };
        let last = cell.members - u32::from(cell.event == GroupEvent::Join);
        let shuffled = (0..cell.members).map(|n| (u64::from(n) * STRIDE % u64::from(cell.members)) as u32);
        shuffled.filter(|number| *number < last).for_each(|number| add(&mut work, number));
        if cell.event == GroupEvent::Join {
            work.hold();
            add(&mut work, last);
        }
        work.situation = situation(&work.strategy, &work.candidates, &work.catalog);
        work
    }

    /// From reports that have been read to who is to own what: the assignor alone, without policy and assignments.
    pub fn target(&self) -> Owners {
        self.strategy.assignor.assign(&self.situation)
    }

    /// From typed reports to typed assignments.
    pub fn share_out(&self) -> Vec<Assignment> {
        share_out(&self.strategy, &self.candidates, &self.catalog)
    }

    /// From JoinGroup metadata to SyncGroup bytes.
    ///
    /// # Errors
    /// None, unless this crate is broken.
    pub fn lead(&self) -> Result<Decision<Consumer>, EmbeddedError> {
        self.consumer.lead(&Council {
            protocol: self.strategy.name(),
            generation: Generation(2),
            members: &self.reports,
            catalog: &self.catalog,
            memory: &[],
            trail: &Trail::default(),
            gathered: Span::ZERO,
        })
    }

    fn add(&mut self, member: MemberId, interest: &BTreeSet<String>, held: &BTreeSet<TopicPartition>) {
        let generation = (!held.is_empty()).then_some(Generation(1));
        let report = Report { interest, held, generation, previous: None, trail: &Trail::default() };
        let metadata = self.consumer.protocols(&report).remove(0).metadata;
        let subscription = Subscription::decode_among(&metadata, &mut self.lists).unwrap_or_default();
        self.candidates.push(Candidate { member: member.clone(), instance: None, subscription });
        self.reports.push(MemberReport { member, instance: None, metadata });
    }

    /// Everybody holds what it would be given.
    fn hold(&mut self) {
        let given = self.share_out();
        self.reports.clear();
        for (candidate, held) in std::mem::take(&mut self.candidates).into_iter().zip(given) {
            let interest = candidate.subscription.topics.iter().map(str::to_owned).collect();
            self.add(candidate.member, &interest, &held.partitions.iter().collect());
        }
    }
}

/// What each part of the members asks for.
fn interests(cell: AssignCell) -> Vec<BTreeSet<String>> {
    let names: Vec<String> = (0..cell.topics).map(|t| format!("topic-{t:04}")).collect();
    let parts = if cell.interests == Interests::Equal { 1 } else { PARTS };
    names.chunks(cell.topics.div_ceil(parts) as usize).map(|part| part.iter().cloned().collect()).collect()
}

impl Display for AssignCell {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let interests = if self.interests == Interests::Equal { "assign" } else { "assign-unequal" };
        let event = if self.event == GroupEvent::Full { "full" } else { "join" };
        write!(out, "{interests}/{event}/{}x{}x{}", self.members, self.partitions, self.topics)
    }
}

/// Into how many parts an unequal group falls.
const PARTS: u32 = 5;
/// A prime that no group's size is a multiple of.
const STRIDE: u64 = 7919;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_moves_one_share_and_bytes_say_what_types_say() {
        for interests in [Interests::Equal, Interests::Unequal] {
            let cell = AssignCell { interests, event: GroupEvent::Join, members: 100, partitions: 1000, topics: 10 };
            let work = AssignWork::new(Strategy::cooperative_sticky(), cell);
            let held: BTreeSet<TopicPartition> =
                work.candidates.iter().flat_map(|c| c.subscription.owned.iter()).collect();
            assert_eq!((work.candidates.len(), held.len()), (100, 1000), "{cell}");
            let mut led = work.lead().expect("own bytes can be read");
            led.assignments.sort_by_key(|(member, _)| work.reports.iter().position(|r| r.member == *member));
            let read = led.assignments.iter().map(|(_, b)| Assignment::decode(b).expect("own bytes").partitions);
            assert!(work.share_out().into_iter().map(|a| a.partitions).eq(read), "{cell}");
            assert!((9..=10).contains(&led.moved), "{} move in {cell}", led.moved);
        }
    }

    #[test]
    fn cells_have_the_names_of_the_command_line() {
        let grid = AssignCell::grid();
        assert_eq!(grid.len(), 4 * (45 - 1) + 4);
        assert!(grid.iter().any(|cell| cell.to_string() == "assign-unequal/join/1000x10000x100"));
    }
}
