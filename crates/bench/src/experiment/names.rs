use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use groma_scalability::CellId;

/// The names of everything a cell makes on the Kafka it runs on; no two cells share any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) group: String,
    pub(crate) input: String,
    pub(crate) output: String,
}

impl Names {
    /// The names of an attempt at a cell of this process.
    pub(crate) fn of(run: &str, cell: CellId, attempt: u32) -> Self {
        Self::with(&format!("{run}-{}-{}-{}-{attempt}", cell.load, cell.resources, cell.repetition))
    }

    /// The names for measuring what so many instances handle.
    pub(crate) fn of_calibration(run: &str, instances: u32, attempt: u32) -> Self {
        Self::with(&format!("{run}-calibration-{instances}-{attempt}"))
    }

    fn with(what: &str) -> Self {
        let base = format!("{}-{what}", origin());
        Self { input: format!("{base}-input"), output: format!("{base}-output"), group: base }
    }

    /// Whether a topic is of these names: engines call what they make for themselves after their group.
    pub(crate) fn covers(&self, topic: &str) -> bool {
        topic.strip_prefix(&self.group).is_some_and(|rest| rest.starts_with('-'))
    }
}

/// What the names of everything begin with that this process makes on a Kafka. Process ids alone would do on one host;
/// in containers every process may be number 1.
pub(crate) fn origin() -> &'static str {
    static ORIGIN: OnceLock<String> = OnceLock::new();
    ORIGIN.get_or_init(|| {
        let started_s = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        format!("groma-{}-{:x}", std::process::id(), started_s)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_scalability::{Instances, Load};

    #[test]
    fn attempts_at_a_cell_share_no_name() {
        let cell = CellId { load: Load(100), resources: Instances(2), repetition: 1 };
        let (first, second) = (Names::of("uc2", cell, 1), Names::of("uc2", cell, 2));
        assert!(first.covers(&first.input) && first.covers(&first.output));
        assert!(first.covers(&format!("{}-store-changelog", first.group)));
        assert!(!first.covers(&second.input) && !second.covers(&first.input));
        assert!(!first.covers(&first.group) && !first.covers("input"));
    }
}
