//! `broker-start` and `broker-rss`: from nothing to the first answer, and what an idle broker holds.

use super::Figure;
use super::bed::Bed;
use super::measure::Measured;
use crate::exit::Failure;
use groma_client::Admin;
use std::time::{Duration, Instant};

const REPETITIONS: usize = 5;
/// How long a broker is left alone before its memory is read.
const IDLE: Duration = Duration::from_millis(500);

/// Milliseconds from starting the program to its first answer, and bytes resident after it was idle.
pub(super) async fn broker() -> Result<[Figure; 2], Failure> {
    let (mut starts, mut sizes) = (Vec::new(), Vec::new());
    for _ in 0..REPETITIONS {
        let begun = Instant::now();
        let bed = Bed::start().await?;
        Admin::connect(&bed.cluster).await?;
        starts.push(Measured { value: begun.elapsed().as_secs_f64() * 1000.0, took: begun.elapsed() });
        tokio::time::sleep(IDLE).await;
        sizes.push(Measured { value: bed.broker_rss_bytes() as f64, took: begun.elapsed() });
        bed.close().await;
    }
    Ok([Figure::median("broker-start", "ms", starts), Figure::median("broker-rss", "bytes", sizes)])
}
