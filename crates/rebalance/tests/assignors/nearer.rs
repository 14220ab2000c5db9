//! Racks where members ask for different things, and where resources differ in what they cost.

use groma_rebalance::assignor::{Assignor, Sticky, Weighted};
use groma_rebalance::share::{NOBODY, Racks, Situation};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::groups::{Group, all_ways, moved, near, situation};

/// The group with up to three racks, and a fourth one without any copy.
fn placed(group: impl Strategy<Value = Group>) -> impl Strategy<Value = (Group, Racks)> {
    let racks = |group: Group| {
        let members = vec(proptest::option::weighted(0.9, 0_u32..4), group.members());
        let copies = vec(vec(0_u32..3, 0..3), group.holder.len());
        (Just(group), members, copies).prop_map(|(group, members, copies)| (group, Racks::new(members, copies)))
    };
    group.prop_flat_map(racks)
}

/// Who has how much, by cost.
fn weights(group: &Group, owner: &[u32], cost: impl Fn(usize) -> u32) -> Vec<u32> {
    let mut weights = vec![0; group.members()];
    for (resource, owner) in owner.iter().enumerate().filter(|(_, owner)| **owner != NOBODY) {
        weights[*owner as usize] += cost(resource);
    }
    weights
}

/// The most that can be near if only what is not at home anyway changes hands, among those that ask for the same and
/// for as much of it as they have; by trying all ways.
fn most_near((group, racks): (&Group, &Racks), home: &[u32], owner: &[u32], cost: impl Fn(usize) -> u32) -> usize {
    let askers = group.askers();
    let class = |r: usize| (askers[r].clone(), cost(r), owner[r] != NOBODY && owner[r] != home[r]);
    let classes: Vec<_> = (0..owner.len()).map(class).collect();
    let share = |owner: &[u32]| {
        let mut share: Vec<_> = classes.iter().zip(owner).map(|(class, owner)| (class.clone(), *owner)).collect();
        share.sort_unstable();
        share
    };
    let stays = |other: &[u32]| classes.iter().zip(owner.iter().zip(other)).all(|(class, (a, b))| class.2 || a == b);
    let ways = all_ways(owner.len(), group.members() as u32 + 1);
    let named = ways.map(|way| way.into_iter().map(|m| if m == group.members() as u32 { NOBODY } else { m }).collect());
    let fits = |other: &Vec<u32>| stays(other) && share(other) == share(owner);
    named.filter(fits).map(|other: Vec<u32>| near(racks, &other)).max().unwrap_or(0)
}

fn in_racks(group: &Group, racks: &Racks) -> Situation {
    group.situation().with_racks(racks.clone())
}

#[test]
fn members_that_ask_for_different_topics_read_from_their_own_rack() {
    let racks = Racks::new([Some(0), Some(1), Some(0)], [1, 0, 1, 0, 1, 0].map(|rack| [rack]));
    let unequal = situation(&[4, 2], &[&[0], &[0], &[1]], &[]).with_racks(racks.clone());
    let owner = Sticky::COOPERATIVE.assign(&unequal);
    assert_eq!(owner, [1, 0, 1, 0, 2, 2]);
}

#[test]
fn what_costs_the_same_changes_hands_for_a_rack() {
    let racks = Racks::new([Some(0), Some(1)], [1, 0, 1, 0].map(|rack| [rack]));
    let costly = situation(&[4], &[&[0], &[0]], &[]).with_costs(vec![5, 5, 1, 1]).with_racks(racks.clone());
    assert_eq!(near(&racks, &Weighted.assign(&costly)), 4);
    let held = situation(&[4], &[&[0], &[0]], &[0, 1, 0, 1]).with_costs(vec![5, 5, 1, 1]).with_racks(racks);
    assert_eq!(Weighted.assign(&held), [0, 1, 0, 1], "what is held stays");
}

/// Each is dealt to the member of its number: two are near, and the first would be with the second member only.
#[test]
fn others_move_up_so_that_one_more_is_near() {
    let racks = Racks::new([Some(0), Some(1), Some(2)], [vec![1], vec![1, 2], vec![2, 0]]);
    let group = situation(&[3], &[&[0], &[0], &[0]], &[]).with_racks(racks);
    assert_eq!(Weighted.assign(&group), [1, 2, 0]);
}

proptest! {
    #[test]
    fn racks_cost_no_moves_and_no_balance((group, racks) in placed(Group::any())) {
        let home = group.situation().rightful_holder();
        let assignors = [(&Sticky::COOPERATIVE as &dyn Assignor, false), (&Weighted, true)];
        for (assignor, costs) in assignors.into_iter().filter(|(_, costs)| *costs || !group.is_equal()) {
            let cost = |resource: usize| if costs { group.costs[resource] } else { 1 };
            let (blind, owner) = (assignor.assign(&group.situation()), assignor.assign(&in_racks(&group, &racks)));
            prop_assert!(moved(&home, &owner) <= moved(&home, &blind), "{}", assignor.name());
            prop_assert!(near(&racks, &owner) >= near(&racks, &blind), "{}", assignor.name());
            prop_assert_eq!(weights(&group, &owner, cost), weights(&group, &blind, cost), "{}", assignor.name());
            for (askers, owner) in group.askers().iter().zip(&owner) {
                prop_assert!(askers.contains(owner) || askers.is_empty() && *owner == NOBODY, "{}", assignor.name());
            }
            let settled = Group { holder: owner.clone(), ..group.clone() };
            prop_assert_eq!(assignor.assign(&in_racks(&settled, &racks)), owner, "{}", assignor.name());
        }
    }

    #[test]
    fn as_much_is_near_as_exchanges_can_bring((group, racks) in placed(Group::up_to(3, vec(0_u32..4, 1..3)))) {
        let home = group.situation().rightful_holder();
        let blind = Weighted.assign(&group.situation());
        let best = most_near((&group, &racks), &home, &blind, |resource| group.costs[resource]);
        prop_assert_eq!(near(&racks, &Weighted.assign(&in_racks(&group, &racks))), best);
        if !group.is_equal() {
            let blind = Sticky::COOPERATIVE.assign(&group.situation());
            let best = most_near((&group, &racks), &home, &blind, |_| 1);
            prop_assert_eq!(near(&racks, &Sticky::COOPERATIVE.assign(&in_racks(&group, &racks))), best);
        }
    }
}
