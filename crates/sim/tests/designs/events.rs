//! What happens to a group, event by event: for each design the rounds that follow, with who waits for whom where that
//! matters. The first of the generations is the same for all designs, and left out but where it shows how a group begins.
//!
//! Each table names its event, its scene and the designs that go through it in the same way. The last test fails where a
//! design has no table of an event.

use crate::design::Design::{self, Both, Deferred, Eager, Incremental, TwoRound};
use crate::design::expect_each;
use crate::event::Event;
use crate::scene;

/// A test for each table, and the list of which design is shown in which event.
macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident: $event:ident, $scene:ident => [$([$($design:ident),+] $rounds:literal),+ $(,)?];)+) => {
        $($(#[$doc])* #[test] fn $name() { expect_each(&scene::$scene, &[$((&[$($design),+], $rounds)),+]); })+

        const SHOWN: &[(Event, &[Design])] = &[$((Event::$event, &[$($($design),+),+])),+];
    };
}

tables! {
    a_join_is_two_rounds: Join, JOIN => [
        [Eager] "
            1 A joined: A +T0 +T3 | B +T1 | C +T2
            2 D joined: A -T0 -T3 +T0 | B -T1 +T1 | C -T2 +T2 | D +T3
        ",
        [TwoRound, Deferred, Incremental, Both] "
            1 A joined: A +T0 +T3 | B +T1 | C +T2
            2 D joined: A =T0 -T3 | B =T1 | C =T2 | D
            3 B rejoined: A =T0 | B =T1 | C =T2 | D +T3
        ",
    ];

    what_a_leaver_had_is_free: Leave, LEAVE => [
        [Eager] "
            2 D left: A -T0 +T0 +T3 | B -T1 +T1 | C -T2 +T2
        ",
        [TwoRound, Incremental] "
            2 D left: A =T0 +T3 | B =T1 | C =T2
        ",
        [Deferred, Both] "
            2 D left: A =T0 | B =T1 | C =T2
            3 leader A rejoined: A =T0 +T3 | B =T1 | C =T2
        ",
    ];

    death_is_found_by_the_session_timeout: Leave, DEATH => [
        [Eager] "
            2 D expired: A -T0 +T0 +T3 | B -T1 +T1 | C -T2 +T2
        ",
        [TwoRound, Incremental] "
            2 D expired: A =T0 +T3 | B =T1 | C =T2
        ",
        [Deferred, Both] "
            2 D expired: A =T0 | B =T1 | C =T2
            3 leader A rejoined: A =T0 +T3 | B =T1 | C =T2
        ",
    ];

    bounce: Bounce, BOUNCE => [
        [Eager] "
            2 D left: A -T0 +T0 +T3 | B -T1 +T1 | C -T2 +T2
            3 D joined: A -T0 -T3 +T0 | B -T1 +T1 | C -T2 +T2 | D +T3
        ",
        [TwoRound, Incremental] "
            2 D left: A =T0 +T3 | B =T1 | C =T2
            3 D joined: A =T0 -T3 | B =T1 | C =T2 | D
            4 B rejoined: A =T0 | B =T1 | C =T2 | D +T3
        ",
        [Deferred, Both] "
            2 D left: A =T0 | B =T1 | C =T2
            3 D joined: A =T0 | B =T1 | C =T2 | D +T3
        ",
    ];

    a_quick_bounce_is_one_round: Bounce, QUICK_BOUNCE => [
        [Eager] "
            2 D left: A -T0 +T0 | B -T1 +T1 | C -T2 +T2 | D +T3
        ",
        [TwoRound, Deferred, Incremental, Both] "
            2 D left: A =T0 | B =T1 | C =T2 | D +T3
        ",
    ];

    subscription_change: OtherTopics, OTHER_TOPICS => [
        [Eager] "
            1 A joined: A +T0 +U0 | B +T1 +U1
            2 B rejoined: A -T0 -U0 +T0 +T1 | B -T1 -U1 +U0 +U1
        ",
        [TwoRound, Deferred, Incremental, Both] "
            1 A joined: A +T0 +U0 | B +T1 +U1
            2 B rejoined: A =T0 -U0 +T1 | B =U1 -T1
            3 B rejoined: A =T0 =T1 | B =U1 +U0
        ",
    ];

    partitions_added_are_free_and_granted_at_once: PartitionsAdded, PARTITIONS_ADDED => [
        [Eager] "
            2 leader A rejoined: A -T0 +T0 +T2 +T4 | B -T1 +T1 +T3
        ",
        [TwoRound, Deferred, Incremental, Both] "
            2 leader A rejoined: A =T0 +T2 +T4 | B =T1 +T3
        ",
    ];

    topic_deleted: TopicDeleted, TOPIC_DELETED => [
        [Eager] "
            2 leader A rejoined: A -T0 -U0 +T0 | B -T1 -U1 +T1
        ",
        [TwoRound, Deferred, Incremental, Both] "
            2 leader A rejoined: A =T0 -U0 | B =T1 -U1
            3 leader A rejoined: A =T0 | B =T1
        ",
    ];

    two_join_at_once: TwoAtOnce, TWO_JOIN => [
        [Eager] "
            2 C joined: A -T0 -T2 +T0 | B -T1 -T3 +T1 | C +T2 | D +T3
        ",
        [TwoRound, Deferred, Incremental] "
            2 C joined: A =T0 -T2 | B =T1 -T3 | C | D
            3 C rejoined: A =T0 | B =T1 | C +T2 | D +T3
        ",
        [Both] "
            2 C joined: A =T0 -T2 | B =T1 =T3 | C | D
            3 B rejoined: A =T0 | B =T1 =T3 | C +T2 | D
            4 leader A rejoined: A =T0 | B =T1 -T3 | C =T2 | D
            5 leader A rejoined: A =T0 | B =T1 | C =T2 | D +T3
        ",
    ];

    one_leaves_as_another_joins: TwoAtOnce, LEAVE_AND_JOIN => [
        [Eager] "
            2 D joined: A -T0 +T0 | B -T1 +T1 | D +T2
        ",
        [TwoRound, Deferred, Incremental, Both] "
            2 D joined: A =T0 | B =T1 | D +T2
        ",
    ];

    partitions_added_as_one_leaves: TwoAtOnce, LEAVE_AND_PARTITIONS => [
        [Eager] "
            2 B left: A -T0 +T0 +T1 +T4 | C -T2 +T2 +T3 +T5
        ",
        [TwoRound, Incremental] "
            2 B left: A =T0 +T1 +T4 | C =T2 +T3 +T5
        ",
        [Deferred, Both] "
            2 B left: A =T0 +T4 | C =T2 +T3 +T5
            3 leader A rejoined: A =T0 =T4 +T1 | C =T2 =T3 =T5
        ",
    ];

    leader_leaves: LeaderLeaves, LEADER_LEAVES => [
        [Eager] "
            2 A left: B -T1 +T0 +T1 | C -T2 +T2 +T3
        ",
        [TwoRound, Incremental] "
            2 A left: B =T1 +T0 | C =T2 +T3
        ",
        [Deferred, Both] "
            2 A left: B =T1 | C =T2
            3 leader B rejoined: B =T1 +T0 | C =T2 +T3
        ",
    ];

    a_new_leader_goes_on_where_the_old_one_stopped: LeaderLeaves, NEW_LEADER => [
        [TwoRound] "
            2 C joined: A =T0 =T2 | B =T1 -T3 | C
            4 A expired: B =T1 +T0 | C +T2 +T3
        ",
        [Deferred] "
            2 C joined: A =T0 =T2 | B =T1 -T3 | C
            4 A expired: B =T1 | C +T3
            5 leader B rejoined: B =T1 +T0 | C =T3 +T2
        ",
    ];

    leader_bounces: LeaderBounces, LEADER_BOUNCES => [
        [Eager] "
            2 A left: B -T1 +T0 +T1 | C -T2 +T2 +T3
            3 A joined: A +T3 | B -T0 -T1 +T0 +T1 | C -T2 -T3 +T2
        ",
        [TwoRound, Incremental] "
            2 A left: B =T1 +T0 | C =T2 +T3
            3 A joined: A | B =T0 =T1 | C =T2 -T3
            4 leader B rejoined: A +T3 | B =T0 =T1 | C =T2
        ",
        [Deferred, Both] "
            2 A left: B =T1 | C =T2
            3 A joined: A +T0 +T3 | B =T1 | C =T2
        ",
    ];

    leaders_change: SeveralLeaders, LEADERS_CHANGE => [
        [Eager] "
            2 D left: A -T0 +T0 +T3 | B -T1 +T1 | C -T2 +T2 | E -T4 +T4
            3 A left: B -T1 +T0 +T1 | C -T2 +T2 +T3 | E -T4 +T4
            4 B left: C -T2 -T3 +T1 +T2 +T3 | E -T4 +T0 +T4
        ",
        [TwoRound, Incremental] "
            2 D left: A =T0 +T3 | B =T1 | C =T2 | E =T4
            3 A left: B =T1 +T0 | C =T2 +T3 | E =T4
            4 B left: C =T2 =T3 +T1 | E =T4 +T0
        ",
        [Deferred, Both] "
            A: T3 wait 60000ms for D
            B: T3 wait 50001ms for D, T0 wait 60000ms for somebody
            C: T3 wait 39997ms for D, T0 wait 50001ms for somebody, T1 wait 60000ms for somebody
            C: T0 wait 10002ms for somebody, T1 wait 20004ms for somebody
            C: T1 wait 9999ms for somebody
            2 D left: A =T0 | B =T1 | C =T2 | E =T4
            3 A left: B =T1 | C =T2 | E =T4
            4 B left: C =T2 | E =T4
            5 leader C rejoined: C =T2 +T3 | E =T4
            6 leader C rejoined: C =T2 =T3 | E =T4 +T0
            7 leader C rejoined: C =T2 =T3 +T1 | E =T0 =T4
        ",
    ];

    the_leader_leaves_as_another_comes: LeaderLeaves, LEADER_REPLACED => [
        [TwoRound, Incremental] "
            2 SD expired: B =T1 =T4 +T0 | C =T2 =T5 +T3
            3 A joined: C =T2 =T3 =T5 | A +T0 +T1 +T4
        ",
        [Deferred] "
            B: T0 T3 wait 60000ms for SD
            C: T0 T3 wait 40001ms for SD
            2 SD expired: B =T1 =T4 | C =T2 =T5
            3 A joined: C =T2 =T5 | A +T1 +T4
            4 leader C rejoined: C =T2 =T5 +T3 | A =T1 =T4 +T0
        ",
    ];

    /// Nothing waits under the others: they have shared it out before.
    a_brand_new_leader_goes_on_with_the_wait_and_makes_none_where_there_is_none: BrandNewLeader, BRAND_NEW_LEADER => [
        [Eager] "
            2 C expired: SA +T0 +T2 +T3 | B -T1 -T4 +T1 +T4 +T5
            3 leader SA rejoined: SA -T0 -T2 -T3 +T0 +T2 +T3 +T6 | B -T1 -T4 -T5 +T1 +T4 +T5
        ",
        [TwoRound, Incremental] "
            2 C expired: SA +T0 +T2 +T3 | B =T1 =T4 +T5
            3 leader SA rejoined: SA =T0 =T2 =T3 +T6 | B =T1 =T4 =T5
        ",
        [Deferred, Both] "
            SA: T2 T5 wait 60000ms for C
            SA: T2 T5 wait 30001ms for C
            2 C expired: SA +T0 +T3 | B =T1 =T4
            3 leader SA rejoined: SA =T0 =T3 +T6 | B =T1 =T4
            4 B rejoined: SA =T0 =T3 =T6 +T5 | B =T1 =T4 +T2
        ",
    ];

    a_static_member_gets_exactly_its_own: Bounce, STATIC_RETURNS => [
        [Deferred, Both] "
            2 SB expired: A =T1 =T4 | C =T2 =T5
            3 E joined: A =T1 =T4 | C =T2 =T5 | E
            4 SB joined: A =T1 =T4 | SB +T0 +T3 | C =T2 -T5 | E
            5 leader A rejoined: A =T1 =T4 | SB =T0 =T3 | C =T2 | E +T5
        ",
    ];

    /// Nothing that is held moves during a wait (S14), and a static member's share waits for that member alone: a newcomer
    /// beside it has nothing yet, and its whole share as soon as the time is up.
    a_newcomer_that_succeeds_nobody_has_its_share_when_the_wait_is_over: Join, STATIC_AWAITED => [
        [TwoRound, Incremental] "
            2 SC expired: A =T1 =T4 =T7 +T0 | B =T2 =T5 +T3 +T6
            3 E joined: A =T0 =T1 =T4 -T7 | B =T2 =T3 =T5 -T6 | E
            4 E rejoined: A =T0 =T1 =T4 | B =T2 =T3 =T5 | E +T6 +T7
        ",
        [Deferred, Both] "
            2 SC expired: A =T1 =T4 =T7 | B =T2 =T5
            3 E joined: A =T1 =T4 =T7 | B =T2 =T5 | E
            4 leader A rejoined: A =T1 =T4 =T7 | B =T2 =T5 +T6 | E +T0 +T3
        ",
    ];

    several_newcomers_share_what_was_lost: TwoAtOnce, TWO_FOR_ONE => [
        [Deferred] "
            2 D left: A =T0 =T4 | B =T1 =T5 | C =T2 =T6
            3 E joined: A =T0 =T4 | B =T1 =T5 | C =T2 =T6 | E +T3 | F +T7
        ",
    ];

    one_comes_back_of_two: TwoAtOnce, ONE_OF_TWO => [
        [Deferred] "
            2 C expired: A =T0 =T4 | B =T1 =T5
            3 E joined: A =T0 =T4 | B =T1 =T5 | E +T2 +T6
            4 leader A rejoined: A =T0 =T4 +T3 | B =T1 =T5 +T7 | E =T2 =T6
        ",
    ];

    a_brand_new_leader_keeps_the_share_of_whoever_is_still_away: LeaderBounces, LEADER_AND_ANOTHER => [
        [Deferred] "
            C: T1 T5 wait 60000ms for somebody
            2 E joined: C =T2 =T6 | D =T3 =T7 | E +T0 +T4
            3 F joined: C =T2 =T6 | D =T3 =T7 | E =T0 =T4 | F +T1 +T5
        ",
    ];

    an_idle_member_is_no_returner: Leave, IDLE => [
        [Deferred] "
            2 B left: A =T0 | C
            3 leader A rejoined: A =T0 | C +T1
        ",
    ];

    scale_up_moves_as_many_at_a_time_as_allowed: Join, SCALE_UP => [
        [Incremental] "
            2 C joined: A =T0 =T2 =T4 -T6 -T8 | B =T1 =T3 =T5 =T7 | C
            3 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 =T7 | C +T6 +T8
            4 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C =T6 =T8
            5 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
        ",
        [Both] "
            2 C joined: A =T0 =T2 =T4 =T8 -T6 | B =T1 =T3 =T5 =T7 | C
            3 B rejoined: A =T0 =T2 =T4 =T8 | B =T1 =T3 =T5 =T7 | C +T6
            4 leader A rejoined: A =T0 =T2 =T4 -T8 | B =T1 =T3 =T5 =T7 | C =T6
            5 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 =T7 | C =T6 +T8
            6 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C =T6 =T8
            7 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
        ",
    ];

    another_joins_between_two_batches: TwoAtOnce, SCALE_UP_TWICE => [
        [Incremental] "
            2 C joined: A =T0 =T2 =T4 -T6 -T8 | B =T1 =T3 =T5 =T7 | C
            3 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 =T7 | C +T6 +T8
            4 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C =T6 =T8
            5 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
            6 D joined: A =T0 =T2 =T4 | B =T1 =T3 -T5 | C =T6 =T7 -T8 | D
            7 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 | C =T6 =T7 | D +T5 +T8
        ",
    ];

    tasks_of_a_connector_scaled_down: PartitionsAdded, SCALE_DOWN_TASKS => [
        [Incremental] "
            2 B joined: A =T0 =T1 =T2 =T3 =T6 =T7 =U0 -T4 -T5 | B
            3 B rejoined: A =T0 =T1 =T2 =T3 =T6 =T7 =U0 | B +T4 +T5
            4 leader A rejoined: A =T0 =T1 =T2 =T3 =U0 -T6 -T7 | B =T4 =T5
            5 B rejoined: A =T0 =T1 =T2 =T3 =U0 | B =T4 =T5 +T6 +T7
            6 leader A rejoined: A =T0 =T1 =U0 -T2 -T3 | B =T4 -T5 -T6 -T7
            7 leader A rejoined: A =T0 =T1 =U0 | B =T4 +T2 +T3
        ",
    ];

    the_leader_leaves_between_two_batches: LeaderLeaves, SCALE_UP_NEW_LEADER => [
        [Incremental] "
            2 C joined: A =T0 =T2 =T4 =T6 =T10 -T8 | B =T1 =T3 =T5 =T7 =T11 -T9 | C
            3 C rejoined: A =T0 =T2 =T4 =T6 =T10 | B =T1 =T3 =T5 =T7 =T11 | C +T8 +T9
            4 A left: B =T1 =T3 =T5 =T7 =T11 +T0 | C =T8 =T9 +T2 +T4 +T6 +T10
        ",
    ];

    what_was_lost_waits_and_what_is_moved_moves_little_by_little: TwoAtOnce, SCALE_UP_AND_DEATH => [
        [Both] "
            A: T1 T4 T7 wait 60000ms for B
            2 B expired: A =T0 =T3 =T6 | C =T2 =T5 =T8
            3 B joined: A =T0 =T3 =T6 | B +T1 +T4 +T7 | C =T2 =T5 =T8
            4 D joined: A =T0 =T3 =T6 | B =T1 =T4 -T7 | C =T2 =T5 =T8 | D
            5 leader A rejoined: A =T0 =T3 =T6 | B =T1 =T4 | C =T2 =T5 =T8 | D +T7
            6 leader A rejoined: A =T0 =T3 =T6 | B =T1 =T4 | C =T2 =T5 -T8 | D =T7
            7 leader A rejoined: A =T0 =T3 =T6 | B =T1 =T4 | C =T2 =T5 | D =T7 +T8
        ",
    ];
}

#[test]
fn every_design_has_a_table_of_every_event() {
    let shown = |event, design| SHOWN.iter().any(|(e, designs)| *e == event && designs.contains(&design));
    let pairs = Event::ALL.into_iter().flat_map(|event| Design::ALL.map(|design| (event, design)));
    let missing: Vec<(Event, Design)> = pairs.filter(|(event, design)| !shown(*event, *design)).collect();
    assert_eq!(missing, []);
}
