use groma_rebalance::member::RequestId;

/// What a call is for that concerns membership.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupTag {
    Coordinator,
    Member(RequestId),
}
