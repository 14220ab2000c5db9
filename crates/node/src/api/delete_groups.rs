use groma_model::GroupId;
use groma_rebalance::coordinator::{GroupState, Input};
use groma_wire::ErrorCode;
use groma_wire::messages::{DeletableGroupResult, DeleteGroupsRequest, DeleteGroupsResponse};

use crate::call::Call;
use crate::contract::StorageFailure;
use crate::effects::JobId;
use crate::groups::{AfterStore, group_tombstone, offset_tombstone};
use crate::node::Node;

/// A deletion of groups that waits for their tombstones to be stored.
#[derive(Debug)]
pub(crate) struct DeleteGroupsJob {
    call: Call,
    response: DeleteGroupsResponse,
    left: usize,
}

/// One group's part of it.
#[derive(Debug)]
pub(crate) struct DeleteGroupJob {
    job: JobId,
    slot: usize,
    group: GroupId,
}

impl Node {
    pub(super) fn delete_groups(&mut self, call: Call, request: DeleteGroupsRequest) {
        let job = self.effects.jobs.next_id();
        let mut response = DeleteGroupsResponse::default();
        let mut left = 0;
        for (slot, name) in request.groups_names.into_iter().enumerate() {
            let group = GroupId(name);
            let mut result = DeletableGroupResult { group_id: group.0.clone(), ..Default::default() };
            match self.delete_group(job, slot, group) {
                Ok(()) => left += 1,
                Err(error) => result.error_code = error.code(),
            }
            response.results.push(result);
        }
        if left == 0 {
            return self.answer(call, &response);
        }
        self.effects.jobs.delete_groups.insert(job, DeleteGroupsJob { call, response, left });
    }

    /// A group's tombstones are stored, or could not be.
    pub(crate) fn group_deleted(&mut self, done: DeleteGroupJob, result: Result<(), StorageFailure>) {
        let now = self.now;
        if result.is_ok() {
            if let Some(known) = self.groups.get_mut(&done.group) {
                known.offsets.clear();
                known.group.handle(now, Input::Retire);
            }
            self.drive(&done.group);
            self.groups.remove(&done.group);
        }
        let Some(job) = self.effects.jobs.delete_groups.get_mut(&done.job) else { return };
        job.left -= 1;
        if let (Err(StorageFailure), Some(result)) = (result, job.response.results.get_mut(done.slot)) {
            result.error_code = ErrorCode::NotCoordinator.code();
        }
        if job.left == 0
            && let Some(job) = self.effects.jobs.delete_groups.remove(&done.job)
        {
            self.answer(job.call, &job.response);
        }
    }

    fn delete_group(&mut self, job: JobId, slot: usize, group: GroupId) -> Result<(), ErrorCode> {
        let known = self.groups.get(&group).ok_or(ErrorCode::GroupIdNotFound)?;
        if known.state() != GroupState::Empty {
            return Err(ErrorCode::NonEmptyGroup);
        }
        let tombstone = |at: &crate::groups::Position| {
            let topic = self.topics.get(at.topic)?;
            offset_tombstone(&group, &topic.name, at.partition)
        };
        let records = known.offsets.keys().filter_map(tombstone).chain(group_tombstone(&group)).collect();
        let then = AfterStore::Deleted(Box::new(DeleteGroupJob { job, slot, group: group.clone() }));
        self.keep(&group, records, then).map_err(|_| ErrorCode::NotCoordinator)
    }
}
