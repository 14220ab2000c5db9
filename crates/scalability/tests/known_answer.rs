//! The measuring chain against a system of known capacity, in virtual time.
#![expect(clippy::unwrap_used, reason = "a test may end where its own settings are refused")]

use groma_scalability::{
    CellId, Chance, Grid, Instances, Judge, Load, Looks, Outcome, Progress, QueueModel, Restriction, Sample, Saw,
    Search, Strategy, Threshold, demand,
};

const CAPACITY: f64 = 10_000.0;
const PARTITIONS: u32 = 60;

fn model(chance: &mut Chance) -> QueueModel {
    QueueModel {
        capacity: CAPACITY,
        partitions: PARTITIONS,
        jitter: chance.between(0.0, 0.3),
        saw: Saw { period_ms: chance.between(50.0, 250.0) },
    }
}

/// `(k - 0.4) c` and `(k + 0.4) c` for k = 1..5.
fn loads() -> Vec<Load> {
    (1..=5).flat_map(|k| [10 * k - 4, 10 * k + 4]).map(|tenths| Load(tenths * 1000)).collect()
}

fn counts() -> Vec<Instances> {
    (1..=6).map(Instances).collect()
}

fn threshold() -> Threshold {
    Threshold::Relative(0.03)
}

fn measure(model: &QueueModel, cell: CellId, chance: &mut Chance) -> Outcome {
    let lag = model.lag(cell.load, cell.resources, (3000, 10_000), chance);
    let looks = Looks::sharing(0.04, vec![4000, 6000, 8000, 10_000]).unwrap();
    let mut judge = Judge::new(looks, threshold(), cell.load);
    let mut progress = judge.start();
    loop {
        match progress {
            Progress::Done(look) => return Outcome { verdict: look.verdict, trend: look.trend },
            Progress::Until { due_ms } => {
                let seen: Vec<Sample> = lag.iter().copied().filter(|s| s.at_ms <= due_ms as f64).collect();
                progress = judge.look(&seen);
            }
        }
    }
}

fn measured(model: &QueueModel, strategy: Strategy, chance: &mut Chance) -> Vec<Option<Instances>> {
    let grid = Grid::new(loads(), counts(), 1).unwrap();
    let mut search = Search::new(grid, strategy, Restriction::LowerBound, threshold());
    while let Some(cell) = search.next() {
        let outcome = measure(model, cell, chance);
        search.observe(cell, outcome);
    }
    demand(&loads(), &search.tested()).into_iter().map(|point| point.resources).collect()
}

fn known(model: &QueueModel) -> Vec<Option<Instances>> {
    loads().into_iter().map(|load| model.demand(load, &counts())).collect()
}

#[test]
fn the_model_knows_its_own_demand() {
    let expected: Vec<_> = [1, 2, 2, 3, 3, 4, 4, 5, 5, 6].map(|n| Some(Instances(n))).to_vec();
    assert_eq!(known(&model(&mut Chance::new(0))), expected);
}

#[test]
fn a_thousand_runs_find_the_known_demand() {
    let wrong: Vec<u64> = (0..1000)
        .filter(|&seed| {
            let mut chance = Chance::new(seed);
            let model = model(&mut chance);
            measured(&model, Strategy::Linear, &mut chance) != known(&model)
        })
        .collect();
    assert!(wrong.is_empty(), "wrong with seeds {wrong:?}");
}

#[test]
fn two_runs_of_the_same_system_agree_whatever_the_search() {
    for seed in 0..50 {
        let model = model(&mut Chance::new(seed));
        let runs = [(Strategy::Linear, 1), (Strategy::Linear, 2), (Strategy::Binary, 3), (Strategy::Full, 4)]
            .map(|(strategy, salt)| measured(&model, strategy, &mut Chance::new(seed * 10 + salt)));
        assert!(runs.windows(2).all(|pair| pair[0] == pair[1]), "seed {seed}: {runs:?}");
    }
}

#[test]
fn an_idle_pair_of_runs_differs_in_no_verdict() {
    let mut chance = Chance::new(11);
    let disagreements = (0..500)
        .filter(|_| {
            let model = model(&mut chance);
            let cell = CellId { load: Load(15_000), resources: Instances(2), repetition: 1 };
            measure(&model, cell, &mut chance).verdict != measure(&model, cell, &mut chance).verdict
        })
        .count();
    assert_eq!(disagreements, 0);
}
