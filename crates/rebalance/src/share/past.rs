use groma_model::{Generation, Span};

/// What is known of the rounds before this one, by numbers: what a policy needs beyond claims.
///
/// The default is a group of which nothing is known: all members have a past, nothing was lost, nothing waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// For each member what its report tells of its own past; empty if all have one.
    pub standing: Vec<Standing>,
    /// Resources that nobody claims although their owner is in this round: resource and owner, sorted.
    pub homes: Vec<(u32, u32)>,
    /// Resources that nobody claims because their owner is gone.
    pub losses: Vec<Loss>,
    /// How long no further move may begin for balance; none if no move has begun lately.
    pub pace: Option<Span>,
    /// How much is left of the wait by which a new group gathers its members; none if there is no such wait.
    pub formation: Option<Span>,
    /// How long this round has gathered members.
    pub gathered: Span,
    /// Whether every member that has a past took the last plan.
    pub continuity: Continuity,
    /// Resources that the last plan took from members that have missed it, and so have not released them; sorted.
    pub unheeded: Vec<u32>,
}

/// What a report tells of its sender's past in the group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// It has taken an assignment before, be it an empty one.
    #[default]
    Settled,
    /// It says that it has not.
    New,
    /// It claims nothing and cannot say why: an older peer.
    Silent,
}

/// Resources that had one owner, which is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// What is known of the owner.
    pub former: Former,
    /// The former owner's number, as [`super::Recall::departed`] has it.
    pub owner: u32,
    /// The generation in which the wait began; none if the loss is found only now.
    pub opened: Option<Generation>,
    /// The member that by its name may be the former owner's next life.
    pub heir: Option<u32>,
    /// How much is left of the wait for it; none if the loss is found only now.
    pub left: Option<Span>,
    /// What it had, sorted.
    pub resources: Vec<u32>,
}

/// What is known of the former owner of lost resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Former {
    /// It had a stable identity: if it comes back it is recognized.
    Static,
    /// It had none: if it comes back it does so under another name.
    Dynamic,
    /// Nobody remembers; there may have been several.
    Unknown,
}

/// Whether every member that has a past took the last plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Continuity {
    /// All did.
    #[default]
    Whole,
    /// Some did not: the next round began before they had fetched it.
    Broken,
}

impl Past {
    /// What a member's report tells of its past.
    pub fn standing(&self, member: u32) -> Standing {
        self.standing.get(member as usize).copied().unwrap_or_default()
    }

    /// Whether no member has a past: the group begins, or begins again.
    pub fn is_blank(&self) -> bool {
        !self.standing.is_empty() && self.standing.iter().all(|s| *s == Standing::New)
    }
}
