//! What one change costs a large group: rounds, moves and messages, at a size that a test can afford.

use groma_sim::{Policy, ScaleBill, ScaleEvent};

const MEMBERS: u32 = 200;
const RESOURCES: u32 = 20_000;

fn play(event: ScaleEvent, policy: Policy) -> ScaleBill {
    let bill = event.play(policy, MEMBERS, RESOURCES);
    assert_eq!(bill.violations, 0, "{bill:?}");
    bill
}

#[test]
fn a_join_moves_one_share_in_two_rounds() {
    for policy in [Policy::TwoRound, Policy::Deferred] {
        let bill = play(ScaleEvent::Join, policy);
        assert_eq!((bill.rounds, bill.moved, bill.stopped), (2, bill.least, bill.least), "{policy:?}");
    }
}

#[test]
fn a_leave_moves_only_what_the_leaver_held() {
    for (policy, rounds) in [(Policy::TwoRound, 1), (Policy::Deferred, 2)] {
        let bill = play(ScaleEvent::Leave, policy);
        assert_eq!((bill.rounds, bill.moved, bill.stopped), (rounds, bill.least, bill.least), "{policy:?}");
    }
}

#[test]
fn eager_stops_everything_for_one_who_joins() {
    let bill = play(ScaleEvent::Join, Policy::Eager);
    assert_eq!((bill.rounds, bill.stopped), (1, u64::from(RESOURCES)));
    assert!(bill.moved <= bill.least + 1, "{bill:?}");
}

#[test]
fn members_with_stable_identities_bounce_without_any_round() {
    for (_, policy) in Policy::ALL {
        let bill = play(ScaleEvent::StaticBounce, *policy);
        assert_eq!((bill.rounds, bill.moved, bill.stopped), (0, 0, 0), "{policy:?}");
    }
}

#[test]
fn others_bounce_under_deferral_without_a_move() {
    let bill = play(ScaleEvent::Bounce, Policy::Deferred);
    assert_eq!((bill.moved, bill.least), (0, 0), "{bill:?}");
}
