use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use groma_client::{Admin, ClientError, GroupInfo, GroupMemberInfo, OffsetSpec, TopicPartition};
use groma_explain::{EVERYTHING, Fact, Seat, Source, What};

use super::tail::{Kind, Offsets, Tail};
use crate::args::Cluster;
use crate::exit::Failure;

/// Collects facts about a group from a cluster.
pub(crate) struct Collector {
    pub(crate) admin: Admin,
    group: String,
    tails: Vec<Tail>,
    /// What cannot be read, and why: for people.
    pub(crate) missing: Vec<String>,
    seen: Option<What>,
}

impl Collector {
    /// Opens every source that the cluster has.
    ///
    /// # Errors
    /// The cluster cannot be reached. A source that cannot be read is noted in `missing`.
    pub(crate) async fn open(cluster: &Cluster, group: &str) -> Result<Self, Failure> {
        let client = cluster.properties()?.client;
        let admin = cluster.admin().await?;
        let (mut tails, mut missing) = (Vec::new(), Vec::new());
        for kind in [Kind::Rounds, Kind::Offsets] {
            match Tail::open(&admin, &client, group, kind).await {
                Ok(tail) => tails.push(tail),
                Err(error) => missing.extend(without(kind, &error)),
            }
        }
        Ok(Self { admin, group: group.to_owned(), tails, missing, seen: None })
    }

    /// What the sources hold now.
    pub(crate) async fn history(&mut self) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut tails = Vec::new();
        for mut tail in std::mem::take(&mut self.tails) {
            match tail.catch_up(&self.admin, &mut facts).await {
                Ok(()) => tails.push(tail),
                Err(error) => self.missing.push(error.to_string()),
            }
        }
        self.tails = tails;
        facts
    }

    /// Asks for the group as it is now, and takes what has come from the other sources.
    ///
    /// # Errors
    /// The cluster did not answer.
    pub(crate) async fn look(&mut self, facts: &mut Vec<Fact>) -> Result<(), ClientError> {
        for tail in &mut self.tails {
            tail.take_ready(&self.admin, facts).await?;
        }
        let info = self.admin.describe_group(&self.group).await?;
        let committed = self.admin.committed(&self.group).await?;
        let mut partitions: BTreeSet<TopicPartition> =
            committed.iter().map(|(partition, _)| partition.clone()).collect();
        partitions.extend(info.members.iter().flat_map(|member| member.assignment.iter().cloned()));
        let partitions: Vec<TopicPartition> = partitions.into_iter().collect();
        let ends = self.admin.list_offsets(OffsetSpec::Latest, &partitions).await.unwrap_or_default();
        let time_ms = now_ms();
        let seen = seen(info);
        if self.seen.as_ref() != Some(&seen) {
            self.seen = Some(seen.clone());
            facts.push(self.fact(time_ms, seen));
        }
        let committed: Offsets =
            committed.iter().map(|(partition, offset)| (partition.to_string(), offset.0)).collect();
        let ends: Offsets = ends.iter().filter_map(|end| Some((end.partition.to_string(), end.offset?.0))).collect();
        for what in [What::Committed { offsets: committed }, What::Ends { offsets: ends }] {
            facts.push(self.fact(time_ms, what));
        }
        Ok(())
    }

    /// Says how often it looks.
    pub(crate) fn watching(&self, interval_ms: u64) -> Fact {
        self.fact(now_ms(), What::Watching { interval_ms })
    }

    fn fact(&self, time_ms: i64, what: What) -> Fact {
        Fact { time_ms, group: self.group.clone(), source: Source::Poll, member: None, what }
    }
}

fn without(kind: Kind, error: &ClientError) -> Option<String> {
    match (kind, error) {
        (Kind::Rounds, _) => None,
        (Kind::Offsets, ClientError::UnknownTopic { .. }) => None,
        (Kind::Offsets, error) => {
            Some(format!("__consumer_offsets cannot be read ({error}): earlier generations are not known"))
        }
    }
}

fn seen(info: GroupInfo) -> What {
    let stable = info.state == "Stable";
    let is_readable = stable || info.epoch.is_some();
    let anything = (info.protocol_type == "connect").then(|| vec![EVERYTHING.to_owned()]);
    let mut members: Vec<Seat> = info.members.into_iter().map(|member| seat(member, anything.as_ref())).collect();
    if !is_readable {
        members.iter_mut().for_each(|seat| (seat.topics, seat.assigned) = (None, None));
    }
    What::Seen {
        protocol: Some(info.protocol).filter(|protocol| stable && !protocol.is_empty()),
        members,
        state: info.state,
        protocol_type: info.protocol_type,
    }
}

fn seat(member: GroupMemberInfo, anything: Option<&Vec<String>>) -> Seat {
    let topics = Some(member.subscription).filter(|topics| !topics.is_empty());
    Seat {
        topics: anything.cloned().or(topics),
        member: member.member_id,
        instance: member.instance_id,
        client: member.client_id,
        host: member.client_host,
        session_timeout_ms: None,
        ours: None,
        assigned: member.resources,
    }
}

/// The wall clock in milliseconds since the Unix epoch.
pub(crate) fn now_ms() -> i64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(passed.as_millis()).unwrap_or(i64::MAX)
}
