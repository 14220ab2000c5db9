use groma_rebalance::assignor::{Assignor, Range};
use groma_rebalance::share::{NOBODY, Racks, Situation};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::groups::{loads, near, situation};

/// What Kafka's own assignor gives whom.
const KAFKAS: &str = include_str!("../fixtures/range-racks.txt");

/// A rack by its letter; "-" is none.
fn rack(letter: char) -> Option<u32> {
    (letter != '-').then(|| letter as u32 - 'a' as u32)
}

/// Members, each with its rack and the topics it asks for; topics, for each partition the racks with a copy of it.
fn group(members: &str, topics: &str) -> Situation {
    let asked: Vec<Vec<u32>> =
        members.split(' ').map(|member| member.chars().skip(1).filter_map(|t| t.to_digit(10)).collect()).collect();
    let asked: Vec<&[u32]> = asked.iter().map(Vec::as_slice).collect();
    let counts: Vec<u32> = topics.split(' ').map(|topic| topic.split(',').count() as u32).collect();
    let copies = topics.split([' ', ',']).map(|copies| copies.chars().filter_map(rack));
    let racks = Racks::new(members.split(' ').map(|member| member.chars().next().and_then(rack)), copies);
    situation(&counts, &asked, &[]).with_racks(racks)
}

fn owners(text: &str) -> Vec<u32> {
    text.chars().filter(|c| *c != ' ').map(|c| c.to_digit(10).unwrap_or(NOBODY)).collect()
}

#[test]
fn range_gives_what_kafkas_gives_in_racks_too() {
    let groups: Vec<Vec<&str>> = KAFKAS.lines().skip(1).map(|line| line.split("; ").collect()).collect();
    assert_eq!(groups.len(), 300);
    for line in groups {
        assert_eq!(Range.assign(&group(line[0], line[1])), owners(line[2]), "{line:?}");
    }
}

#[test]
fn members_read_from_their_own_rack_and_equal_numbers_meet() {
    assert_eq!(Range.assign(&group("b0 a0 c0", "a,b,c,a,b,c")), [1, 0, 2, 1, 0, 2]);
    assert_eq!(Range.assign(&group("b01 a01 c01", "a,b,c a,b,c")), [1, 0, 2, 1, 0, 2]);
    let differ = Range.assign(&group("a01 b01", "a,b b,b"));
    assert_eq!(differ, [0, 1, 0, 1], "only where all copies are near");
    assert_eq!(Range.assign(&group("x0 y0", "a,b,a")), [0, 0, 1], "as without racks");
}

proptest! {
    #[test]
    fn no_less_is_near_than_without_racks(members in vec(0_u32..4, 1..6), copies in vec(vec(0_u32..3, 0..3), 1..20)) {
        let asked = vec![&[0_u32][..]; members.len()];
        let blind = situation(&[copies.len() as u32], &asked, &[]);
        let racks = Racks::new(members.iter().map(|rack| Some(*rack)), copies);
        let (blindly, nearly) = (Range.assign(&blind), Range.assign(&blind.with_racks(racks.clone())));
        prop_assert!(near(&racks, &nearly) >= near(&racks, &blindly), "{nearly:?} for {blindly:?}");
        let sorted = |owner: &[u32]| {
            let mut shares = loads(owner, members.len());
            shares.sort_unstable();
            shares
        };
        prop_assert_eq!(sorted(&nearly), sorted(&blindly));
    }
}
