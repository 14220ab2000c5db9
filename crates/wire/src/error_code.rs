use std::fmt;

/// Who has to change something for an error to go away, seen from the side that receives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Blame {
    /// The broker or the group, mostly in passing: a leader has moved, a round is running.
    Peer,
    /// The program that uses the client: a name, a size, a permission, a setting.
    Caller,
    /// The machine, the disk, the network, a quota.
    Environment,
    /// The client itself: a well-kept client never receives it.
    Us,
}

/// What to do about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reaction {
    /// Send the same request again, after a pause.
    Retry,
    /// Look up leaders, ids or the coordinator again, then send again.
    Refresh,
    /// Give up the membership in the group as it was, and join again.
    Rejoin,
    /// Report it: sending again does not help.
    Fatal,
}

macro_rules! error_codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $blame:ident, $reaction:ident;)*) => {
        /// What a broker answers instead of, or beside, a result.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $($(#[$doc])* $name,)*
            /// A code that Kafka 4.4 does not have.
            Unknown(i16),
        }

        impl ErrorCode {
            /// Every code known, in rising order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The error of a code on the wire.
            pub const fn from_i16(code: i16) -> Self {
                match code {
                    $($code => Self::$name,)*
                    code => Self::Unknown(code),
                }
            }

            /// The code on the wire.
            pub const fn code(self) -> i16 {
                match self {
                    $(Self::$name => $code,)*
                    Self::Unknown(code) => code,
                }
            }

            /// Who has to change something.
            pub const fn blame(self) -> Blame {
                match self {
                    $(Self::$name => Blame::$blame,)*
                    Self::Unknown(_) => Blame::Peer,
                }
            }

            /// What to do.
            pub const fn reaction(self) -> Reaction {
                match self {
                    $(Self::$name => Reaction::$reaction,)*
                    Self::Unknown(_) => Reaction::Fatal,
                }
            }

            const fn text(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                    Self::Unknown(_) => "Unknown",
                }
            }
        }
    };
}

impl ErrorCode {
    /// The code as a result: `Err` for anything but [`ErrorCode::None`].
    ///
    /// # Errors
    /// The error that the code stands for.
    pub fn check(code: i16) -> Result<(), Self> {
        match Self::from_i16(code) {
            Self::None => Ok(()),
            error => Err(error),
        }
    }

    /// Whether this is an error at all.
    pub const fn is_error(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Kafka's name in capitals, such as `NOT_COORDINATOR`.
    pub fn name(self) -> String {
        let mut name = String::new();
        for (index, letter) in self.text().chars().enumerate() {
            if index > 0 && letter.is_ascii_uppercase() {
                name.push('_');
            }
            name.push(letter.to_ascii_uppercase());
        }
        name
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.code())
    }
}

impl std::error::Error for ErrorCode {}

