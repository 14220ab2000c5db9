use std::collections::{BTreeMap, BTreeSet, VecDeque};

use groma_model::{Generation, MemberId, Offset, Time, TopicPartition};
use groma_rebalance::embedded::consumer::Consumer as Embedded;
use groma_rebalance::member::{Phase, ReleaseId};
use groma_rebalance::protocol::{CommitFence, GroupError};
use groma_rebalance::rpc;
use groma_wire::messages::{OffsetCommitResponse, OffsetFetchResponse};
use groma_wire::{ErrorCode, Reaction};

use super::commits::{Commits, Owner, Stage};
use super::fetcher::{Fetcher, Start};
use super::membership::{Application, Membership, Release, uncommitted};
use super::partition::{Flight, Flow, Partition};
use super::tag::Tag;
use super::{CommitError, CommitId, ConsumeError, ConsumerEvent, offsets};
use crate::cluster::{AutoCreate, Cluster, ClusterEvent, Contact, Target};
use crate::group::{Departure, Wish};
use crate::net::{CallError, Lane, NetInput, NetOutput, Reply};
use crate::news::News;
use crate::{ClientSettings, Commit, ConsumerSettings, GroupSettings, OnAssigned};

/// A consumer: the partitions it reads, by a group's decision or the application's, and how far it has read them.
#[derive(Debug)]
pub struct Consumer {
    cluster: Cluster<Tag>,
    fetcher: Fetcher,
    membership: Option<Membership>,
    commits: Commits,
    events: VecDeque<ConsumerEvent>,
    topics: BTreeSet<String>,
    on_assigned: OnAssigned,
    news: News,
    now: Time,
}

impl Consumer {
    /// A consumer that nobody has asked for anything yet; with `group`, a member of that group.
    pub fn new(client: &ClientSettings, settings: ConsumerSettings, group: Option<GroupSettings>) -> Self {
        Self {
            cluster: Cluster::new(client, AutoCreate::Forbidden),
            on_assigned: settings.on_assigned,
            fetcher: Fetcher::new(settings),
            membership: group.map(|group| Membership::new(client, group)),
            commits: Commits::default(),
            events: VecDeque::new(),
            topics: BTreeSet::new(),
            news: News::None,
            now: Time::ZERO,
        }
    }

    /// Seeks contact with the cluster.
    pub fn start(&mut self, now: Time) {
        self.cluster.start(now);
        self.advance(now);
    }

    /// Whether the cluster has answered.
    pub const fn contact(&self) -> &Contact {
        self.cluster.contact()
    }

    /// Takes in what happened to connections, and time.
    pub fn handle(&mut self, now: Time, input: NetInput) {
        self.cluster.handle(now, input);
        self.advance(now);
    }

    /// What is to be done about connections.
    pub fn poll(&mut self) -> Option<NetOutput> {
        self.cluster.poll()
    }

    /// Whether there is something new since the last question.
    pub fn take_news(&mut self) -> bool {
        self.news.take()
    }

    /// When to hand in a tick.
    pub fn deadline(&self) -> Option<Time> {
        let membership = self.membership.as_ref();
        let member = membership.and_then(|m| m.driver.deadline());
        let auto = membership.map(|m| m.next_auto_commit).filter(|at| *at != Time::NEVER);
        let coordinator = membership.and_then(|m| m.driver.node());
        let commits = self.commits.deadline(coordinator);
        [self.cluster.deadline(), member, auto, commits, self.fetcher.deadline(self.now)].into_iter().flatten().min()
    }

    /// As member of a group: asks for these topics, or for others than before.
    pub fn subscribe(&mut self, now: Time, topics: BTreeSet<String>) {
        for gone in self.topics.difference(&topics) {
            self.cluster.unwant(gone);
        }
        for topic in &topics {
            self.cluster.want(now, topic);
        }
        self.topics.clone_from(&topics);
        if let Some(membership) = &mut self.membership {
            membership.subscribe(now, topics);
        }
        self.advance(now);
    }

    /// Outside a group: reads exactly these partitions, each from the given position or from the reset point.
    pub fn assign(&mut self, now: Time, partitions: &[(TopicPartition, Option<Offset>)]) {
        let held: Vec<TopicPartition> = self.fetcher.partitions().map(|(name, _)| name.clone()).collect();
        for name in held {
            self.fetcher.remove(&name);
        }
        let topics: BTreeSet<String> = partitions.iter().map(|(name, _)| name.topic.clone()).collect();
        for gone in self.topics.difference(&topics) {
            self.cluster.unwant(gone);
        }
        for topic in &topics {
            self.cluster.want(now, topic);
        }
        self.topics = topics;
        for (name, offset) in partitions {
            self.fetcher.add(name, offset.map_or(Start::Reset, Start::At), Flow::Running);
        }
        self.advance(now);
    }

