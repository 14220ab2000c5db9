//! What happens to a group, event by event: for each design the rounds that follow, with who waits for whom where that
//! matters. The first of the generations is the same for all designs, and left out but where it shows how a group begins.

use crate::design::Design::{Both, Deferred, Incremental, TwoRound};
use crate::design::expect_each;
use crate::scene;

#[test]
fn a_join_is_two_rounds() {
    expect_each(
        &scene::JOIN,
        &[(
            &[TwoRound, Deferred, Incremental],
            "
                1 A joined: A +T0 +T3 | B +T1 | C +T2
                2 D joined: A =T0 -T3 | B =T1 | C =T2 | D
                3 B rejoined: A =T0 | B =T1 | C =T2 | D +T3
            ",
        )],
    );
}

#[test]
fn what_a_leaver_had_is_free() {
    expect_each(
        &scene::LEAVE,
        &[
            (
                &[TwoRound, Incremental],
                "
                2 D left: A =T0 +T3 | B =T1 | C =T2
            ",
            ),
            (
                &[Deferred],
                "
                2 D left: A =T0 | B =T1 | C =T2
                3 leader A rejoined: A =T0 +T3 | B =T1 | C =T2
            ",
            ),
        ],
    );
}

#[test]
fn death_is_found_by_the_session_timeout() {
    expect_each(
        &scene::DEATH,
        &[
            (
                &[TwoRound, Incremental],
                "
                2 D expired: A =T0 +T3 | B =T1 | C =T2
            ",
            ),
            (
                &[Deferred],
                "
                2 D expired: A =T0 | B =T1 | C =T2
                3 leader A rejoined: A =T0 +T3 | B =T1 | C =T2
            ",
            ),
        ],
    );
}

#[test]
fn bounce() {
    expect_each(
        &scene::BOUNCE,
        &[
            (
                &[TwoRound, Incremental],
                "
                2 D left: A =T0 +T3 | B =T1 | C =T2
                3 D joined: A =T0 -T3 | B =T1 | C =T2 | D
                4 B rejoined: A =T0 | B =T1 | C =T2 | D +T3
            ",
            ),
            (
                &[Deferred, Both],
                "
                2 D left: A =T0 | B =T1 | C =T2
                3 D joined: A =T0 | B =T1 | C =T2 | D +T3
            ",
            ),
        ],
    );
}

#[test]
fn a_quick_bounce_is_one_round() {
    expect_each(
        &scene::QUICK_BOUNCE,
        &[(
            &[TwoRound, Deferred, Incremental],
            "
                2 D left: A =T0 | B =T1 | C =T2 | D +T3
            ",
        )],
    );
}

#[test]
fn subscription_change() {
    expect_each(
        &scene::OTHER_TOPICS,
        &[(
            &[TwoRound, Deferred, Incremental],
            "
                1 A joined: A +T0 +U0 | B +T1 +U1
                2 B rejoined: A =T0 -U0 +T1 | B =U1 -T1
                3 B rejoined: A =T0 =T1 | B =U1 +U0
            ",
        )],
    );
}

#[test]
fn partitions_added_are_free_and_granted_at_once() {
    expect_each(
        &scene::PARTITIONS_ADDED,
        &[(
            &[TwoRound, Deferred, Incremental],
            "
                2 leader A rejoined: A =T0 +T2 +T4 | B =T1 +T3
            ",
        )],
    );
}

#[test]
fn topic_deleted() {
    expect_each(
        &scene::TOPIC_DELETED,
        &[(
            &[TwoRound, Deferred, Incremental],
            "
                2 leader A rejoined: A =T0 -U0 | B =T1 -U1
                3 leader A rejoined: A =T0 | B =T1
            ",
        )],
    );
}

#[test]
fn two_join_at_once() {
    expect_each(
        &scene::TWO_JOIN,
        &[(
            &[TwoRound, Deferred, Incremental],
            "
                2 C joined: A =T0 -T2 | B =T1 -T3 | C | D
                3 C rejoined: A =T0 | B =T1 | C +T2 | D +T3
            ",
        )],
    );
}

#[test]
fn one_leaves_as_another_joins() {
    expect_each(
        &scene::LEAVE_AND_JOIN,
        &[(
            &[TwoRound, Deferred, Incremental],
            "
                2 D joined: A =T0 | B =T1 | D +T2
            ",
        )],
    );
}

#[test]
fn partitions_added_as_one_leaves() {
    expect_each(
        &scene::LEAVE_AND_PARTITIONS,
        &[
            (
                &[TwoRound, Incremental],
                "
                2 B left: A =T0 +T1 +T4 | C =T2 +T3 +T5
            ",
            ),
            (
                &[Deferred],
                "
                2 B left: A =T0 +T4 | C =T2 +T3 +T5
                3 leader A rejoined: A =T0 =T4 +T1 | C =T2 =T3 =T5
            ",
            ),
        ],
    );
}

