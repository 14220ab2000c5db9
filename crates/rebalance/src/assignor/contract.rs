use std::collections::BTreeSet;
use std::fmt::Debug;

use thiserror::Error;

use crate::share::{NOBODY, Owners, Situation};

/// Computes a target. Every resource whose kind somebody asks for gets exactly one owner, who asks for it; the same
/// situation always gives the same target.
///
/// A leader whose assignor does otherwise, or panics, shares out nothing: it says what is wrong, and leaves so that
/// another can lead.
///
/// An assignor must return well within the session timeout. It runs on the thread that drives the member, and nothing
/// can stop it: until it returns the member sends no heartbeat and gives up nothing. When its session is over the group
/// goes on without it and others are given what it held, although it may still run that. Code that may take long, or may
/// wait for something, bounds its own time.
pub trait Assignor: Debug + Send + Sync {
    /// The name under which the assignor is announced, e.g. `range`.
    fn name(&self) -> &str;

    /// The target: an entry for each resource.
    fn assign(&self, situation: &Situation) -> Owners;
}

/// What is wrong with a target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Error)]
pub enum TargetFault {
    /// It has not one entry for each resource.
    #[error("{entries} owners for {resources} resources; give one for each, in order of their numbers")]
    Length {
        /// How many it has.
        entries: usize,
        /// How many it should have.
        resources: usize,
    },
    /// An owner is not the number of a member.
    #[error("resource {resource} to member {member} of {members}; members are numbered from 0")]
    Stranger {
        /// Which resource.
        resource: u32,
        /// Whom it names.
        member: u32,
        /// How many members there are.
        members: usize,
    },
    /// Somebody asks for a resource, and nobody is to have it.
    #[error("resource {0} to nobody, although some member asks for it")]
    Unowned(u32),
    /// A member is to have what it does not ask for.
    #[error("resource {resource} to member {member}, who does not ask for it")]
    Unasked {
        /// Which resource.
        resource: u32,
        /// Who is to have it.
        member: u32,
    },
}

/// Whether a target is what an [`Assignor`] must give. Linear in resources and in what is asked for.
///
/// # Errors
/// The first fault.
pub fn check(situation: &Situation, target: &Owners) -> Result<(), TargetFault> {
    let (members, resources) = (situation.members(), situation.resources());
    if target.len() != resources {
        return Err(TargetFault::Length { entries: target.len(), resources });
    }
    if situation.all_ask_for_all() && target.iter().all(|owner| (*owner as usize) < members) {
        return Ok(());
    }
    let (asks, asked) = (situation.eligibility(), asked(situation));
    for (number, kind) in (0_u32..).zip(situation.kinds()) {
        let is_asked = asked.contains(&number);
        for (resource, owner) in kind.range().zip(&target[kind.first as usize..kind.range().end as usize]) {
            match situation.subscribed().get(*owner as usize) {
                None if *owner == NOBODY && !is_asked => {}
                None if *owner == NOBODY => return Err(TargetFault::Unowned(resource)),
                None => return Err(TargetFault::Stranger { resource, member: *owner, members }),
                Some(set) if asks.covers(*set, number) => {}
                Some(_) => return Err(TargetFault::Unasked { resource, member: *owner }),
            }
        }
    }
    Ok(())
}

/// The kinds that somebody asks for.
fn asked(situation: &Situation) -> BTreeSet<u32> {
    let sets: BTreeSet<u32> = situation.subscribed().iter().copied().collect();
    sets.iter().filter_map(|set| situation.subscriptions().get(*set as usize)).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::SituationBuilder;

    /// Two kinds of two: the first member asks for both, the second for the first, nobody for the third kind of one.
    fn situation() -> Situation {
        let mut builder = SituationBuilder::new();
        let kinds = [2, 2, 1].map(|count| builder.kind(count));
        builder.member(vec![kinds[0], kinds[1]]);
        builder.member(vec![kinds[0]]);
        builder.build()
    }

    fn plain() -> Situation {
        let mut builder = SituationBuilder::new();
        let kind = builder.kind(2);
        builder.member(vec![kind]);
        builder.build()
    }

    #[test]
    fn a_target_has_an_owner_for_each_resource_who_asks_for_it() {
        let table = [
            (situation(), vec![1, 0, 0, 0, NOBODY], Ok(())),
            (situation(), Vec::new(), Err(TargetFault::Length { entries: 0, resources: 5 })),
            (situation(), vec![1, 0, 0, 0, 0], Err(TargetFault::Unasked { resource: 4, member: 0 })),
            (situation(), vec![1, 0, 0, 1, NOBODY], Err(TargetFault::Unasked { resource: 3, member: 1 })),
            (situation(), vec![1, 0, NOBODY, 0, NOBODY], Err(TargetFault::Unowned(2))),
            (situation(), vec![1, 2, 0, 0, NOBODY], Err(TargetFault::Stranger { resource: 1, member: 2, members: 2 })),
            (plain(), vec![0, 0], Ok(())),
            (plain(), vec![0, 0, 0], Err(TargetFault::Length { entries: 3, resources: 2 })),
            (plain(), vec![0, 7], Err(TargetFault::Stranger { resource: 1, member: 7, members: 1 })),
            (plain(), vec![NOBODY, 0], Err(TargetFault::Unowned(0))),
        ];
        for (situation, target, verdict) in table {
            assert_eq!(check(&situation, &target), verdict, "{target:?}");
        }
    }
}
