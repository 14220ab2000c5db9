//! Runs a range of seeds of groups of tasks with state and prints what was violated; with one seed its timeline.
//!
//! `cargo run -p groma-sim --example tasks -- 0 1000`

use groma_sim::TaskSchedule;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default: u64| args.get(place).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (from, to) = (number(0, 0), number(1, 100));
    let (mut bad, mut rounds, mut faults, mut moves) = (0, 0, 0, 0);
    for seed in from..to {
        let outcome = TaskSchedule::new(seed, 2 + seed as usize % 6).run();
        rounds += outcome.rounds;
        faults += outcome.faults;
        moves += outcome.moves;
        bad += u64::from(!outcome.violations.is_empty());
        if let Some(first) = outcome.violations.first() {
            println!("seed {seed}: {} {:?} {}", first.at, first.property, first.what);
        }
        if to - from == 1 {
            println!("{}", outcome.timeline.join("\n"));
        }
    }
    println!("{rounds} rounds, {faults} faults, {moves} moves");
    println!("{} schedules, {bad} violations", to - from);
}
