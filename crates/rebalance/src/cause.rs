use groma_model::MemberId;

/// Why a round of the group began, as the coordinator saw it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundCause {
    /// A member without history was admitted.
    MemberJoined(MemberId),
    /// A member came back with another report, or asked by joining again (a follow-up round looks like this).
    MemberRejoined(MemberId),
    /// The leader joined a stable group again: it alone sees changes of the resources.
    LeaderRejoined(MemberId),
    /// A member said goodbye.
    MemberLeft(MemberId),
    /// A member gave no sign of life for its session timeout.
    SessionExpired(MemberId),
    /// A member did not fetch its assignment within the round's time.
    SyncMissed(MemberId),
    /// A static member came back as another process while assignments were being made.
    InstanceReplaced {
        /// Its former identity.
        old: MemberId,
        /// Its identity now.
        new: MemberId,
    },
    /// A group record could not be stored.
    StorageFailed,
    /// The group has more members than allowed.
    Oversized,
}

/// Why a member left the coordinator's book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemovalCause {
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
}

/// Why a resource moves, or stays away for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveCause {
    /// Nobody held it: new, or its holder is gone.
    Free,
    /// Another member should carry it for balance, or by the assignor's rule.
    Balance,
    /// Its holder no longer asks for it.
    Unsubscribed,
    /// Two members claimed it in the same generation.
    Contested,
    /// A newer claim than the holder's exists.
    Superseded,
    /// It does not exist any more.
    Deleted,
}
