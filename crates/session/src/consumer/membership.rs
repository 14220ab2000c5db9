use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Generation, GroupId, MemberId, Offset, Span, Time, TopicPartition};
use groma_rebalance::embedded::consumer::{Consumer as Embedded, Strategy as Sharing};
use groma_rebalance::member::{Event, Input, Member, MemberConfig, Output, Phase, ReleaseId, RequestId, Unanswered};
use groma_rebalance::protocol::{CommitFence, GroupError, LeaveReply, Reply as Answer, Request};
use groma_rebalance::rpc;
use groma_wire::ErrorCode;
use groma_wire::messages::{FindCoordinatorRequest, FindCoordinatorResponse};

use super::tag::Tag;
use crate::cluster::{Cluster, Target};
use crate::net::{Call, CallError, Lane, Reply, Sent};
use crate::{ClientSettings, Commit, GroupSettings};

/// Membership of a group: the member's machine, its coordinator, and what is being given up.
#[derive(Debug)]
pub(super) struct Membership {
    pub(super) group: GroupId,
    pub(super) commit: Commit,
    pub(super) next_auto_commit: Time,
    pub(super) coordinator: Coordinator,
    pub(super) releases: BTreeMap<ReleaseId, Release>,
    /// Partitions whose committed offsets were asked for, each with the stay it was asked in.
    pub(super) asked_committed: Option<Vec<(TopicPartition, u64)>>,
    pub(super) departure: Departure,
    member: Member<Embedded>,
    topics: BTreeSet<String>,
    /// What the leader must know the partitions of, beside its own topics.
    resolving: BTreeSet<String>,
    kinds: BTreeMap<RequestId, Kind>,
    round: Round,
}

/// Whether the application has been told of a round that is not over; a round may take several joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    Over,
    Running,
}

/// Who coordinates the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coordinator {
    Unknown,
    Asked,
    Known(i32),
}

/// Whether the group is being left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Departure {
    Staying,
    Leaving,
    Left,
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

/// What the member wants that is not a request.
#[derive(Debug)]
pub(super) enum Wish {
    Assign(Vec<TopicPartition>),
    Revoke(ReleaseId, Vec<TopicPartition>),
    Lost(ReleaseId, Vec<TopicPartition>),
    Rebalancing,
    Stable(Generation),
    Failed(groma_rebalance::member::MemberFailure),
    Left,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Join,
    Sync,
    Heartbeat,
    Leave,
}

impl Membership {
    pub(super) fn new(client: &ClientSettings, settings: GroupSettings) -> Self {
        let config = MemberConfig {
            instance: settings.instance,
            session_timeout: settings.session_timeout,
            heartbeat_interval: settings.heartbeat_interval,
            rebalance_timeout: settings.rebalance_timeout,
            backoff: client.retry_backoff,
            backoff_max: client.retry_backoff_max,
            request_timeout: client.request_timeout,
            seed: client.seed,
            ..MemberConfig::default()
        };
        let strategies = settings.strategies.iter().filter_map(|s| Sharing::by_name(s.name())).collect();
        Self {
            group: settings.group,
            commit: settings.commit,
            next_auto_commit: Time::NEVER,
            coordinator: Coordinator::Unknown,
            releases: BTreeMap::new(),
            asked_committed: None,
            departure: Departure::Staying,
            member: Member::new(config, Embedded::new(strategies)),
            topics: BTreeSet::new(),
            resolving: BTreeSet::new(),
            kinds: BTreeMap::new(),
            round: Round::Over,
        }
    }

    pub(super) const fn node(&self) -> Option<i32> {
        match self.coordinator {
            Coordinator::Known(node) => Some(node),
            Coordinator::Unknown | Coordinator::Asked => None,
        }
    }

    pub(super) fn phase(&self) -> Phase {
        self.member.phase()
    }

    pub(super) const fn generation(&self) -> Option<Generation> {
        self.member.generation()
    }

    pub(super) const fn member_id(&self) -> Option<&MemberId> {
        self.member.member()
    }

