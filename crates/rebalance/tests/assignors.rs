//! Assignors against Kafka's results, and against what every target must be, for all small groups.

use groma_model::Generation;
use groma_rebalance::assignor::{Assignor, Range, RoundRobin, Sticky};
use groma_rebalance::share::{NOBODY, Situation, SituationBuilder};

/// Kinds by their counts, members by the kinds they ask for, holders by resource.
fn situation(kinds: &[u32], members: &[&[u32]], holder: &[u32]) -> Situation {
    let mut builder = SituationBuilder::new();
    for count in kinds {
        builder.kind(*count);
    }
    for asked in members {
        builder.member(asked.to_vec());
    }
    for (resource, member) in holder.iter().enumerate().filter(|(_, m)| **m != NOBODY) {
        builder.claim(*member, resource as u32, Some(Generation(1)));
    }
    builder.build()
}

fn loads(owner: &[u32], members: usize) -> Vec<usize> {
    (0..members as u32).map(|m| owner.iter().filter(|o| **o == m).count()).collect()
}

fn moved(holder: &[u32], owner: &[u32]) -> usize {
    holder.iter().zip(owner).filter(|(h, o)| **h != NOBODY && h != o).count()
}

#[test]
fn range_cuts_each_topic_into_runs() {
    let two = situation(&[3, 3], &[&[0, 1], &[0, 1]], &[]);
    assert_eq!(Range.assign(&two), [0, 0, 1, 0, 0, 1]);
    let five = situation(&[5], &[&[0], &[0], &[0]], &[]);
    assert_eq!(Range.assign(&five), [0, 0, 1, 1, 2]);
    let unequal = situation(&[3, 3], &[&[0], &[0, 1], &[0]], &[]);
    assert_eq!(Range.assign(&unequal), [0, 1, 2, 1, 1, 1]);
}

#[test]
fn range_gives_equal_numbers_of_equal_topics_to_one_member() {
    let situation = situation(&[7, 7, 7], &[&[0, 1, 2][..]; 3], &[]);
    let owner = Range.assign(&situation);
    assert_eq!(owner[0..7], owner[7..14]);
    assert_eq!(owner[0..7], owner[14..21]);
}

#[test]
fn round_robin_deals_out_in_turn() {
    let two = situation(&[3, 3], &[&[0, 1], &[0, 1]], &[]);
    assert_eq!(RoundRobin.assign(&two), [0, 1, 0, 1, 0, 1]);
    let kafkas = situation(&[1, 2, 3], &[&[0], &[0, 1], &[0, 1, 2]], &[]);
    assert_eq!(RoundRobin.assign(&kafkas), [0, 1, 2, 2, 2, 2]);
}

#[test]
fn round_robin_passes_over_who_does_not_ask() {
    let situation = situation(&[2, 4], &[&[0, 1], &[1]], &[]);
    assert_eq!(RoundRobin.assign(&situation), [0, 0, 1, 0, 1, 0]);
}

#[test]
fn sticky_deals_out_in_turn_at_first() {
    let situation = situation(&[4, 1], &[&[0, 1][..]; 3], &[]);
    assert_eq!(Sticky::COOPERATIVE.assign(&situation), [0, 1, 2, 0, 1]);
}

#[test]
fn b29_what_is_given_up_comes_from_all_topics_alike() {
    let situation = situation(&[4, 4], &[&[0, 1][..]; 2], &[0; 8]);
    let owner = Sticky::COOPERATIVE.assign(&situation);
    assert_eq!(loads(&owner[0..4], 2), [2, 2]);
    assert_eq!(loads(&owner[4..8], 2), [2, 2]);
}

#[test]
fn b30_a_member_without_subscription_gets_nothing() {
    let situation = situation(&[3], &[&[], &[0], &[0]], &[]);
    for assignor in [&Range as &dyn Assignor, &RoundRobin, &Sticky::EAGER] {
        assert_eq!(loads(&assignor.assign(&situation), 3), [0, 2, 1], "{}", assignor.name());
    }
}

#[test]
fn b26_what_is_balanced_does_not_move() {
    let holder = [0, 0, 1, 1, 2, 2];
    let situation = situation(&[4, 2], &[&[0], &[0], &[1]], &holder);
    assert_eq!(Sticky::COOPERATIVE.assign(&situation), holder);
}

