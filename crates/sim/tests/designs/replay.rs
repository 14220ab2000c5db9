//! The tables' scenes again, where messages are lost, doubled and late and processes die: no resource ever has two
//! runners, and in the end each has one.

use groma_model::Span;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::member::Isolation;
use groma_rebalance::policy::{PolicyName, PolicySettings};
use groma_sim::{Cluster, Faults, Property, Rng, Settings};

use crate::scene::{self, Scene};
use crate::table::{by, settings};

const SEEDS: std::ops::Range<u64> = 0..30;

/// A scene under the faults of a seed.
struct Replay<'a> {
    scene: &'a Scene,
    rng: Rng,
}

impl<'a> Replay<'a> {
    fn new(scene: &'a Scene, seed: u64) -> Self {
        let salt = scene.name.bytes().fold(seed, |salt, byte| salt.wrapping_mul(31) ^ u64::from(byte));
        Self { scene, rng: Rng::new(salt) }
    }

    fn settings(&mut self, policy: PolicyName) -> Settings {
        let mut settings = settings(&PolicySettings { max_delay: Span::from_secs(12), ..by(policy) });
        settings.seed = self.rng.bits();
        settings.latency = (Span::from_millis(1), Span::from_millis(self.rng.between(1, 60)));
        settings.stop = (Span::ZERO, Span::from_millis(self.rng.between(1, 4000)));
        settings
    }

    /// The scene with faults from shortly before it, somebody struck soon after it, then peace and the accounts.
    fn run(mut self, settings: Settings) -> Cluster {
        let mut cluster = self.scene.opened(settings);
        cluster.set_faults(Faults::by_names(["drop", "duplicate", "delay"]).expect("names of faults"));
        cluster.run_for(Span::from_millis(self.rng.below(3000)));
        (self.scene.act)(&mut cluster);
        cluster.run_for(Span::from_millis(self.rng.below(4000)));
        self.strike(&mut cluster);
        cluster.run_for(Span::from_millis(self.rng.below(30_000)));
        make_peace(&mut cluster);
        cluster.drive();
        cluster.check_settled();
        cluster.check_quiet();
        cluster
    }

    fn strike(&mut self, cluster: &mut Cluster) {
        let down = Span::from_millis(self.rng.below(15_000));
        let Some(name) = self.rng.pick(&cluster.awake()).cloned() else { return };
        match self.rng.below(4) {
            0 => cluster.crash(&name),
            1 => {
                cluster.crash(&name);
                cluster.restart_after(&name, down);
            }
            2 => cluster.freeze(&name, down),
            _ => cluster.crash_coordinator(down),
        }
    }
}

fn make_peace(cluster: &mut Cluster) {
    cluster.set_faults(Faults::NONE);
    cluster.run_for(Span::from_secs(30));
    for name in cluster.up() {
        cluster.stop_takes(&name, Span::from_millis(50));
    }
}

#[test]
fn every_scene_keeps_every_property_under_faults() {
    for policy in PolicyName::ALL.into_iter().filter(|policy| *policy != PolicyName::Eager) {
        let mut faults = 0;
        for scene in scene::ALL {
            faults += SEEDS.map(|seed| replayed(scene, policy, seed)).sum::<u64>();
        }
        assert!(faults > 2 * SEEDS.end * scene::ALL.len() as u64, "only {faults} faults: the replays are too tame");
    }
}

/// The members of a scene go from eager to cooperative one by one, some by leaving and some by dying, under faults.
fn moved_to_cooperative(seed: u64) -> u64 {
    let mut replay = Replay::new(&scene::LEAVE, seed);
    let mut settings = replay.settings(PolicyName::Deferred);
    let both = settings.strategies.iter().cloned().chain([Strategy::sticky()]).collect();
    settings.strategies = vec![Strategy::sticky()];
    let mut cluster = replay.scene.opened(settings);
    cluster.set_faults(Faults::by_names(["drop", "duplicate", "delay"]).expect("names of faults"));
    cluster.offer(both);
    for name in replay.scene.members {
        if replay.rng.below(2) == 0 {
            cluster.leave(name);
        }
        cluster.run_for(Span::from_millis(replay.rng.below(3000)));
        cluster.crash(name);
        cluster.restart_after(name, Span::from_millis(replay.rng.below(8000)));
        cluster.run_for(Span::from_millis(replay.rng.below(20_000)));
    }
    replay.strike(&mut cluster);
    cluster.run_for(Span::from_millis(replay.rng.below(30_000)));
    make_peace(&mut cluster);
    cluster.drive();
    cluster.check_settled();
    cluster.check_quiet();
    assert_eq!(cluster.violations(), [], "seed {seed}:\n{}", cluster.timeline().join("\n"));
    cluster.faults_struck()
}

#[test]
fn a_bounce_from_eager_to_cooperative_keeps_every_property_under_faults() {
    let faults: u64 = (0..100).map(moved_to_cooperative).sum();
    assert!(faults > 500, "only {faults} faults: the bounces are too tame");
}

/// Replays a scene, and yields how many faults have struck.
fn replayed(scene: &Scene, policy: PolicyName, seed: u64) -> u64 {
    let mut replay = Replay::new(scene, seed);
    let settings = replay.settings(policy);
    let cluster = replay.run(settings);
    let story = || cluster.timeline().join("\n");
    assert_eq!(cluster.violations(), [], "{} under {policy} with seed {seed}:\n{}", scene.name, story());
    assert!(!cluster.up().is_empty(), "{} with seed {seed}: nobody is left to run anything", scene.name);
    cluster.faults_struck()
}

#[test]
fn a_member_that_runs_on_while_cut_off_is_caught() {
    let violated = |seed| {
        let mut replay = Replay::new(&scene::JOIN, seed);
        let mut settings = replay.settings(PolicyName::TwoRound);
        settings.member.isolation = Isolation::KeepRunning;
        replay.run(settings).violations().iter().any(|v| v.property == Property::OneRunner)
    };
    assert!((0..400).any(violated));
}
