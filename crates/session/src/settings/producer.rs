use groma_model::Span;
use groma_wire::records::Compression;

/// How many replicas must have a batch before it counts as acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Acks {
    /// Every in-sync replica.
    #[default]
    All,
    /// The leader alone.
    Leader,
    /// Nobody: a batch counts as acknowledged once it is written to the socket.
    None,
}

/// What a repetition of a failed batch may do to the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// Exactly once per partition and in order, by producer id and sequence numbers. Asks for [`Acks::All`].
    #[default]
    Idempotent,
    /// At least once: a repeated batch may be there twice.
    AtLeastOnce,
}

/// How a producer gathers and sends records.
///
/// # Defaults
/// `acks` all, `delivery` idempotent, `linger` 5 ms, `batch_bytes` 64 KiB, `buffer_bytes` 32 MiB,
/// `request_bytes` 1 MiB, `compression` none, `delivery_timeout` 2 min, `max_in_flight` 5.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProducerSettings {
    /// Who must have a batch before it is acknowledged.
    pub acks: Acks,
    /// Exactly once per partition, or at least once.
    pub delivery: Delivery,
    /// How long an unfilled batch waits for more records.
    pub linger: Span,
    /// The size at which a batch is closed, in bytes before compression.
    pub batch_bytes: usize,
    /// All bytes waiting or in flight; a send waits at this bound.
    pub buffer_bytes: usize,
    /// The largest Produce request, in bytes of batches.
    pub request_bytes: usize,
    /// How batches are compressed.
    pub compression: Compression,
    /// How long a batch may take, from its first record to its acknowledgement, before it fails.
    pub delivery_timeout: Span,
    /// Requests in flight to one broker; 5 at most with [`Delivery::Idempotent`].
    pub max_in_flight: usize,
}

impl Default for ProducerSettings {
    fn default() -> Self {
        Self {
            acks: Acks::All,
            delivery: Delivery::Idempotent,
            linger: Span::from_millis(5),
            batch_bytes: 64 << 10,
            buffer_bytes: 32 << 20,
            request_bytes: 1 << 20,
            compression: Compression::None,
            delivery_timeout: Span::from_secs(120),
            max_in_flight: 5,
        }
    }
}
