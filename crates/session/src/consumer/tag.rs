use groma_rebalance::member::RequestId;

use super::CommitId;

/// What a call of a consumer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Fetch(u64),
    ListOffsets(u64),
    Committed,
    Coordinator,
    Member(RequestId),
    Commit(CommitId),
}
