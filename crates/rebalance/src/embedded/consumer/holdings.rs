/// What each member owns, in order.
pub(super) trait Holdings {
    /// Whether each member's resources are those of the one before it, each one further on, where there are such.
    const IN_STEP: bool;

    /// The first resource of a member, or [`NONE`].
    fn first(&self, member: u32) -> u32;

    /// The next one of the same member, or [`NONE`].
    fn after(&self, resource: u32) -> u32;
}

/// No resource; larger than any.
pub(super) const NONE: u32 = u32::MAX;

/// All were dealt in turn, once and again: whoever owns a resource owns the one that is so many members further on.
pub(super) struct Stripes {
    members: u32,
    resources: u32,
}

impl Stripes {
    /// None if the resources were not dealt in turn.
    pub(super) fn of(owner: &[u32], members: usize) -> Option<Self> {
        let (first, rest) = owner.split_at_checked(members).unwrap_or((owner, &[]));
        let strays = first.iter().zip(0..).fold(0, |strays, (owner, member)| strays | (owner ^ member));
        let dealt = Self { members: members as u32, resources: owner.len() as u32 };
        (strays == 0 && owner.starts_with(rest)).then_some(dealt)
    }
}

impl Holdings for Stripes {
    const IN_STEP: bool = true;

    fn first(&self, member: u32) -> u32 {
        if member < self.resources { member } else { NONE }
    }

    #[inline]
    fn after(&self, resource: u32) -> u32 {
        let next = resource.saturating_add(self.members);
        if next < self.resources { next } else { NONE }
    }
}

/// However they were dealt: each resource names the next one of the same member.
pub(super) struct Chains {
    first: Vec<u32>,
    after: Vec<u32>,
}

impl Chains {
    pub(super) fn of(owner: &[u32], members: usize) -> Self {
        let mut chains = Self { first: vec![NONE; members], after: vec![NONE; owner.len()] };
        for ((owner, after), resource) in owner.iter().zip(&mut chains.after).zip(0..owner.len() as u32).rev() {
            if let Some(first) = chains.first.get_mut(*owner as usize) {
                *after = std::mem::replace(first, resource);
            }
        }
        chains
    }
}

impl Holdings for Chains {
    const IN_STEP: bool = false;

    fn first(&self, member: u32) -> u32 {
        self.first.get(member as usize).copied().unwrap_or(NONE)
    }

    #[inline]
    fn after(&self, resource: u32) -> u32 {
        self.after.get(resource as usize).copied().unwrap_or(NONE)
    }
}
