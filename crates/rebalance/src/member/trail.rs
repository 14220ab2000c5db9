use std::collections::{BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};

use groma_model::{Generation, Span, Time};

use crate::digest::{until, until_some};
use crate::embedded::{Bell, Embedded, Note, Trail, Waiting};

/// What a member carries from round to round beside what it holds; times are absolute here.
#[derive(Clone, Debug)]
pub(super) struct Carried<E: Embedded> {
    waits: Vec<(Waiting<E::Resource>, Time)>,
    pace: Option<Time>,
    formation: Option<Time>,
    members: Option<u32>,
    catalog: Option<u64>,
    released: BTreeSet<E::Resource>,
    /// What the join that is under way names as released.
    named: BTreeSet<E::Resource>,
    bell: Bell,
    memory: VecDeque<(Generation, E::Memory)>,
    /// When the join that is under way was sent.
    pub(super) join_sent: Time,
}

/// A leader remembers its last plan, and the one before for the case that nobody ever took the last.
const PLANS_MAX: usize = 2;

impl<E: Embedded> Carried<E> {
    pub(super) const fn new() -> Self {
        Self {
            waits: Vec::new(),
            pace: None,
            formation: None,
            members: None,
            catalog: None,
            released: BTreeSet::new(),
            named: BTreeSet::new(),
            bell: Bell::Silent,
            memory: VecDeque::new(),
            join_sent: Time::ZERO,
        }
    }

    /// As of now, to be told to a leader.
    pub(super) fn trail(&self, now: Time) -> Trail<E::Resource> {
        let left = |(wait, end): &(Waiting<E::Resource>, Time)| Waiting { left: end.since(now), ..wait.clone() };
        Trail {
            waits: self.waits.iter().map(left).collect(),
            pace: self.pace.map(|end| end.since(now)),
            formation: self.formation.map(|end| end.since(now)),
            members: self.members,
            catalog: self.catalog,
            released: self.released.clone(),
            bell: self.bell,
        }
    }

    pub(super) fn join_sent(&mut self, now: Time) {
        self.join_sent = now;
        self.bell = Bell::Silent;
        self.named.clone_from(&self.released);
    }

    pub(super) const fn ring(&mut self) {
        self.bell = Bell::Rang;
    }

    pub(super) fn released(&mut self, gone: impl Iterator<Item = E::Resource>) {
        self.released.extend(gone);
    }

    /// A group that begins gathers its members until then, as far as this member says.
    pub(super) fn gather(&mut self, end: Time) {
        self.formation = Some(end.min(self.formation.unwrap_or(Time::NEVER)));
    }

    /// Until when a group that begins gathers its members.
    pub(super) fn gathers_until(&self) -> Option<Time> {
        self.formation
    }

    /// A leader has told what waits. An episode that was known goes on: nobody can make it longer.
    pub(super) fn told(&mut self, now: Time, note: Option<&Note<E::Resource>>) {
        self.released = self.released.difference(&self.named).cloned().collect();
        self.named.clear();
        let before = std::mem::take(&mut self.waits);
        let known = |wait: &Waiting<E::Resource>| {
            let same = |(w, _): &&(Waiting<E::Resource>, Time)| (w.opened, &w.owner) == (wait.opened, &wait.owner);
            before.iter().find(same).map(|(_, end)| *end)
        };
        let end = |wait: &Waiting<E::Resource>| (now + wait.left).min(known(wait).unwrap_or(Time::NEVER));
        self.waits = note.into_iter().flat_map(|n| &n.waits).map(|wait| (wait.clone(), end(wait))).collect();
        self.pace = note.and_then(|n| n.pace).map(|pace| now + pace);
        let gather = note.and_then(|n| n.formation).map(|left| now + left);
        self.formation = gather.map(|end| end.min(self.formation.unwrap_or(Time::NEVER)));
        self.members = note.and_then(|n| n.members);
        self.catalog = note.map(|n| n.catalog);
    }

    /// When the first of the waits is over.
    pub(super) fn first_end(&self) -> Option<Time> {
        self.waits.iter().map(|(_, end)| *end).chain(self.formation).min()
    }

    /// Everything was lost: what was told belongs to a group that goes on without us. Plans stay, for as long as the
    /// group reports their generation.
    pub(super) fn forget(&mut self) {
        let memory = std::mem::take(&mut self.memory);
        *self = Self { join_sent: self.join_sent, memory, ..Self::new() };
    }

    pub(super) fn remember(&mut self, generation: Generation, memory: Option<E::Memory>) {
        self.memory.retain(|(before, _)| *before < generation);
        self.memory.extend(memory.map(|memory| (generation, memory)));
        while self.memory.len() > PLANS_MAX {
            self.memory.pop_front();
        }
    }

    /// The plans that this member made, the latest last.
    pub(super) fn memory(&mut self) -> &[(Generation, E::Memory)] {
        self.memory.make_contiguous()
    }

    pub(super) fn gathered(&self, now: Time) -> Span {
        now.since(self.join_sent)
    }
}

impl<E: Embedded> Carried<E>
where
    E::Resource: Hash,
    E::Memory: Hash,
{
    pub(super) fn digest<H: Hasher>(&self, now: Time, hasher: &mut H) {
        for (wait, end) in &self.waits {
            (&wait.owner, wait.opened, &wait.resources).hash(hasher);
            until(*end, now, hasher);
        }
        until_some(self.pace, now, hasher);
        until_some(self.formation, now, hasher);
        (self.members, self.catalog, &self.released, &self.named, self.bell, &self.memory).hash(hasher);
    }
}
