use std::collections::BTreeSet;

use groma_model::TopicPartition;

use super::Resource;
use crate::embedded::{Grant, GrantChange, Note, Offence, Trail, Waiting};
use crate::member::Move;

/// A resource as the core knows it: a topic with one partition.
pub(super) fn part<R: Resource>(resource: &R) -> TopicPartition {
    TopicPartition::new(resource.name(), 0)
}

pub(super) fn parts<R: Resource>(resources: &BTreeSet<R>) -> BTreeSet<TopicPartition> {
    resources.iter().map(part).collect()
}

/// What a member carries, as the core knows it.
pub(super) fn trail<R: Resource>(trail: &Trail<R>) -> Trail<TopicPartition> {
    Trail {
        waits: trail.waits.iter().map(|wait| waiting(wait, |r| Some(part(r)))).collect(),
        pace: trail.pace,
        formation: trail.formation,
        members: trail.members,
        catalog: trail.catalog,
        released: parts(&trail.released),
        bell: trail.bell,
    }
}

/// What waits, with other names; what has none is left out.
pub(super) fn waiting<A, B>(wait: &Waiting<A>, name: impl Fn(&A) -> Option<B>) -> Waiting<B> {
    Waiting {
        owner: wait.owner.clone(),
        opened: wait.opened,
        left: wait.left,
        resources: wait.resources.iter().filter_map(name).collect(),
    }
}

/// A grant with other names; the first resource that has none is the error.
pub(super) fn grant<R: Resource>(grant: Grant<TopicPartition>) -> Result<Grant<R>, String> {
    let named = |set: BTreeSet<TopicPartition>| -> Result<BTreeSet<R>, String> {
        set.into_iter().map(|part| R::from_name(&part.topic).ok_or(part.topic)).collect()
    };
    let change = match grant.change {
        GrantChange::Full(all) => GrantChange::Full(named(all)?),
        GrantChange::Delta { start, stop } => GrantChange::Delta { start: named(start)?, stop: named(stop)? },
    };
    Ok(Grant { change, alarm: grant.alarm, note: grant.note.map(note) })
}

fn note<R: Resource>(note: Note<TopicPartition>) -> Note<R> {
    Note {
        rounds: note.rounds,
        catalog: note.catalog,
        members: note.members,
        waits: note.waits.iter().map(|wait| waiting(wait, |part| R::from_name(&part.topic))).collect(),
        pace: note.pace,
        formation: note.formation,
    }
}

/// A move with another name.
pub(super) fn moved<R>(m: Move<TopicPartition>, name: impl Fn(&TopicPartition) -> Option<R>) -> Option<Move<R>> {
    Some(Move { resource: name(&m.resource)?, from: m.from, to: m.to, step: m.step, cause: m.cause })
}

/// An offence with another name.
pub(super) fn offence<R>(
    offence: Offence<TopicPartition>,
    name: impl Fn(&TopicPartition) -> Option<R>,
) -> Option<Offence<R>> {
    Some(match offence {
        Offence::Seized { member, resource } => Offence::Seized { member, resource: name(&resource)? },
        Offence::Dropped { member, resource } => Offence::Dropped { member, resource: name(&resource)? },
        Offence::GrantedHeld { holder, member, resource } => {
            Offence::GrantedHeld { holder, member, resource: name(&resource)? }
        }
        Offence::Endless { policy, rounds } => Offence::Endless { policy, rounds },
    })
}
