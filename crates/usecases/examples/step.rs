//! Measures the step of each use case on one core: `cargo run --release -p groma-usecases --example step`.

use std::time::{Duration, Instant};

use groma_usecases::UseCase;
use groma_usecases::speed::StepWork;

fn main() -> Result<(), groma_dataflow::StepError> {
    for use_case in UseCase::ALL {
        let mut work = StepWork::new(use_case);
        for _ in 0..3 {
            let (start, mut records) = (Instant::now(), 0);
            while start.elapsed() < Duration::from_secs(1) {
                records += work.step()?;
            }
            println!("step-{use_case}: {:.2} million records/s", records as f64 / start.elapsed().as_secs_f64() / 1e6);
        }
    }
    Ok(())
}
