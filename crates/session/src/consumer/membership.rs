use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Generation, MemberId, Offset, Span, Time, TopicPartition};
use groma_rebalance::embedded::consumer::{Consumer as Embedded, Strategy as Sharing, TopicCatalog};
use groma_rebalance::member::{Input, MemberConfig, Phase, ReleaseId};
use groma_rebalance::policy::PolicySettings;
use groma_rebalance::protocol::{CommitFence, GroupError};

use super::tag::Tag;
use crate::cluster::{Cluster, Metadata};
use crate::group::Driver;
use crate::{ClientSettings, Commit, GroupSettings, Strategy};

/// Membership of a group: what carries it, and what is being given up.
#[derive(Debug)]
pub(super) struct Membership {
    pub(super) commit: Commit,
    pub(super) next_auto_commit: Time,
    pub(super) releases: BTreeMap<ReleaseId, Release>,
    /// Partitions whose committed offsets were asked for, each with the stay it was asked in.
    pub(super) asked_committed: Option<Vec<(TopicPartition, u64)>>,
    pub(super) driver: Driver<Embedded>,
    topics: BTreeSet<String>,
    /// What the leader must know the partitions of, beside its own topics.
    resolving: BTreeSet<String>,
}

/// Partitions that are being given up.
#[derive(Clone, Debug)]
pub(super) struct Release {
    pub(super) partitions: Vec<TopicPartition>,
    pub(super) application: Application,
}

/// Whether the application still works on something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Application {
    Working,
    Done,
}

impl Membership {
    pub(super) fn new(client: &ClientSettings, settings: GroupSettings) -> Self {
        let config = MemberConfig {
            instance: settings.instance,
            session_timeout: settings.session_timeout,
            heartbeat_interval: settings.heartbeat_interval,
            rebalance_timeout: settings.rebalance_timeout,
            ..client.member()
        };
        let strategies = settings.strategies.iter().filter_map(|s| sharing(*s, &settings.policy)).collect();
        let embedded = Embedded::new(strategies);
        let embedded = settings.rack.into_iter().fold(embedded, Embedded::in_rack);
        let mut driver = Driver::new(settings.group, config, embedded);
        driver.detail = settings.detail;
        Self {
            commit: settings.commit,
            next_auto_commit: Time::NEVER,
            releases: BTreeMap::new(),
            asked_committed: None,
            driver,
            topics: BTreeSet::new(),
            resolving: BTreeSet::new(),
        }
    }

    pub(super) fn phase(&self) -> Phase {
        self.driver.member().phase()
    }

    pub(super) const fn generation(&self) -> Option<Generation> {
        self.driver.member().generation()
    }

    pub(super) const fn member_id(&self) -> Option<&MemberId> {
        self.driver.member().member()
    }

    pub(super) fn fence(&self) -> Result<CommitFence, GroupError> {
        self.driver.member().commit_fence()
    }

    pub(super) fn subscribe(&mut self, now: Time, topics: BTreeSet<String>) {
        self.topics.clone_from(&topics);
        if let (Commit::Auto(every), Time::NEVER) = (self.commit, self.next_auto_commit) {
            self.next_auto_commit = now + every;
        }
        self.driver.handle(now, Input::Subscribe(topics));
    }

    pub(super) fn commit_refused(&mut self, now: Time, fence: CommitFence, error: GroupError) {
        self.driver.handle(now, Input::CommitRefused { fence, error });
    }

    /// Whether offsets of the partition may still be committed while it is being given up.
    pub(super) fn is_releasing(&self, partition: &TopicPartition) -> bool {
        self.releases.values().any(|release| release.partitions.contains(partition))
    }

    pub(super) fn released(&mut self, now: Time, id: ReleaseId) {
        self.releases.remove(&id);
        self.driver.handle(now, Input::Released(id));
    }

    /// When offsets are due to be committed on the consumer's own account, and the time after that.
    pub(super) fn auto_commit_due(&mut self, now: Time) -> bool {
        let Commit::Auto(every) = self.commit else { return false };
        let due = self.next_auto_commit <= now;
        if due {
            self.next_auto_commit = now + every.max(Span::from_millis(1));
        }
        due
    }

    /// Metadata came in: the member learns what exists, once that is known of every topic. A leader that knew less would
    /// share out too little.
    pub(super) fn on_refreshed(&mut self, now: Time, cluster: &Cluster<Tag>) {
        let asked = self.topics.union(&self.resolving);
        if !asked.clone().all(|topic| cluster.has_answered(topic)) {
            return;
        }
        let count = |topic: &String| {
            let partitions = cluster.metadata().topic(topic).map_or(0, |known| known.partitions.len());
            (topic.clone(), u32::try_from(partitions).unwrap_or(u32::MAX))
        };
        let counts: BTreeMap<String, u32> = asked.clone().map(count).collect();
        self.driver.handle(now, Input::Catalog(placed(counts.into(), asked, cluster.metadata())));
    }

    pub(super) fn resolve(&mut self, now: Time, topics: BTreeSet<String>, cluster: &mut Cluster<Tag>) {
        for topic in &topics {
            cluster.want(now, topic);
        }
        for gone in self.resolving.difference(&topics).filter(|topic| !self.topics.contains(*topic)) {
            cluster.unwant(gone);
        }
        self.resolving = topics;
        self.on_refreshed(now, cluster);
    }
}

/// The catalog with the racks of partitions, if the cluster has any.
fn placed<'a>(catalog: TopicCatalog, topics: impl Iterator<Item = &'a String>, metadata: &Metadata) -> TopicCatalog {
    if metadata.racks.is_empty() {
        return catalog;
    }
    let replicas = |topic: &String| {
        let known = &metadata.topic(topic)?.partitions;
        Some((topic.clone(), known.iter().map(|partition| partition.replicas.clone()).collect()))
    };
    catalog.placed(metadata.racks.clone(), topics.filter_map(replicas).collect())
}

/// The newest partitions done with that are not committed.
pub(super) fn uncommitted<'a>(
    done: impl Iterator<Item = (&'a TopicPartition, Option<Offset>, Option<Offset>)>,
) -> BTreeMap<TopicPartition, Offset> {
    let moved = |(name, done, committed): (&TopicPartition, Option<Offset>, Option<Offset>)| {
        done.filter(|done| Some(*done) != committed).map(|done| (name.clone(), done))
    };
    done.filter_map(moved).collect()
}

/// A strategy with its policy; eager ones have their own.
fn sharing(strategy: Strategy, policy: &PolicySettings) -> Option<Sharing> {
    let sharing = Sharing::by_name(strategy.name())?;
    Some(if strategy.is_cooperative() { sharing.with_policy(policy.build()) } else { sharing })
}