#[test]
fn leader_leaves() {
    expect_each(
        &scene::LEADER_LEAVES,
        &[
            (
                &[TwoRound, Incremental],
                "
                2 A left: B =T1 +T0 | C =T2 +T3
            ",
            ),
            (
                &[Deferred],
                "
                2 A left: B =T1 | C =T2
                3 leader B rejoined: B =T1 +T0 | C =T2 +T3
            ",
            ),
        ],
    );
}

#[test]
fn a_new_leader_goes_on_where_the_old_one_stopped() {
    expect_each(
        &scene::NEW_LEADER,
        &[
            (
                &[TwoRound],
                "
                2 C joined: A =T0 =T2 | B =T1 -T3 | C
                4 A expired: B =T1 +T0 | C +T2 +T3
            ",
            ),
            (
                &[Deferred],
                "
                2 C joined: A =T0 =T2 | B =T1 -T3 | C
                4 A expired: B =T1 | C +T3
                5 leader B rejoined: B =T1 +T0 | C =T3 +T2
            ",
            ),
        ],
    );
}

#[test]
fn leader_bounces() {
    expect_each(
        &scene::LEADER_BOUNCES,
        &[
            (
                &[Deferred],
                "
                2 A left: B =T1 | C =T2
                3 A joined: A +T0 +T3 | B =T1 | C =T2
            ",
            ),
            (
                &[TwoRound, Incremental],
                "
                2 A left: B =T1 +T0 | C =T2 +T3
                3 A joined: A | B =T0 =T1 | C =T2 -T3
                4 leader B rejoined: A +T3 | B =T0 =T1 | C =T2
            ",
            ),
        ],
    );
}

#[test]
fn leaders_change() {
    expect_each(
        &scene::LEADERS_CHANGE,
        &[
            (
                &[Deferred],
                "
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
            ),
            (
                &[TwoRound, Incremental],
                "
                2 D left: A =T0 +T3 | B =T1 | C =T2 | E =T4
                3 A left: B =T1 +T0 | C =T2 +T3 | E =T4
                4 B left: C =T2 =T3 +T1 | E =T4 +T0
            ",
            ),
        ],
    );
}

#[test]
fn the_leader_leaves_as_another_comes() {
    expect_each(
        &scene::LEADER_REPLACED,
        &[
            (
                &[Deferred],
                "
                B: T0 T3 wait 60000ms for SD
                C: T0 T3 wait 40001ms for SD
                2 SD expired: B =T1 =T4 | C =T2 =T5
                3 A joined: C =T2 =T5 | A +T1 +T4
                4 leader C rejoined: C =T2 =T5 +T3 | A =T1 =T4 +T0
            ",
            ),
            (
                &[TwoRound, Incremental],
                "
                2 SD expired: B =T1 =T4 +T0 | C =T2 =T5 +T3
                3 A joined: C =T2 =T3 =T5 | A +T0 +T1 +T4
            ",
            ),
        ],
    );
}

#[test]
fn a_static_member_gets_exactly_its_own() {
    expect_each(
        &scene::STATIC_RETURNS,
        &[(
            &[Deferred, Both],
            "
                2 SB expired: A =T1 =T4 | C =T2 =T5
                3 E joined: A =T1 =T4 | C =T2 =T5 | E
                4 SB joined: A =T1 =T4 | SB +T0 +T3 | C =T2 -T5 | E
                5 leader A rejoined: A =T1 =T4 | SB =T0 =T3 | C =T2 | E +T5
            ",
        )],
    );
}

/// Nothing that is held moves during a wait (S14), and a static member's share waits for that member alone: a newcomer
/// beside it has nothing yet, and its whole share as soon as the time is up.
#[test]
fn a_newcomer_that_succeeds_nobody_has_its_share_when_the_wait_is_over() {
    expect_each(
        &scene::STATIC_AWAITED,
        &[
            (
                &[TwoRound, Incremental],
                "
                2 SC expired: A =T1 =T4 =T7 +T0 | B =T2 =T5 +T3 +T6
                3 E joined: A =T0 =T1 =T4 -T7 | B =T2 =T3 =T5 -T6 | E
                4 E rejoined: A =T0 =T1 =T4 | B =T2 =T3 =T5 | E +T6 +T7
            ",
            ),
            (
                &[Deferred, Both],
                "
                2 SC expired: A =T1 =T4 =T7 | B =T2 =T5
                3 E joined: A =T1 =T4 =T7 | B =T2 =T5 | E
                4 leader A rejoined: A =T1 =T4 =T7 | B =T2 =T5 +T6 | E +T0 +T3
            ",
            ),
        ],
    );
}

#[test]
fn several_newcomers_share_what_was_lost() {
    expect_each(
        &scene::TWO_FOR_ONE,
        &[(
            &[Deferred],
            "
                2 D left: A =T0 =T4 | B =T1 =T5 | C =T2 =T6
                3 E joined: A =T0 =T4 | B =T1 =T5 | C =T2 =T6 | E +T3 | F +T7
            ",
        )],
    );
}

#[test]
fn one_comes_back_of_two() {
    expect_each(
        &scene::ONE_OF_TWO,
        &[(
            &[Deferred],
            "
                2 C expired: A =T0 =T4 | B =T1 =T5
                3 E joined: A =T0 =T4 | B =T1 =T5 | E +T2 +T6
                4 leader A rejoined: A =T0 =T4 +T3 | B =T1 =T5 +T7 | E =T2 =T6
            ",
        )],
    );
}

