//! Writes a report of a simulated system: `cargo run -p groma-bench --example simulated_report -- DIR`.

use std::collections::BTreeMap;
use std::path::Path;

use groma_bench::report;
use groma_bench::results::{
    Basis, CapacityRow, CellRecord, CellRow, DemandRow, Document, Folder, ImpliedRow, Lag, Machine, Run, SCHEMA,
    ScheduleError, Series, VerdictName,
};
use groma_scalability::{
    CellId, Chance, Conditions, Cpu, Grid, Instances, Judge, Load, Looks, Outcome, Progress, QueueModel, Restriction,
    Sample, Saw, Search, Strategy, Threshold, Verdict, capacity, demand,
};

const THRESHOLD: Threshold = Threshold::Relative(0.03);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "simulated-report".to_owned());
    let folder = Folder::create(Path::new(&out))?;
    folder.clear_cells("uc2")?;
    let mut cells = BTreeMap::new();
    let mut runs = Vec::new();
    for (name, capacity, seed) in [("uc1", 61_300.0, 1), ("uc2", 92_400.0, 2)] {
        let (run, records) = simulate(name, capacity, &mut Chance::new(seed))?;
        for record in &records {
            folder.save_cell(record)?;
        }
        cells.insert(name.to_owned(), records);
        runs.push(run);
    }
    let document = document(runs);
    folder.save_results(&document)?;
    let page = folder.save_report(&report::html(&document, &cells))?;
    print!("{}", report::text(&document));
    println!("{}", page.display());
    Ok(())
}

fn document(runs: Vec<Run>) -> Document {
    let machine = Machine {
        processor: "a simulated processor".to_owned(),
        cores: 2,
        memory_bytes: 24 << 30,
        kernel: "none".to_owned(),
        system: "queue model in virtual time".to_owned(),
        clock_ticks_per_s: 250,
    };
    let versions = BTreeMap::from([("groma".to_owned(), env!("CARGO_PKG_VERSION").to_owned())]);
    Document { schema: SCHEMA, runs, machine, versions }
}

fn simulate(name: &str, c: f64, chance: &mut Chance) -> Result<(Run, Vec<CellRecord>), Box<dyn std::error::Error>> {
    let loads: Vec<Load> = [0.5, 1.5, 2.5, 3.5, 4.5].map(|m| Load((m * c) as u64)).to_vec();
    let grid = Grid::new(loads.clone(), (1..=4).map(Instances).collect(), 1)?;
    let model = QueueModel { capacity: c, partitions: 12, jitter: 0.2, saw: Saw { period_ms: 100.0 } };
    let mut search = Search::new(grid, Strategy::Linear, Restriction::LowerBound, THRESHOLD);
    let mut records = Vec::new();
    while let Some(cell) = search.next() {
        let (record, outcome) = measure(name, &model, cell, chance)?;
        search.observe(cell, outcome);
        records.push(record);
    }
    Ok((run(name, c, &search, &records), records))
}

fn run(name: &str, c: f64, search: &Search, records: &[CellRecord]) -> Run {
    let (loads, resources) = (search.grid().loads().to_vec(), search.grid().resources().to_vec());
    let settings = [("partitions", "12"), ("keys", "10,000"), ("window", "5 s"), ("commit", "1 s")];
    Run {
        run: name.to_owned(),
        benchmark: name.to_owned(),
        sut: "groma".to_owned(),
        configuration: settings.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
        unit: "records/s".to_owned(),
        quota_cores: Some(0.05),
        quota_period_us: Some(20_000),
        limit: "cgroup v1, 1 ms of 20 ms".to_owned(),
        calibrated_per_s: Some(c),
        warmup_ms: 3000,
        duration_ms: 10_000,
        threshold: THRESHOLD,
        cells: records.iter().map(CellRow::from).collect(),
        implied: ImpliedRow::of(search),
        demand: demand(&loads, &search.tested()).into_iter().map(DemandRow::from).collect(),
        capacity: capacity(&resources, &search.known()).into_iter().map(CapacityRow::from).collect(),
        loads,
        resources,
        elapsed_ms: records.iter().map(|r| r.elapsed_ms).sum(),
    }
}

type Measured = (CellRecord, Outcome);

fn measure(
    name: &str,
    model: &QueueModel,
    cell: CellId,
    chance: &mut Chance,
) -> Result<Measured, Box<dyn std::error::Error>> {
    let all: Vec<Sample> = model
        .lag(cell.load, cell.resources, (0, 13_000), chance)
        .into_iter()
        .map(|s| Sample { at_ms: s.at_ms - 3000.0, lag: s.lag })
        .collect();
    let mut judge = Judge::new(Looks::sharing(0.04, vec![4000, 6000, 8000, 10_000])?, THRESHOLD, cell.load);
    let mut progress = judge.start();
    let (outcome, window_ms) = loop {
        let Progress::Until { due_ms } = progress else { return Err("no look".into()) };
        let seen: Vec<Sample> = all.iter().copied().filter(|s| (0.0..due_ms as f64).contains(&s.at_ms)).collect();
        progress = judge.look(&seen);
        if let Progress::Done(look) = progress {
            break (Outcome { verdict: look.verdict, trend: look.trend }, due_ms);
        }
    };
    let mut processed = Lag::default();
    all.iter().filter(|s| s.at_ms <= window_ms as f64).for_each(|s| processed.push(*s));
    let used = cell.load.per_second() / (model.capacity * f64::from(cell.resources.0));
    let record = CellRecord {
        run: name.to_owned(),
        fingerprint: String::new(),
        load: cell.load,
        resources: cell.resources,
        repetition: cell.repetition,
        attempts: 1,
        verdict: VerdictName::from(&outcome.verdict),
        cause: None,
        warnings: Vec::new(),
        basis: Basis::Processed,
        trend: outcome.trend.map(Into::into),
        threshold_per_s: THRESHOLD.at(cell.load),
        conditions: Some(conditions(cell, used, &outcome.verdict)),
        schedule_error: Some(ScheduleError { p50_us: 61, p99_us: 940, max_us: 2210 }),
        throttled_share: Some(used.min(1.0)),
        elapsed_ms: 5200 + window_ms,
        window_ms,
        series: Series { processed, ..Series::default() },
    };
    debug_assert_ne!(record.verdict, VerdictName::Invalid);
    Ok((record, outcome))
}

fn conditions(cell: CellId, used: f64, verdict: &Verdict) -> Conditions {
    let instances = if *verdict == Verdict::Fail { 0.985 } else { used.min(0.98) };
    Conditions {
        asked: cell.load,
        achieved_per_s: cell.load.per_second() * 0.9995,
        cpu: Cpu { generator_core: 0.12 + cell.load.per_second() / 1.2e6, steal: 0.002, instances },
        instances: cell.resources,
        alive: cell.resources.0,
        rebalanced: Some(0),
        partitions: 12,
        deleted_records: 0,
        longest_gap_ms: 190.0,
        samples: 40,
    }
}