    pub(super) fn fence(&self) -> Result<CommitFence, GroupError> {
        self.member.commit_fence()
    }

    pub(super) fn deadline(&self) -> Option<Time> {
        self.member.deadline().map(|(at, _)| at)
    }

    pub(super) fn tick(&mut self, now: Time) {
        if self.deadline().is_some_and(|at| at <= now) {
            self.member.handle(now, Input::Tick);
        }
    }

    pub(super) fn subscribe(&mut self, now: Time, topics: BTreeSet<String>) {
        self.topics.clone_from(&topics);
        if let (Commit::Auto(every), Time::NEVER) = (self.commit, self.next_auto_commit) {
            self.next_auto_commit = now + every;
        }
        self.member.handle(now, Input::Subscribe(topics));
    }

    pub(super) fn leave(&mut self, now: Time) {
        if self.departure == Departure::Staying {
            self.departure = Departure::Leaving;
            self.member.handle(now, Input::Leave);
        }
    }

    pub(super) fn commit_refused(&mut self, now: Time, fence: CommitFence, error: GroupError) {
        self.member.handle(now, Input::CommitRefused { fence, error });
    }

    /// Whether offsets of the partition may still be committed while it is being given up.
    pub(super) fn is_releasing(&self, partition: &TopicPartition) -> bool {
        self.releases.values().any(|release| release.partitions.contains(partition))
    }

    pub(super) fn released(&mut self, now: Time, id: ReleaseId) {
        self.releases.remove(&id);
        self.member.handle(now, Input::Released(id));
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
        let catalog: BTreeMap<String, u32> = asked.map(count).collect();
        self.member.handle(now, Input::Catalog(catalog));
    }

    /// Carries out what the member wants sent; gives what else it wants.
    pub(super) fn poll(&mut self, now: Time, cluster: &mut Cluster<Tag>) -> Option<Wish> {
        while let Some(output) = self.member.poll() {
            match output {
                Output::FindCoordinator => self.find_coordinator(now, cluster),
                Output::Resolve(topics) => self.resolve(now, topics, cluster),
                Output::Send { id, request, patience } => self.send(now, (id, request), patience, cluster),
                Output::Revoke { id, resources, .. } => return Some(Wish::Revoke(id, resources)),
                Output::Lost { id, resources, .. } => return Some(Wish::Lost(id, resources)),
                Output::Assign { resources, .. } => return Some(Wish::Assign(resources)),
                Output::Failed(failure) => return Some(Wish::Failed(failure)),
                Output::Left => return Some(Wish::Left),
                Output::Event(Event::Joining(_)) if self.round == Round::Over => {
                    self.round = Round::Running;
                    return Some(Wish::Rebalancing);
                }
                Output::Event(Event::Stable(generation)) => {
                    self.round = Round::Over;
                    return Some(Wish::Stable(generation));
                }
                Output::Event(_) => {}
            }
        }
        None
    }

    pub(super) fn on_coordinator(&mut self, now: Time, result: Result<Option<Reply>, CallError>) {
        let input = match coordinator_in(result) {
            Ok(node) => {
                self.coordinator = Coordinator::Known(node);
                Input::CoordinatorFound
            }
            Err(error) => {
                self.coordinator = Coordinator::Unknown;
                Input::CoordinatorUnknown(error)
            }
        };
        self.member.handle(now, input);
    }

    /// The coordinator is another broker, or cannot be reached: it is looked up again.
    pub(super) fn coordinator_lost(&mut self, now: Time) {
        if matches!(self.coordinator, Coordinator::Known(_)) {
            self.coordinator = Coordinator::Unknown;
            self.member.handle(now, Input::CoordinatorLost);
        }
    }

    pub(super) fn on_answer(&mut self, now: Time, id: RequestId, result: Result<Option<Reply>, CallError>) {
        let Some(kind) = self.kinds.remove(&id) else { return };
        let result = match result {
            Ok(Some(reply)) => typed(reply).ok_or(Unanswered::Disconnected),
            Err(CallError::Unsupported(_)) => Ok(unsupported(kind)),
            Err(CallError::TimedOut { .. }) => Err(Unanswered::TimedOut),
            Ok(None) | Err(CallError::Disconnected { .. } | CallError::Malformed(_)) => Err(Unanswered::Disconnected),
        };
        self.member.handle(now, Input::Answered { id, result });
    }

