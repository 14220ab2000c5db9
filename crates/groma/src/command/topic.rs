use super::cluster::{block_on, print_json, print_table};
use crate::args::{Cluster, Json, Topic};
use crate::exit::{Done, Failure, Outcome};
use groma_client::{Admin, ClientError, NewTopic, OffsetSpec, TopicInfo, TopicPartition};
use serde::Serialize;

#[derive(Serialize)]
struct TopicRow {
    name: String,
    partitions: usize,
    internal: bool,
}

#[derive(Serialize)]
struct TopicDescription {
    name: String,
    id: String,
    partitions: Vec<PartitionRow>,
    configs: Vec<Setting>,
}

#[derive(Serialize)]
struct PartitionRow {
    partition: i32,
    leader: Option<i32>,
    replicas: Vec<i32>,
    start_offset: Option<i64>,
    end_offset: Option<i64>,
}

#[derive(Serialize)]
struct Setting {
    key: String,
    value: Option<String>,
}

/// Lists, creates, describes or deletes topics.
pub(crate) fn run(command: Topic) -> Outcome {
    match command {
        Topic::List { cluster, json } => block_on(list(cluster, json)),
        Topic::Create { name, partitions, replicas, settings, cluster } => {
            let topic = NewTopic { name, partitions: Some(partitions), replicas: Some(replicas), configs: settings };
            block_on(create(cluster, topic))
        }
        Topic::Describe { name, cluster, json } => block_on(describe(cluster, name, json)),
        Topic::Delete { name, cluster } => block_on(delete(cluster, name)),
    }
}

async fn list(cluster: Cluster, json: Json) -> Outcome {
    let topics = cluster.admin().await?.list_topics().await?;
    let rows: Vec<TopicRow> = topics
        .into_iter()
        .map(|topic| TopicRow { name: topic.name, partitions: topic.partitions.len(), internal: topic.internal })
        .collect();
    if json.json {
        return print_json(&rows);
    }
    let cells: Vec<_> = rows.iter().map(|row| [row.name.clone(), row.partitions.to_string()]).collect();
    print_table(["TOPIC", "PARTITIONS"], &cells);
    Ok(Done::Fine)
}

async fn create(cluster: Cluster, topic: NewTopic) -> Outcome {
    let created = cluster.admin().await?.create_topics(std::slice::from_ref(&topic)).await;
    created.map_err(|error| refused(&cluster, &topic.name, error))?;
    println!("created {}", topic.name);
    Ok(Done::Fine)
}

async fn delete(cluster: Cluster, name: String) -> Outcome {
    let deleted = cluster.admin().await?.delete_topics(&[&name]).await;
    deleted.map_err(|error| refused(&cluster, &name, error))?;
    println!("deleted {name}");
    Ok(Done::Fine)
}

async fn describe(cluster: Cluster, name: String, json: Json) -> Outcome {
    let admin = cluster.admin().await?;
    let description = description(&admin, &name).await.map_err(|error| refused(&cluster, &name, error))?;
    if json.json {
        return print_json(&description);
    }
    println!("{} (id {})", description.name, description.id);
    for setting in &description.configs {
        println!("  {}={}", setting.key, setting.value.as_deref().unwrap_or_default());
    }
    let cells: Vec<_> = description.partitions.iter().map(PartitionRow::cells).collect();
    print_table(["PARTITION", "LEADER", "START", "END", "RECORDS"], &cells);
    Ok(Done::Fine)
}

/// What keeps something from being done to a topic, with what to do instead.
fn refused(cluster: &Cluster, topic: &str, error: ClientError) -> Failure {
    let at = match &cluster.bootstrap {
        Some(address) => format!(" --bootstrap {address}"),
        None => String::new(),
    };
    match &error {
        ClientError::Refused { code, .. } if code == EXISTS => Failure::new(format!(
            "topic {topic} exists already; look at it with `groma topic describe {topic}{at}`, delete it first with \
             `groma topic delete {topic}{at}`, or choose another name"
        )),
        ClientError::UnknownTopic { .. } => {
            Failure::new(format!("topic {topic} does not exist; `groma topic list{at}` shows those that do"))
        }
        _ => error.into(),
    }
}

async fn description(admin: &Admin, name: &str) -> Result<TopicDescription, ClientError> {
    let mut topics = admin.describe_topics(&[name]).await?;
    let topic = topics.pop().ok_or_else(|| ClientError::UnknownTopic { topic: name.to_owned() })?;
    let configs = admin.topic_configs(name).await?;
    Ok(TopicDescription {
        id: format!("{:?}", topic.id),
        partitions: partition_rows(admin, &topic).await?,
        name: topic.name,
        configs: configs
            .into_iter()
            .filter(|entry| !entry.default)
            .map(|entry| Setting { key: entry.key, value: entry.value })
            .collect(),
    })
}

async fn partition_rows(admin: &Admin, topic: &TopicInfo) -> Result<Vec<PartitionRow>, ClientError> {
    let asked: Vec<_> =
        topic.partitions.iter().map(|info| TopicPartition::new(topic.name.clone(), info.partition)).collect();
    let starts = admin.list_offsets(OffsetSpec::Earliest, &asked).await?;
    let ends = admin.list_offsets(OffsetSpec::Latest, &asked).await?;
    let rows = topic.partitions.iter().zip(starts.iter().zip(&ends)).map(|(info, (start, end))| PartitionRow {
        partition: info.partition,
        leader: info.leader,
        replicas: info.replicas.clone(),
        start_offset: start.offset.map(|offset| offset.0),
        end_offset: end.offset.map(|offset| offset.0),
    });
    Ok(rows.collect())
}

impl PartitionRow {
    fn cells(&self) -> [String; 5] {
        let records = self.end_offset.zip(self.start_offset).map(|(end, start)| end - start);
        [
            self.partition.to_string(),
            or_dash(self.leader),
            or_dash(self.start_offset),
            or_dash(self.end_offset),
            or_dash(records),
        ]
    }
}

fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// What a Kafka calls it when a topic is there already.
const EXISTS: &str = "TOPIC_ALREADY_EXISTS";
