use groma_model::Generation;

use super::Handover;
use crate::ClientError;

/// What happens to a member. Only changes are told: what is in no event runs on.
#[derive(Debug)]
pub enum ResourceEvent<R> {
    /// Run these from now on, beside what is held.
    Assigned(Vec<R>),
    /// Stop these in good order. They are still this member's until the [`Handover`] is done, which must take less
    /// than the rebalance timeout: after it they are lost.
    Revoked(Handover<R>),
    /// Stop these at once: others may run them already, because the group has not heard of this member for too long or
    /// has refused it. It joins again when the [`Handover`] is done. What is being revoked can be lost on the way.
    Lost(Handover<R>),
    /// This member leads, since this generation. For as long as an answer travels its predecessor may not know yet, so
    /// what must never be done by two is done under the generation's number, or is a resource of its own.
    Leading(Generation),
    /// This member no longer leads; also when the group has not heard of it for too long.
    Following,
    /// A round began. What is held runs on.
    Rebalancing,
    /// The round ended; this member is part of this generation.
    Stable(Generation),
    /// A step of this member in a round, and as leader what moves: what a [`Trace`](crate::Trace) has a line of. Told
    /// on demand, see [`ResourceGroupConfig::detail`](crate::ResourceGroupConfig::detail).
    Step(groma_rebalance::member::Event<R>),
    /// The group refused this member for good, or code of its own that shares out cannot go on
    /// ([`ClientError::OwnCode`]), and it leaves; it was told to stop what it held before, and gets nothing any more.
    Error(ClientError),
}
