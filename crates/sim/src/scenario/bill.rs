use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Span, Time, TopicPartition};

use crate::cluster::{Cluster, Violation};

/// What a change of a group costs, from the moment it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bill {
    /// Time for which resources that should run did not, summed over the resources.
    pub lost: Span,
    /// The same of one resource: the middle one of those that did not always run, and the worst.
    pub gap: (Span, Span),
    /// Resources stopped on processes that stayed up.
    pub stopped: u64,
    /// Resources that went from one process to another.
    pub moved: u64,
    /// Generations that were settled.
    pub rounds: u64,
    /// From the change to the last resource that started.
    pub balanced_after: Span,
    /// What did not hold, in the course or in the end.
    pub violations: Vec<Violation>,
}

/// Keeps the account while a cluster runs.
pub(super) struct Meter {
    since: Time,
    before: (u64, u64, usize),
    idle: BTreeSet<TopicPartition>,
    gaps: BTreeMap<TopicPartition, Span>,
}

impl Meter {
    pub(super) fn new(cluster: &Cluster) -> Self {
        Self { since: cluster.now(), before: standing(cluster), idle: cluster.idle(), gaps: BTreeMap::new() }
    }

    /// Runs the cluster for a time.
    pub(super) fn run(&mut self, cluster: &mut Cluster, span: Span) {
        self.idle = cluster.idle();
        let end = cluster.now() + span;
        while cluster.now() < end {
            let began = cluster.now();
            cluster.step_until(end);
            self.pass(cluster.now().since(began));
            if cluster.is_touched() {
                self.idle = cluster.idle();
            }
        }
    }

    fn pass(&mut self, span: Span) {
        for resource in self.idle.iter().filter(|_| span > Span::ZERO) {
            let gap = self.gaps.entry(resource.clone()).or_default();
            *gap = *gap + span;
        }
    }

    pub(super) fn bill(self, cluster: &mut Cluster) -> Bill {
        cluster.check_settled();
        let (stops, moves, rounds) = standing(cluster);
        let mut gaps: Vec<Span> = self.gaps.into_values().collect();
        gaps.sort_unstable();
        let last = gaps.last().copied().unwrap_or_default();
        Bill {
            lost: gaps.iter().fold(Span::ZERO, |sum, gap| sum + *gap),
            gap: (gaps.get(gaps.len() / 2).copied().unwrap_or_default(), last),
            stopped: stops - self.before.0,
            moved: moves - self.before.1,
            rounds: (rounds - self.before.2) as u64,
            balanced_after: cluster.last_start().since(self.since),
            violations: cluster.violations().to_vec(),
        }
    }
}

fn standing(cluster: &Cluster) -> (u64, u64, usize) {
    (cluster.stops(), cluster.moves(), cluster.generations())
}
