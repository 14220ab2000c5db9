use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use groma_model::{Generation, MemberId, Offset, Timestamp, TopicPartition};
use groma_session::consumer::{CommitError, ConsumeError, Consumer as Machine, ConsumerEvent};

use super::Release;
use super::mind::ConsumerMind;
use crate::config::{check_client, check_group};
use crate::error::contacted;
use crate::shell::Shell;
use crate::{Admin, ClientConfig, ClientError, ConsumerConfig, Event, Fetched, GroupConfig, OffsetSpec, Revoked};

/// The partitions of this consumer are shared out by a group.
#[derive(Debug)]
pub enum Subscribed {}

/// The partitions of this consumer are chosen by the application.
#[derive(Debug)]
pub enum Assigned {}

/// Reads records. How it comes by its partitions is part of its type: only a `Consumer<Assigned>` can be given a full
/// assignment, so a member of a group cannot overwrite what the group decided.
///
/// ```compile_fail,E0599
/// # fn demo(consumer: groma_client::Consumer<groma_client::Subscribed>) {
/// consumer.assign(&[]); // a member takes what its group gives it
/// # }
/// ```
///
/// ```
/// # fn demo(consumer: groma_client::Consumer<groma_client::Assigned>) {
/// consumer.assign(&[]); // without a group, the application chooses
/// # }
/// ```
///
/// Dropping a member lets it leave its group in the background, as long as the runtime runs; [`Self::close`] waits for
/// that and says how the last commit ended.
#[derive(Debug)]
pub struct Consumer<Mode = Subscribed> {
    shell: Arc<Shell<ConsumerMind>>,
    cluster: ClientConfig,
    group: Option<String>,
    calls: u32,
    mode: PhantomData<fn() -> Mode>,
}

impl Consumer<Subscribed> {
    /// Joins a group and shares its topics' partitions.
    ///
    /// # Errors
    /// `Unreachable`; `Config` for settings that contradict each other.
    pub async fn subscribe(
        cluster: &ClientConfig,
        config: ConsumerConfig,
        group: GroupConfig,
        topics: &[&str],
    ) -> Result<Self, ClientError> {
        check_group(&group)?;
        let name = group.group.0.clone();
        let mut consumer = Self::open(cluster, config, Some(group)).await?;
        let topics = topics.iter().map(|topic| (*topic).to_owned()).collect();
        consumer.shell.with(|mind, now| mind.consumer.subscribe(now, topics));
        consumer.group = Some(name);
        Ok(consumer)
    }

    /// Changes the topics; the group hears of it in a new round.
    pub fn resubscribe(&self, topics: &[&str]) {
        let topics = topics.iter().map(|topic| (*topic).to_owned()).collect();
        self.shell.with(|mind, now| mind.consumer.subscribe(now, topics));
    }

    /// Commits offsets (each the position to go on from) under the current generation. The commit is on its way when
    /// this returns; the future, which does not borrow the consumer, tells how it ended.
    ///
    /// # Errors
    /// `CommitRefused` during a round or when a partition was lost; `NotAssigned`.
    pub fn commit(
        &self,
        offsets: &[(TopicPartition, Offset)],
    ) -> impl Future<Output = Result<(), ClientError>> + Send + 'static + use<> {
        let shell = Arc::clone(&self.shell);
        let offsets = offsets.iter().cloned().collect();
        let begun = shell.with(|mind, now| mind.consumer.commit(now, offsets));
        async move {
            let id = begun.map_err(of_commit)?;
            shell.wait_for(|mind, _| mind.consumer.committed(id)).await.map_err(of_commit)
        }
    }

    /// Commits the positions of everything taken so far.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub async fn commit_positions(&self) -> Result<(), ClientError> {
        let positions = self.shell.peek(|mind| mind.consumer.positions());
        self.commit(&positions).await
    }

    /// The group's generation this consumer is a member of.
    pub fn generation(&self) -> Option<Generation> {
        self.shell.peek(|mind| mind.consumer.generation())
    }

    /// The identity given by the coordinator.
    pub fn member_id(&self) -> Option<MemberId> {
        self.shell.peek(|mind| mind.consumer.member_id())
    }

    /// Leaves the group (unless a static member) after the last automatic commit.
    ///
    /// # Errors
    /// What the last automatic commit failed with; `TimedOut` when the group could not be left in time.
    pub async fn close(self) -> Result<(), ClientError> {
        let patience = self.patience();
        let left = leave(&self.shell, patience).await;
        left.unwrap_or_else(|_| {
            Err(ClientError::TimedOut {
                what: "leaving the group".to_owned(),
                after: groma_model::Span::from_millis(u64::try_from(patience.as_millis()).unwrap_or(u64::MAX)),
            })
        })
    }
}

