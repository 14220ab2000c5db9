use groma_model::{GroupId, Offset};
use groma_rebalance::coordinator::{Input, Ticket};
use groma_wire::records::{BatchBuilder, BatchMeta, batches};

use super::record::KeptRecord;
use crate::api::{CommitJob, DeleteGroupJob};
use crate::contract::{Output, StorageFailure};
use crate::effects::{Effect, Written};
use crate::log::{BatchExtent, LogId};
use crate::node::Node;
use crate::topic::{OFFSETS_TOPIC, TopicConfig};

/// What comes after records of `__consumer_offsets` are stored.
#[derive(Debug)]
pub(crate) enum AfterStore {
    Nothing,
    /// The group hears of it.
    Group(StoredGroup),
    /// The offsets count from now on, and the client hears of it.
    Commit(Box<CommitJob>),
    /// The group is gone, and the client hears of it.
    Deleted(Box<DeleteGroupJob>),
    /// Records of another topic: nothing depends on them.
    Told,
    /// What lies before this offset is not needed any more.
    Rewritten(LogId, Offset),
}

/// A group's record on its way to the log.
#[derive(Debug)]
pub(crate) struct StoredGroup {
    pub(crate) id: GroupId,
    pub(crate) ticket: Ticket,
}

impl Node {
    /// Sends records of a group on their way into its log of `__consumer_offsets`, as one batch, or gives back what
    /// should have come after. The limit on the size of all logs does not apply: a full broker still lets its groups
    /// work.
    pub(crate) fn keep(
        &mut self,
        group: &GroupId,
        records: Vec<KeptRecord>,
        then: AfterStore,
    ) -> Result<(), AfterStore> {
        match self.offsets_log(group) {
            Some(log) => self.keep_in(log, &records, then),
            None => Err(then),
        }
    }

    pub(super) fn keep_in(&mut self, log: LogId, records: &[KeptRecord], then: AfterStore) -> Result<(), AfterStore> {
        let wall = self.wall();
        let mut builder = BatchBuilder::new();
        for record in records {
            builder.append(wall, Some(&record.key), record.value.as_deref());
        }
        let batch = builder.finish(BatchMeta::default());
        let Some(Ok(header)) = batches(&batch).next().map(|batch| batch.map(|batch| batch.header)) else {
            return Err(then);
        };
        let Some(limits) = self.topics.get(log.topic).map(|topic| topic.limits) else { return Err(then) };
        let Some(open) = self.topics.log_mut(log) else { return Err(then) };
        let size = batch.len() as u32;
        let berth = open.reserve(header.count, size, limits.segment_bytes);
        self.storage.bytes += u64::from(size);
        let extent = BatchExtent {
            base_offset: berth.base_offset,
            last_offset: Offset(berth.base_offset.0 + i64::from(header.last_offset_delta)),
            size,
            max_timestamp: header.max_timestamp,
            producer: None,
        };
        let written = Written { log, segment: berth.segment, position: berth.position, batch: extent };
        let effect = self.effects.open(Effect::Stored { written, then });
        self.write(effect, written, batch);
        Ok(())
    }

    /// As [`Node::keep`], where nothing comes after: what is not stored is read back once more after a restart.
    pub(crate) fn keep_if_possible(&mut self, group: &GroupId, records: Vec<KeptRecord>) {
        if !records.is_empty() {
            let _ = self.keep(group, records, AfterStore::Nothing);
        }
    }

    /// Records of `__consumer_offsets` are written, or could not be.
    pub(crate) fn stored(&mut self, log: LogId, then: AfterStore, result: Result<(), StorageFailure>) {
        match then {
            AfterStore::Nothing => {}
            AfterStore::Told => return,
            AfterStore::Group(StoredGroup { id, ticket }) => {
                let input = if result.is_ok() { Input::Persisted(ticket) } else { Input::PersistFailed(ticket) };
                self.settle_group(&id, input);
            }
            AfterStore::Commit(job) => self.committed(*job, result),
            AfterStore::Deleted(job) => self.group_deleted(*job, result),
            AfterStore::Rewritten(log, before) if result.is_ok() => return self.drop_before(log, before),
            AfterStore::Rewritten(..) => {}
        }
        self.rewrite_if_large(log);
    }

    /// The log that a group's records belong to; the topic is made with the first group.
    pub(super) fn offsets_log(&mut self, group: &GroupId) -> Option<LogId> {
        if self.topics.id(OFFSETS_TOPIC).is_none() {
            self.make_offsets_topic();
        }
        let topic = self.topics.named(OFFSETS_TOPIC)?;
        let partition = group.offsets_partition(i32::try_from(topic.partitions.len()).ok()?)?;
        Some(LogId { topic: topic.id, partition })
    }

    /// Makes `__consumer_offsets` and counts on it at once: should the shell fail to keep it, the appends that follow
    /// fail as well, and are answered so.
    fn make_offsets_topic(&mut self) {
        let settings = [("cleanup.policy", "compact"), ("segment.bytes", "104857600")];
        let given = settings.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let config = TopicConfig::parse(given).unwrap_or_default();
        let partitions = self.identity.settings.offsets_topic_partitions;
        let topic = self.new_definition(OFFSETS_TOPIC.to_owned(), partitions, &config);
        self.establish(topic.clone());
        let effect = self.effects.open(Effect::TopicKept { job: None, slot: 0, topic: topic.clone() });
        self.emit(Output::KeepTopic { effect, topic });
    }
}