error_codes! {
    /// The broker failed in a way it has no code for.
    UnknownServerError = -1, Peer, Fatal;
    /// No error.
    None = 0, Peer, Retry;
    /// The partition holds no such offset (any more).
    OffsetOutOfRange = 1, Caller, Fatal;
    /// A batch's checksum or size is wrong, as received.
    CorruptMessage = 2, Environment, Retry;
    /// The broker does not host this topic or partition.
    UnknownTopicOrPartition = 3, Caller, Refresh;
    /// The size asked of a fetch makes no sense.
    InvalidFetchSize = 4, Us, Fatal;
    /// The partition has no leader at the moment.
    LeaderNotAvailable = 5, Peer, Refresh;
    /// The broker asked does not lead (or follow) this partition.
    NotLeaderOrFollower = 6, Peer, Refresh;
    /// The broker could not finish in the time allowed.
    RequestTimedOut = 7, Environment, Retry;
    /// The broker is not available.
    BrokerNotAvailable = 8, Environment, Retry;
    /// The replica is not available on this broker.
    ReplicaNotAvailable = 9, Peer, Refresh;
    /// A batch is larger than the topic takes.
    MessageTooLarge = 10, Caller, Fatal;
    /// Another controller was elected.
    StaleControllerEpoch = 11, Peer, Fatal;
    /// The text beside a committed offset is too long.
    OffsetMetadataTooLarge = 12, Caller, Fatal;
    /// The connection broke before the answer came.
    NetworkException = 13, Environment, Refresh;
    /// The coordinator still loads this group.
    CoordinatorLoadInProgress = 14, Peer, Retry;
    /// There is no coordinator at the moment.
    CoordinatorNotAvailable = 15, Peer, Refresh;
    /// The broker asked does not coordinate this group.
    NotCoordinator = 16, Peer, Refresh;
    /// No topic may have this name, or it is reserved.
    InvalidTopicException = 17, Caller, Fatal;
    /// A batch is larger than a whole segment.
    RecordListTooLarge = 18, Caller, Fatal;
    /// Too few replicas are in sync to accept the write.
    NotEnoughReplicas = 19, Environment, Retry;
    /// Written, but by too few replicas.
    NotEnoughReplicasAfterAppend = 20, Environment, Retry;
    /// The acknowledgement asked for is none of -1, 0 and 1.
    InvalidRequiredAcks = 21, Us, Fatal;
    /// The group has gone on to another generation.
    IllegalGeneration = 22, Peer, Rejoin;
    /// The member shares no protocol with the rest of the group.
    InconsistentGroupProtocol = 23, Caller, Fatal;
    /// No group may have this name.
    InvalidGroupId = 24, Caller, Fatal;
    /// The group has no such member (any more).
    UnknownMemberId = 25, Peer, Rejoin;
    /// The session timeout is outside the broker's bounds.
    InvalidSessionTimeout = 26, Caller, Fatal;
    /// The group is rebalancing.
    RebalanceInProgress = 27, Peer, Rejoin;
    /// What is to be committed is too large.
    InvalidCommitOffsetSize = 28, Caller, Fatal;
    /// No permission on the topic.
    TopicAuthorizationFailed = 29, Caller, Fatal;
    /// No permission on the group.
    GroupAuthorizationFailed = 30, Caller, Fatal;
    /// No permission on the cluster.
    ClusterAuthorizationFailed = 31, Caller, Fatal;
    /// A record's timestamp is outside what the topic takes.
    InvalidTimestamp = 32, Caller, Fatal;
    /// The broker does not offer this SASL mechanism.
    UnsupportedSaslMechanism = 33, Caller, Fatal;
    /// The request does not fit the state of the SASL exchange.
    IllegalSaslState = 34, Us, Fatal;
    /// The broker does not serve this version of the API.
    UnsupportedVersion = 35, Peer, Fatal;
    /// There is a topic of this name.
    TopicAlreadyExists = 36, Caller, Fatal;
    /// The number of partitions is out of bounds.
    InvalidPartitions = 37, Caller, Fatal;
    /// The replication factor is below 1 or above the number of brokers.
    InvalidReplicationFactor = 38, Caller, Fatal;
    /// The replicas given for a partition make no sense.
    InvalidReplicaAssignment = 39, Caller, Fatal;
    /// A configuration key or value is wrong.
    InvalidConfig = 40, Caller, Fatal;
    /// The broker asked is not the controller.
    NotController = 41, Peer, Refresh;
    /// The request makes no sense to the broker.
    InvalidRequest = 42, Us, Fatal;
    /// The stored message format cannot serve the request.
    UnsupportedForMessageFormat = 43, Peer, Fatal;
    /// A policy of the cluster forbids it.
    PolicyViolation = 44, Caller, Fatal;
    /// A batch came out of the producer's order.
    OutOfOrderSequenceNumber = 45, Us, Fatal;
    /// A batch came twice.
    DuplicateSequenceNumber = 46, Us, Fatal;
    /// The producer has been replaced by a newer one.
    InvalidProducerEpoch = 47, Caller, Fatal;
    /// The transaction is not in a state for this.
    InvalidTxnState = 48, Us, Fatal;
    /// The producer id does not belong to this transactional id.
    InvalidProducerIdMapping = 49, Peer, Fatal;
    /// The transaction timeout is above the broker's bound.
    InvalidTransactionTimeout = 50, Caller, Fatal;
    /// The transaction before is still being finished.
    ConcurrentTransactions = 51, Peer, Retry;
    /// Another transaction coordinator has taken over.
    TransactionCoordinatorFenced = 52, Peer, Fatal;
    /// No permission on the transactional id.
    TransactionalIdAuthorizationFailed = 53, Caller, Fatal;
    /// Security is switched off on the broker.
    SecurityDisabled = 54, Caller, Fatal;
    /// A part of the request failed before this part was tried.
    OperationNotAttempted = 55, Peer, Fatal;
    /// The broker's disk failed or is full.
    KafkaStorageError = 56, Environment, Refresh;
    /// The broker has no such log directory.
    LogDirNotFound = 57, Caller, Fatal;
    /// The credentials were refused.
    SaslAuthenticationFailed = 58, Caller, Fatal;
    /// The broker no longer knows this producer.
    UnknownProducerId = 59, Peer, Fatal;
    /// The partition is being moved.
    ReassignmentInProgress = 60, Peer, Fatal;
    /// Delegation tokens are switched off.
    DelegationTokenAuthDisabled = 61, Caller, Fatal;
    /// There is no such delegation token.
    DelegationTokenNotFound = 62, Caller, Fatal;
    /// The token belongs to someone else.
    DelegationTokenOwnerMismatch = 63, Caller, Fatal;
    /// Tokens may not be asked for over this connection.
    DelegationTokenRequestNotAllowed = 64, Caller, Fatal;
    /// No permission on the token.
    DelegationTokenAuthorizationFailed = 65, Caller, Fatal;
    /// The token has expired.
    DelegationTokenExpired = 66, Caller, Fatal;
    /// The kind of principal is not supported.
    InvalidPrincipalType = 67, Caller, Fatal;
    /// The group has members.
    NonEmptyGroup = 68, Caller, Fatal;
    /// There is no such group.
    GroupIdNotFound = 69, Caller, Fatal;
    /// The broker has dropped the fetch session; begin a new one.
    FetchSessionIdNotFound = 70, Peer, Retry;
    /// The fetch session is out of step; begin a new one.
    InvalidFetchSessionEpoch = 71, Peer, Retry;
    /// The leader has no listener of this name.
    ListenerNotFound = 72, Peer, Refresh;
    /// Deleting topics is switched off.
    TopicDeletionDisabled = 73, Caller, Fatal;
    /// A newer leader has been elected.
    FencedLeaderEpoch = 74, Peer, Refresh;
    /// The broker has not heard of this leader epoch yet.
    UnknownLeaderEpoch = 75, Peer, Retry;
    /// The version in use cannot carry this compression.
    UnsupportedCompressionType = 76, Caller, Fatal;
    /// The broker has registered again since.
    StaleBrokerEpoch = 77, Peer, Fatal;
    /// The new leader does not know its high watermark yet.
    OffsetNotAvailable = 78, Peer, Retry;
    /// Join again with the member id given.
    MemberIdRequired = 79, Peer, Rejoin;
    /// The preferred leader is not available.
    PreferredLeaderNotAvailable = 80, Peer, Refresh;
    /// The group is full.
    GroupMaxSizeReached = 81, Caller, Fatal;
    /// Another process has taken over this instance id.
    FencedInstanceId = 82, Caller, Fatal;
    /// No replica may become leader.
    EligibleLeadersNotAvailable = 83, Peer, Refresh;
    /// The partition has the leader wanted.
    ElectionNotNeeded = 84, Peer, Refresh;
    /// The partition is not being moved.
    NoReassignmentInProgress = 85, Caller, Fatal;
    /// The group still reads the topic.
    GroupSubscribedToTopic = 86, Caller, Fatal;
    /// The broker refuses a record.
    InvalidRecord = 87, Caller, Fatal;
    /// Offsets of a running transaction are not settled yet.
    UnstableOffsetCommit = 88, Peer, Retry;
    /// The quota is used up for the moment.
    ThrottlingQuotaExceeded = 89, Environment, Retry;
    /// A newer producer has taken over the transactional id.
    ProducerFenced = 90, Caller, Fatal;
    /// There is no such resource.
    ResourceNotFound = 91, Caller, Fatal;
    /// The request names a resource twice.
    DuplicateResource = 92, Us, Fatal;
    /// The credential does not meet the rules.
    UnacceptableCredential = 93, Caller, Fatal;
    /// Sender and receiver do not agree on who votes.
    InconsistentVoterSet = 94, Peer, Fatal;
    /// The update carries an outdated version.
    InvalidUpdateVersion = 95, Peer, Fatal;
    /// The features could not be updated.
    FeatureUpdateFailed = 96, Peer, Fatal;
    /// A forwarded request's principal is not readable.
    PrincipalDeserializationFailure = 97, Peer, Fatal;
    /// There is no such snapshot.
    SnapshotNotFound = 98, Peer, Fatal;
    /// The position is outside of the snapshot.
    PositionOutOfRange = 99, Us, Fatal;
    /// The broker hosts no topic with this id.
    UnknownTopicId = 100, Caller, Refresh;
    /// The broker id is taken.
    DuplicateBrokerRegistration = 101, Caller, Fatal;
    /// There is no broker with this id.
    BrokerIdNotRegistered = 102, Caller, Fatal;
    /// The topic was made again under another id.
    InconsistentTopicId = 103, Peer, Refresh;
    /// The broker belongs to another cluster.
    InconsistentClusterId = 104, Caller, Fatal;
    /// There is no such transactional id.
    TransactionalIdNotFound = 105, Caller, Fatal;
    /// The fetch session mixes names and ids; begin a new one.
    FetchSessionTopicIdError = 106, Peer, Retry;
    /// A replica may not be in the in-sync set.
    IneligibleReplica = 107, Peer, Fatal;
    /// The change went through, and so did an election.
    NewLeaderElected = 108, Peer, Fatal;
    /// The offset lies in tiered storage.
    OffsetMovedToTieredStorage = 109, Peer, Fatal;
    /// The coordinator has fenced this member's epoch.
    FencedMemberEpoch = 110, Peer, Rejoin;
    /// Another member still holds this instance id.
    UnreleasedInstanceId = 111, Caller, Fatal;
    /// The group does not take this assignor.
    UnsupportedAssignor = 112, Caller, Fatal;
    /// The member's epoch is behind; it comes with the next heartbeat.
    StaleMemberEpoch = 113, Peer, Retry;
    /// A broker's request went to a controller, or the other way round.
    MismatchedEndpointType = 114, Caller, Fatal;
    /// The kind of endpoint is not supported.
    UnsupportedEndpointType = 115, Peer, Fatal;
    /// There is no controller with this id.
    UnknownControllerId = 116, Caller, Fatal;
    /// The telemetry subscription has changed.
    UnknownSubscriptionId = 117, Peer, Refresh;
    /// The telemetry pushed is too large.
    TelemetryTooLarge = 118, Us, Fatal;
    /// The controller refuses the broker's registration.
    InvalidRegistration = 119, Caller, Fatal;
    /// The transaction must be aborted; the producer may go on.
    TransactionAbortable = 120, Peer, Fatal;
    /// The record cannot be acknowledged in its state.
    InvalidRecordState = 121, Peer, Fatal;
    /// The broker has dropped the share session.
    ShareSessionNotFound = 122, Peer, Retry;
    /// The share session is out of step.
    InvalidShareSessionEpoch = 123, Peer, Retry;
    /// The state has gone on to another epoch.
    FencedStateEpoch = 124, Peer, Fatal;
    /// The voter's key is not the receiver's.
    InvalidVoterKey = 125, Caller, Fatal;
    /// The voter is in the set.
    DuplicateVoter = 126, Caller, Fatal;
    /// The voter is not in the set.
    VoterNotFound = 127, Caller, Fatal;
    /// The regular expression is wrong.
    InvalidRegularExpression = 128, Caller, Fatal;
    /// The metadata is stale; begin with the bootstrap addresses again.
    RebootstrapRequired = 129, Peer, Refresh;
    /// The topology is wrong.
    StreamsInvalidTopology = 130, Caller, Fatal;
    /// The topology's epoch is wrong.
    StreamsInvalidTopologyEpoch = 131, Caller, Fatal;
    /// The group runs a newer topology.
    StreamsTopologyFenced = 132, Caller, Fatal;
    /// The broker holds as many share sessions as it may.
    ShareSessionLimitReached = 133, Environment, Retry;
    /// A group could not be deleted; its message says why.
    GroupDeletionFailed = 134, Peer, Fatal;
    /// The description of the topology was refused; the message says why.
    StreamsTopologyDescriptionUpdateFailed = 135, Peer, Fatal;
    /// There is no controller registered under this id.
    ControllerIdNotRegistered = 136, Caller, Fatal;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_errors_are_one_to_one() {
        for code in i16::MIN..=i16::MAX {
            assert_eq!(ErrorCode::from_i16(code).code(), code);
        }
        assert_eq!(ErrorCode::ALL.len(), 138);
        assert!(ErrorCode::ALL.windows(2).all(|pair| pair[0].code() + 1 == pair[1].code()));
    }

    #[test]
    fn a_group_that_moved_on_is_joined_again() {
        for code in [22, 25, 27, 79, 110] {
            assert_eq!(ErrorCode::from_i16(code).reaction(), Reaction::Rejoin);
        }
        assert_eq!(ErrorCode::FencedInstanceId.reaction(), Reaction::Fatal);
    }

    #[test]
    fn names_are_kafkas() {
        assert_eq!(ErrorCode::NotCoordinator.to_string(), "NOT_COORDINATOR (16)");
        assert_eq!(ErrorCode::check(0), Ok(()));
        assert_eq!(ErrorCode::check(500), Err(ErrorCode::Unknown(500)));
    }
}
