use thiserror::Error;

use crate::embedded::Mode;
use crate::share::{FollowUp, NOBODY, Plan, Situation};

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Error)]
pub enum PlanFault {
    /// It has not one owner and one target for each resource.
    #[error(
        "{owners} owners and {targets} targets for {resources} resources; give one each, in order of their numbers"
    )]
    Length {
        /// How many owners it has.
        owners: usize,
        /// How many targets it has.
        targets: usize,
        /// How many of each it should have.
        resources: usize,
    },
    /// An owner or a target is not the number of a member.
    #[error("resource {resource} to member {member} of {members}; only those that have joined can be given anything")]
    Stranger {
        /// Which resource.
        resource: u32,
        /// Whom it names.
        member: u32,
        /// How many members there are.
        members: usize,
    },
    /// A member is given what it does not ask for.
    #[error("resource {resource} to member {member}, which does not ask for it")]
    Unasked {
        /// Which resource.
        resource: u32,
        /// To whom.
        member: u32,
    },
    /// A member is given what another one holds.
    #[error(
        "resource {resource} to member {member} while member {holder} holds it; withhold it until that one has reported without it"
    )]
    Held {
        /// Which resource.
        resource: u32,
        /// To whom.
        member: u32,
        /// Who holds it.
        holder: u32,
    },
    /// A member is given what two claim with the same right, so that both may run it.
    #[error(
        "resource {resource} to member {member} although several claim it; withhold it until they have reported without it"
    )]
    Contested {
        /// Which resource.
        resource: u32,
        /// To whom.
        member: u32,
    },
    /// Somebody asks for a resource, nobody has it, and no further round is due.
    #[error(
        "resource {0} to nobody, although some member asks for it, and no further round; name its target or an alarm"
    )]
    Forgotten(u32),
    /// A wait is for a loss that there is none of, or for a resource that does not exist.
    #[error("a wait for what was not lost: loss {loss}; wait for what the situation says is lost")]
    NotLost {
        /// The number of the loss.
        loss: u32,
    },
}

/// Checks that a plan keeps the rules: nobody is given what another may run, and nothing is forgotten. Under an eager
/// policy everybody has given up everything before. Linear in members and resources.
///
/// # Errors
/// The first fault.
pub(crate) fn check(situation: &Situation, plan: &Plan, mode: Mode) -> Result<(), PlanFault> {
    let (owners, targets, resources) = (plan.owner.len(), plan.target.len(), situation.resources());
    if owners != resources || targets != resources {
        return Err(PlanFault::Length { owners, targets, resources });
    }
    check_waits(situation, plan)?;
    let table = (0_u32..).zip(plan.owner.iter().zip(&plan.target));
    let may_forget = plan.follow_up() != FollowUp::None;
    let ask = Asks::of(situation);
    for (resource, (owner, target)) in table {
        check_members(situation, resource, [*owner, *target])?;
        if *owner != NOBODY {
            check_grant(situation, &ask, (resource, *owner), mode)?;
        } else if !may_forget && ask.anybody(situation, resource) {
            return Err(PlanFault::Forgotten(resource));
        }
    }
    Ok(())
}

fn check_members(situation: &Situation, resource: u32, named: [u32; 2]) -> Result<(), PlanFault> {
    let members = situation.members();
    match named.into_iter().find(|member| *member != NOBODY && *member as usize >= members) {
        Some(member) => Err(PlanFault::Stranger { resource, member, members }),
        None => Ok(()),
    }
}

fn check_grant(situation: &Situation, ask: &Asks, (resource, member): (u32, u32), mode: Mode) -> Result<(), PlanFault> {
    let holder = situation.holder().get(resource as usize).copied().unwrap_or(NOBODY);
    if !ask.member(situation, member, resource) {
        return Err(PlanFault::Unasked { resource, member });
    }
    match mode {
        Mode::Eager => Ok(()),
        Mode::Cooperative if holder == member => Ok(()),
        Mode::Cooperative if holder != NOBODY => Err(PlanFault::Held { resource, member, holder }),
        Mode::Cooperative if situation.is_contested(resource) => Err(PlanFault::Contested { resource, member }),
        Mode::Cooperative => Ok(()),
    }
}

fn check_waits(situation: &Situation, plan: &Plan) -> Result<(), PlanFault> {
    for wait in &plan.waits {
        let lost = situation.past().losses.get(wait.loss as usize).map(|loss| loss.resources.as_slice());
        if !wait.resources.iter().all(|resource| lost.is_some_and(|lost| lost.binary_search(resource).is_ok())) {
            return Err(PlanFault::NotLost { loss: wait.loss });
        }
    }
    Ok(())
}

