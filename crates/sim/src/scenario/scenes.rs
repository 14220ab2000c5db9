use groma_model::{Span, TopicPartition};

use super::bill::{Bill, Meter};
use crate::cluster::{Cluster, Settings};
use crate::schedule::Policy;

/// A change of a group that the designs are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scenario {
    /// 50 processes share 500 resources; one is killed, and another takes its place 12 s later.
    ProcessDeath,
    /// 20 processes share 200 resources; each leaves in turn and is back 5 s later.
    RollingBounce,
    /// 10 processes share 200 resources; an eleventh comes.
    ScaleUp,
    /// 10 processes share 200 resources; one leaves for good.
    ScaleDown,
    /// As process death, and the leader is killed 3 s after the first; both are replaced.
    NewLeader,
    /// 5 processes share 40 tasks of one connector and 100 of another, 5 more come, and the second connector is scaled
    /// down to 20: by then the tasks that go belong to some processes more than to others.
    TaskScaleDown,
    /// 4 processes share 101 resources, which take 50 ms to stop; a fifth process comes, and one of the resources that it
    /// is to get takes 30 s to stop.
    HeavyResource,
}

impl Scenario {
    /// All of them, by the names of the command line.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("process-death", Self::ProcessDeath),
        ("rolling-bounce", Self::RollingBounce),
        ("scale-up", Self::ScaleUp),
        ("scale-down", Self::ScaleDown),
        ("new-leader", Self::NewLeader),
        ("task-scale-down", Self::TaskScaleDown),
        ("heavy-resource", Self::HeavyResource),
    ];

    /// Lets it happen to a settled group of members of one policy.
    pub fn play(self, policy: Policy) -> Bill {
        let mut cluster = self.settled(policy);
        if self == Self::HeavyResource
            && let Some(heavy) = self.moving(policy)
        {
            cluster.resource_takes(heavy, Span::from_secs(30));
        }
        let mut meter = Meter::new(&cluster);
        self.change(&mut cluster, &mut meter);
        meter.run(&mut cluster, AFTERWARDS);
        meter.bill(&mut cluster)
    }

    fn settled(self, policy: Policy) -> Cluster {
        let mut settings = Settings::new(policy.strategies());
        settings.member.rebalance_timeout = Span::from_secs(60);
        settings.bounds = policy.bounds();
        let mut cluster = Cluster::new(settings);
        let (members, topics): (usize, &[(&str, u32)]) = match self {
            Self::ProcessDeath | Self::NewLeader => (50, &[("T", 500)]),
            Self::RollingBounce => (20, &[("T", 200)]),
            Self::ScaleUp | Self::ScaleDown => (10, &[("T", 200)]),
            Self::TaskScaleDown => (5, &[("T", 40), ("U", 100)]),
            Self::HeavyResource => (4, &[("T", 101)]),
        };
        topics.iter().for_each(|(name, partitions)| cluster.topic(name, *partitions));
        (0..members).for_each(|place| cluster.join(&name(place)));
        cluster.run_for(SETTLING);
        if self == Self::TaskScaleDown {
            (5..10).for_each(|place| cluster.join(&name(place)));
            cluster.run_for(AFTERWARDS);
        }
        cluster
    }

    /// A resource that moves to the newcomer, as a rehearsal shows.
    fn moving(self, policy: Policy) -> Option<TopicPartition> {
        let mut cluster = self.settled(policy);
        cluster.join(&name(4));
        cluster.run_for(SETTLING);
        cluster.member(&name(4))?.held().first().cloned()
    }

    fn change(self, cluster: &mut Cluster, meter: &mut Meter) {
        match self {
            Self::ProcessDeath => replace(cluster, &name(7)),
            Self::RollingBounce => {
                for place in 0..20 {
                    cluster.leave(&name(place));
                    cluster.restart_after(&name(place), Span::from_secs(5));
                    meter.run(cluster, Span::from_secs(15));
                }
            }
            Self::ScaleUp => cluster.join(&name(10)),
            Self::ScaleDown => cluster.leave(&name(7)),
            Self::NewLeader => {
                let leader = cluster.leader().unwrap_or_default();
                let other = (0..50).map(name).find(|name| *name != leader).unwrap_or_default();
                replace(cluster, &other);
                meter.run(cluster, Span::from_secs(3));
                replace(cluster, &leader);
            }
            Self::TaskScaleDown => cluster.topic("U", 20),
            Self::HeavyResource => cluster.join(&name(4)),
        }
    }
}

fn replace(cluster: &mut Cluster, name: &str) {
    cluster.crash(name);
    cluster.restart_after(name, Span::from_secs(12));
}

/// In the order of their places, so that A would be the first.
fn name(place: usize) -> String {
    format!("M{place:02}")
}

const SETTLING: Span = Span::from_secs(60);
/// Longer than any wait of the policies compared.
const AFTERWARDS: Span = Span::from_secs(120);
