//! `assign`, `assign-unequal` and `assign-bytes`: how long a leader shares out, with nothing cached.

use super::Figure;
use super::measure::{duration, try_duration};
use crate::exit::Failure;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::speed::{AssignCell, AssignWork, GroupEvent, Interests};

type Measure = Box<dyn Fn() -> Result<Figure, Failure> + Send + Sync>;

/// Members, partitions and topics.
const SIZES: [(u32, u32, u32); 3] = [(1_000, 10_000, 100), (10_000, 100_000, 100), (10_000, 1_000_000, 100)];

/// The name of each part, and how it is measured.
pub(super) fn parts() -> Vec<(String, Measure)> {
    let mut parts: Vec<(String, Measure)> = Vec::new();
    for interests in [Interests::Equal, Interests::Unequal] {
        for cell in cells(interests) {
            parts.push((cell.to_string(), Box::new(move || typed(cell))));
        }
    }
    for cell in cells(Interests::Equal) {
        let name = cell.to_string().replacen("assign", "assign-bytes", 1);
        parts.push((name.clone(), Box::new(move || bytes(&name, cell))));
    }
    parts
}

fn cells(interests: Interests) -> impl Iterator<Item = AssignCell> {
    let events = [GroupEvent::Full, GroupEvent::Join];
    let sized = move |event| {
        let cell = move |(members, partitions, topics)| AssignCell { interests, event, members, partitions, topics };
        SIZES.into_iter().map(cell)
    };
    events.into_iter().flat_map(sized)
}

/// Milliseconds from typed reports to typed assignments.
fn typed(cell: AssignCell) -> Result<Figure, Failure> {
    let work = AssignWork::new(Strategy::cooperative_sticky(), cell);
    Ok(duration(&cell.to_string(), || work.share_out()))
}

/// Milliseconds from JoinGroup metadata to SyncGroup bytes.
fn bytes(name: &str, cell: AssignCell) -> Result<Figure, Failure> {
    let work = AssignWork::new(Strategy::cooperative_sticky(), cell);
    Ok(try_duration(name, || work.lead())?)
}
