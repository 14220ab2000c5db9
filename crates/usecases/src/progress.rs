//! What an instance says of itself, ten times a second, on the topic [`TOPIC`]: a JSON document a record, keyed by group.

use serde::{Deserialize, Serialize};

/// The topic of progress records.
pub const TOPIC: &str = "groma-progress";

/// One instance at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The instance's group; also the record's key.
    pub group: String,
    /// The instance: its process id and start, unique on a host.
    pub instance: String,
    /// Wall clock when this was taken, in ms since the epoch; also the record's timestamp.
    pub time_ms: i64,
    /// The group's generation as the instance knows it.
    pub generation: i32,
    /// Whether the group is stable and every task of the instance restored and fetching.
    pub ready: bool,
    /// Processor time of the instance's process so far, in ns.
    pub cpu_ns: u64,
    /// Memory of the instance's process, in bytes.
    pub rss_bytes: u64,
    /// The tasks that the instance has now.
    pub tasks: Vec<TaskProgress>,
}

/// One task at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskProgress {
    /// The input partition.
    pub partition: i32,
    /// Next input record to read: everything before it was processed.
    pub position: i64,
    /// Whether its state is restored and it is running.
    pub restored: bool,
    /// Records read, over all owners of the task.
    pub records: u64,
    /// Of these, records that came after their window had closed.
    pub late: u64,
    /// Of these, records left out because they have no key or value or cannot be read.
    pub rejected: u64,
    /// Documents that a counting sink has made in this instance, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<u64>,
    /// Their checksum: the sum of all instances' says what was made, in whatever order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<u64>,
}

impl Progress {
    /// The record's value.
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a record's value.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn decode(value: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(value).map_err(|error| format!("malformed progress record: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_round_trips() {
        let tasks =
            vec![TaskProgress { partition: 3, position: 17, checksum: Some(u64::MAX), ..TaskProgress::default() }];
        let progress = Progress { group: "g".to_owned(), tasks, ..Progress::default() };
        assert_eq!(Progress::decode(&progress.encode()), Ok(progress));
        assert!(Progress::decode(b"{").is_err());
    }
}