    /// The next thing to tell the application: what concerns the group first, then records.
    pub fn take(&mut self, now: Time) -> Option<ConsumerEvent> {
        self.fetcher.finish_taken();
        if let Some(event) = self.events.pop_front() {
            return Some(event);
        }
        if let Some(error) = self.fetcher.pop_error() {
            return Some(ConsumerEvent::Error(error));
        }
        let chunk = self.fetcher.take()?;
        self.advance(now);
        Some(ConsumerEvent::Records(chunk))
    }

    /// The application has stopped what a `Revoked` named.
    pub fn released(&mut self, now: Time, id: ReleaseId) {
        if let Some(release) = self.membership.as_mut().and_then(|m| m.releases.get_mut(&id)) {
            release.application = Application::Done;
        }
        self.settle_release(now, id);
        self.advance(now);
    }

    /// Goes on from `offset`; false when the partition is not held.
    pub fn seek(&mut self, now: Time, partition: &TopicPartition, offset: Offset) -> bool {
        let held = self.fetcher.seek(partition, offset);
        self.advance(now);
        held
    }

    /// Fetches and delivers nothing of these partitions.
    pub fn pause(&mut self, partitions: &[TopicPartition]) {
        partitions.iter().for_each(|partition| self.fetcher.set_flow(partition, Flow::Paused));
    }

    /// Undoes [`Self::pause`] and the wait of [`OnAssigned::Wait`].
    pub fn resume(&mut self, now: Time, partitions: &[TopicPartition]) {
        partitions.iter().for_each(|partition| self.fetcher.set_flow(partition, Flow::Running));
        self.news = News::Some;
        self.advance(now);
    }

    /// The partitions held, in order.
    pub fn assignment(&self) -> Vec<TopicPartition> {
        self.fetcher.partitions().map(|(name, _)| name.clone()).collect()
    }

    /// The offset of the next record to be delivered, once known.
    pub fn position(&self, partition: &TopicPartition) -> Option<Offset> {
        self.fetcher.partition(partition)?.taken
    }

    /// The end of what can be read, as of the last fetch.
    pub fn high_watermark(&self, partition: &TopicPartition) -> Option<Offset> {
        self.fetcher.partition(partition)?.high_watermark
    }

    /// The positions of everything taken so far.
    pub fn positions(&self) -> Vec<(TopicPartition, Offset)> {
        self.fetcher.partitions().filter_map(|(name, p)| Some((name.clone(), p.taken?))).collect()
    }

    /// The generation this member is settled in.
    pub fn generation(&self) -> Option<Generation> {
        self.membership.as_ref()?.generation()
    }

    /// The identity given by the coordinator.
    pub fn member_id(&self) -> Option<MemberId> {
        self.membership.as_ref()?.member_id().cloned()
    }

    /// What the member is doing; none outside a group.
    pub fn phase(&self) -> Option<Phase> {
        Some(self.membership.as_ref()?.phase())
    }

    /// Begins to commit offsets under the current generation; the result is fetched by [`Self::committed`].
    ///
    /// # Errors
    /// A partition that is not held, or no generation to commit under.
    pub fn commit(&mut self, now: Time, offsets: BTreeMap<TopicPartition, Offset>) -> Result<CommitId, CommitError> {
        let membership = self.membership.as_ref().ok_or(CommitError::NoGroup)?;
        let held = |name: &TopicPartition| self.fetcher.partition(name).is_some() || membership.is_releasing(name);
        if let Some(foreign) = offsets.keys().find(|name| !held(name)) {
            return Err(CommitError::NotAssigned(foreign.clone()));
        }
        membership.fence().map_err(CommitError::Group)?;
        let until = now + self.cluster.settings().request_timeout;
        let id = self.commits.begin(offsets, Owner::Application, until);
        self.advance(now);
        Ok(id)
    }

    /// How a commit ended, once; none while it is under way.
    pub fn committed(&mut self, id: CommitId) -> Option<Result<(), CommitError>> {
        self.commits.take(id)
    }

