use super::{Ticket, Token};
use crate::protocol::{HeartbeatRequest, JoinRequest, LeaveRequest, SyncRequest};

/// What happens to a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A member wants to enter the next round.
    Join {
        /// Names the request in the reply.
        token: Token,
        /// What it says.
        request: JoinRequest,
        /// Who sends it, for descriptions.
        client: Client,
        /// 128 fresh random bits; a new member's id is made of them.
        entropy: u128,
    },
    /// A member wants its assignment.
    Sync {
        /// Names the request in the reply.
        token: Token,
        /// What it says.
        request: SyncRequest,
    },
    /// A sign of life.
    Heartbeat {
        /// Names the request in the reply.
        token: Token,
        /// What it says.
        request: HeartbeatRequest,
    },
    /// Members go for good.
    Leave {
        /// Names the request in the reply.
        token: Token,
        /// What it says.
        request: LeaveRequest,
    },
    /// The record of this ticket, and all before it, are durable.
    Persisted(Ticket),
    /// The record of this ticket could not be stored.
    PersistFailed(Ticket),
    /// Time has passed; see [`super::Group::deadline`].
    Tick,
    /// The group is deleted: its record is erased, and it is dead. Only for a group without members.
    Delete,
    /// This broker stops coordinating the group: everybody parked is told to look elsewhere.
    Retire,
}

/// Who sends a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Client {
    /// The client id of the request header; empty if it has none.
    pub id: String,
    /// The address it comes from, as text.
    pub host: String,
}
