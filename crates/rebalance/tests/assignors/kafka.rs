use groma_rebalance::assignor::{Assignor, Range, RoundRobin, Sticky};

use crate::groups::{loads, situation};

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
