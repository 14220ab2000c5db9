//! How long sharing out takes on Kafka's own grid, from typed reports to typed assignments; and, under names that end in
//! `-target`, from reports that have been read to who is to own what.
//!
//! `cargo bench -p groma-rebalance --bench assign [-- PREFIX...]`: one line for each cell and assignor whose name, e.g.
//! `assign/full/1000x10000x100 range`, begins with a prefix; the median of the runs of 0.5 s after 0.5 s to warm up, or
//! with `--brief` of 0.05 s each, in milliseconds; of five runs at least. With `--json` a JSON object each, for
//! `./run assign-grid`, which builds it as what is shipped: `--profile dist`. The allocator is that of our binary.

use std::hint::black_box;
use std::time::{Duration, Instant};

use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::speed::{AssignCell, AssignWork};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Clone, Copy)]
enum Form {
    Json,
    Text,
}

/// How long to warm up, and how long to measure.
const THOROUGH: Duration = Duration::from_millis(500);
const BRIEF: Duration = Duration::from_millis(50);
const RUNS_MIN: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let (options, prefixes): (Vec<_>, Vec<_>) = arguments.into_iter().partition(|a| a.starts_with("--"));
    let least = if options.iter().any(|option| option == "--brief") { BRIEF } else { THOROUGH };
    let form = if options.iter().any(|option| option == "--json") { Form::Json } else { Form::Text };
    for cell in AssignCell::grid() {
        for strategy in [Strategy::cooperative_sticky(), Strategy::range()] {
            let (whole, target) = (format!("{cell} {}", strategy.name()), format!("{cell} {}-target", strategy.name()));
            if !is_chosen(&whole, &prefixes) && !is_chosen(&target, &prefixes) {
                continue;
            }
            let work = AssignWork::new(strategy, cell);
            if is_chosen(&whole, &prefixes) {
                show(&whole, median(least, || drop(black_box(work.share_out()))), form);
            }
            if is_chosen(&target, &prefixes) {
                show(&target, median(least, || drop(black_box(work.target()))), form);
            }
        }
    }
}

fn show(name: &str, ms: f64, form: Form) {
    match form {
        Form::Json => println!(r#"{{"name": "{name}", "ms": {ms}}}"#),
        Form::Text => println!("{name:<60} {ms:>10.4} ms"),
    }
}

fn is_chosen(name: &str, prefixes: &[String]) -> bool {
    prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
}

fn median(least: Duration, mut run: impl FnMut()) -> f64 {
    let warm = Instant::now();
    while warm.elapsed() < least {
        run();
    }
    let (start, mut times) = (Instant::now(), Vec::new());
    while start.elapsed() < least || times.len() < RUNS_MIN {
        let before = Instant::now();
        run();
        times.push(before.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}
