use groma_wire::ErrorCode;
use groma_wire::messages::{
    ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse, ConsumerGroupDescribeResponseDescribedGroup,
};

use super::operations;
use crate::call::Call;
use crate::node::Node;

impl Node {
    /// No group here is one of KIP-848; an asker then asks for a classic one.
    pub(super) fn consumer_group_describe(&mut self, call: Call, request: ConsumerGroupDescribeRequest) {
        let absent = |group_id: String| ConsumerGroupDescribeResponseDescribedGroup {
            error_code: ErrorCode::GroupIdNotFound.code(),
            error_message: Some(format!("Group {group_id} is not a consumer group.")),
            group_id,
            authorized_operations: operations::NOT_ASKED,
            ..Default::default()
        };
        let groups = request.group_ids.into_iter().map(absent).collect();
        self.answer(call, &ConsumerGroupDescribeResponse { groups, ..Default::default() });
    }
}
