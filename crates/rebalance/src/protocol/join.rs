use bytes::Bytes;
use groma_model::{Generation, InstanceId, MemberId, Span};

/// A request to enter the next round of a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JoinRequest {
    /// The identity the coordinator gave earlier; none on the first join.
    pub member: Option<MemberId>,
    /// The stable identity over restarts (KIP-345).
    pub instance: Option<InstanceId>,
    /// How long the coordinator waits for a sign of life.
    pub session_timeout: Span,
    /// How long a round waits for this member; none (protocol version 0, or a negative value) means the session
    /// timeout.
    pub rebalance_timeout: Option<Span>,
    /// The class of embedded protocol, e.g. `consumer` or `connect`.
    pub protocol_type: String,
    /// The embedded protocols the member speaks, most preferred first.
    pub protocols: Vec<Protocol>,
    /// Why the member joins, for people (KIP-800).
    pub reason: Option<String>,
    /// What the sender's version of JoinGroup can express.
    pub dialect: JoinDialect,
}

/// One embedded protocol a member speaks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Protocol {
    /// Its name, e.g. `range`.
    pub name: String,
    /// The member's report in that protocol, opaque to the coordinator.
    pub metadata: Bytes,
}

/// What a version of JoinGroup can express; each level includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JoinDialect {
    /// Versions 0-3: a member without an id is admitted at once.
    OneStep,
    /// Version 4: a member without an id is given one and asked to join again (KIP-394).
    TwoStep,
    /// Versions 5-8: stable identities (KIP-345).
    Instances,
    /// Version 9: a returning leader can be told not to assign (KIP-814).
    #[default]
    SkipAssignment,
}

/// The answer to a successful join.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Joined {
    /// The member's identity from now on.
    pub member: MemberId,
    /// The generation that was formed.
    pub generation: Generation,
    /// The class of embedded protocol; none where the version cannot say.
    pub protocol_type: Option<String>,
    /// The embedded protocol chosen by vote.
    pub protocol: String,
    /// The leader of this generation. For a static member that came back under an old dialect this is the identity
    /// the leader had before, so that it does not take itself for the leader (KIP-345).
    pub leader: MemberId,
    /// The member's part in this generation.
    pub role: Role,
}

/// A member's part in a generation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Takes its assignment from the leader.
    Follower,
    /// Computes the assignments of all.
    Leader {
        /// Everybody's report in the chosen protocol, in order of admission.
        members: Vec<MemberReport>,
        /// Whether to assign.
        duty: LeaderDuty,
    },
}

/// Whether a leader has to assign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeaderDuty {
    /// Compute and hand in assignments.
    Assign,
    /// Assignments stand; the leader only learns the group (KIP-814).
    Skip,
}

/// A member's report as the leader sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemberReport {
    /// Who reports.
    pub member: MemberId,
    /// Its stable identity.
    pub instance: Option<InstanceId>,
    /// Its report in the chosen embedded protocol.
    pub metadata: Bytes,
}

impl JoinRequest {
    /// The longest reason a request carries, in characters (KAFKA-13998).
    pub const REASON_CHARS_MAX: usize = 255;

    /// How long a round waits for this member.
    pub fn round_timeout(&self) -> Span {
        self.rebalance_timeout.unwrap_or(self.session_timeout)
    }
}

impl Protocol {
    /// A protocol by name and report.
    pub fn new(name: impl Into<String>, metadata: impl Into<Bytes>) -> Self {
        Self { name: name.into(), metadata: metadata.into() }
    }
}
