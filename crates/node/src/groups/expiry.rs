use std::collections::BTreeSet;

use groma_model::{GroupId, Timestamp};
use groma_rebalance::coordinator::GroupState;

use super::record::{group_tombstone, offset_tombstone};
use super::{Coordinated, Position};
use crate::contract::Notice;
use crate::node::Node;
use crate::topic::Topic;

/// From when on an unused offset's time runs.
enum Unused {
    /// In use: never.
    No,
    /// From its commit, unless its topic is one of these.
    SinceCommitExcept(BTreeSet<String>),
    /// From its commit, but not before this.
    SinceAtLeast(Timestamp),
}

impl Node {
    /// Forgets offsets that nobody used for `offsets.retention.minutes`, and groups that have nothing left.
    pub(crate) fn expire_offsets(&mut self) {
        for id in self.groups.ids() {
            let expired = self.expired_offsets(&id);
            if !expired.is_empty() {
                self.tell(Notice::OffsetsExpired { group: id.0.clone(), offsets: expired.len() });
            }
            self.forget_offsets(&id, expired);
            self.forget_group_if_bare(&id);
        }
    }

    /// Forgets the offsets of a deleted topic in all groups: another topic of that name has other records.
    pub(crate) fn forget_offsets_of(&mut self, topic: &Topic) {
        for id in self.groups.ids() {
            let Some(group) = self.groups.get_mut(&id) else { continue };
            let gone: Vec<i32> =
                group.offsets.keys().filter(|at| at.topic == topic.id).map(|at| at.partition).collect();
            if gone.is_empty() {
                continue;
            }
            group.offsets.retain(|at, _| at.topic != topic.id);
            let records =
                gone.into_iter().filter_map(|partition| offset_tombstone(&id, &topic.name, partition)).collect();
            self.keep_if_possible(&id, records);
        }
    }

    fn expired_offsets(&self, id: &GroupId) -> Vec<Position> {
        let Some(group) = self.groups.get(id) else { return Vec::new() };
        let unused = self.unused(group);
        let retention = i64::try_from(self.identity.settings.offsets_retention.as_millis()).unwrap_or(i64::MAX);
        let limit = self.wall().0.saturating_sub(retention);
        let expired = |position: &Position, at: Timestamp| match &unused {
            Unused::No => false,
            Unused::SinceAtLeast(least) => at.max(*least).0 < limit,
            Unused::SinceCommitExcept(topics) => {
                at.0 < limit && self.topics.get(position.topic).is_some_and(|topic| !topics.contains(&topic.name))
            }
        };
        let offsets = group.offsets.iter().filter(|(position, committed)| expired(position, committed.at));
        offsets.map(|(position, _)| *position).collect()
    }

    fn unused(&self, group: &Coordinated) -> Unused {
        let since = self.now.since(group.group.state_since()).as_millis();
        let since = Timestamp(self.wall().0.saturating_sub(i64::try_from(since).unwrap_or(i64::MAX)));
        match group.state() {
            GroupState::Empty if group.group.metadata().protocol_type.is_some() => Unused::SinceAtLeast(since),
            GroupState::Empty => Unused::SinceAtLeast(Timestamp(i64::MIN)),
            GroupState::Stable => group.group.subscribed_topics().map_or(Unused::No, Unused::SinceCommitExcept),
            _ => Unused::No,
        }
    }

    fn forget_offsets(&mut self, id: &GroupId, positions: Vec<Position>) {
        let Some(group) = self.groups.get_mut(id) else { return };
        positions.iter().for_each(|position| drop(group.offsets.remove(position)));
        let tombstone = |position: &Position| {
            let topic = self.topics.get(position.topic)?;
            offset_tombstone(id, &topic.name, position.partition)
        };
        let records: Vec<_> = positions.iter().filter_map(tombstone).collect();
        self.keep_if_possible(id, records);
    }

    /// An empty group without offsets is forgotten; a group keeps its generation as long as it has something.
    fn forget_group_if_bare(&mut self, id: &GroupId) {
        let bare = self.groups.get(id).is_some_and(|group| {
            group.offsets.is_empty() && group.state() == GroupState::Empty && group.group.deadline().is_none()
        });
        if bare && let Some(record) = group_tombstone(id) {
            self.groups.remove(id);
            self.keep_if_possible(id, vec![record]);
        }
    }
}
