use groma_model::Span;

use super::{NOBODY, Owners, Situation};
use crate::cause::MoveCause;

/// What a round does: the step from what is held towards the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Who owns each resource after this round; [`NOBODY`] where it is withheld.
    pub owner: Owners,
    /// Who is to own each resource in the end.
    pub target: Owners,
    /// When everybody joins again even without anything to release.
    pub alarm: Option<Span>,
}

/// One resource that changes hands, by numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DenseMove {
    /// What moves.
    pub resource: u32,
    /// Who holds it, or [`NOBODY`].
    pub from: u32,
    /// Who gets it, now or in the end, or [`NOBODY`].
    pub to: u32,
    /// Why.
    pub cause: MoveCause,
    /// Whether its new owner has it after this round.
    pub granted: Granted,
}

/// Whether a move is completed by this round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Granted {
    /// The new owner has it after this round.
    Now,
    /// It is revoked or withheld; a later round grants it.
    Later,
}

impl Plan {
    /// Everything that changes hands, in order of the resources.
    pub fn moves<'a>(&'a self, situation: &'a Situation) -> impl Iterator<Item = DenseMove> + 'a {
        let table = situation.holder().iter().zip(&self.owner).zip(&self.target).enumerate();
        table.filter(|(_, ((holder, owner), target))| holder != owner || owner != target).map(
            move |(resource, ((&from, &owner), &to))| {
                let resource = resource as u32;
                let granted = if owner == to && owner != NOBODY { Granted::Now } else { Granted::Later };
                DenseMove { resource, from, to, cause: situation.cause(resource, from), granted }
            },
        )
    }

    /// How many resources change hands.
    pub fn moved(&self, situation: &Situation) -> usize {
        let table = situation.holder().iter().zip(&self.owner).zip(&self.target);
        table.filter(|((holder, owner), target)| holder != owner || owner != target).count()
    }

    /// Whether a resource is revoked or withheld, so that another round must follow.
    pub fn is_unfinished(&self) -> bool {
        self.owner != self.target
    }
}

impl Situation {
    fn cause(&self, resource: u32, holder: u32) -> MoveCause {
        if holder == NOBODY {
            return self.contest(resource).unwrap_or(MoveCause::Free);
        }
        let kind = self.kinds.partition_point(|k| k.first + k.count <= resource) as u32;
        let asks = self.asked_by(holder).binary_search(&kind).is_ok();
        if asks { MoveCause::Balance } else { MoveCause::Unsubscribed }
    }

    fn contest(&self, resource: u32) -> Option<MoveCause> {
        let start = self.lost.partition_point(|(r, _, _)| *r < resource);
        self.lost.get(start).filter(|(r, _, _)| *r == resource).map(|(_, _, cause)| *cause)
    }
}
