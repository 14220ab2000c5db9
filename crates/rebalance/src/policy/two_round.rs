use std::borrow::Cow;

use super::Policy;
use crate::embedded::Mode;
use crate::share::{NOBODY, Owners, Plan, Situation};

/// Design I: a resource that moves is revoked in one round and granted in the next, after its holder has reported
/// without it; everything else runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwoRound;

impl Policy for TwoRound {
    fn name(&self) -> &str {
        "two-round"
    }

    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn outlook<'a>(&self, situation: &'a Situation) -> Cow<'a, Situation> {
        match situation.past().homes.as_slice() {
            [] => Cow::Borrowed(situation),
            homes => Cow::Owned(situation.as_if(homes)),
        }
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        let free_or_kept = |(target, holder): (&u32, &u32)| match *holder == NOBODY || holder == target {
            true => *target,
            false => NOBODY,
        };
        let mut owner: Owners = target.iter().zip(situation.holder()).map(free_or_kept).collect();
        for (resource, _, _) in situation.lost_claims() {
            if situation.holder().get(*resource as usize) == Some(&NOBODY)
                && let Some(owner) = owner.get_mut(*resource as usize)
            {
                *owner = NOBODY;
            }
        }
        Plan::new(owner, target)
    }
}
