use groma_model::{Offset, Span, TopicPartition};

use groma_rebalance::embedded::EmbeddedError;
use groma_rebalance::member::MemberFailure;
use groma_rebalance::rpc;
use groma_session::cluster::{Contact, Unreached};
use groma_session::consumer::{CommitError, ConsumeError};
use groma_session::net::{CallError, Ending};
use groma_session::producer::ProduceError;
use groma_wire::{Blame, ErrorCode};

use crate::{ClientConfig, ConfigError};

/// Why something asked of a cluster did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// A setting is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No bootstrap address answered.
    #[error("no Kafka answers at {bootstrap} ({cause}); {mend}")]
    Unreachable {
        /// The addresses tried.
        bootstrap: String,
        /// What the last attempt ended with; of several addresses, for each.
        cause: String,
        /// What may help.
        mend: &'static str,
    },
    /// No answer in time.
    #[error("{what} was not answered within {} s; check that the broker runs and has time", after.as_secs_f64())]
    TimedOut {
        /// What was asked.
        what: String,
        /// How long was waited.
        after: Span,
    },
    /// The connection ended before an answer came; the cluster may or may not have acted.
    #[error("{what}: {cause}; check that the broker runs")]
    Disconnected {
        /// What was asked.
        what: String,
        /// What the system said.
        cause: String,
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
    /// The group refused this member for good; it holds nothing any more.
    #[error("the group refused this member: {cause}")]
    Membership {
        /// Why.
        cause: String,
        /// Who has to change something.
        blame: Blame,
    },
    /// This member has left its group because code of its own cannot share out: an assignor, a policy, a kind of
    /// resource. It was told to stop what it held before.
    #[error("this member leaves its group: {cause}")]
    OwnCode {
        /// What is wrong.
        cause: String,
    },
    /// Offsets cannot be committed now.
    #[error("offsets were not committed: {cause}")]
    CommitRefused {
        /// Why.
        cause: String,
        /// Who has to change something.
        blame: Blame,
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

impl ClientError {
    /// Who has to change something for this error to go away: the program that asked ([`Blame::Caller`]), the broker or
    /// the group ([`Blame::Peer`], mostly in passing), or what lies between ([`Blame::Environment`]). What the cluster
    /// refused goes by its [`ErrorCode`].
    pub const fn blame(&self) -> Blame {
        match self {
            Self::Config(_) | Self::UnknownTopic { .. } | Self::RecordTooLarge { .. } => Blame::Caller,
            Self::Closed | Self::OwnCode { .. } => Blame::Caller,
            Self::Unreachable { .. } | Self::TimedOut { .. } | Self::Disconnected { .. } => Blame::Environment,
            Self::Unsupported { .. } | Self::Malformed { .. } | Self::NotAssigned { .. } => Blame::Peer,
            Self::Refused { number, .. } => ErrorCode::from_i16(*number).blame(),
            Self::Membership { blame, .. } | Self::CommitRefused { blame, .. } => *blame,
            Self::OffsetOutOfRange { .. } => ErrorCode::OffsetOutOfRange.blame(),
            Self::Records { .. } => ErrorCode::CorruptMessage.blame(),
        }
    }

    fn unreachable(cluster: &ClientConfig, unreached: &[Unreached]) -> Self {
        let cause = match unreached {
            [one] => one.ending.to_string(),
            several => several.iter().map(|u| format!("{}: {}", u.address, u.ending)).collect::<Vec<_>>().join("; "),
        };
        let nobody = |u: &Unreached| matches!(u.ending, Ending::Unopened(_) | Ending::Unreached { .. });
        let mend = if unreached.iter().all(nobody) { START_IT } else { CHECK_THE_PORT };
        Self::Unreachable { bootstrap: cluster.bootstrap.join(","), cause, mend }
    }

    pub(crate) fn of_call(what: &str, after: Span, error: CallError) -> Self {
        let what = what.to_owned();
        match error {
            CallError::TimedOut { .. } => Self::TimedOut { what, after },
            CallError::Disconnected { cause, .. } => Self::Disconnected { what, cause },
            CallError::Unsupported(api) => Self::Unsupported { api: api.name().to_owned() },
            CallError::Malformed(offence) => Self::Malformed { what, offence },
        }
    }

    pub(crate) fn of_consume(error: ConsumeError) -> Self {
        match error {
            ConsumeError::OutOfRange { partition, offset } => {
                Self::OffsetOutOfRange { partition, offset: offset.unwrap_or_default() }
            }
            ConsumeError::Refused { partition, code } => refused(&format!("reading {partition}"), code, String::new()),
            ConsumeError::Malformed { partition, offset, offence } => {
                Self::Records { partition, offence: format!("{offence} at offset {offset}") }
            }
            ConsumeError::Unsupported(api) => Self::Unsupported { api: api.to_owned() },
            ConsumeError::Membership(failure) => Self::of_membership(&failure),
            ConsumeError::Commit(error) => Self::of_commit(&error),
        }
    }

    pub(crate) fn of_commit(error: &CommitError) -> Self {
        let blame = match error {
            CommitError::NotAssigned(_) => Blame::Peer,
            CommitError::NoGroup => Blame::Caller,
            CommitError::Group(error) => rpc::error_code(error).blame(),
            CommitError::Refused { code, .. } => code.blame(),
            CommitError::TimedOut => Blame::Environment,
        };
        Self::CommitRefused { cause: error.to_string(), blame }
    }

    pub(crate) fn of_membership(failure: &MemberFailure) -> Self {
        let blame = match failure {
            MemberFailure::Refused(error) => rpc::error_code(error).blame(),
            MemberFailure::Panicked { .. }
            | MemberFailure::Unreadable(EmbeddedError::BadTarget { .. } | EmbeddedError::BadPlan { .. }) => {
                return Self::OwnCode { cause: failure.to_string() };
            }
            MemberFailure::ProtocolMismatch { .. } | MemberFailure::Unreadable(_) => Blame::Peer,
            MemberFailure::NotStored { .. } => Blame::Environment,
        };
        Self::Membership { cause: failure.to_string(), blame }
    }

    pub(crate) fn of_produce(error: ProduceError) -> Self {
        let what = "a record batch";
        match error {
            ProduceError::Refused { code, detail } => refused(what, code, detail),
            ProduceError::Expired(after) => Self::TimedOut { what: what.to_owned(), after },
            ProduceError::Unsupported(api) => Self::Unsupported { api: api.to_owned() },
            ProduceError::InDoubt | ProduceError::Disconnected(_) => {
                Self::Disconnected { what: what.to_owned(), cause: error.to_string() }
            }
        }
    }
}

/// The cluster's refusal of something.
pub(crate) fn refused(what: &str, code: ErrorCode, detail: String) -> ClientError {
    ClientError::Refused { what: what.to_owned(), code: code.name(), number: code.code(), detail }
}

/// How seeking contact ended, once it has.
pub(crate) fn contacted(cluster: &ClientConfig, contact: &Contact) -> Option<Result<(), ClientError>> {
    match contact {
        Contact::Made => Some(Ok(())),
        Contact::Failed { unreached } => Some(Err(ClientError::unreachable(cluster, unreached))),
        Contact::Fresh | Contact::Seeking { .. } => None,
    }
}

const START_IT: &str = "check the address and that the broker runs";
const CHECK_THE_PORT: &str = "check the address: it must be a Kafka listener's, and one without TLS";

#[cfg(test)]
mod tests {
    use groma_rebalance::protocol::GroupError;

    use super::*;

    fn text() -> String {
        "x".to_owned()
    }

    #[test]
    fn every_error_has_somebody_to_blame() {
        let partition = TopicPartition::new("t", 0);
        let table = [
            (ConfigError::UnknownKey { key: text(), mend: text() }.into(), Blame::Caller),
            (ClientError::Unreachable { bootstrap: text(), cause: text(), mend: START_IT }, Blame::Environment),
            (ClientError::TimedOut { what: text(), after: Span::from_secs(1) }, Blame::Environment),
            (ClientError::Disconnected { what: text(), cause: text() }, Blame::Environment),
            (ClientError::Unsupported { api: text() }, Blame::Peer),
            (ClientError::Malformed { what: text(), offence: text() }, Blame::Peer),
            (ClientError::UnknownTopic { topic: text() }, Blame::Caller),
            (ClientError::RecordTooLarge { bytes: 2, limit: 1 }, Blame::Caller),
            (ClientError::NotAssigned { partition: partition.clone() }, Blame::Peer),
            (ClientError::OffsetOutOfRange { partition: partition.clone(), offset: Offset(1) }, Blame::Caller),
            (ClientError::Records { partition, offence: text() }, Blame::Environment),
            (ClientError::Closed, Blame::Caller),
        ];
        for (error, blame) in table {
            assert_eq!(error.blame(), blame, "{error:?}");
        }
    }

    #[test]
    fn what_the_cluster_refuses_goes_by_its_code() {
        for code in ErrorCode::ALL {
            assert_eq!(refused("x", *code, String::new()).blame(), code.blame(), "{code}");
        }
    }

    #[test]
    fn commits_and_memberships_go_by_what_ended_them() {
        let partition = TopicPartition::new("t", 0);
        let commits = [
            (CommitError::NotAssigned(partition.clone()), Blame::Peer),
            (CommitError::NoGroup, Blame::Caller),
            (CommitError::Group(GroupError::RebalanceInProgress), Blame::Peer),
            (CommitError::Group(GroupError::FencedInstance), Blame::Caller),
            (CommitError::Refused { partition, code: ErrorCode::OffsetMetadataTooLarge }, Blame::Caller),
            (CommitError::TimedOut, Blame::Environment),
        ];
        for (error, blame) in commits {
            assert_eq!(ClientError::of_commit(&error).blame(), blame, "{error:?}");
        }
        let memberships = [
            (MemberFailure::Refused(GroupError::GroupMaxSizeReached), Blame::Caller),
            (MemberFailure::Refused(GroupError::UnsupportedVersion), Blame::Peer),
            (MemberFailure::ProtocolMismatch { said: text() }, Blame::Peer),
            (MemberFailure::NotStored { bytes: None }, Blame::Environment),
            (MemberFailure::Panicked { said: text() }, Blame::Caller),
        ];
        for (failure, blame) in memberships {
            assert_eq!(ClientError::of_membership(&failure).blame(), blame, "{failure:?}");
        }
    }
}