#[test]
fn a_brand_new_leader_keeps_the_share_of_whoever_is_still_away() {
    expect_each(
        &scene::LEADER_AND_ANOTHER,
        &[(
            &[Deferred],
            "
                C: T1 T5 wait 60000ms for somebody
                2 E joined: C =T2 =T6 | D =T3 =T7 | E +T0 +T4
                3 F joined: C =T2 =T6 | D =T3 =T7 | E =T0 =T4 | F +T1 +T5
            ",
        )],
    );
}

#[test]
fn an_idle_member_is_no_returner() {
    expect_each(
        &scene::IDLE,
        &[(
            &[Deferred],
            "
                2 B left: A =T0 | C
                3 leader A rejoined: A =T0 | C +T1
            ",
        )],
    );
}

#[test]
fn scale_up_moves_as_many_at_a_time_as_allowed() {
    expect_each(
        &scene::SCALE_UP,
        &[
            (
                &[Incremental],
                "
                2 C joined: A =T0 =T2 =T4 -T6 -T8 | B =T1 =T3 =T5 =T7 | C
                3 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 =T7 | C +T6 +T8
                4 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C =T6 =T8
                5 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
            ",
            ),
            (
                &[Both],
                "
                2 C joined: A =T0 =T2 =T4 =T8 -T6 | B =T1 =T3 =T5 =T7 | C
                3 B rejoined: A =T0 =T2 =T4 =T8 | B =T1 =T3 =T5 =T7 | C +T6
                4 leader A rejoined: A =T0 =T2 =T4 -T8 | B =T1 =T3 =T5 =T7 | C =T6
                5 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 =T7 | C =T6 +T8
                6 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C =T6 =T8
                7 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
            ",
            ),
        ],
    );
}

#[test]
fn another_joins_between_two_batches() {
    expect_each(
        &scene::SCALE_UP_TWICE,
        &[(
            &[Incremental],
            "
                2 C joined: A =T0 =T2 =T4 -T6 -T8 | B =T1 =T3 =T5 =T7 | C
                3 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 =T7 | C +T6 +T8
                4 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C =T6 =T8
                5 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
                6 D joined: A =T0 =T2 =T4 | B =T1 =T3 -T5 | C =T6 =T7 -T8 | D
                7 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 | C =T6 =T7 | D +T5 +T8
            ",
        )],
    );
}

#[test]
fn tasks_of_a_connector_scaled_down() {
    expect_each(
        &scene::SCALE_DOWN_TASKS,
        &[(
            &[Incremental],
            "
                2 B joined: A =T0 =T1 =T2 =T3 =T6 =T7 =U0 -T4 -T5 | B
                3 B rejoined: A =T0 =T1 =T2 =T3 =T6 =T7 =U0 | B +T4 +T5
                4 leader A rejoined: A =T0 =T1 =T2 =T3 =U0 -T6 -T7 | B =T4 =T5
                5 B rejoined: A =T0 =T1 =T2 =T3 =U0 | B =T4 =T5 +T6 +T7
                6 leader A rejoined: A =T0 =T1 =U0 -T2 -T3 | B =T4 -T5 -T6 -T7
                7 leader A rejoined: A =T0 =T1 =U0 | B =T4 +T2 +T3
            ",
        )],
    );
}

#[test]
fn the_leader_leaves_between_two_batches() {
    expect_each(
        &scene::SCALE_UP_NEW_LEADER,
        &[(
            &[Incremental],
            "
                2 C joined: A =T0 =T2 =T4 =T6 =T10 -T8 | B =T1 =T3 =T5 =T7 =T11 -T9 | C
                3 C rejoined: A =T0 =T2 =T4 =T6 =T10 | B =T1 =T3 =T5 =T7 =T11 | C +T8 +T9
                4 A left: B =T1 =T3 =T5 =T7 =T11 +T0 | C =T8 =T9 +T2 +T4 +T6 +T10
            ",
        )],
    );
}

#[test]
fn what_was_lost_waits_and_what_is_moved_moves_little_by_little() {
    expect_each(
        &scene::SCALE_UP_AND_DEATH,
        &[(
            &[Both],
            "
                A: T1 T4 T7 wait 60000ms for B
                2 B expired: A =T0 =T3 =T6 | C =T2 =T5 =T8
                3 B joined: A =T0 =T3 =T6 | B +T1 +T4 +T7 | C =T2 =T5 =T8
                4 D joined: A =T0 =T3 =T6 | B =T1 =T4 -T7 | C =T2 =T5 =T8 | D
                5 leader A rejoined: A =T0 =T3 =T6 | B =T1 =T4 | C =T2 =T5 =T8 | D +T7
                6 leader A rejoined: A =T0 =T3 =T6 | B =T1 =T4 | C =T2 =T5 -T8 | D =T7
                7 leader A rejoined: A =T0 =T3 =T6 | B =T1 =T4 | C =T2 =T5 | D =T7 +T8
            ",
        )],
    );
}
