//! What it is worth that every plan says whether a round is due, and that a group that begins gathers its members.
//!
//! `cargo run --release -p groma-sim --example rounds -- 1000`

use groma_model::{Span, Time};
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::member::FollowUps;
use groma_rebalance::policy::{PolicyName, PolicySettings};
use groma_sim::{Cluster, Settings};

fn main() {
    let members = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1000);
    println!("one joins {members} members with {} partitions, under two-round", members * 2);
    println!("{:<22}{:>8}{:>8}{:>12}{:>14}", "members join again", "rounds", "joins", "stable in", "moved one off");
    for (name, follow_ups) in [("when told", FollowUps::WhenTold), ("at once", FollowUps::AtOnce)] {
        print(name, &scaled_up(members, follow_ups));
    }
    println!("50 members start within 1 s");
    println!("{:<22}{:>8}{:>8}{:>12}{:>14}", "policy, initial delay", "rounds", "joins", "stable in", "stops");
    for policy in [PolicyName::TwoRound, PolicyName::Deferred] {
        for delay in [Span::from_secs(3), Span::ZERO] {
            print(&format!("{policy}, {delay}"), &formed(policy, delay));
        }
    }
}

/// What a change of the group has cost.
struct Cost {
    rounds: usize,
    joins: usize,
    stable: Span,
    last: String,
}

fn print(name: &str, cost: &Cost) {
    println!("{name:<22}{:>8}{:>8}{:>12}{:>14}", cost.rounds, cost.joins, cost.stable.to_string(), cost.last);
}

fn settings(policy: PolicyName) -> Settings {
    let policy = PolicySettings::of(policy).build();
    let mut settings = Settings::new(vec![Strategy::cooperative_sticky().with_policy(policy)]);
    settings.member.heartbeat_interval = Span::from_secs(3);
    settings.member.session_timeout = Span::from_secs(45);
    settings.latency = (Span::from_millis(1), Span::from_millis(5));
    settings
}

fn scaled_up(members: u32, follow_ups: FollowUps) -> Cost {
    let mut settings = settings(PolicyName::TwoRound);
    settings.member.follow_ups = follow_ups;
    settings.coordinator.initial_rebalance_delay = Span::from_secs(3);
    let mut cluster = Cluster::new(settings);
    cluster.topic("T", members * 2);
    (0..members).for_each(|n| cluster.join(&format!("m{n}")));
    cluster.drive();
    let (began, lines, rounds) = (cluster.now(), cluster.timeline().len(), cluster.generations());
    cluster.join("late");
    cluster.drive();
    let line = |part: &str| cluster.timeline()[lines..].iter().rfind(|l| l.contains(part)).map(|l| time(l));
    let moved = line(" starts T").map(|at| at.since(began).to_string());
    cost(&cluster, (began, lines, rounds), moved.unwrap_or_default())
}

fn formed(policy: PolicyName, delay: Span) -> Cost {
    let mut settings = settings(policy);
    settings.coordinator.initial_rebalance_delay = delay;
    let mut cluster = Cluster::new(settings);
    cluster.topic("T", 500);
    for n in 0..50 {
        cluster.join(&format!("m{n}"));
        cluster.run_for(Span::from_millis(20));
    }
    cluster.drive();
    let stops = cluster.timeline().iter().filter(|l| l.contains(" is to stop ")).count();
    cost(&cluster, (Time::ZERO, 0, 0), stops.to_string())
}

fn cost(cluster: &Cluster, (began, lines, rounds): (Time, usize, usize), last: String) -> Cost {
    let told = &cluster.timeline()[lines..];
    let settled = told.iter().rfind(|l| l.contains(" is settled in ")).map_or(began, |l| time(l));
    Cost {
        rounds: cluster.generations() - rounds,
        joins: told.iter().filter(|l| l.contains(" joins: ")).count(),
        stable: settled.since(began),
        last,
    }
}

/// When a line was told.
fn time(line: &str) -> Time {
    let seconds = line.split('s').next().and_then(|text| text.trim().parse::<f64>().ok()).unwrap_or_default();
    Time((seconds * 1e9) as u64)
}
