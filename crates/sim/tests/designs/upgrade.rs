//! From one policy to another by a rolling bounce.

use groma_model::Span;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::policy::PolicyName;
use groma_sim::Settings;

use crate::scene::Scene;
use crate::table::{by, offer, settings};

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

#[test]
fn two_rolling_bounces_move_a_group_from_eager_to_cooperative() {
    let both = vec![Strategy::cooperative_sticky(), Strategy::range()];
    let mut cluster = Scene { name: "three", topics: &[("T", 6)], members: &["A", "B", "C"], act: |_| {} }
        .opened(Settings::new(vec![Strategy::range()]));
    for strategies in [both, vec![Strategy::cooperative_sticky()]] {
        cluster.offer(strategies);
        for name in ["A", "B", "C"] {
            cluster.leave(name);
            cluster.restart_after(name, Span::from_secs(1));
            cluster.drive();
        }
    }
    let protocol = cluster.group().and_then(|g| g.view().protocol);
    assert_eq!(protocol.as_deref(), Some("cooperative-sticky"));
    cluster.check_settled();
    assert_eq!(cluster.violations(), [], "\n{}", cluster.timeline().join("\n"));
}
