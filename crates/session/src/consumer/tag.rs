use super::CommitId;
use crate::group::GroupTag;

/// What a call of a consumer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Fetch(u64),
    ListOffsets(u64),
    Committed,
    Group(GroupTag),
    Commit(CommitId),
}

impl From<GroupTag> for Tag {
    fn from(tag: GroupTag) -> Self {
        Self::Group(tag)
    }
}
