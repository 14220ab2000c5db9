use groma_session::cluster::Target;
use groma_wire::ErrorCode;
use groma_wire::messages::{
    CreatableTopic, CreatableTopicConfig, CreatePartitionsRequest, CreatePartitionsTopic, CreateTopicsRequest,
    DeleteTopicsRequest, DescribeConfigsRequest, DescribeConfigsResource, MetadataRequest, MetadataRequestTopic,
    MetadataResponse, MetadataResponseTopic,
};

use super::admin::Refusal;
use super::{Admin, ConfigEntry, NewTopic, PartitionInfo, TopicInfo};
use crate::ClientError;

impl Admin {
    /// Makes topics and waits until every one has leaders.
    ///
    /// # Errors
    /// `Refused` with `TOPIC_ALREADY_EXISTS` and the like, for the first topic refused.
    pub async fn create_topics(&self, topics: &[NewTopic]) -> Result<(), ClientError> {
        for topic in topics {
            let request = CreateTopicsRequest {
                topics: vec![creatable(topic)],
                timeout_ms: self.timeout_ms(),
                ..CreateTopicsRequest::default()
            };
            let what = format!("creating topic {}", topic.name);
            let judge = |response: groma_wire::messages::CreateTopicsResponse| {
                response.topics.iter().try_for_each(|t| Refusal::check(t.error_code, t.error_message.as_deref()))
            };
            self.retry(&what, Target::Controller, request, judge).await?;
        }
        let names: Vec<&str> = topics.iter().map(|topic| topic.name.as_str()).collect();
        self.described(&names).await.map(drop)
    }

    /// Deletes topics.
    ///
    /// # Errors
    /// `UnknownTopic`, `Refused`.
    pub async fn delete_topics(&self, topics: &[&str]) -> Result<(), ClientError> {
        for topic in topics {
            let request = DeleteTopicsRequest {
                topic_names: vec![(*topic).to_owned()],
                timeout_ms: self.timeout_ms(),
                ..DeleteTopicsRequest::default()
            };
            let judge = |response: groma_wire::messages::DeleteTopicsResponse| {
                response.responses.first().map_or(Ok(None), |t| judge_topic(t.error_code, t.error_message.as_deref()))
            };
            let deleted = self.retry(&format!("deleting topic {topic}"), Target::Controller, request, judge).await?;
            deleted.ok_or_else(|| unknown(topic))?;
        }
        Ok(())
    }

    /// Raises the number of a topic's partitions to `total`.
    ///
    /// # Errors
    /// `UnknownTopic`, `Refused`.
    pub async fn create_partitions(&self, topic: &str, total: u32) -> Result<(), ClientError> {
        let wanted = CreatePartitionsTopic {
            name: topic.to_owned(),
            count: i32::try_from(total).unwrap_or(i32::MAX),
            assignments: None,
        };
        let request = CreatePartitionsRequest {
            topics: vec![wanted],
            timeout_ms: self.timeout_ms(),
            ..CreatePartitionsRequest::default()
        };
        let judge = |response: groma_wire::messages::CreatePartitionsResponse| {
            response.results.first().map_or(Ok(None), |t| judge_topic(t.error_code, t.error_message.as_deref()))
        };
        let what = format!("raising topic {topic} to {total} partitions");
        let raised = self.retry(&what, Target::Controller, request, judge).await?;
        raised.ok_or_else(|| unknown(topic))
    }

    /// All topics.
    ///
    /// # Errors
    /// `TimedOut`.
    pub async fn list_topics(&self) -> Result<Vec<TopicInfo>, ClientError> {
        let request = MetadataRequest { topics: None, ..MetadataRequest::default() };
        let response = self.retry("listing topics", Target::Any, request, Ok::<MetadataResponse, Refusal>).await?;
        Ok(response.topics.into_iter().filter_map(topic_info).collect())
    }

    /// These topics.
    ///
    /// # Errors
    /// `UnknownTopic` for the first that does not exist.
    pub async fn describe_topics(&self, topics: &[&str]) -> Result<Vec<TopicInfo>, ClientError> {
        let response = self.metadata(topics).await?;
        topics.iter().map(|name| find(&response, name).ok_or_else(|| unknown(name))).collect()
    }

    /// These topics, once all exist and have leaders.
    pub(super) async fn described(&self, topics: &[&str]) -> Result<Vec<TopicInfo>, ClientError> {
        let mut patience = self.patience("waiting for the leaders of new topics");
        loop {
            let response = self.metadata(topics).await?;
            let found: Vec<TopicInfo> = topics.iter().filter_map(|name| find(&response, name)).collect();
            if found.len() == topics.len() && found.iter().all(TopicInfo::has_leaders) {
                return Ok(found);
            }
            patience.bear(self, Refusal::Code(ErrorCode::LeaderNotAvailable, String::new())).await?;
        }
    }