    /// Begins to leave the group: everything is revoked first.
    pub fn leave(&mut self, now: Time) {
        self.fetcher.finish_taken();
        let positions = self.fetcher.partitions().map(|(name, p)| (name, p.taken, p.committed));
        let rest = uncommitted(positions);
        let own_account = self.membership.as_ref().is_some_and(|m| matches!(m.commit, Commit::Auto(_)));
        if own_account && !rest.is_empty() {
            let until = now + self.cluster.settings().request_timeout;
            self.commits.begin(rest, Owner::Timer, until);
            self.send_commits(now);
        }
        if let Some(membership) = &mut self.membership {
            membership.driver.leave(now);
        }
        self.advance(now);
    }

    /// Whether the group has been left, and no commit is under way.
    pub fn has_left(&self) -> bool {
        self.membership.as_ref().is_none_or(|m| m.driver.departure == Departure::Left)
            && self.commits.under_way.is_empty()
    }

    fn advance(&mut self, now: Time) {
        self.now = now;
        for _ in 0..TURNS {
            if let Some(membership) = &mut self.membership {
                membership.driver.tick(now);
            }
            let answered = self.take_answers(now);
            let wished = self.take_wishes(now);
            if answered == News::None && wished == News::None {
                break;
            }
        }
        self.commit_in_time(now);
        self.send_commits(now);
        self.ask_committed(now);
        self.fetcher.drive(now, &mut self.cluster);
        self.take_answers(now);
    }

    fn take_answers(&mut self, now: Time) -> News {
        let mut news = News::None;
        while let Some(event) = self.cluster.poll_event() {
            news = News::Some;
            match event {
                ClusterEvent::Answered { tag, result } => self.on_answer(now, tag, result),
                ClusterEvent::Refreshed => {
                    self.fetcher.on_refreshed(&self.cluster);
                    if let Some(membership) = &mut self.membership {
                        membership.on_refreshed(now, &self.cluster);
                    }
                }
                ClusterEvent::Contact => {}
            }
        }
        if news == News::Some {
            self.news = News::Some;
        }
        news
    }

    fn on_answer(&mut self, now: Time, tag: Tag, result: Result<Option<Reply>, CallError>) {
        match tag {
            Tag::Fetch(id) => self.fetcher.on_fetched(now, id, result, &mut self.cluster),
            Tag::ListOffsets(id) => self.fetcher.on_listed(now, id, result, &mut self.cluster),
            Tag::Committed => self.on_committed(now, result),
            Tag::Commit(id) => self.on_commit(now, id, result),
            Tag::Group(tag) => {
                if let Some(membership) = &mut self.membership {
                    membership.driver.on_answer(now, tag, result);
                }
            }
        }
    }

    fn take_wishes(&mut self, now: Time) -> News {
        let mut news = News::None;
        while let Some(wish) = self.membership.as_mut().and_then(|m| m.driver.poll(now, &mut self.cluster)) {
            news = News::Some;
            self.news = News::Some;
            self.grant(now, wish);
        }
        news
    }

    fn grant(&mut self, now: Time, wish: Wish<Embedded>) {
        match wish {
            Wish::Resolve(topics) => {
                if let Some(membership) = &mut self.membership {
                    membership.resolve(now, topics, &mut self.cluster);
                }
            }
            Wish::Assign(partitions) => self.on_assigned(now, partitions),
            Wish::Revoke(id, partitions) => self.on_revoked(now, id, partitions),
            Wish::Lost(id, partitions) => self.on_lost(now, id, partitions),
            Wish::Stable(generation) => self.events.push_back(ConsumerEvent::Stable(generation)),
            Wish::Failed(failure) => {
                self.events.push_back(ConsumerEvent::Error(ConsumeError::Membership(failure)));
            }
            Wish::Left => {}
            Wish::Rebalancing => self.events.push_back(ConsumerEvent::Rebalancing),
            Wish::Step(step) => self.events.push_back(ConsumerEvent::Step(step)),
        }
    }

    fn on_assigned(&mut self, now: Time, partitions: Vec<TopicPartition>) {
        let flow = match self.on_assigned {
            OnAssigned::Fetch => Flow::Running,
            OnAssigned::Wait => Flow::Paused,
        };
        for name in &partitions {
            self.cluster.want(now, &name.topic);
            self.fetcher.add(name, Start::Committed, flow);
        }
        self.events.push_back(ConsumerEvent::Assigned(partitions));
    }