impl Consumer<Assigned> {
    /// A consumer outside any group; give it partitions with [`Self::assign`].
    ///
    /// # Errors
    /// `Unreachable`.
    pub async fn connect(cluster: &ClientConfig, config: ConsumerConfig) -> Result<Self, ClientError> {
        Self::open(cluster, config, None).await
    }

    /// Reads exactly these partitions from now on, each from the given position or, without one, from the reset point.
    pub fn assign(&self, partitions: &[(TopicPartition, Option<Offset>)]) {
        self.shell.with(|mind, now| mind.consumer.assign(now, partitions));
    }
}

impl<Mode> Consumer<Mode> {
    fn patience(&self) -> Duration {
        Duration::from_nanos(self.cluster.request_timeout.0).min(CLOSE_PATIENCE)
    }

    async fn open(
        cluster: &ClientConfig,
        config: ConsumerConfig,
        group: Option<GroupConfig>,
    ) -> Result<Self, ClientError> {
        check_client(cluster)?;
        let mind = ConsumerMind { consumer: Machine::new(cluster, config, group) };
        let shell = Arc::new(Shell::start(mind, cluster.max_frame_bytes));
        shell.with(|mind, now| mind.consumer.start(now));
        shell.wait_for(|mind, _| contacted(cluster, mind.consumer.contact())).await?;
        Ok(Self { shell, cluster: cluster.clone(), group: None, calls: 0, mode: PhantomData })
    }

    fn event(&self, event: ConsumerEvent) -> Event {
        match event {
            ConsumerEvent::Assigned(partitions) => Event::Assigned(partitions),
            ConsumerEvent::Revoked(id, partitions) => {
                Event::Revoked(Revoked::new(partitions, Release { shell: Arc::downgrade(&self.shell), id }))
            }
            ConsumerEvent::Lost(partitions) => Event::Lost(partitions),
            ConsumerEvent::Records(chunk) => Event::Records(Fetched {
                partition: chunk.partition,
                batches: chunk.batches,
                from: chunk.from,
                next: chunk.next,
                high_watermark: chunk.high_watermark,
            }),
            ConsumerEvent::Rebalancing => Event::Rebalancing,
            ConsumerEvent::Stable(generation) => Event::Stable(generation),
            ConsumerEvent::Step(step) => Event::Step(step),
            ConsumerEvent::Error(error) => Event::Error(ClientError::of_consume(error)),
        }
    }

    /// The next event; waits until there is one.
    pub async fn next(&mut self) -> Event {
        self.calls = self.calls.wrapping_add(1);
        if self.calls.is_multiple_of(TURNS) {
            tokio::task::yield_now().await;
        }
        let event = self.shell.wait_for(|mind, now| mind.consumer.take(now)).await;
        self.event(event)
    }

    /// The next event if there is one already.
    pub fn try_next(&mut self) -> Option<Event> {
        let event = self.shell.with(|mind, now| mind.consumer.take(now))?;
        Some(self.event(event))
    }

    /// The partitions held.
    pub fn assignment(&self) -> Vec<TopicPartition> {
        self.shell.peek(|mind| mind.consumer.assignment())
    }

    /// Goes on from `offset`; what was fetched and not taken is dropped.
    ///
    /// # Errors
    /// `NotAssigned`.
    pub fn seek(&self, partition: &TopicPartition, offset: Offset) -> Result<(), ClientError> {
        if self.shell.with(|mind, now| mind.consumer.seek(now, partition, offset)) {
            return Ok(());
        }
        Err(ClientError::NotAssigned { partition: partition.clone() })
    }