    /// A topic's settings.
    ///
    /// # Errors
    /// `UnknownTopic`, `Refused`.
    pub async fn topic_configs(&self, topic: &str) -> Result<Vec<ConfigEntry>, ClientError> {
        let entries = self.configs(TOPIC, topic, Target::Any).await?;
        entries.ok_or_else(|| unknown(topic))
    }

    /// A broker's settings.
    ///
    /// # Errors
    /// `Refused`.
    pub async fn broker_configs(&self, node: i32) -> Result<Vec<ConfigEntry>, ClientError> {
        let entries = self.configs(BROKER, &node.to_string(), Target::Node(node)).await?;
        Ok(entries.unwrap_or_default())
    }

    async fn configs(&self, kind: i8, name: &str, target: Target) -> Result<Option<Vec<ConfigEntry>>, ClientError> {
        let resource =
            DescribeConfigsResource { resource_type: kind, resource_name: name.to_owned(), configuration_keys: None };
        let request = DescribeConfigsRequest { resources: vec![resource], ..DescribeConfigsRequest::default() };
        let judge = |response: groma_wire::messages::DescribeConfigsResponse| {
            let Some(result) = response.results.into_iter().next() else { return Ok(None) };
            let known = judge_topic(result.error_code, result.error_message.as_deref())?;
            Ok(known.map(|()| {
                let entry = |c: groma_wire::messages::DescribeConfigsResourceResult| ConfigEntry {
                    key: c.name,
                    value: c.value,
                    default: c.config_source == DEFAULT_CONFIG,
                };
                result.configs.into_iter().map(entry).collect()
            }))
        };
        self.retry(&format!("describing the settings of {name}"), target, request, judge).await
    }

    async fn metadata(&self, topics: &[&str]) -> Result<MetadataResponse, ClientError> {
        let topic =
            |name: &&str| MetadataRequestTopic { name: Some((*name).to_owned()), ..MetadataRequestTopic::default() };
        let request = MetadataRequest {
            topics: Some(topics.iter().map(topic).collect()),
            allow_auto_topic_creation: false,
            ..MetadataRequest::default()
        };
        self.retry("asking for topics", Target::Any, request, Ok::<_, Refusal>).await
    }

    fn timeout_ms(&self) -> i32 {
        i32::try_from(self.settings.request_timeout.as_millis()).unwrap_or(i32::MAX)
    }
}

impl TopicInfo {
    fn has_leaders(&self) -> bool {
        !self.partitions.is_empty() && self.partitions.iter().all(|p| p.leader.is_some())
    }
}

pub(super) fn unknown(topic: &str) -> ClientError {
    ClientError::UnknownTopic { topic: topic.to_owned() }
}

fn find(response: &MetadataResponse, name: &str) -> Option<TopicInfo> {
    let topic = response.topics.iter().find(|t| t.name.as_deref() == Some(name))?;
    topic_info(topic.clone())
}

fn topic_info(topic: MetadataResponseTopic) -> Option<TopicInfo> {
    let exists = !matches!(
        ErrorCode::from_i16(topic.error_code),
        ErrorCode::UnknownTopicOrPartition | ErrorCode::UnknownTopicId | ErrorCode::InvalidTopicException
    );
    let name = topic.name.filter(|_| exists)?;
    let mut partitions: Vec<PartitionInfo> = topic
        .partitions
        .into_iter()
        .map(|p| PartitionInfo {
            partition: p.partition_index,
            leader: (p.leader_id >= 0).then_some(p.leader_id),
            replicas: p.replica_nodes,
            in_sync: p.isr_nodes,
        })
        .collect();
    partitions.sort_by_key(|p| p.partition);
    Some(TopicInfo { name, id: topic.topic_id, internal: topic.is_internal, partitions })
}

fn creatable(topic: &NewTopic) -> CreatableTopic {
    let config =
        |(name, value): &(String, String)| CreatableTopicConfig { name: name.clone(), value: Some(value.clone()) };
    CreatableTopic {
        name: topic.name.clone(),
        num_partitions: topic.partitions.map_or(-1, |n| i32::try_from(n).unwrap_or(i32::MAX)),
        replication_factor: topic.replicas.map_or(-1, |n| i16::try_from(n).unwrap_or(i16::MAX)),
        configs: topic.configs.iter().map(config).collect(),
        ..CreatableTopic::default()
    }
}

/// Whether a topic is there: an unknown one is an answer here, not something to wait for.
fn judge_topic(code: i16, message: Option<&str>) -> Result<Option<()>, Refusal> {
    match Refusal::check(code, message) {
        Ok(()) => Ok(Some(())),
        Err(Refusal::Code(ErrorCode::UnknownTopicOrPartition | ErrorCode::UnknownTopicId, _)) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

const TOPIC: i8 = 2;
const BROKER: i8 = 4;
const DEFAULT_CONFIG: i8 = 5;
