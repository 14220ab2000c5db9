use groma_rebalance::assignor::{Assignor, Range, RoundRobin, Sticky, Weighted};
use groma_rebalance::share::NOBODY;
use proptest::prelude::*;

use crate::groups::{Group, moved, spread};
use crate::outside::Seniority;

/// Every assignor, one from outside the crate among them.
fn everyone() -> [&'static dyn Assignor; 6] {
    [&Range, &RoundRobin, &Sticky::COOPERATIVE, &Sticky::UNIFORM, &Weighted, &Seniority]
}

/// Those whose shares differ by at most one where all ask for the same.
const EVEN: [&dyn Assignor; 4] = [&RoundRobin, &Sticky::EAGER, &Sticky::COOPERATIVE, &Sticky::UNIFORM];
const STICKY: [&dyn Assignor; 3] = [&Sticky::EAGER, &Sticky::COOPERATIVE, &Sticky::UNIFORM];

/// What a member has.
fn of(owner: &[u32], member: u32) -> Vec<u32> {
    (0..).zip(owner).filter(|(_, o)| **o == member).map(|(resource, _)| resource).collect()
}

fn is_part(small: &[u32], large: &[u32]) -> bool {
    small.iter().all(|one| large.contains(one))
}

proptest! {
    #[test]
    fn s4_each_resource_goes_to_one_who_asks_for_it_if_there_is_one(group in Group::any()) {
        for assignor in everyone() {
            let owner = assignor.assign(&group.situation());
            prop_assert_eq!(owner.len(), group.holder.len());
            for (askers, owner) in group.askers().iter().zip(&owner) {
                prop_assert!(if askers.is_empty() { *owner == NOBODY } else { askers.contains(owner) }, "{}", assignor.name());
            }
        }
    }

    #[test]
    fn the_same_situation_gives_the_same_target(group in Group::any()) {
        for assignor in everyone() {
            prop_assert_eq!(assignor.assign(&group.situation()), assignor.assign(&group.situation()));
        }
    }

    #[test]
    fn l2_shares_differ_by_at_most_one_where_all_ask_for_the_same(group in Group::any()) {
        prop_assume!(group.is_equal());
        for assignor in EVEN {
            let owner = assignor.assign(&group.situation());
            prop_assert!(spread(&owner, group.members()) <= 1, "{}: {:?}", assignor.name(), owner);
        }
    }

    #[test]
    fn s16_nobody_gives_up_one_resource_for_another(group in Group::any()) {
        prop_assume!(group.is_equal());
        for assignor in STICKY {
            let situation = group.situation();
            let (held, owner) = (situation.rightful_holder(), assignor.assign(&situation));
            for member in 0..group.members() as u32 {
                let (had, has) = (of(&held, member), of(&owner, member));
                prop_assert!(is_part(&had, &has) || is_part(&has, &had), "{member} had {had:?} and gets {has:?}");
            }
        }
    }

    #[test]
    fn s16_a_target_is_its_own_target(group in Group::any()) {
        for assignor in STICKY.into_iter().chain([&Weighted as &dyn Assignor, &Seniority]) {
            let owner = assignor.assign(&group.situation());
            let settled = Group { holder: owner.clone(), ..group.clone() };
            prop_assert_eq!(assignor.assign(&settled.situation()), owner, "{}", assignor.name());
        }
    }

    #[test]
    fn s16_a_join_moves_one_share_and_a_leave_only_the_leavers(group in Group::any(), leaver in 0_u32..7) {
        prop_assume!(group.is_equal() && group.members() > 1);
        for assignor in STICKY {
            let owner = assignor.assign(&group.situation());
            let mut more = Group { holder: owner.clone(), ..group.clone() };
            more.asked.push(group.asked[0].clone());
            let joined = assignor.assign(&more.situation());
            prop_assert!(moved(&owner, &joined) <= owner.len().div_ceil(more.members()));

            let leaver = leaver % group.members() as u32;
            let left = |member: &u32| if *member == NOBODY || *member == leaver { NOBODY } else { *member - u32::from(*member > leaver) };
            let mut fewer = Group { holder: owner.iter().map(left).collect(), ..group.clone() };
            fewer.asked.pop();
            prop_assert_eq!(moved(&fewer.holder, &assignor.assign(&fewer.situation())), 0);
        }
    }

    #[test]
    fn range_is_the_rule_of_its_javadoc(group in Group::any()) {
        let owner = Range.assign(&group.situation());
        let askers = group.askers();
        let mut first = 0;
        for count in &group.kinds {
            let range = first..first + *count as usize;
            first = range.end;
            for (index, resource) in range.enumerate().filter(|(_, resource)| !askers[*resource].is_empty()) {
                let (asking, count) = (askers[resource].len(), *count as usize);
                let (share, extra) = (count / asking, count % asking);
                let whole = extra * (share + 1);
                let place = if index < whole { index / (share + 1) } else { extra + (index - whole) / share };
                prop_assert_eq!(owner[resource], askers[resource][place]);
            }
        }
    }

    #[test]
    fn round_robin_passes_on_to_the_next_who_asks(group in Group::any()) {
        let owner = RoundRobin.assign(&group.situation());
        let members = group.members() as u32;
        let mut turn = 0;
        for (askers, owner) in group.askers().iter().zip(owner).filter(|(askers, _)| !askers.is_empty()) {
            while !askers.contains(&(turn % members)) {
                turn += 1;
            }
            prop_assert_eq!(owner, turn % members);
            turn += 1;
        }
    }
}
