use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::policy::{PolicyName, PolicySettings};
use groma_sim::Settings;

use crate::scene::Scene;
use crate::table::{by, expect, settings, waits};

/// The designs that the tables speak of; nothing is random in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Design {
    /// The baseline: everything stops in each round.
    Eager,
    /// Design I.
    TwoRound,
    /// Design II: what is lost waits for a minute.
    Deferred,
    /// Design III: two moves a round, a second apart.
    Incremental,
    /// Designs II and III: one move a round, a second apart.
    Both,
}

impl Design {
    pub(crate) const ALL: [Self; 5] = [Self::Eager, Self::TwoRound, Self::Deferred, Self::Incremental, Self::Both];

    pub(crate) fn policy(self) -> PolicySettings {
        match self {
            Self::Eager => by(PolicyName::Eager),
            Self::TwoRound => by(PolicyName::TwoRound),
            Self::Deferred => by(PolicyName::Deferred),
            Self::Incremental => PolicySettings { moves_per_round: Some(2), ..by(PolicyName::Incremental) },
            Self::Both => PolicySettings { moves_per_round: Some(1), ..by(PolicyName::DeferredIncremental) },
        }
    }

    pub(crate) fn settings(self) -> Settings {
        match self {
            Self::Eager => Settings::new(vec![Strategy::sticky()]),
            Self::TwoRound => Settings::new(vec![Strategy::cooperative_sticky()]),
            Self::Deferred | Self::Incremental | Self::Both => settings(&self.policy()),
        }
    }
}

/// Plays a scene under each design, and compares with what is to be seen: first who waits for whom, if the table tells
/// of that, then the generations from the one on that it begins with.
pub(crate) fn expect_each(scene: &Scene, outcomes: &[(&[Design], &str)]) {
    let each = |(designs, table): &'_ (&'_ [Design], &'_ str)| {
        designs.iter().map(|d| (*d, (*table).to_owned())).collect::<Vec<_>>()
    };
    for (design, table) in outcomes.iter().flat_map(each) {
        let lines: Vec<&str> = table.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let (told, rounds): (Vec<&str>, Vec<&str>) = lines.into_iter().partition(|line| line.contains("ms for "));
        let mut cluster = scene.played(design.settings());
        if !told.is_empty() {
            assert_eq!(waits(&cluster), told, "{} under {design:?}", scene.name);
        }
        let skip = if rounds.first().is_some_and(|first| first.starts_with("1 ")) { 0 } else { 1 };
        println!("{} under {design:?}", scene.name);
        expect(&mut cluster, skip, &rounds.join("\n"));
    }
}
