//! Designs II and III together.

use groma_model::Span;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::policy::{PolicyName, PolicySettings};
use groma_sim::{Cluster, Settings};

use crate::scene::{self, Scene};
use crate::table::{by, expect, offer, settings, waits};

fn both() -> PolicySettings {
    PolicySettings { moves_per_round: Some(1), ..by(PolicyName::DeferredIncremental) }
}

fn played(scene: &Scene) -> Cluster {
    scene.played(settings(&both()))
}

#[test]
fn what_was_lost_waits_and_what_is_moved_moves_little_by_little() {
    let mut cluster = played(&scene::SCALE_UP_AND_DEATH);
    assert_eq!(waits(&cluster), ["A: T1 T4 T7 wait 60000ms for B"]);
    expect(
        &mut cluster,
        1,
        "
        2 B expired: A =T0 =T3 =T6 | C =T2 =T5 =T8
        3 B joined: A =T0 =T3 =T6 | B +T1 +T4 +T7 | C =T2 =T5 =T8
        4 D joined: A =T0 =T3 =T6 | B =T1 =T4 -T7 | C =T2 =T5 =T8 | D
        5 leader A rejoined: A =T0 =T3 =T6 | B =T1 =T4 | C =T2 =T5 =T8 | D +T7
        6 leader A rejoined: A =T0 =T3 =T6 | B =T1 =T4 | C =T2 =T5 -T8 | D =T7
        7 leader A rejoined: A =T0 =T3 =T6 | B =T1 =T4 | C =T2 =T5 | D =T7 +T8
    ",
    );
}

#[test]
fn bounce() {
    let mut cluster = played(&scene::BOUNCE);
    expect(
        &mut cluster,
        1,
        "
        2 D left: A =T0 | B =T1 | C =T2
        3 D joined: A =T0 | B =T1 | C =T2 | D +T3
    ",
    );
}

#[test]
fn scale_up() {
    let mut cluster = played(&scene::SCALE_UP);
    expect(
        &mut cluster,
        1,
        "
        2 C joined: A =T0 =T2 =T4 =T8 -T6 | B =T1 =T3 =T5 =T7 | C
        3 B rejoined: A =T0 =T2 =T4 =T8 | B =T1 =T3 =T5 =T7 | C +T6
        4 leader A rejoined: A =T0 =T2 =T4 -T8 | B =T1 =T3 =T5 =T7 | C =T6
        5 B rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 =T7 | C =T6 +T8
        6 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 -T7 | C =T6 =T8
        7 leader A rejoined: A =T0 =T2 =T4 | B =T1 =T3 =T5 | C =T6 =T8 +T7
    ",
    );
}

#[test]
fn a_static_member_returns() {
    let mut cluster = played(&scene::STATIC_RETURNS);
    expect(
        &mut cluster,
        1,
        "
        2 SB expired: A =T1 =T4 | C =T2 =T5
        3 E joined: A =T1 =T4 | C =T2 =T5 | E
        4 SB joined: A =T1 =T4 | SB +T0 +T3 | C =T2 -T5 | E
        5 leader A rejoined: A =T1 =T4 | SB =T0 =T3 | C =T2 | E +T5
    ",
    );
}

/// Members that announce both kinds are eager as long as one that knows no more is there, and cooperative from then on.
#[test]
fn one_rolling_bounce_moves_a_group_from_eager_to_cooperative() {
    let policy = by(PolicyName::Deferred);
    let eager = || vec![Strategy::sticky()];
    let three = Scene { name: "three", topics: &[("T", 6)], members: &["A", "B", "C"], act: |_| {} };
    let mut cluster = three.opened(Settings { strategies: eager(), ..settings(&policy) });
    cluster.offer(offer(&policy).into_iter().chain(eager()).collect());
    for name in three.members {
        cluster.leave(name);
        cluster.restart_after(name, Span::from_secs(1));
        cluster.drive();
        cluster.check_settled();
    }
    let stops = cluster.stops();
    cluster.leave("B");
    cluster.restart_after("B", Span::from_secs(5));
    cluster.drive();
    assert_eq!(cluster.stops() - stops, 2, "only what B runs:\n{}", cluster.timeline().join("\n"));
    cluster.offer(eager());
    cluster.join("straggler");
    cluster.drive();
    assert_eq!((cluster.stops() - stops, cluster.runs("straggler").as_str()), (2, "nothing"), "it is refused");
    cluster.crash("straggler");
    cluster.check_settled();
    assert_eq!(cluster.violations(), [], "\n{}", cluster.timeline().join("\n"));
}

/// A group is moved from policy to policy by one rolling bounce each; in between it does what all members support.
#[test]
fn one_rolling_bounce_moves_a_group_from_policy_to_policy() {
    let steps = [PolicyName::TwoRound, PolicyName::Deferred, PolicyName::DeferredIncremental, PolicyName::Incremental];
    let mut cluster = Scene { name: "three", topics: &[("T", 6)], members: &["A", "B", "C"], act: |_| {} }
        .opened(settings(&by(steps[0])));
    for policy in &steps[1..] {
        cluster.offer(offer(&by(*policy)));
        for name in ["A", "B", "C"] {
            cluster.leave(name);
            cluster.restart_after(name, Span::from_secs(1));
            cluster.drive();
        }
        let before = cluster.timeline().len();
        cluster.leave("B");
        cluster.restart_after("B", Span::from_secs(5));
        cluster.drive();
        let waited = cluster.timeline()[before..].iter().any(|line| line.contains("ms for "));
        assert_eq!(waited, *policy != PolicyName::Incremental, "{policy}:\n{}", cluster.timeline().join("\n"));
        cluster.check_settled();
    }
    assert_eq!(cluster.violations(), [], "\n{}", cluster.timeline().join("\n"));
}
