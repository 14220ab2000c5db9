use std::collections::BTreeMap;

/// What exists: topics by name with how many partitions each has, and where these lie.
///
/// A change of racks alone opens no round; it counts from the next one on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicCatalog {
    counts: BTreeMap<String, u32>,
    racks: BTreeMap<i32, String>,
    replicas: BTreeMap<String, Vec<Vec<i32>>>,
}

impl TopicCatalog {
    /// The same with the rack of each broker, where it has one, and for each topic the brokers that hold each of its
    /// partitions (KIP-881).
    #[must_use]
    pub fn placed(self, racks: BTreeMap<i32, String>, replicas: BTreeMap<String, Vec<Vec<i32>>>) -> Self {
        Self { racks, replicas, ..self }
    }

    /// How many partitions each topic has; 0 for one that does not exist.
    pub const fn counts(&self) -> &BTreeMap<String, u32> {
        &self.counts
    }

    /// The rack of each broker that has one.
    pub(super) const fn racks(&self) -> &BTreeMap<i32, String> {
        &self.racks
    }

    /// The brokers that hold a partition, as far as known.
    pub(super) fn replicas(&self, topic: &str, partition: u32) -> &[i32] {
        let held = self.replicas.get(topic).and_then(|partitions| partitions.get(partition as usize));
        held.map(Vec::as_slice).unwrap_or_default()
    }
}

/// Without racks.
impl From<BTreeMap<String, u32>> for TopicCatalog {
    fn from(counts: BTreeMap<String, u32>) -> Self {
        Self { counts, ..Self::default() }
    }
}
