use groma_model::Generation;
use groma_rebalance::member::{self, MemberFailure, ReleaseId};

/// What a member of a group of resources is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceEvent<R> {
    /// Resources came in addition to those held.
    Assigned(Vec<R>),
    /// Resources are to be given up; hand in `released` when nothing of them runs any more.
    Revoked(ReleaseId, Vec<R>),
    /// Resources were taken away; hand in `released` when nothing of them runs any more.
    Lost(ReleaseId, Vec<R>),
    /// This member leads the group, since this generation.
    Leading(Generation),
    /// This member no longer leads the group.
    Following,
    /// A round began.
    Rebalancing,
    /// The round ended.
    Stable(Generation),
    /// A step of this member in a round; told on demand ([`crate::Detail::Steps`]).
    Step(member::Event<R>),
    /// The group refused this member for good.
    Failed(MemberFailure),
}

impl<R> ResourceEvent<R> {
    pub(super) const fn is_step(&self) -> bool {
        matches!(self, Self::Step(_))
    }

    /// Whether it tells only how the last round goes, so that a later one takes its place.
    pub(super) const fn is_progress(&self) -> bool {
        matches!(self, Self::Rebalancing | Self::Stable(_))
    }
}
