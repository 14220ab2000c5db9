use groma_model::{Offset, TopicPartition};
use groma_rebalance::member::MemberFailure;
use groma_rebalance::protocol::GroupError;
use groma_wire::ErrorCode;

/// Why offsets were not committed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CommitError {
    /// The partition is not held (any more).
    #[error("partition {0} is not assigned to this consumer")]
    NotAssigned(TopicPartition),
    /// This consumer is in no group.
    #[error("the consumer is not in a group")]
    NoGroup,
    /// A round is under way, or the group has gone on without this member.
    #[error("{0}")]
    Group(GroupError),
    /// The coordinator refused one of the offsets.
    #[error("{partition}: {code}")]
    Refused {
        /// Whose.
        partition: TopicPartition,
        /// Why.
        code: ErrorCode,
    },
    /// The coordinator could not be asked in time.
    #[error("the coordinator did not answer in time")]
    TimedOut,
}

/// What stands in the way of reading.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ConsumeError {
    /// There is no record at the position, and the reset policy forbids to choose another; the partition stops.
    #[error("{partition} has no offset {offset:?} and reset is none")]
    OutOfRange {
        /// The partition.
        partition: TopicPartition,
        /// The position; none when nothing was ever committed.
        offset: Option<Offset>,
    },
    /// The broker refuses the partition for good; it stops.
    #[error("{partition}: {code}")]
    Refused {
        /// The partition.
        partition: TopicPartition,
        /// Why.
        code: ErrorCode,
    },
    /// What was fetched is no record batch; the partition stops.
    #[error("{partition} at {offset}: {offence}")]
    Malformed {
        /// The partition.
        partition: TopicPartition,
        /// The position asked for.
        offset: Offset,
        /// What is wrong.
        offence: String,
    },
    /// The broker does not speak a usable version of an API.
    #[error("the broker offers no usable version of {0}")]
    Unsupported(&'static str),
    /// The group refused this member for good.
    #[error("group: {0}")]
    Membership(MemberFailure),
    /// A commit on the consumer's own account failed.
    #[error("offsets were not committed: {0}")]
    Commit(CommitError),
}
