use groma_rebalance::{MoveCause, RemovalCause, RoundCause};
use serde::{Deserialize, Serialize};

/// Why a round began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// A member without history was admitted.
    MemberJoined,
    /// A member came back with another report, or asked by joining again; follow-up rounds look like this.
    MemberRejoined,
    /// The leader joined a stable group again: because what exists has changed, which it alone sees, or for another
    /// reason of its own.
    LeaderRejoined,
    /// A member said goodbye.
    MemberLeft,
    /// A member gave no sign of life for its session timeout.
    SessionExpired,
    /// A member did not fetch its assignment within the round's time.
    SyncMissed,
    /// A static member came back as another process while assignments were being made.
    InstanceReplaced,
    /// A group record could not be stored.
    StorageFailed,
    /// The group has more members than allowed.
    Oversized,
    /// A member is no longer there; whether it left or was expelled is not known.
    MemberGone,
    /// Members are the same; what they ask for is not.
    SubscriptionChanged,
    /// Members are the same; what exists is not.
    ResourcesChanged,
    /// Nothing seen says why.
    NotKnown,
}

/// Why a member left the coordinator's book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Removal {
    /// It said goodbye, or an administrator removed it.
    Left,
    /// No sign of life for its session timeout.
    SessionExpired,
    /// It did not join a round in time.
    JoinMissed,
    /// It did not fetch its assignment in time.
    SyncMissed,
    /// The group was full.
    Evicted,
    /// It is not there any more; nothing seen says why.
    NotKnown,
}

/// Why a resource moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Nobody held it: its holder is gone.
    HolderGone,
    /// Nobody held it before.
    New,
    /// Nobody held it: new, or its holder is gone.
    Free,
    /// Another member should carry it for balance, or by the assignor's rule.
    Balance,
    /// Its holder no longer asks for it.
    Unsubscribed,
    /// Two members claimed it.
    Contested,
    /// A newer claim than the holder's exists.
    Superseded,
    /// It does not exist any more, or nobody asks for it.
    Deleted,
}

impl From<&RoundCause> for Trigger {
    fn from(cause: &RoundCause) -> Self {
        match cause {
            RoundCause::MemberJoined(_) => Self::MemberJoined,
            RoundCause::MemberRejoined(_) => Self::MemberRejoined,
            RoundCause::LeaderRejoined(_) => Self::LeaderRejoined,
            RoundCause::MemberLeft(_) => Self::MemberLeft,
            RoundCause::SessionExpired(_) => Self::SessionExpired,
            RoundCause::SyncMissed(_) => Self::SyncMissed,
            RoundCause::InstanceReplaced { .. } => Self::InstanceReplaced,
            RoundCause::StorageFailed => Self::StorageFailed,
            RoundCause::Oversized => Self::Oversized,
        }
    }
}

impl From<RemovalCause> for Removal {
    fn from(cause: RemovalCause) -> Self {
        match cause {
            RemovalCause::Left => Self::Left,
            RemovalCause::SessionExpired => Self::SessionExpired,
            RemovalCause::JoinMissed => Self::JoinMissed,
            RemovalCause::SyncMissed => Self::SyncMissed,
            RemovalCause::Evicted => Self::Evicted,
        }
    }
}

impl From<MoveCause> for Reason {
    fn from(cause: MoveCause) -> Self {
        match cause {
            MoveCause::Free => Self::Free,
            MoveCause::Balance => Self::Balance,
            MoveCause::Unsubscribed => Self::Unsubscribed,
            MoveCause::Contested => Self::Contested,
            MoveCause::Superseded => Self::Superseded,
            MoveCause::Deleted => Self::Deleted,
        }
    }
}

impl Trigger {
    /// The cause in words that follow a member's name.
    pub const fn words(self) -> &'static str {
        match self {
            Self::MemberJoined => "joined",
            Self::MemberRejoined => "joined again",
            Self::LeaderRejoined => "the leader, joined again",
            Self::MemberLeft => "left",
            Self::SessionExpired => "was expelled: no sign of life for its session timeout",
            Self::SyncMissed => "was expelled: it did not fetch its assignment in time",
            Self::InstanceReplaced => "came back as another process",
            Self::StorageFailed => "the group's record could not be stored",
            Self::Oversized => "the group has more members than allowed",
            Self::MemberGone => "is gone; nothing seen says whether it left or was expelled",
            Self::SubscriptionChanged => "asks for other topics",
            Self::ResourcesChanged => "what exists has changed",
            Self::NotKnown => "nothing seen says why",
        }
    }
}

impl Removal {
    /// The cause in words that follow a member's name.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::SessionExpired => "expelled, no sign of life",
            Self::JoinMissed => "expelled, did not join in time",
            Self::SyncMissed => "expelled, did not sync in time",
            Self::Evicted => "turned away, the group was full",
            Self::NotKnown => "gone",
        }
    }
}

impl Reason {
    /// The cause in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::HolderGone => "its holder is gone",
            Self::New => "nobody held it before",
            Self::Free => "nobody held it",
            Self::Balance => "for balance",
            Self::Unsubscribed => "its holder no longer asks for it",
            Self::Contested => "two members claimed it",
            Self::Superseded => "another member has the newer claim",
            Self::Deleted => "nobody asks for it any more",
        }
    }
}