/// Who asks for what, quick where all ask for all.
struct Asks {
    all: bool,
    /// For each kind whether somebody asks for it.
    kinds: Vec<bool>,
}

impl Asks {
    fn of(situation: &Situation) -> Self {
        let mut kinds = vec![false; situation.kinds().len()];
        let mut sets = situation.subscribed().to_vec();
        sets.sort_unstable();
        sets.dedup();
        for set in sets {
            let asked = situation.subscriptions().get(set as usize).map(Vec::as_slice).unwrap_or_default();
            for kind in asked {
                if let Some(is_asked) = kinds.get_mut(*kind as usize) {
                    *is_asked = true;
                }
            }
        }
        Self { all: situation.members() > 0 && situation.all_ask_for_all(), kinds }
    }

    fn member(&self, situation: &Situation, member: u32, resource: u32) -> bool {
        self.all || situation.asks_for(member, resource)
    }

    fn anybody(&self, situation: &Situation, resource: u32) -> bool {
        self.kinds.get(situation.kind_of(resource) as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use groma_model::{Generation, Span};

    use super::*;
    use crate::share::{Former, Loss, Past, SituationBuilder, Wait};

    const N: u32 = NOBODY;

    /// Resources 0 to 3 for two members, 4 for the second alone: 0 is held by the first, 1 is claimed by both, 2 is free,
    /// 3 is lost.
    fn situation() -> Situation {
        let mut builder = SituationBuilder::new();
        let kinds = [4, 1].map(|count| builder.kind(count));
        builder.member(vec![kinds[0]]);
        builder.member(kinds.to_vec());
        [(0, 0), (0, 1), (1, 1)].iter().for_each(|(m, r)| builder.claim(*m, *r, Some(Generation(1))));
        let loss = Loss { former: Former::Dynamic, owner: 0, opened: None, heir: None, left: None, resources: vec![3] };
        builder.build().with_past(Past { losses: vec![loss], ..Past::default() })
    }

    fn plan(owner: [u32; 5]) -> Plan {
        Plan::new(owner.to_vec(), vec![1; 5])
    }

    fn waiting(loss: u32, resource: u32) -> Plan {
        let left = Span::from_secs(1);
        let wait = Wait { loss, left, resources: vec![resource] };
        Plan { waits: vec![wait], alarm: Some(left), ..Plan::new(vec![0, N, 0, N, 1], vec![0, N, 0, N, 1]) }
    }

    #[test]
    fn nobody_is_given_what_another_may_run_and_nothing_is_forgotten() {
        let resting = Plan::new(vec![0, N, 0, 1, 1], vec![0, N, 0, 1, 1]);
        let table = [
            (plan([N, N, 1, 1, 1]), Ok(())),
            (plan([0, N, 0, N, 1]), Ok(())),
            (waiting(0, 3), Ok(())),
            (Plan::default(), Err(PlanFault::Length { owners: 0, targets: 0, resources: 5 })),
            (plan([2, N, 1, 1, 1]), Err(PlanFault::Stranger { resource: 0, member: 2, members: 2 })),
            (plan([N, N, 1, 1, 0]), Err(PlanFault::Unasked { resource: 4, member: 0 })),
            (plan([1, N, 1, 1, 1]), Err(PlanFault::Held { resource: 0, member: 1, holder: 0 })),
            (plan([N, 1, 1, 1, 1]), Err(PlanFault::Contested { resource: 1, member: 1 })),
            (resting.clone(), Err(PlanFault::Forgotten(1))),
            (Plan { alarm: Some(Span::ZERO), ..resting }, Ok(())),
            (waiting(1, 3), Err(PlanFault::NotLost { loss: 1 })),
            (waiting(0, 2), Err(PlanFault::NotLost { loss: 0 })),
        ];
        for (plan, verdict) in table {
            assert_eq!(check(&situation(), &plan, Mode::Cooperative), verdict, "{plan:?}");
        }
    }

    #[test]
    fn where_everybody_has_given_up_everything_claims_bind_nobody() {
        assert_eq!(check(&situation(), &plan([1, 1, 1, 1, 1]), Mode::Eager), Ok(()));
        let unasked = Err(PlanFault::Unasked { resource: 4, member: 0 });
        assert_eq!(check(&situation(), &plan([1, 1, 1, 1, 0]), Mode::Eager), unasked);
    }
}
