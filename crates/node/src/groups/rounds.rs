use std::collections::VecDeque;

use bytes::Bytes;
use groma_explain::{Fact, ROUNDS_TOPIC, Source, What, line, of_coordinator};
use groma_model::GroupId;
use groma_rebalance::coordinator::Event;

use super::AfterStore;
use super::record::KeptRecord;
use crate::log::LogId;
use crate::node::Node;
use crate::topic::TopicConfig;

/// What coordinators told of their rounds: the last of it in memory, until somebody asks for the topic
/// [`ROUNDS_TOPIC`]. From then on it is written there.
#[derive(Debug, Default)]
pub(crate) struct Told {
    waiting: VecDeque<Fact>,
}

/// The most that is kept in memory, some 200 bytes each.
const WAITING_MAX: usize = 4096;
/// The steps of single members are told in groups of up to so many.
const STEPS_MEMBERS_MAX: usize = 500;

impl Node {
    /// Notes what a group's coordinator tells.
    pub(super) fn note_event(&mut self, id: &GroupId, event: &Event) {
        let Some((member, what)) = of_coordinator(event) else { return };
        let members = self.groups.get(id).map_or(0, |group| group.group.metadata().members.len());
        if members > STEPS_MEMBERS_MAX && matches!(what, What::Joined { .. } | What::Synced | What::RoundAlso { .. }) {
            return;
        }
        let (time_ms, group) = (self.wall().0, id.0.clone());
        if self.groups.told.waiting.len() >= WAITING_MAX {
            self.groups.told.waiting.pop_front();
        }
        self.groups.told.waiting.push_back(Fact { time_ms, group, source: Source::Broker, member, what });
    }

    /// Writes what was told, if anybody ever asked for it.
    pub(super) fn write_told(&mut self) {
        if self.groups.told.waiting.is_empty() {
            return;
        }
        let Some(topic) = self.topics.id(ROUNDS_TOPIC) else { return };
        let told = std::mem::take(&mut self.groups.told.waiting);
        let records: Vec<KeptRecord> = told.iter().map(record).collect();
        // What cannot be stored is gone: it explains, and decides nothing.
        let _ = self.keep_in(LogId { topic, partition: 0 }, &records, AfterStore::Told);
    }

    /// Somebody asks for the topic: it is made, and what is remembered is written.
    pub(crate) fn open_rounds_topic(&mut self) {
        if self.topics.id(ROUNDS_TOPIC).is_some() {
            return;
        }
        let settings = [("retention.bytes", "4194304"), ("segment.bytes", "1048576"), ("retention.ms", "-1")];
        let given = settings.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let config = TopicConfig::parse(given).unwrap_or_default();
        let topic = self.new_definition(ROUNDS_TOPIC.to_owned(), 1, &config);
        self.keep_topic(None, 0, topic.clone());
        self.establish(topic);
        self.write_told();
    }
}

fn record(fact: &Fact) -> KeptRecord {
    let value = line(fact);
    KeptRecord {
        key: Bytes::copy_from_slice(fact.group.as_bytes()),
        value: Some(Bytes::copy_from_slice(value.trim_end().as_bytes())),
    }
}
