use groma_model::{GroupId, Offset};
use groma_rebalance::coordinator::GroupRecord;

use super::AfterStore;
use super::record::{KeptRecord, group_record, offset_record};
use crate::contract::Output;
use crate::log::LogId;
use crate::node::Node;

/// A log of `__consumer_offsets` is written anew once it has grown by so many bytes over what is needed, doubled.
const SLACK: u64 = 16 << 20;
/// Records of one batch.
const RECORDS_PER_BATCH: usize = 1000;

impl Node {
    /// Keeps a log of `__consumer_offsets` from growing for ever: appends what its groups amount to now, and drops all
    /// that lies before. A crash in between leaves both, which read the same.
    pub(super) fn rewrite_if_large(&mut self, log: LogId) {
        let Some(bytes) = self.topics.log(log).map(|log| log.bytes()) else { return };
        let limit = *self.groups.rewrite_at.entry(log.partition).or_insert(SLACK);
        if bytes < limit {
            return;
        }
        let records = self.records_of(log);
        let Some(open) = self.topics.log_mut(log) else { return };
        open.roll();
        let begin = open.next_offset();
        let before = open.bytes();
        self.groups.rewrite_at.insert(log.partition, u64::MAX);
        let mut chunks = records.chunks(RECORDS_PER_BATCH).peekable();
        while let Some(chunk) = chunks.next() {
            let then = match chunks.peek() {
                Some(_) => AfterStore::Nothing,
                None => AfterStore::Rewritten(log, begin),
            };
            if self.keep_in(log, chunk, then).is_err() {
                return;
            }
        }
        if records.is_empty() {
            self.groups.rewrite_at.insert(log.partition, before * 2);
        }
    }

    /// Drops the segments before a rewritten log's new beginning.
    pub(super) fn drop_before(&mut self, log: LogId, before: Offset) {
        let Some(open) = self.topics.log_mut(log) else { return };
        let retired = open.retire_before(before);
        let limit = open.bytes() * 2 + SLACK;
        self.groups.rewrite_at.insert(log.partition, limit);
        self.free(retired.iter().map(|segment| segment.size).sum());
        for segment in retired {
            self.emit(Output::DropSegment { log, base: segment.base });
        }
    }

    /// What the groups of a log amount to.
    fn records_of(&mut self, log: LogId) -> Vec<KeptRecord> {
        let mut records = Vec::new();
        for id in self.groups.ids() {
            if self.offsets_log(&id) == Some(log) {
                self.add_records_of(&id, &mut records);
            }
        }
        records
    }

    fn add_records_of(&self, id: &GroupId, records: &mut Vec<KeptRecord>) {
        let Some(group) = self.groups.get(id) else { return };
        let metadata = group.group.metadata();
        if metadata.protocol_type.is_some() {
            records.extend(group_record(id, &GroupRecord::Metadata(metadata.clone().into()), self.wall()));
        }
        for (position, committed) in &group.offsets {
            if let Some(topic) = self.topics.get(position.topic) {
                records.extend(offset_record(id, &topic.name, *position, committed));
            }
        }
    }
}
