use groma_rebalance::assignor::{Assignor, Sticky};
use groma_rebalance::share::{NOBODY, Racks};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::groups::{all_ways, moved, near, situation, spread};

fn assign(members: &[u32], copies: &[Vec<u32>], holder: &[u32]) -> (Racks, Vec<u32>) {
    let racks = Racks::new(members.iter().map(|rack| Some(*rack)), copies.iter().map(|racks| racks.iter().copied()));
    let asked = vec![&[0_u32][..]; members.len()];
    let group = situation(&[copies.len() as u32], &asked, holder).with_racks(racks.clone());
    (racks, Sticky::COOPERATIVE.assign(&group))
}

#[test]
fn members_read_from_their_own_rack_where_shares_allow() {
    let copies: Vec<Vec<u32>> = (0..6).map(|n| vec![n % 3]).collect();
    let (racks, owner) = assign(&[2, 1, 0], &copies, &[]);
    assert_eq!(near(&racks, &owner), 6);
}

#[test]
fn racks_change_nothing_where_everything_is_everywhere() {
    let everywhere = vec![vec![0, 1]; 5];
    let blind = Sticky::COOPERATIVE.assign(&situation(&[5], &[&[0][..]; 2], &[]));
    assert_eq!(assign(&[1, 0], &everywhere, &[]).1, blind);
    assert_eq!(assign(&[7, 8], &[vec![0], vec![1], vec![], vec![1], vec![0]], &[]).1, blind);
}

#[test]
fn who_must_give_up_something_gives_up_what_is_far_away() {
    let copies = [vec![1], vec![0], vec![1], vec![0]];
    let (racks, owner) = assign(&[0, 1], &copies, &[0; 4]);
    assert_eq!((near(&racks, &owner), moved(&[0; 4], &owner)), (4, 2));
}

/// The most resources that are near in any target whose shares differ by at most one, by trying all.
fn best(racks: &Racks, members: usize, resources: usize) -> usize {
    let even = |owner: &Vec<u32>| spread(owner, members) <= 1;
    all_ways(resources, members as u32).filter(even).map(|owner| near(racks, &owner)).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn most_of_what_can_be_near_is_near(members in vec(0_u32..3, 1..4), copies in vec(vec(0_u32..3, 1..3), 0..7)) {
        let (racks, owner) = assign(&members, &copies, &[]);
        prop_assert!(spread(&owner, members.len()) <= 1 && !owner.contains(&NOBODY));
        if racks.matter() {
            prop_assert!(near(&racks, &owner) + 1 >= best(&racks, members.len(), copies.len()), "{owner:?}");
        }
    }

    #[test]
    fn racks_cost_no_moves(members in vec(0_u32..3, 1..5), resources in vec((0_u32..5, vec(0_u32..3, 1..3)), 0..20)) {
        let (holder, copies): (Vec<u32>, Vec<Vec<u32>>) = resources.into_iter().unzip();
        let holder: Vec<u32> = holder.into_iter().map(|m| if (m as usize) < members.len() { m } else { NOBODY }).collect();
        let (_, owner) = assign(&members, &copies, &holder);
        let asked = vec![&[0_u32][..]; members.len()];
        let blind = Sticky::COOPERATIVE.assign(&situation(&[copies.len() as u32], &asked, &holder));
        prop_assert_eq!(moved(&holder, &owner), moved(&holder, &blind));
    }
}
