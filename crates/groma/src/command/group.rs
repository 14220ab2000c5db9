use super::cluster::{block_on, print_json, print_table};
use crate::args::{Cluster, Group, Json};
use crate::exit::{Done, Outcome};
use crate::group;
use groma_client::{Admin, ClientError, GroupInfo, OffsetSpec, TopicPartition};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct GroupRow {
    group: String,
    state: String,
    protocol_type: String,
}

#[derive(Serialize)]
struct Description {
    group: String,
    state: String,
    protocol_type: String,
    assignor: String,
    /// Of a group whose coordinator shares out (KIP-848).
    #[serde(skip_serializing_if = "Option::is_none")]
    epoch: Option<i32>,
    coordinator: String,
    members: Vec<MemberRow>,
    partitions: Vec<PartitionRow>,
}

#[derive(Serialize)]
struct MemberRow {
    member: String,
    instance: Option<String>,
    client: String,
    host: String,
    /// None where that cannot be read.
    partitions: Option<Vec<String>>,
}

#[derive(Serialize)]
struct PartitionRow {
    partition: String,
    member: Option<String>,
    committed_offset: Option<i64>,
    end_offset: Option<i64>,
    lag: Option<i64>,
}

/// Lists, describes, watches or explains groups.
pub(crate) fn run(command: Group) -> Outcome {
    match command {
        Group::List { cluster, json } => block_on(list(cluster, json)),
        Group::Watch(asked) => group::watch(asked),
        Group::Explain(asked) => group::explain(&asked),
        Group::Describe { group, cluster, json } => block_on(describe(cluster, group, json)),
    }
}

async fn list(cluster: Cluster, json: Json) -> Outcome {
    let groups = cluster.admin().await?.list_groups().await?;
    let rows: Vec<GroupRow> = groups
        .into_iter()
        .map(|group| GroupRow { group: group.group, state: group.state, protocol_type: group.protocol_type })
        .collect();
    if json.json {
        return print_json(&rows);
    }
    let cells: Vec<_> = rows.iter().map(|row| [&row.group, &row.state, &row.protocol_type].map(Clone::clone)).collect();
    print_table(["GROUP", "STATE", "TYPE"], &cells);
    Ok(Done::Fine)
}

async fn describe(cluster: Cluster, group: String, json: Json) -> Outcome {
    let admin = cluster.admin().await?;
    let info = admin.describe_group(&group).await?;
    let committed: BTreeMap<_, _> = admin.committed(&group).await?.into_iter().collect();
    if info.state == "Dead" && committed.is_empty() {
        return Err(cluster.knows_no_group(&group));
    }
    let committed = committed.into_iter().map(|(partition, offset)| (partition, offset.0)).collect();
    let description = description(&admin, info, committed).await?;
    if json.json {
        return print_json(&description);
    }
    description.print();
    Ok(Done::Fine)
}

async fn description(
    admin: &Admin,
    info: GroupInfo,
    committed: BTreeMap<TopicPartition, i64>,
) -> Result<Description, ClientError> {
    let owners: BTreeMap<TopicPartition, String> = info
        .members
        .iter()
        .flat_map(|member| member.assignment.iter().map(|partition| (partition.clone(), member.member_id.clone())))
        .collect();
    let partitions: Vec<TopicPartition> = {
        let mut all: Vec<_> = owners.keys().chain(committed.keys()).cloned().collect();
        all.sort();
        all.dedup();
        all
    };
    let ends = admin.list_offsets(OffsetSpec::Latest, &partitions).await?;
    let rows = partitions.iter().zip(ends).map(|(partition, end)| {
        let committed_offset = committed.get(partition).copied();
        let end_offset = end.offset.map(|offset| offset.0);
        PartitionRow {
            partition: partition.to_string(),
            member: owners.get(partition).cloned(),
            committed_offset,
            end_offset,
            lag: end_offset.zip(committed_offset).map(|(end, committed)| (end - committed).max(0)),
        }
    });
    Ok(Description {
        partitions: rows.collect(),
        members: info.members.into_iter().map(MemberRow::from).collect(),
        coordinator: format!("{} ({})", info.coordinator.address, info.coordinator.node),
        group: info.group,
        state: info.state,
        protocol_type: info.protocol_type,
        assignor: info.protocol,
        epoch: info.epoch,
    })
}

impl From<groma_client::GroupMemberInfo> for MemberRow {
    fn from(info: groma_client::GroupMemberInfo) -> Self {
        Self {
            member: info.member_id,
            instance: info.instance_id,
            client: info.client_id,
            host: info.client_host,
            partitions: info.resources,
        }
    }
}

impl Description {
    fn print(&self) {
        let named = |what: &str, name: &str| if name.is_empty() { String::new() } else { format!(", {what} {name}") };
        let heading = format!(
            "{}: {}{}{}{}{}",
            self.group,
            self.state,
            named("type", &self.protocol_type),
            named("assignor", &self.assignor),
            self.epoch.map_or_else(String::new, |epoch| format!(", shared out by the coordinator, epoch {epoch}")),
            named("coordinator", &self.coordinator)
        );
        println!("{}", groma_explain::plain(&heading));
        let members: Vec<_> = self.members.iter().map(MemberRow::cells).collect();
        print_table(["MEMBER", "CLIENT", "HOST", "HOLDS"], &members);
        if self.partitions.is_empty() {
            return;
        }
        println!();
        let partitions: Vec<_> = self.partitions.iter().map(PartitionRow::cells).collect();
        print_table(["PARTITION", "COMMITTED", "END", "LAG", "MEMBER"], &partitions);
    }
}

impl MemberRow {
    fn cells(&self) -> [String; 4] {
        let holds = self.partitions.as_ref().map_or_else(|| "?".to_owned(), |held| held.join(" "));
        [self.member.clone(), self.client.clone(), self.host.clone(), holds]
    }
}

impl PartitionRow {
    fn cells(&self) -> [String; 5] {
        let number = |value: Option<i64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        [
            self.partition.clone(),
            number(self.committed_offset),
            number(self.end_offset),
            number(self.lag),
            self.member.clone().unwrap_or_else(|| "-".to_owned()),
        ]
    }
}
