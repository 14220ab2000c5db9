use std::collections::{BTreeMap, BTreeSet};

use groma_model::{GroupId, Offset, Time, Timestamp, TopicId};
use groma_rebalance::coordinator::{CoordinatorConfig, Group, GroupMetadata, GroupState, Token};

use super::rounds::Told;
use crate::call::Call;
use crate::settings::Settings;

/// All groups, what they committed, and the requests parked in them.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    known: BTreeMap<GroupId, Coordinated>,
    due: BTreeSet<(Time, GroupId)>,
    calls: BTreeMap<Token, Call>,
    last_token: u64,
    /// What the records read so far say, before the node is ready.
    pub(super) replayed: BTreeMap<GroupId, Option<GroupMetadata>>,
    /// At how many bytes each log of `__consumer_offsets` is written anew, by partition.
    pub(super) rewrite_at: BTreeMap<i32, u64>,
    pub(super) told: Told,
}

/// A group and its offsets.
#[derive(Debug)]
pub(crate) struct Coordinated {
    pub(crate) group: Group,
    pub(crate) offsets: BTreeMap<Position, CommittedOffset>,
    due: Option<Time>,
}

/// A partition that a group has an offset of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) topic: TopicId,
    pub(crate) partition: i32,
}

/// How far a group has come in a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommittedOffset {
    pub(crate) offset: Offset,
    pub(crate) leader_epoch: Option<i32>,
    pub(crate) metadata: String,
    pub(crate) at: Timestamp,
}

impl Coordinated {
    pub(crate) fn new(group: Group) -> Self {
        Self { group, offsets: BTreeMap::new(), due: None }
    }

    pub(crate) fn state(&self) -> GroupState {
        self.group.view().state
    }

    /// Whether nothing would be lost with it: it never had a generation, has no offsets, and waits for nobody.
    fn is_nothing(&self) -> bool {
        self.offsets.is_empty() && self.group.deadline().is_none() && self.group.metadata().protocol_type.is_none() && {
            let view = self.group.view();
            view.state == GroupState::Dead || (view.state == GroupState::Empty && view.generation.0 == 0)
        }
    }
}

impl Groups {
    pub(crate) fn deadline(&self) -> Option<Time> {
        self.due.first().map(|(at, _)| *at)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub(crate) fn get(&self, id: &GroupId) -> Option<&Coordinated> {
        self.known.get(id)
    }

    pub(crate) fn get_mut(&mut self, id: &GroupId) -> Option<&mut Coordinated> {
        self.known.get_mut(id)
    }

    /// The group of this name, made if there is none.
    pub(crate) fn open(&mut self, id: &GroupId, config: CoordinatorConfig) -> &mut Coordinated {
        self.known.entry(id.clone()).or_insert_with(|| Coordinated::new(Group::new(config)))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&GroupId, &Coordinated)> {
        self.known.iter()
    }

    pub(crate) fn ids(&self) -> Vec<GroupId> {
        self.known.keys().cloned().collect()
    }

    pub(crate) fn remove(&mut self, id: &GroupId) -> Option<Coordinated> {
        let removed = self.known.remove(id)?;
        if let Some(due) = removed.due {
            self.due.remove(&(due, id.clone()));
        }
        Some(removed)
    }

    /// Notes a group's deadline anew, and forgets the group if nothing would be lost.
    pub(super) fn refresh(&mut self, id: &GroupId) {
        let Some(group) = self.known.get_mut(id) else { return };
        let due = group.group.deadline().map(|(at, _)| at);
        let before = std::mem::replace(&mut group.due, due);
        let forget = group.is_nothing();
        if before != due {
            if let Some(at) = before {
                self.due.remove(&(at, id.clone()));
            }
            self.due.extend(due.map(|at| (at, id.clone())));
        }
        if forget {
            self.remove(id);
        }
    }

    /// A group whose deadline is over.
    pub(super) fn due(&self, now: Time) -> Option<GroupId> {
        self.due.first().filter(|(at, _)| *at <= now).map(|(_, id)| id.clone())
    }

    /// Keeps a call until its group answers.
    pub(super) fn park(&mut self, call: Call) -> Token {
        self.last_token += 1;
        let token = Token(self.last_token);
        self.calls.insert(token, call);
        token
    }

    pub(super) fn unpark(&mut self, token: Token) -> Option<Call> {
        self.calls.remove(&token)
    }
}

/// A coordinator's settings, taken from the broker's.
pub(super) fn coordinator_config(settings: &Settings) -> CoordinatorConfig {
    CoordinatorConfig {
        session_timeout_min: settings.group_min_session_timeout,
        session_timeout_max: settings.group_max_session_timeout,
        initial_rebalance_delay: settings.group_initial_rebalance_delay,
        members_max: settings.group_max_size as usize,
        ..CoordinatorConfig::default()
    }
}
