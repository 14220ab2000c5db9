use groma_model::Generation;
use groma_wire::messages::OffsetCommitRequest;

use super::text::{instance_id, instance_text, member_id, member_text};
use crate::protocol::{CommitFence, CommitScope};

/// Reads the fence of a commit.
pub fn commit_fence(message: &OffsetCommitRequest) -> CommitFence {
    let generation = message.generation_id_or_member_epoch;
    CommitFence {
        member: member_id(message.member_id.clone()),
        instance: instance_id(message.group_instance_id.clone()),
        generation: (generation >= 0).then_some(Generation(generation)),
        scope: CommitScope::Plain,
    }
}

/// Writes the fence into a commit.
pub fn write_commit_fence(fence: &CommitFence, message: &mut OffsetCommitRequest) {
    message.member_id = member_text(fence.member.as_ref());
    message.group_instance_id = instance_text(fence.instance.as_ref());
    message.generation_id_or_member_epoch = fence.generation.map_or(-1, |g| g.0);
}
