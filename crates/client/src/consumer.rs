use std::marker::PhantomData;

use groma_model::{Generation, MemberId, Offset, Timestamp, TopicPartition};

use crate::{ClientConfig, ClientError, ConsumerConfig, Event, GroupConfig};

/// The partitions of this consumer are shared out by a group.
#[derive(Debug)]
pub enum Subscribed {}

/// The partitions of this consumer are chosen by the application.
#[derive(Debug)]
pub enum Assigned {}

/// Reads records. How it comes by its partitions is part of its type: only a `Consumer<Assigned>` can be given a full
/// assignment, so a member of a group cannot overwrite what the group decided.
///
/// ```compile_fail
/// # async fn demo(consumer: groma_client::Consumer<groma_client::Subscribed>) {
/// consumer.assign(&[]).await; // a member takes what its group gives it
/// # }
/// ```
#[derive(Debug)]
pub struct Consumer<Mode = Subscribed> {
    mode: PhantomData<Mode>,
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
        let _ = (cluster, config, group, topics);
        todo!()
    }

    /// Changes the topics; the group hears of it in a new round.
    pub fn resubscribe(&self, topics: &[&str]) {
        let _ = topics;
        todo!()
    }

    /// Commits offsets (each the position to go on from) under the current generation.
    ///
    /// # Errors
    /// `CommitRefused` during a round or when a partition was lost; `NotAssigned`.
    pub async fn commit(&self, offsets: &[(TopicPartition, Offset)]) -> Result<(), ClientError> {
        let _ = offsets;
        todo!()
    }

    /// Commits the positions of everything taken so far.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub async fn commit_positions(&self) -> Result<(), ClientError> {
        todo!()
    }

    /// The group's generation this consumer is a member of.
    pub fn generation(&self) -> Option<Generation> {
        todo!()
    }

    /// The identity given by the coordinator.
    pub fn member_id(&self) -> Option<MemberId> {
        todo!()
    }

    /// Leaves the group (unless a static member) after the last automatic commit.
    ///
    /// # Errors
    /// What the last commit failed with.
    pub async fn close(self) -> Result<(), ClientError> {
        todo!()
    }
}

impl Consumer<Assigned> {
    /// A consumer outside any group; give it partitions with [`Self::assign`].
    ///
    /// # Errors
    /// `Unreachable`.
    pub async fn connect(cluster: &ClientConfig, config: ConsumerConfig) -> Result<Self, ClientError> {
        let _ = (cluster, config);
        todo!()
    }

    /// Reads exactly these partitions from now on, each from the given position or, without one, from the reset point.
    pub fn assign(&self, partitions: &[(TopicPartition, Option<Offset>)]) {
        let _ = partitions;
        todo!()
    }
}

impl<Mode> Consumer<Mode> {
    /// The next event; waits until there is one.
    pub async fn next(&mut self) -> Event {
        todo!()
    }

    /// The next event if there is one already.
    pub fn try_next(&mut self) -> Option<Event> {
        todo!()
    }

    /// The partitions held.
    pub fn assignment(&self) -> Vec<TopicPartition> {
        todo!()
    }

    /// Goes on from `offset`; what was fetched and not taken is dropped.
    ///
    /// # Errors
    /// `NotAssigned`.
    pub fn seek(&self, partition: &TopicPartition, offset: Offset) -> Result<(), ClientError> {
        let _ = (partition, offset);
        todo!()
    }

    /// Fetches no more of these partitions and delivers none of what was fetched, until [`Self::resume`].
    pub fn pause(&self, partitions: &[TopicPartition]) {
        let _ = partitions;
        todo!()
    }

    /// Undoes [`Self::pause`] and the wait of `OnAssigned::Wait`.
    pub fn resume(&self, partitions: &[TopicPartition]) {
        let _ = partitions;
        todo!()
    }

    /// The offset of the next record to be delivered, once known.
    pub fn position(&self, partition: &TopicPartition) -> Option<Offset> {
        let _ = partition;
        todo!()
    }

    /// The end of what can be read, as of the last fetch.
    pub fn high_watermark(&self, partition: &TopicPartition) -> Option<Offset> {
        let _ = partition;
        todo!()
    }

    /// Records between position and high watermark, once both are known.
    pub fn lag(&self, partition: &TopicPartition) -> Option<u64> {
        let _ = partition;
        todo!()
    }

    /// The group's committed offsets; none where nothing was committed. Empty without a group.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn committed(
        &self,
        partitions: &[TopicPartition],
    ) -> Result<Vec<(TopicPartition, Option<Offset>)>, ClientError> {
        let _ = partitions;
        todo!()
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
        let _ = (timestamp, partitions);
        todo!()
    }
}
