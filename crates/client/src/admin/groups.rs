use std::collections::BTreeMap;

use bytes::Bytes;
use groma_model::{Generation, TopicPartition};
use groma_rebalance::embedded::{connect_holdings, custom, tasks};
use groma_session::cluster::Target;
use groma_session::net::Address;
use groma_wire::messages::{
    ConsumerProtocolAssignment, ConsumerProtocolSubscription, DeleteGroupsRequest, DeleteGroupsResponse,
    DescribeGroupsRequest, DescribeGroupsResponse, DescribeGroupsResponseDescribedGroup, DescribedGroupMember,
    FindCoordinatorRequest, FindCoordinatorResponse, ListGroupsRequest, ListGroupsResponse,
};
use groma_wire::{Data, ErrorCode};

use super::admin::Refusal;
use super::{Admin, CoordinatorInfo, GroupInfo, GroupListing, GroupMemberInfo};
use crate::ClientError;

impl Admin {
    /// All groups of all brokers.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn list_groups(&self) -> Result<Vec<GroupListing>, ClientError> {
        let mut found = BTreeMap::new();
        for (node, _) in self.describe_cluster().await?.brokers {
            let judge = |response: ListGroupsResponse| {
                Refusal::check(response.error_code, None)?;
                Ok(response.groups)
            };
            let groups = self.retry("listing groups", Target::Node(node), ListGroupsRequest::default(), judge).await?;
            found.extend(groups.into_iter().map(|g| (g.group_id.clone(), g)));
        }
        let listing = |(group, g): (String, groma_wire::messages::ListedGroup)| GroupListing {
            group,
            protocol_type: g.protocol_type,
            state: g.group_state,
        };
        Ok(found.into_iter().map(listing).collect())
    }

    /// One group; a group nobody knows is `Dead` and has no members.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn describe_group(&self, group: &str) -> Result<GroupInfo, ClientError> {
        let what = format!("describing group {group}");
        let mut patience = self.patience(&what);
        loop {
            let coordinator = self.coordinator(group).await?;
            let request = DescribeGroupsRequest { groups: vec![group.to_owned()], ..DescribeGroupsRequest::default() };
            let refusal = match self.once(Target::Node(coordinator.node), request).await {
                Ok(response) => match self.of_either_kind(response, group, coordinator).await {
                    Ok(info) => return Ok(info),
                    Err(refusal) => refusal,
                },
                Err(error) => Refusal::of_call(error),
            };
            patience.bear(self, refusal).await?;
        }
    }

    /// A group that does not exist as a classic one may be one of KIP-848.
    async fn of_either_kind(
        &self,
        response: DescribeGroupsResponse,
        group: &str,
        coordinator: CoordinatorInfo,
    ) -> Result<GroupInfo, Refusal> {
        let classic = described(response, group)?;
        let found = if classic.group_state == "Dead" { self.reconciled(group, &coordinator).await? } else { None };
        Ok(found.unwrap_or_else(|| group_info(classic, coordinator)))
    }

    /// Deletes groups without members.
    ///
    /// # Errors
    /// `Refused` with `NON_EMPTY_GROUP` and the like.
    pub async fn delete_groups(&self, groups: &[&str]) -> Result<(), ClientError> {
        for group in groups {
            let mut patience = self.patience(&format!("deleting group {group}"));
            loop {
                let coordinator = self.coordinator(group).await?;
                let request = DeleteGroupsRequest { groups_names: vec![(*group).to_owned()] };
                let judge = |response: DeleteGroupsResponse| {
                    response.results.iter().try_for_each(|g| Refusal::check(g.error_code, g.error_message.as_deref()))
                };
                let refusal = match self.once(Target::Node(coordinator.node), request).await {
                    Ok(response) => match judge(response) {
                        Ok(()) => break,
                        Err(refusal) => refusal,
                    },
                    Err(error) => Refusal::of_call(error),
                };
                patience.bear(self, refusal).await?;
            }
        }
        Ok(())
    }

    /// The broker that coordinates a group.
    pub(super) async fn coordinator(&self, group: &str) -> Result<CoordinatorInfo, ClientError> {
        let request =
            FindCoordinatorRequest { coordinator_keys: vec![group.to_owned()], ..FindCoordinatorRequest::default() };
        let judge = |response: FindCoordinatorResponse| {
            let missing = || Refusal::Code(ErrorCode::CoordinatorNotAvailable, String::new());
            let found = response.coordinators.into_iter().next().ok_or_else(missing)?;
            Refusal::check(found.error_code, found.error_message.as_deref())?;
            let port = u16::try_from(found.port).unwrap_or_default();
            Ok(CoordinatorInfo { node: found.node_id, address: Address { host: found.host, port }.to_string() })
        };
        self.retry(&format!("finding the coordinator of group {group}"), Target::Any, request, judge).await
    }
}

