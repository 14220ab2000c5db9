use std::collections::BTreeMap;

use bytes::Bytes;

use crate::api::{DeleteGroupsJob, ListOffsetsJob, ProduceJob, TopicsJob};
use crate::contract::{EffectId, StorageFailure};
use crate::groups::AfterStore;
use crate::log::{BatchExtent, LogId};
use crate::node::Node;
use crate::topic::TopicDefinition;

/// What the shell was asked to do and has not reported yet, with what comes after it.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    last: u64,
    open: BTreeMap<EffectId, Effect>,
    /// Requests that wait for several effects.
    pub(crate) jobs: Jobs,
}

/// Requests that wait for effects.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    last: u64,
    pub(crate) produce: BTreeMap<JobId, ProduceJob>,
    pub(crate) list_offsets: BTreeMap<JobId, ListOffsetsJob>,
    pub(crate) topics: BTreeMap<JobId, TopicsJob>,
    pub(crate) delete_groups: BTreeMap<JobId, DeleteGroupsJob>,
}

/// Names a request that waits for effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct JobId(u64);

/// What comes after something is done.
#[derive(Debug)]
pub(crate) enum Effect {
    /// A batch of a client.
    Produced { job: JobId, at: Slot, written: Written },
    /// A batch of `__consumer_offsets`.
    Stored { written: Written, then: AfterStore },
    /// A topic is kept.
    TopicKept { job: Option<JobId>, slot: usize, topic: TopicDefinition },
    /// A topic is deleted.
    TopicDeleted { job: JobId, slot: usize },
    /// The batch that holds a time was read.
    Searched { job: JobId, at: Slot, wanted: Wanted },
}

/// A partition's place in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) topic: usize,
    pub(crate) partition: usize,
}

/// A batch on its way to a log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) log: LogId,
    pub(crate) segment: groma_model::Offset,
    pub(crate) position: u64,
    pub(crate) batch: BatchExtent,
}

/// Which record of a batch is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The first one of this time or later.
    Since(groma_model::Timestamp),
    /// The first one with the largest time.
    Newest,
}

impl Effects {
    pub(crate) fn next_id(&mut self) -> EffectId {
        self.last += 1;
        EffectId(self.last)
    }

    pub(crate) fn open(&mut self, effect: Effect) -> EffectId {
        let id = self.next_id();
        self.open.insert(id, effect);
        id
    }
}

impl Jobs {
    pub(crate) fn next_id(&mut self) -> JobId {
        self.last += 1;
        JobId(self.last)
    }
}

impl Node {
    pub(crate) fn done(&mut self, effect: EffectId, result: Result<(), StorageFailure>) {
        match self.effects.open.remove(&effect) {
            Some(Effect::Produced { job, at, written }) => {
                let result = self.settle(written, result);
                self.produced(job, at, written, result);
            }
            Some(Effect::Stored { written, then }) => {
                let result = self.settle(written, result);
                self.stored(written.log, then, result);
            }
            Some(Effect::TopicKept { job, slot, topic }) => self.topic_kept(job, slot, topic, result),
            Some(Effect::TopicDeleted { job, slot }) => self.topic_deleted(job, slot, result),
            Some(Effect::Searched { job, at, wanted }) => self.searched(job, at, wanted, result.map(|()| Bytes::new())),
            None => {}
        }
    }

    pub(crate) fn read(&mut self, effect: EffectId, result: Result<Bytes, StorageFailure>) {
        if let Some(Effect::Searched { job, at, wanted }) = self.effects.open.remove(&effect) {
            self.searched(job, at, wanted, result);
        }
    }

    /// Notes an append as done, or gives its room back, and wakes who waits for it.
    fn settle(&mut self, written: Written, result: Result<(), StorageFailure>) -> Result<(), StorageFailure> {
        let (now, size) = (self.now, u64::from(written.batch.size));
        let Some(log) = self.topics.log_mut(written.log) else {
            self.storage.bytes = self.storage.bytes.saturating_sub(size);
            return Err(StorageFailure);
        };
        match result {
            Ok(()) => log.apply(now, written.segment, &written.batch),
            Err(StorageFailure) => {
                log.give_up();
                self.storage.bytes = self.storage.bytes.saturating_sub(size);
                return result;
            }
        }
        for fetch in self.fetches.grown(written.log, size) {
            self.answer_fetch(fetch.call, &fetch.request);
        }
        Ok(())
    }
}
