//! Groups of KIP-848 (`group.protocol=consumer`): the coordinator shares out, and members report what they own.

use groma_model::{Generation, TopicPartition};
use groma_session::cluster::Target;
use groma_session::net::CallError;
use groma_wire::ErrorCode;
use groma_wire::messages::{
    ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse, ConsumerGroupDescribeResponseAssignment,
    ConsumerGroupDescribeResponseDescribedGroup, Member,
};

use super::admin::Refusal;
use super::{Admin, CoordinatorInfo, GroupInfo, GroupMemberInfo};

impl Admin {
    /// The group, if it is of this kind; none too where the brokers know no such groups.
    pub(super) async fn reconciled(
        &self,
        group: &str,
        coordinator: &CoordinatorInfo,
    ) -> Result<Option<GroupInfo>, Refusal> {
        let request = ConsumerGroupDescribeRequest {
            group_ids: vec![group.to_owned()],
            ..ConsumerGroupDescribeRequest::default()
        };
        match self.once(Target::Node(coordinator.node), request).await {
            Ok(response) => found(response, group).map(|found| found.map(|group| info(group, coordinator.clone()))),
            Err(CallError::Unsupported(_)) => Ok(None),
            Err(error) => Err(Refusal::of_call(error)),
        }
    }
}

fn found(
    response: ConsumerGroupDescribeResponse,
    group: &str,
) -> Result<Option<ConsumerGroupDescribeResponseDescribedGroup>, Refusal> {
    let Some(found) = response.groups.into_iter().find(|found| found.group_id == group) else { return Ok(None) };
    match Refusal::check(found.error_code, found.error_message.as_deref()) {
        Err(Refusal::Code(ErrorCode::GroupIdNotFound | ErrorCode::UnsupportedVersion, _)) => Ok(None),
        Err(refusal) => Err(refusal),
        Ok(()) => Ok(Some(found)),
    }
}

fn info(group: ConsumerGroupDescribeResponseDescribedGroup, coordinator: CoordinatorInfo) -> GroupInfo {
    GroupInfo {
        group: group.group_id,
        state: group.group_state,
        protocol_type: "consumer".to_owned(),
        protocol: group.assignor_name,
        members: group.members.into_iter().map(member).collect(),
        epoch: Some(group.group_epoch),
        coordinator,
    }
}

fn member(member: Member) -> GroupMemberInfo {
    let owned = partitions(&member.assignment);
    GroupMemberInfo {
        resources: Some(owned.iter().map(ToString::to_string).collect()),
        assignment: owned.clone(),
        owned,
        owned_generation: Some(Generation(member.member_epoch)),
        subscription: member.subscribed_topic_names,
        member_id: member.member_id,
        instance_id: member.instance_id,
        client_id: member.client_id,
        client_host: member.client_host,
        rack: member.rack_id,
    }
}

fn partitions(assignment: &ConsumerGroupDescribeResponseAssignment) -> Vec<TopicPartition> {
    let topics = assignment.topic_partitions.iter();
    let mut all: Vec<TopicPartition> = topics
        .flat_map(|topic| topic.partitions.iter().map(|number| TopicPartition::new(&topic.topic_name, *number)))
        .collect();
    all.sort();
    all
}