    fn find_coordinator(&mut self, now: Time, cluster: &mut Cluster<Tag>) {
        self.coordinator = Coordinator::Asked;
        let request = FindCoordinatorRequest {
            coordinator_keys: vec![self.group.0.clone()],
            ..FindCoordinatorRequest::default()
        };
        let timeout = cluster.settings().request_timeout;
        cluster.call(now, Target::Any.over(Lane::Control, timeout), request, Tag::Coordinator);
    }

    fn resolve(&mut self, now: Time, topics: BTreeSet<String>, cluster: &mut Cluster<Tag>) {
        for topic in &topics {
            cluster.want(now, topic);
        }
        for gone in self.resolving.difference(&topics).filter(|topic| !self.topics.contains(*topic)) {
            cluster.unwant(gone);
        }
        self.resolving = topics;
        self.on_refreshed(now, cluster);
    }

    fn send(&mut self, now: Time, named: (RequestId, Request), patience: Span, cluster: &mut Cluster<Tag>) {
        let (id, request) = named;
        let (kind, lane, call): (_, _, Call) = match &request {
            Request::Join(join) => (Kind::Join, Lane::Group, rpc::write_join_request(&self.group, join).into()),
            Request::Sync(sync) => (Kind::Sync, Lane::Group, rpc::write_sync_request(&self.group, sync).into()),
            Request::Heartbeat(beat) => {
                (Kind::Heartbeat, Lane::Control, rpc::write_heartbeat_request(&self.group, beat).into())
            }
            Request::Leave(leave) => {
                (Kind::Leave, Lane::Control, rpc::write_leave_request(&self.group, leave, LEAVE_VERSION).into())
            }
        };
        self.kinds.insert(id, kind);
        match self.coordinator {
            Coordinator::Known(node) => {
                cluster.call(now, Target::Node(node).over(lane, patience), call, Tag::Member(id));
            }
            Coordinator::Unknown | Coordinator::Asked => {
                let cause = "the coordinator is not known".to_owned();
                self.on_answer(now, id, Err(CallError::Disconnected { cause, sent: Sent::No }));
            }
        }
    }
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

fn coordinator_in(result: Result<Option<Reply>, CallError>) -> Result<i32, GroupError> {
    let reply = match result {
        Ok(reply) => reply.and_then(|reply| FindCoordinatorResponse::try_from(reply).ok()),
        Err(CallError::Unsupported(_)) => return Err(GroupError::UnsupportedVersion),
        Err(_) => None,
    };
    let found = reply.and_then(|response| response.coordinators.into_iter().next());
    let found = found.ok_or(GroupError::CoordinatorNotAvailable)?;
    ErrorCode::check(found.error_code).map_err(rpc::group_error)?;
    Ok(found.node_id)
}

fn typed(reply: Reply) -> Option<Answer> {
    Some(match reply {
        Reply::JoinGroup(response) => Answer::Join(rpc::join_reply(response)),
        Reply::SyncGroup(response) => Answer::Sync(rpc::sync_reply(response)),
        Reply::Heartbeat(response) => Answer::Heartbeat(rpc::heartbeat_reply(&response)),
        Reply::LeaveGroup(response) => Answer::Leave(rpc::leave_reply(response)),
        _ => return None,
    })
}

fn unsupported(kind: Kind) -> Answer {
    let error = GroupError::UnsupportedVersion;
    match kind {
        Kind::Join => Answer::Join(Err(error)),
        Kind::Sync => Answer::Sync(Err(error)),
        Kind::Heartbeat => Answer::Heartbeat(Err(error)),
        Kind::Leave => Answer::Leave(LeaveReply { results: Err(error) }),
    }
}

/// The first version whose layout names several leavers; later ones only add to it.
const LEAVE_VERSION: i16 = 3;
