use groma_model::Span;

use super::{NOBODY, Owners, Situation};
use crate::cause::MoveCause;

/// What a round does: the step from what is held towards the target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Who owns each resource after this round; [`NOBODY`] where it is withheld.
    pub owner: Owners,
    /// Who is to own each resource in the end; [`NOBODY`] where that is left open for now.
    pub target: Owners,
    /// When everybody joins again even without anything to release.
    pub alarm: Option<Span>,
    /// Lost resources that go on waiting for their owner.
    pub waits: Vec<Wait>,
    /// How long no further move may begin for balance; none if no moves remain.
    pub pace: Option<Span>,
    /// How many moves for balance are left for later rounds because of a limit.
    pub held_back: usize,
    /// How much is left of the wait by which a new group gathers its members: until then nobody joins again, even if
    /// told to.
    pub formation: Option<Span>,
}

/// Lost resources that wait for their owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Which of [`super::Past::losses`].
    pub loss: u32,
    /// How long at most.
    pub left: Span,
    /// The resources, sorted.
    pub resources: Vec<u32>,
}

/// Whether and when another round is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FollowUp {
    /// None is.
    None,
    /// When this time is up.
    After(Span),
    /// As soon as what is revoked has been released.
    Due,
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
    /// A plan without any wait.
    pub fn new(owner: Owners, target: Owners) -> Self {
        Self { owner, target, ..Self::default() }
    }

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

    /// Whether a resource is withheld from its new owner until its present one has released it, so that another round
    /// must follow.
    pub fn is_unfinished(&self) -> bool {
        self.owner.iter().zip(&self.target).any(|(owner, target)| *owner == NOBODY && *target != NOBODY)
    }

    /// Whether and when another round is due. What is withheld comes before what waits.
    pub fn follow_up(&self) -> FollowUp {
        match self.alarm {
            _ if self.is_unfinished() => FollowUp::Due,
            Some(alarm) => FollowUp::After(alarm),
            None => FollowUp::None,
        }
    }
}

impl Situation {
    fn cause(&self, resource: u32, holder: u32) -> MoveCause {
        if holder == NOBODY {
            return self.contest(resource).unwrap_or(MoveCause::Free);
        }
        if self.asks_for(holder, resource) { MoveCause::Balance } else { MoveCause::Unsubscribed }
    }

    fn contest(&self, resource: u32) -> Option<MoveCause> {
        let start = self.lost.partition_point(|(r, _, _)| *r < resource);
        self.lost.get(start).filter(|(r, _, _)| *r == resource).map(|(_, _, cause)| *cause)
    }
}