    /// Fetches no more of these partitions and delivers none of what was fetched, until [`Self::resume`].
    pub fn pause(&self, partitions: &[TopicPartition]) {
        self.shell.with(|mind, _| mind.consumer.pause(partitions));
    }

    /// Undoes [`Self::pause`] and the wait of `OnAssigned::Wait`.
    pub fn resume(&self, partitions: &[TopicPartition]) {
        self.shell.with(|mind, now| mind.consumer.resume(now, partitions));
    }

    /// The offset of the next record to be delivered, once known.
    pub fn position(&self, partition: &TopicPartition) -> Option<Offset> {
        self.shell.peek(|mind| mind.consumer.position(partition))
    }

    /// The end of what can be read, as of the last fetch.
    pub fn high_watermark(&self, partition: &TopicPartition) -> Option<Offset> {
        self.shell.peek(|mind| mind.consumer.high_watermark(partition))
    }

    /// Records between position and high watermark, once both are known.
    pub fn lag(&self, partition: &TopicPartition) -> Option<u64> {
        let (end, position) = self
            .shell
            .peek(|mind| Some((mind.consumer.high_watermark(partition)?, mind.consumer.position(partition)?)))?;
        Some(u64::try_from(end.0 - position.0).unwrap_or(0))
    }

    /// The group's committed offsets; none where nothing was committed. Empty without a group.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn committed(
        &self,
        partitions: &[TopicPartition],
    ) -> Result<Vec<(TopicPartition, Option<Offset>)>, ClientError> {
        let Some(group) = &self.group else { return Ok(Vec::new()) };
        let found = Admin::connect(&self.cluster).await?.committed(group).await?;
        let of = |name: &TopicPartition| found.iter().find(|(n, _)| n == name).map(|(_, offset)| *offset);
        Ok(partitions.iter().map(|name| (name.clone(), of(name))).collect())
    }

    /// The first offset whose record is not older than `timestamp`, for each partition; none when there is no such record.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn offsets_at(
        &self,
        timestamp: Timestamp,
        partitions: &[TopicPartition],
    ) -> Result<Vec<(TopicPartition, Option<Offset>)>, ClientError> {
        let found = Admin::connect(&self.cluster).await?.list_offsets(OffsetSpec::At(timestamp), partitions).await?;
        Ok(found.into_iter().map(|listed| (listed.partition, listed.offset)).collect())
    }
}

impl<Mode> Drop for Consumer<Mode> {
    fn drop(&mut self) {
        let member = self.group.is_some() && self.shell.peek(|mind| !mind.consumer.has_left());
        if let (true, Ok(runtime)) = (member, tokio::runtime::Handle::try_current()) {
            let (shell, patience) = (Arc::clone(&self.shell), self.patience());
            runtime.spawn(async move { leave(&shell, patience).await });
        }
    }
}

/// How leaving ended, unless it takes too long.
type Left = Result<Result<(), ClientError>, tokio::time::error::Elapsed>;

async fn leave(shell: &Shell<ConsumerMind>, patience: Duration) -> Left {
    shell.with(|mind, now| mind.consumer.leave(now));
    let mut commit = Ok(());
    let gone = shell.wait_for(|mind, now| depart(mind, now, &mut commit));
    tokio::time::timeout(patience, gone).await?;
    Ok(commit)
}

/// Gives up what is revoked on the way out; done when the group has been left.
fn depart(mind: &mut ConsumerMind, now: groma_model::Time, commit: &mut Result<(), ClientError>) -> Option<()> {
    while let Some(event) = mind.consumer.take(now) {
        match event {
            ConsumerEvent::Revoked(id, _) => mind.consumer.released(now, id),
            ConsumerEvent::Error(error @ ConsumeError::Commit(_)) => *commit = Err(ClientError::of_consume(error)),
            _ => {}
        }
    }
    mind.consumer.has_left().then_some(())
}

fn of_commit(error: CommitError) -> ClientError {
    match error {
        CommitError::NotAssigned(partition) => ClientError::NotAssigned { partition },
        error => ClientError::of_commit(&error),
    }
}

/// After so many calls the connections get a turn, in case the application never waits.
const TURNS: u32 = 4;
/// How long leaving may take.
const CLOSE_PATIENCE: Duration = Duration::from_secs(5);
