//! Design II.

use groma_model::Span;
use groma_rebalance::policy::{DelaySource, PolicySettings, Returner};

use crate::design::Design::Deferred;
use crate::scene;
use crate::table::{expect, formed, settings};

#[test]
fn after_the_delay_as_connect_does() {
    let policy = PolicySettings { returner: Returner::AfterDelay, ..Deferred.policy() };
    let mut cluster = scene::BOUNCE.played(settings(&policy));
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 | B =T1 | C =T2
        3 D joined: A =T0 | B =T1 | C =T2 | D
        4 leader A rejoined: A =T0 | B =T1 | C =T2 | D +T3
    ",
    );
}

#[test]
fn the_delay_from_configuration() {
    let policy = PolicySettings { source: DelaySource::Configuration, ..Deferred.policy() };
    let mut cluster = scene::LEAVE.played(settings(&policy));
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 | B =T1 | C =T2
        3 leader A rejoined: A =T0 +T3 | B =T1 | C =T2
    ",
    );
}

#[test]
fn b9_no_delay_is_design_one() {
    let policy = PolicySettings { max_delay: Span::ZERO, ..Deferred.policy() };
    let mut cluster = scene::LEAVE.played(settings(&policy));
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 +T3 | B =T1 | C =T2
    ",
    );
}

#[test]
fn a_group_that_begins_gathers_its_members_first() {
    let policy = PolicySettings { formation: Span::from_secs(3), ..Deferred.policy() };
    let mut settings = settings(&policy);
    settings.coordinator.initial_rebalance_delay = Span::ZERO;
    let mut cluster = scene::JOIN.opened(settings);
    expect(
        &mut cluster,
        0,
        "
        2 B joined: A +T0 +T3 | B +T1 | C +T2
    ",
    );
}

#[test]
fn fifty_that_start_within_a_second_settle_in_one_round_with_and_without_a_delay_of_the_coordinators() {
    let policy = PolicySettings { formation: Span::from_secs(3), ..Deferred.policy() };
    assert_eq!(formed(settings(&policy), Span::from_secs(3)), (1, 0));
    assert_eq!(formed(settings(&policy), Span::ZERO), (1, 0));
}

#[test]
fn what_the_coordinator_has_waited_is_taken_off() {
    let policy = PolicySettings { formation: Span::from_secs(3), ..Deferred.policy() };
    let mut settings = settings(&policy);
    settings.coordinator.initial_rebalance_delay = Span::from_secs(3);
    let mut cluster = scene::JOIN.opened(settings);
    expect(
        &mut cluster,
        0,
        "
        1 A joined: A +T0 +T3 | B +T1 | C +T2
    ",
    );
}
