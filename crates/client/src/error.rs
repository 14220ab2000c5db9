use groma_model::{Offset, Span, TopicPartition};

use crate::ConfigError;

/// Why something asked of a cluster did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// A setting is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No bootstrap address answered.
    #[error("no Kafka answers at {bootstrap}: {cause}; check --bootstrap and that the broker runs")]
    Unreachable {
        /// The addresses tried.
        bootstrap: String,
        /// What the last attempt ended with.
        cause: String,
    },
    /// No answer in time.
    #[error("{what} was not answered within {after}")]
    TimedOut {
        /// What was asked.
        what: String,
        /// How long was waited.
        after: Span,
    },
    /// The cluster refused.
    #[error("{what} was refused: {code}{detail}")]
    Refused {
        /// What was asked.
        what: String,
        /// Kafka's name of the error, such as `TOPIC_ALREADY_EXISTS`.
        code: String,
        /// Kafka's number of the error.
        number: i16,
        /// What the broker adds, beginning with ": ", or nothing.
        detail: String,
    },
    /// The broker does not speak a version of an API that this client does.
    #[error("the broker offers no usable version of {api}")]
    Unsupported {
        /// The API's name.
        api: String,
    },
    /// A broker sent bytes that are no answer.
    #[error("{what}: malformed answer: {offence}")]
    Malformed {
        /// What was asked.
        what: String,
        /// What is wrong with it.
        offence: String,
    },
    /// The topic does not exist.
    #[error("topic {topic} does not exist")]
    UnknownTopic {
        /// The topic's name.
        topic: String,
    },
    /// A record is larger than a batch may be.
    #[error("a record of {bytes} bytes does not fit into a batch of {limit} bytes")]
    RecordTooLarge {
        /// The record's size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The partition is not held by this consumer (any more).
    #[error("partition {partition} is not assigned to this consumer")]
    NotAssigned {
        /// The partition asked for.
        partition: TopicPartition,
    },
    /// Offsets cannot be committed now.
    #[error("offsets were not committed: {cause}")]
    CommitRefused {
        /// Why.
        cause: String,
    },
    /// There is no usable position and the reset policy forbids to choose one.
    #[error("partition {partition} has no record at offset {offset} and reset is `none`")]
    OffsetOutOfRange {
        /// The partition.
        partition: TopicPartition,
        /// The position asked for.
        offset: Offset,
    },
    /// Records could not be read.
    #[error("partition {partition}: {offence}")]
    Records {
        /// The partition.
        partition: TopicPartition,
        /// What is wrong with them.
        offence: String,
    },
    /// The client was closed.
    #[error("the client is closed")]
    Closed,
}
