use groma_model::{Generation, MemberId};

use super::GroupRecord;
use crate::cause::{RemovalCause, RoundCause};
use crate::protocol::Reply;

/// Names a request in the reply to it; chosen by the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(pub u64);

/// Names a record until it is durable; counts up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// Answer a request. Every request handed in is answered exactly once.
    Reply {
        /// The request.
        token: Token,
        /// The answer.
        reply: Reply,
    },
    /// Store a record, in order with all others of the group; then hand in [`super::Input::Persisted`] or
    /// [`super::Input::PersistFailed`].
    Persist {
        /// Names the record.
        ticket: Ticket,
        /// What to store.
        record: GroupRecord,
    },
    /// Something to tell people; nothing needs to be done.
    Event(Event),
}

/// What happened in a group, with its cause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A round began; members are expected to join.
    RoundOpened {
        /// The generation that was stable, or being formed, before.
        after: Generation,
        /// Why.
        cause: RoundCause,
    },
    /// Another reason for the round that is already open.
    RoundAlso(RoundCause),
    /// Everybody is in; a new generation exists and its leader is at work.
    RoundClosed {
        /// The new generation.
        generation: Generation,
        /// Its leader.
        leader: MemberId,
        /// How many members it has.
        members: usize,
    },
    /// The leader's decision is taken.
    Stable(Generation),
    /// The last member is gone.
    Emptied(Generation),
    /// A member has joined the round that is open, or that this opens.
    Joined {
        /// Who.
        member: MemberId,
        /// What it gives for a reason (KIP-800).
        reason: Option<String>,
    },
    /// A member has asked for its assignment; the leader brings everybody's.
    Synced(MemberId),
    /// A member is on the book.
    Admitted(MemberId),
    /// A member is off the book.
    Removed {
        /// Who.
        member: MemberId,
        /// Why.
        cause: RemovalCause,
    },
    /// A static member came back as another process.
    Replaced {
        /// Its former identity.
        old: MemberId,
        /// Its identity now.
        new: MemberId,
    },
}
