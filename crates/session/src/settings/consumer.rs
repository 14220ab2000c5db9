use groma_model::Span;

/// Where to begin where there is no committed offset, or where it is out of range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reset {
    /// At the oldest record.
    #[default]
    Earliest,
    /// Behind the newest record.
    Latest,
    /// Nowhere: the partition stops with an error.
    Fail,
}

/// What happens to a partition right after its assignment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnAssigned {
    /// It is fetched from its committed offset, or from the reset point.
    #[default]
    Fetch,
    /// It waits, paused and without a position, until it is sought and resumed: for applications that restore state first.
    Wait,
}

/// How a consumer fetches.
///
/// # Defaults
/// `reset` earliest, `on_assigned` fetch, `fetch_min_bytes` 1, `fetch_max_wait` 500 ms, `fetch_max_bytes` 50 MiB,
/// `partition_max_bytes` 1 MiB, `queue_bytes` 64 MiB.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConsumerSettings {
    /// Where to begin without a usable offset.
    pub reset: Reset,
    /// Whether an assigned partition is fetched at once.
    pub on_assigned: OnAssigned,
    /// A fetch waits at the broker until there is this much.
    pub fetch_min_bytes: i32,
    /// How long a fetch waits at the broker.
    pub fetch_max_wait: Span,
    /// The size of one fetch answer.
    pub fetch_max_bytes: i32,
    /// The share of one partition in one fetch answer.
    pub partition_max_bytes: i32,
    /// Bytes fetched and not yet taken; fetching rests at this bound.
    pub queue_bytes: usize,
}

impl Default for ConsumerSettings {
    fn default() -> Self {
        Self {
            reset: Reset::Earliest,
            on_assigned: OnAssigned::Fetch,
            fetch_min_bytes: 1,
            fetch_max_wait: Span::from_millis(500),
            fetch_max_bytes: 50 << 20,
            partition_max_bytes: 1 << 20,
            queue_bytes: 64 << 20,
        }
    }
}
