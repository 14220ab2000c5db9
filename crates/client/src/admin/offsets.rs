use std::collections::BTreeMap;

use groma_model::{Offset, Timestamp, TopicId, TopicPartition};
use groma_session::cluster::Target;
use groma_wire::ErrorCode;
use groma_wire::messages::{
    ListOffsetsPartition, ListOffsetsRequest, ListOffsetsResponse, ListOffsetsTopic, OffsetFetchRequest,
    OffsetFetchRequestGroup, OffsetFetchResponse,
};

use super::admin::Refusal;
use super::topics::unknown;
use super::{Admin, ListedOffset, OffsetSpec, TopicInfo};
use crate::ClientError;

impl Admin {
    /// Every offset a group has committed.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn committed(&self, group: &str) -> Result<Vec<(TopicPartition, Offset)>, ClientError> {
        let mut patience = self.patience(&format!("asking for the offsets of group {group}"));
        loop {
            let coordinator = self.coordinator(group).await?;
            let asked = OffsetFetchRequestGroup {
                group_id: group.to_owned(),
                topics: None,
                ..OffsetFetchRequestGroup::default()
            };
            let request = OffsetFetchRequest { groups: vec![asked], ..OffsetFetchRequest::default() };
            let refusal = match self.once(Target::Node(coordinator.node), request).await {
                Ok(response) => match committed(response) {
                    Ok(offsets) => return self.named(offsets).await,
                    Err(refusal) => refusal,
                },
                Err(error) => Refusal::of_call(error),
            };
            patience.bear(self, refusal).await?;
        }
    }

    /// Offsets of partitions, in the order asked for.
    ///
    /// # Errors
    /// `UnknownTopic`, `TimedOut`, `Refused`.
    pub async fn list_offsets(
        &self,
        spec: OffsetSpec,
        partitions: &[TopicPartition],
    ) -> Result<Vec<ListedOffset>, ClientError> {
        let mut found: BTreeMap<TopicPartition, ListedOffset> = BTreeMap::new();
        let mut patience = self.patience("listing offsets");
        loop {
            let missing: Vec<&TopicPartition> = partitions.iter().filter(|tp| !found.contains_key(tp)).collect();
            if missing.is_empty() {
                return Ok(partitions.iter().filter_map(|tp| found.get(tp).cloned()).collect());
            }
            let mut refusal = Refusal::Code(ErrorCode::LeaderNotAvailable, String::new());
            for (node, asked) in self.leaders(&missing).await? {
                match self.once(Target::Node(node), list_request(spec, &asked)).await {
                    Ok(response) => listed(spec, &response, &mut found).unwrap_or_else(|r| refusal = r),
                    Err(error) => refusal = Refusal::of_call(error),
                }
            }
            if partitions.iter().any(|tp| !found.contains_key(tp)) {
                patience.bear(self, refusal).await?;
            }
        }
    }

    /// The partitions by the broker that leads them; those without a leader are left out.
    async fn leaders<'a>(
        &self,
        partitions: &[&'a TopicPartition],
    ) -> Result<BTreeMap<i32, Vec<&'a TopicPartition>>, ClientError> {
        let mut names: Vec<&str> = partitions.iter().map(|tp| tp.topic.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let topics = self.describe_topics(&names).await?;
        let mut leaders: BTreeMap<i32, Vec<&TopicPartition>> = BTreeMap::new();
        for tp in partitions {
            let topic = topics.iter().find(|t| t.name == tp.topic).ok_or_else(|| unknown(&tp.topic))?;
            let partition = topic.partitions.iter().find(|p| p.partition == tp.partition.0);
            let partition = partition.ok_or_else(|| unknown(&tp.to_string()))?;
            if let Some(leader) = partition.leader {
                leaders.entry(leader).or_default().push(tp);
            }
        }
        Ok(leaders)
    }

    /// Puts names to topics that an answer names by id only.
    async fn named(&self, offsets: Vec<Committed>) -> Result<Vec<(TopicPartition, Offset)>, ClientError> {
        let by_id = offsets.iter().any(|o| o.topic.is_empty());
        let topics: Vec<TopicInfo> = if by_id { self.list_topics().await? } else { Vec::new() };
        let name = |o: &Committed| match o.topic.is_empty() {
            true => topics.iter().find(|t| t.id == o.id).map(|t| t.name.clone()),
            false => Some(o.topic.clone()),
        };
        let mut named: Vec<(TopicPartition, Offset)> =
            offsets.iter().filter_map(|o| Some((TopicPartition::new(name(o)?, o.partition), o.offset))).collect();
        named.sort();
        Ok(named)
    }
}

struct Committed {
    topic: String,
    id: TopicId,
    partition: i32,
    offset: Offset,
}

fn committed(response: OffsetFetchResponse) -> Result<Vec<Committed>, Refusal> {
    let mut found = Vec::new();
    for group in response.groups {
        Refusal::check(group.error_code, None)?;
        for topic in group.topics {
            for partition in &topic.partitions {
                Refusal::check(partition.error_code, None)?;
                if partition.committed_offset >= 0 {
                    let offset = Offset(partition.committed_offset);
                    let (topic, id) = (topic.name.clone(), topic.topic_id);
                    found.push(Committed { topic, id, partition: partition.partition_index, offset });
                }
            }
        }
    }
    Ok(found)
}

fn list_request(spec: OffsetSpec, partitions: &[&TopicPartition]) -> ListOffsetsRequest {
    let timestamp = match spec {
        OffsetSpec::Earliest => -2,
        OffsetSpec::Latest => -1,
        OffsetSpec::At(at) => at.0,
    };
    let mut topics: BTreeMap<&str, Vec<ListOffsetsPartition>> = BTreeMap::new();
    for tp in partitions {
        let asked =
            ListOffsetsPartition { partition_index: tp.partition.0, timestamp, ..ListOffsetsPartition::default() };
        topics.entry(&tp.topic).or_default().push(asked);
    }
    ListOffsetsRequest {
        replica_id: -1,
        topics: topics
            .into_iter()
            .map(|(name, partitions)| ListOffsetsTopic { name: name.to_owned(), partitions })
            .collect(),
        ..ListOffsetsRequest::default()
    }
}

fn listed(
    spec: OffsetSpec,
    response: &ListOffsetsResponse,
    found: &mut BTreeMap<TopicPartition, ListedOffset>,
) -> Result<(), Refusal> {
    let mut refusal = Ok(());
    for topic in &response.topics {
        for answer in &topic.partitions {
            let partition = TopicPartition::new(&topic.name, answer.partition_index);
            match Refusal::check(answer.error_code, None) {
                Err(error) => refusal = Err(error),
                Ok(()) => {
                    let offset = (answer.offset >= 0).then_some(Offset(answer.offset));
                    let by_time = matches!(spec, OffsetSpec::At(_)) && answer.timestamp >= 0;
                    let timestamp = by_time.then_some(Timestamp(answer.timestamp));
                    found.insert(partition.clone(), ListedOffset { partition, offset, timestamp });
                }
            }
        }
    }
    refusal
}
