use groma_rebalance::assignor::Assignor;
use groma_rebalance::share::{NOBODY, Owners, Situation};

/// An assignor that an application might bring: whoever holds a resource keeps it, the rest goes to whoever has least
/// for its age, where the first member is the oldest.
#[derive(Debug)]
pub(crate) struct Seniority;

impl Assignor for Seniority {
    fn name(&self) -> &str {
        "seniority"
    }

    fn assign(&self, situation: &Situation) -> Owners {
        let mut owner = situation.rightful_holder();
        let mut load = vec![0_usize; situation.members()];
        owner.iter().filter(|member| **member != NOBODY).for_each(|member| load[*member as usize] += 1);
        for (kind, askers) in situation.kinds().iter().zip(situation.askers().iter()) {
            for resource in kind.range().map(|r| r as usize).filter(|r| owner[*r] == NOBODY).collect::<Vec<_>>() {
                let Some(member) = askers.iter().min_by_key(|m| load[**m as usize] * (**m as usize + 1)) else {
                    continue;
                };
                owner[resource] = *member;
                load[*member as usize] += 1;
            }
        }
        owner
    }
}
