use std::collections::{BTreeMap, BTreeSet};

use groma_client::{Admin, ClientError, OffsetSpec, Timestamp, TopicPartition};
use groma_explain::{Fact, Question, Source, Timeline, What};

/// The most times that are looked up; each costs a request.
const TIMES_MAX: usize = 400;

/// Looks up where partitions ended at the ends of their gaps, newest first, by the times of their records.
///
/// # Errors
/// The cluster did not answer.
pub(crate) async fn answers(admin: &Admin, timeline: &Timeline) -> Result<Vec<Fact>, ClientError> {
    let mut by_time: BTreeMap<i64, Vec<TopicPartition>> = BTreeMap::new();
    for Question { resource, at_ms } in timeline.questions() {
        if let Some(partition) = partition(&resource) {
            by_time.entry(at_ms).or_default().push(partition);
        }
    }
    let all: BTreeSet<TopicPartition> = by_time.values().flatten().cloned().collect();
    let all: Vec<TopicPartition> = all.into_iter().collect();
    let latest = offsets(admin, OffsetSpec::Latest, &all).await?;
    let mut facts = Vec::new();
    for (at_ms, partitions) in by_time.into_iter().rev().take(TIMES_MAX) {
        let mut found = offsets(admin, OffsetSpec::At(Timestamp(at_ms)), &partitions).await?;
        for partition in &partitions {
            let name = partition.to_string();
            if let (None, Some(end)) = (found.get(&name), latest.get(&name)) {
                found.insert(name, *end);
            }
        }
        let (group, what) = (timeline.group.clone(), What::Ends { offsets: found });
        facts.push(Fact { time_ms: at_ms, group, source: Source::Log, member: None, what });
    }
    Ok(facts)
}

async fn offsets(
    admin: &Admin,
    spec: OffsetSpec,
    partitions: &[TopicPartition],
) -> Result<BTreeMap<String, i64>, ClientError> {
    let listed = match admin.list_offsets(spec, partitions).await {
        // A topic that was deleted since answers nothing.
        Err(ClientError::UnknownTopic { .. }) => return Ok(BTreeMap::new()),
        listed => listed?,
    };
    Ok(listed.iter().filter_map(|at| Some((at.partition.to_string(), at.offset?.0))).collect())
}

fn partition(resource: &str) -> Option<TopicPartition> {
    let (topic, number) = resource.rsplit_once('-')?;
    Some(TopicPartition::new(topic, number.parse().ok()?))
}