    fn on_revoked(&mut self, now: Time, id: ReleaseId, partitions: Vec<TopicPartition>) {
        let done: Vec<_> = partitions.iter().filter_map(|name| Some((name, self.fetcher.partition(name)?))).collect();
        let rest = uncommitted(done.iter().map(|(name, p): &(_, &Partition)| (*name, p.done, p.committed)));
        for name in &partitions {
            self.fetcher.remove(name);
        }
        if let Some(membership) = &mut self.membership {
            if matches!(membership.commit, Commit::Auto(_)) && !rest.is_empty() {
                let until = now + self.cluster.settings().request_timeout;
                self.commits.begin(rest, Owner::Release(id), until);
            }
            let release = Release { partitions: partitions.clone(), application: Application::Working };
            membership.releases.insert(id, release);
        }
        self.events.push_back(ConsumerEvent::Revoked(id, partitions));
    }

    fn on_lost(&mut self, now: Time, id: ReleaseId, partitions: Vec<TopicPartition>) {
        for name in &partitions {
            self.fetcher.remove(name);
        }
        self.events.push_back(ConsumerEvent::Lost(partitions));
        if let Some(membership) = &mut self.membership {
            membership.released(now, id);
        }
    }

    /// Tells the group that a release is done, once the application and the commit before it are.
    fn settle_release(&mut self, now: Time, id: ReleaseId) {
        let committing = self.commits.under_way.values().any(|commit| commit.owner == Owner::Release(id));
        let Some(membership) = &mut self.membership else { return };
        let done = membership.releases.get(&id).is_some_and(|r| r.application == Application::Done);
        if done && !committing {
            membership.released(now, id);
        }
    }

    fn ask_committed(&mut self, now: Time) {
        let Some(membership) = &mut self.membership else { return };
        let (Some(node), None) = (membership.driver.node(), &membership.asked_committed) else { return };
        let names = self.fetcher.uncommitted(now);
        if names.is_empty() {
            return;
        }
        let mut asked = Vec::with_capacity(names.len());
        for name in &names {
            if let Some(partition) = self.fetcher.partition_mut(name) {
                partition.in_flight = Flight::Asked;
                asked.push((name.clone(), partition.stay));
            }
        }
        let request = offsets::fetch_request(&membership.driver.group, &names, self.cluster.metadata());
        membership.asked_committed = Some(asked);
        let timeout = self.cluster.settings().request_timeout;
        self.cluster.call(now, Target::Node(node).over(Lane::Control, timeout), request, Tag::Committed);
    }

    fn on_committed(&mut self, now: Time, result: Result<Option<Reply>, CallError>) {
        let Some(membership) = &mut self.membership else { return };
        let asked = membership.asked_committed.take().unwrap_or_default();
        let response = match result {
            Err(CallError::Unsupported(api)) => {
                self.events.push_back(ConsumerEvent::Error(ConsumeError::Unsupported(api.name())));
                return;
            }
            Ok(reply) => reply.and_then(|reply| OffsetFetchResponse::try_from(reply).ok()),
            Err(_) => None,
        };
        let found = response.map(|response| offsets::fetched(response, self.cluster.metadata()));
        let mut known: BTreeMap<TopicPartition, Result<Option<Offset>, ErrorCode>> = match found {
            Some(Ok(found)) => found.into_iter().collect(),
            Some(Err(code)) => {
                if is_coordinators(code) {
                    membership.driver.coordinator_lost(now);
                }
                BTreeMap::new()
            }
            None => BTreeMap::new(),
        };
        for (name, stay) in asked {
            if self.fetcher.partition(&name).is_none_or(|partition| partition.stay != stay) {
                continue;
            }
            match known.remove(&name) {
                Some(Ok(offset)) => self.fetcher.commit_known(&name, offset),
                _ => self.fetcher.postpone(now, &name, &mut self.cluster),
            }
        }
    }

    fn commit_in_time(&mut self, now: Time) {
        let Some(membership) = &mut self.membership else { return };
        if membership.driver.departure != Departure::Staying
            || !membership.auto_commit_due(now)
            || self.commits.has_timed()
        {
            return;
        }
        let rest = uncommitted(self.fetcher.partitions().map(|(name, p)| (name, p.done, p.committed)));
        if !rest.is_empty() && membership.fence().is_ok() {
            let until = now + self.cluster.settings().request_timeout;
            self.commits.begin(rest, Owner::Timer, until);
        }
    }

    fn send_commits(&mut self, now: Time) {
        let due: Vec<CommitId> = self.commits.due(now);
        for id in due {
            self.send_commit(now, id);
        }
    }