fn described(response: DescribeGroupsResponse, group: &str) -> Result<DescribeGroupsResponseDescribedGroup, Refusal> {
    let found = response.groups.into_iter().find(|g| g.group_id == group);
    let found = found.ok_or_else(|| Refusal::Code(ErrorCode::CoordinatorNotAvailable, String::new()))?;
    match Refusal::check(found.error_code, found.error_message.as_deref()) {
        Err(Refusal::Code(ErrorCode::GroupIdNotFound, _)) => {
            Ok(DescribeGroupsResponseDescribedGroup { group_state: "Dead".to_owned(), ..found })
        }
        Err(refusal) => Err(refusal),
        Ok(()) => Ok(found),
    }
}

fn group_info(group: DescribeGroupsResponseDescribedGroup, coordinator: CoordinatorInfo) -> GroupInfo {
    let layout = Layout::of(&group.protocol_type);
    GroupInfo {
        group: group.group_id,
        state: group.group_state,
        protocol_type: group.protocol_type,
        members: group.members.into_iter().map(|member| member_info(member, (layout, &group.protocol_data))).collect(),
        protocol: group.protocol_data,
        epoch: None,
        coordinator,
    }
}

/// Whose layout a member's metadata and assignment have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    Consumer,
    Connect,
    Foreign,
}

impl Layout {
    fn of(protocol_type: &str) -> Self {
        match protocol_type {
            "consumer" => Self::Consumer,
            "connect" => Self::Connect,
            _ => Self::Foreign,
        }
    }
}

fn member_info(member: DescribedGroupMember, (layout, protocol): (Layout, &str)) -> GroupMemberInfo {
    let own = match layout {
        Layout::Connect => connect_holdings(&member.member_metadata, &member.member_assignment),
        Layout::Consumer | Layout::Foreign => {
            custom::given(protocol, &member.member_metadata, &member.member_assignment)
                .or_else(|| tasks::running(&member.member_assignment))
        }
    };
    let left_out = member.member_assignment.is_empty();
    let subscription = read::<ConsumerProtocolSubscription>(layout, member.member_metadata);
    let assignment = read::<ConsumerProtocolAssignment>(layout, member.member_assignment);
    let owned = subscription.iter().flat_map(|s| &s.owned_partitions).map(|t| (&t.topic, &t.partitions));
    let assigned = assignment.iter().flat_map(|a| &a.assigned_partitions).map(|t| (&t.topic, &t.partitions));
    let rack = subscription.as_ref().and_then(|s| s.rack_id.clone());
    let assigned = assignment.as_ref().map(|_| partitions(assigned));
    let none_given = || subscription.is_some().then(Vec::new).filter(|_| left_out);
    let names = assigned.clone().or_else(none_given);
    let names = names.map(|names| names.iter().map(ToString::to_string).collect());
    GroupMemberInfo {
        resources: if layout == Layout::Consumer { names } else { own },
        owned: partitions(owned),
        assignment: assigned.unwrap_or_default(),
        owned_generation: subscription.as_ref().filter(|s| s.generation_id >= 0).map(|s| Generation(s.generation_id)),
        subscription: subscription.map(|s| s.topics).unwrap_or_default(),
        member_id: member.member_id,
        instance_id: member.group_instance_id,
        client_id: member.client_id,
        client_host: member.client_host,
        rack,
    }
}

/// Reads what a member wrote; newer versions only add fields at the end.
fn read<T: Data>(layout: Layout, bytes: Bytes) -> Option<T> {
    let mut reader = groma_wire::Reader::new(bytes);
    let version = reader.i16().ok().filter(|_| layout == Layout::Consumer)?;
    T::decode(&mut reader, version.min(*T::VERSIONS.end())).ok()
}

fn partitions<'a>(topics: impl Iterator<Item = (&'a String, &'a Vec<i32>)>) -> Vec<TopicPartition> {
    let of_topic =
        |(topic, numbers): (&'a String, &'a Vec<i32>)| numbers.iter().map(move |n| TopicPartition::new(topic, *n));
    let mut all: Vec<TopicPartition> = topics.flat_map(of_topic).collect();
    all.sort();
    all
}
