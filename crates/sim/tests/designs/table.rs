use groma_model::Span;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::policy::{PolicyName, PolicySettings};
use groma_sim::{Cluster, Settings};

/// Compares all generations but the first ones with a table, and checks every property.
pub(crate) fn expect(cluster: &mut Cluster, skip: usize, table: &str) {
    let rounds = cluster.rounds();
    let seen: Vec<&str> = rounds.lines().skip(skip).collect();
    let wanted: Vec<&str> = table.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(seen, wanted, "\n{}", cluster.timeline().join("\n"));
    cluster.check_settled();
    cluster.check_quiet();
    assert_eq!(cluster.violations(), [], "\n{}", cluster.timeline().join("\n"));
}

/// A quiet world in which members share out by a policy: waits of a minute, no wait for a group to gather.
pub(crate) fn by(policy: PolicyName) -> PolicySettings {
    PolicySettings { max_delay: Span::from_secs(60), formation: Span::ZERO, ..PolicySettings::of(policy) }
}

/// What members that share out so offer.
pub(crate) fn offer(policy: &PolicySettings) -> Vec<Strategy> {
    vec![Strategy::cooperative_sticky().with_policy(policy.build())]
}

pub(crate) fn settings(policy: &PolicySettings) -> Settings {
    let mut settings = Settings::new(offer(policy));
    settings.bounds.delay = Some(policy.max_delay);
    settings.bounds.moves = policy.moves_per_round.map(|moves| moves as usize);
    settings
}

/// What leaders said about waits, as `A: T3 wait 60000ms for D`.
pub(crate) fn waits(cluster: &Cluster) -> Vec<String> {
    let told = |line: &&String| line.contains("ms for ");
    let line = |line: &String| line.split_once("s ").map_or("", |(_, told)| told).replacen(" lets ", ": ", 1);
    cluster.timeline().iter().filter(told).map(line).collect()
}

/// 50 members start within a second; yields how many rounds are settled, and how much is stopped.
pub(crate) fn formed(mut settings: Settings, initial_delay: Span) -> (usize, u64) {
    settings.coordinator.initial_rebalance_delay = initial_delay;
    let mut cluster = Cluster::new(settings);
    cluster.topic("T", 500);
    for number in 0..50 {
        cluster.join(&format!("m{number:02}"));
        cluster.run_for(Span::from_millis(20));
    }
    cluster.drive();
    cluster.check_settled();
    assert_eq!(cluster.violations(), [], "\n{}", cluster.timeline().join("\n"));
    (cluster.generations(), cluster.stops())
}