    fn send_commit(&mut self, now: Time, id: CommitId) {
        let Some(commit) = self.commits.under_way.get_mut(&id) else { return };
        let Some(membership) = &self.membership else { return };
        if commit.until <= now {
            return self.end_commit(now, id, Err(CommitError::TimedOut));
        }
        let held = |name: &&TopicPartition| self.fetcher.partition(name).is_some() || membership.is_releasing(name);
        if let Some(lost) = commit.offsets.keys().find(|name| !held(name)) {
            let lost = lost.clone();
            return self.end_commit(now, id, Err(CommitError::NotAssigned(lost)));
        }
        let fence = match membership.fence() {
            Ok(fence) => fence,
            Err(error) => return self.end_commit(now, id, Err(CommitError::Group(error))),
        };
        let Some(node) = membership.driver.node() else { return };
        commit.stage = Stage::Asked;
        commit.fence = Some(fence.clone());
        let request =
            offsets::commit_request(&membership.driver.group, &fence, &commit.offsets, self.cluster.metadata());
        let timeout = commit.until.since(now);
        self.cluster.call(now, Target::Node(node).over(Lane::Control, timeout), request, Tag::Commit(id));
    }

    fn on_commit(&mut self, now: Time, id: CommitId, result: Result<Option<Reply>, CallError>) {
        let response = match result {
            Err(CallError::Unsupported(_)) => {
                return self.end_commit(now, id, Err(CommitError::Group(GroupError::UnsupportedVersion)));
            }
            Ok(reply) => reply.and_then(|reply| OffsetCommitResponse::try_from(reply).ok()),
            Err(_) => None,
        };
        let Some(response) = response else { return self.retry_commit(now, id) };
        match offsets::commit_error(&response, self.cluster.metadata()) {
            None => self.end_commit(now, id, Ok(())),
            Some((_, code)) if is_coordinators(code) => {
                if let Some(membership) = &mut self.membership {
                    membership.driver.coordinator_lost(now);
                }
                self.retry_commit(now, id);
            }
            Some((partition, code)) => match code.reaction() {
                Reaction::Retry | Reaction::Refresh => self.retry_commit(now, id),
                Reaction::Rejoin => self.refuse_commit(now, id, rpc::group_error(code)),
                Reaction::Fatal => {
                    if is_groups(code) {
                        self.refuse_commit(now, id, rpc::group_error(code));
                    } else {
                        self.end_commit(now, id, Err(CommitError::Refused { partition, code }));
                    }
                }
            },
        }
    }

    fn refuse_commit(&mut self, now: Time, id: CommitId, error: GroupError) {
        let fence: Option<CommitFence> = self.commits.under_way.get(&id).and_then(|commit| commit.fence.clone());
        if let (Some(membership), Some(fence)) = (&mut self.membership, fence) {
            membership.commit_refused(now, fence, error.clone());
        }
        self.end_commit(now, id, Err(CommitError::Group(error)));
    }

    /// Sends a commit again later. One on a timer is not: the next would be overtaken by it.
    fn retry_commit(&mut self, now: Time, id: CommitId) {
        let Some(commit) = self.commits.under_way.get_mut(&id) else { return };
        if commit.owner == Owner::Timer {
            return self.end_commit(now, id, Err(CommitError::TimedOut));
        }
        commit.failures = commit.failures.saturating_add(1);
        commit.stage = Stage::Waiting(now + self.cluster.retry_wait(commit.failures));
    }

    fn end_commit(&mut self, now: Time, id: CommitId, result: Result<(), CommitError>) {
        let Some(commit) = self.commits.under_way.remove(&id) else { return };
        self.news = News::Some;
        if result.is_ok() {
            for (name, offset) in &commit.offsets {
                if let Some(partition) = self.fetcher.partition_mut(name) {
                    partition.committed = Some(*offset);
                }
            }
        }
        match commit.owner {
            Owner::Application => self.commits.end(id, result),
            Owner::Timer => {}
            Owner::Release(release) => {
                // Nobody waits for this one, and no later commit makes up for it.
                if let Err(error) = result {
                    self.events.push_back(ConsumerEvent::Error(ConsumeError::Commit(error)));
                }
                self.settle_release(now, release);
            }
        }
    }
}

const fn is_coordinators(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::NotCoordinator | ErrorCode::CoordinatorNotAvailable | ErrorCode::CoordinatorLoadInProgress
    )
}

const fn is_groups(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::IllegalGeneration
            | ErrorCode::UnknownMemberId
            | ErrorCode::RebalanceInProgress
            | ErrorCode::FencedInstanceId
            | ErrorCode::GroupAuthorizationFailed
    )
}

/// Rounds of answers and wishes in one go; what is left comes with the next input.
const TURNS: usize = 64;
