use groma_model::GroupId;
use groma_rebalance::coordinator::{GroupState, GroupView, MemberView};
use groma_wire::ErrorCode;
use groma_wire::messages::{
    DescribeGroupsRequest, DescribeGroupsResponse, DescribeGroupsResponseDescribedGroup, DescribedGroupMember,
};

use super::operations;
use crate::call::Call;
use crate::node::Node;

/// The first version that says when a group does not exist.
const NOT_FOUND: i16 = 6;

impl Node {
    pub(super) fn describe_groups(&mut self, call: Call, request: DescribeGroupsRequest) {
        let asked = request.groups.into_iter();
        let mut groups: Vec<DescribeGroupsResponseDescribedGroup> =
            asked.map(|id| self.described_group(&call, GroupId(id))).collect();
        if request.include_authorized_operations {
            groups.iter_mut().for_each(|group| group.authorized_operations = operations::GROUP);
        }
        self.answer(call, &DescribeGroupsResponse { groups, ..Default::default() });
    }

    fn described_group(&self, call: &Call, id: GroupId) -> DescribeGroupsResponseDescribedGroup {
        match self.groups.get(&id) {
            Some(known) => described(id, known.group.view()),
            None => absent(call, id),
        }
    }
}

fn described(id: GroupId, view: GroupView) -> DescribeGroupsResponseDescribedGroup {
    DescribeGroupsResponseDescribedGroup {
        group_id: id.0,
        group_state: view.state.name().to_owned(),
        protocol_type: view.protocol_type.unwrap_or_default(),
        protocol_data: view.protocol.unwrap_or_default(),
        members: view.members.into_iter().map(member).collect(),
        authorized_operations: operations::NOT_ASKED,
        ..Default::default()
    }
}

fn member(view: MemberView) -> DescribedGroupMember {
    DescribedGroupMember {
        member_id: view.member.0,
        group_instance_id: view.instance.map(|instance| instance.0),
        client_id: view.client.id,
        client_host: view.client.host,
        member_metadata: view.metadata,
        member_assignment: view.assignment,
    }
}

fn absent(call: &Call, id: GroupId) -> DescribeGroupsResponseDescribedGroup {
    let says_so = call.version >= NOT_FOUND;
    let error = if says_so { ErrorCode::GroupIdNotFound } else { ErrorCode::None };
    DescribeGroupsResponseDescribedGroup {
        error_code: error.code(),
        error_message: says_so.then(|| format!("Group {id} not found.")),
        group_id: id.0,
        group_state: GroupState::Dead.name().to_owned(),
        authorized_operations: operations::NOT_ASKED,
        ..Default::default()
    }
}
