use super::load::Load;
use super::{search, stay};
use crate::assignor::{Assignor, nearer};
use crate::share::{Owners, Situation};

/// Shares out by what resources cost, see [`Situation::cost_of`]. Where all members ask for the same, nobody gets more
/// than 4/3 of the mean or of the heaviest resource, whichever is more; where that cannot be done, or members ask for
/// different things, nobody gets more than the longest-first rule would give, which is at most 4/3 of the best there
/// is (Graham, 1969). Within that limit as little moves as can be found: a group that is within it stays as it is.
/// A target is its own target: where the lower limit is found only on the way from the higher one, that way is gone at
/// once.
///
/// Where racks make a difference (KIP-881), what moves or is free goes to members near a copy of it as far as that changes
/// no load and moves nothing else.
///
/// In small groups the fewest moves are searched for, in a bounded number of steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weighted;

impl Assignor for Weighted {
    fn name(&self) -> &str {
        "weighted"
    }

    fn assign(&self, situation: &Situation) -> Owners {
        let askers = situation.askers();
        let load = Load::new(situation, &askers);
        let mut owner = even(&load).unwrap_or_else(|| {
            let owner = longest_first(&load);
            even(&load.held_as(&owner)).unwrap_or(owner)
        });
        if let Some(racks) = situation.racks() {
            nearer::exchange(situation, (&askers, racks), |resource| situation.cost_of(resource), &mut owner);
        }
        owner
    }
}

/// Within 4/3 of the mean or of the heaviest, if that can be found.
fn even(load: &Load<'_>) -> Option<Owners> {
    let limit = load.limit();
    search::fewer_moves(load, limit, stay::within(load, limit))
}

/// No worse than the longest-first rule.
fn longest_first(load: &Load<'_>) -> Owners {
    let fresh = load.longest_first();
    let limit = load.limit().max(load.most(&fresh));
    let stayed = stay::within(load, limit).unwrap_or(fresh);
    search::fewer_moves(load, limit, Some(stayed)).unwrap_or_default()
}
