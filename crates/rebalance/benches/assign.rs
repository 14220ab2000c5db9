//! How long sharing out takes on Kafka's own grid, from typed reports to typed assignments.
//!
//! `cargo bench -p groma-rebalance --bench assign [-- PREFIX...]`: one line for each cell and assignor whose name, e.g.
//! `assign/full/1000x10000x100 range`, begins with a prefix; median of five repetitions of at least 0.1 s, or
//! with `--brief` of three of 0.03 s, in milliseconds. With `--json` a JSON object each, for `./run assign-grid`. The allocator is that of our binary.

use std::hint::black_box;
use std::time::{Duration, Instant};

use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::speed::{AssignCell, AssignWork};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How often, and how long at least.
const THOROUGH: (usize, Duration) = (5, Duration::from_millis(100));
const BRIEF: (usize, Duration) = (3, Duration::from_millis(30));

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let (options, prefixes): (Vec<_>, Vec<_>) = arguments.into_iter().partition(|a| a.starts_with("--"));
    let pace = if options.iter().any(|option| option == "--brief") { BRIEF } else { THOROUGH };
    let json = options.iter().any(|option| option == "--json");
    for cell in AssignCell::grid() {
        for strategy in [Strategy::cooperative_sticky(), Strategy::range()] {
            let name = format!("{cell} {}", strategy.name());
            if is_chosen(&name, &prefixes) {
                let work = AssignWork::new(strategy, cell);
                let ms = median(pace, || drop(black_box(work.share_out())));
                match json {
                    true => println!(r#"{{"name": "{name}", "ms": {ms}}}"#),
                    false => println!("{name:<60} {ms:>10.4} ms"),
                }
            }
        }
    }
}

fn is_chosen(name: &str, prefixes: &[String]) -> bool {
    prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
}

fn median((repetitions, least): (usize, Duration), mut run: impl FnMut()) -> f64 {
    run();
    let mut times = vec![0.0; repetitions];
    for time in &mut times {
        let (start, mut runs) = (Instant::now(), 0_u32);
        while start.elapsed() < least {
            run();
            runs += 1;
        }
        *time = start.elapsed().as_secs_f64() * 1e3 / f64::from(runs);
    }
    times.sort_unstable_by(f64::total_cmp);
    times[repetitions / 2]
}