/// Every way to give each of `places` one of `choices` values.
fn all_ways(places: usize, choices: u32) -> impl Iterator<Item = Vec<u32>> {
    let count = u64::from(choices).pow(places as u32);
    (0..count).map(move |mut n| {
        let digit = |_| {
            let digit = (n % u64::from(choices)) as u32;
            n /= u64::from(choices);
            digit
        };
        (0..places).map(digit).collect()
    })
}

fn holders(places: usize, members: usize) -> impl Iterator<Item = Vec<u32>> {
    let named = move |way: Vec<u32>| way.into_iter().map(|m| if m == members as u32 { NOBODY } else { m }).collect();
    all_ways(places, members as u32 + 1).map(named)
}

#[test]
fn sticky_is_even_and_moves_least_in_all_small_equal_groups() {
    for members in 1..=4 {
        for resources in 0..=5 {
            let asked: Vec<&[u32]> = vec![&[0]; members];
            for holder in holders(resources, members) {
                let owner = Sticky::COOPERATIVE.assign(&situation(&[resources as u32], &asked, &holder));
                let shares = loads(&owner, members);
                let spread = shares.iter().max().unwrap() - shares.iter().min().unwrap();
                assert!(spread <= 1 && !owner.contains(&NOBODY), "{holder:?} -> {owner:?}");
                assert_eq!(moved(&holder, &owner), least_moves(&holder, members), "{holder:?} -> {owner:?}");
            }
        }
    }
}

/// With shares that differ by at most one, as many stay as fit.
fn least_moves(holder: &[u32], members: usize) -> usize {
    let (least, extra) = (holder.len() / members, holder.len() % members);
    let held = loads(holder, members);
    let over = held.iter().filter(|h| **h > least).count().min(extra);
    let kept: usize = held.iter().map(|h| *h.min(&least)).sum::<usize>() + over;
    holder.iter().filter(|h| **h != NOBODY).count() - kept
}

#[test]
fn sticky_leaves_no_better_single_move_in_all_small_unequal_groups() {
    let wants: [&[u32]; 4] = [&[], &[0], &[1], &[0, 1]];
    for choice in all_ways(3, 4) {
        let asked: Vec<&[u32]> = choice.iter().map(|c| wants[*c as usize]).collect();
        for holder in holders(5, 3) {
            let situation = situation(&[3, 2], &asked, &holder);
            let owner = Sticky::COOPERATIVE.assign(&situation);
            assert_fair(&situation, &owner);
        }
    }
}

fn assert_fair(situation: &Situation, owner: &[u32]) {
    let shares = loads(owner, situation.members());
    for (number, askers) in situation.askers().iter().enumerate() {
        for resource in situation.kinds()[number].range() {
            let has = owner[resource as usize];
            assert_eq!(has == NOBODY, askers.is_empty(), "{situation:?} -> {owner:?}");
            if has == NOBODY {
                continue;
            }
            assert!(askers.contains(&has), "{situation:?} -> {owner:?}");
            let better = askers.iter().find(|m| shares[**m as usize] + 1 < shares[has as usize]);
            assert_eq!(better, None, "{situation:?} -> {owner:?}");
        }
    }
}

#[test]
fn s16_a_join_moves_one_share_and_a_leave_only_the_leavers() {
    for (members, resources) in [(3, 10), (7, 50), (20, 101)] {
        let asked: Vec<&[u32]> = vec![&[0]; members];
        let before = Sticky::COOPERATIVE.assign(&situation(&[resources], &asked, &[]));
        let more: Vec<&[u32]> = vec![&[0]; members + 1];
        let joined = Sticky::COOPERATIVE.assign(&situation(&[resources], &more, &before));
        assert!(moved(&before, &joined) <= resources as usize / (members + 1) + 1);
        let last = members as u32 - 1;
        let left: Vec<u32> = before.iter().map(|m| if *m == last { NOBODY } else { *m }).collect();
        let fewer: Vec<&[u32]> = vec![&[0]; members - 1];
        assert_eq!(moved(&left, &Sticky::COOPERATIVE.assign(&situation(&[resources], &fewer, &left))), 0);
    }
}
