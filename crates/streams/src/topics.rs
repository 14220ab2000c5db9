use groma_client::{Admin, ClientError, NewTopic};
use groma_dataflow::Policy;

use crate::config::Reporting;
use crate::{InstanceConfig, InstanceError};

/// Looks up the input topic and makes the topics that the instance writes; returns the input's number of partitions.
pub(crate) async fn prepare(config: &InstanceConfig) -> Result<usize, InstanceError> {
    let admin = Admin::connect(&config.client).await?;
    let partitions = partitions(&admin, &config.input).await?;
    let partitions = match partitions {
        None => return Err(InstanceError::NoInput { topic: config.input.clone() }),
        Some(0) => return Err(InstanceError::EmptyInput { topic: config.input.clone() }),
        Some(partitions) => partitions,
    };
    ensure(&admin, kept(&config.output, partitions)).await?;
    if config.use_case.is_stateful() {
        let changelog = config.changelog();
        ensure(&admin, kept(&changelog, partitions).with_config("cleanup.policy", "delete")).await?;
        check_changelog(&admin, config, partitions).await?;
    }
    if config.use_case_settings().rejects == Policy::DeadLetter {
        ensure(&admin, kept(&config.dead_letters(), partitions)).await?;
    }
    if let Reporting::To(topic) = &config.progress {
        ensure(&admin, NewTopic::new(topic.as_str(), 1)).await?;
    }
    Ok(partitions)
}

/// A topic whose records never grow too old: their times are those of the input, perhaps of years ago.
fn kept(name: &str, partitions: usize) -> NewTopic {
    NewTopic::new(name, u32::try_from(partitions).unwrap_or(u32::MAX)).with_config("retention.ms", "-1")
}

async fn partitions(admin: &Admin, topic: &str) -> Result<Option<usize>, ClientError> {
    match admin.describe_topics(&[topic]).await {
        Ok(found) => Ok(found.first().map(|topic| topic.partitions.len())),
        Err(ClientError::UnknownTopic { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn ensure(admin: &Admin, topic: NewTopic) -> Result<(), ClientError> {
    if partitions(admin, &topic.name).await?.is_some() {
        return Ok(());
    }
    match admin.create_topics(&[topic]).await {
        Err(ClientError::Refused { number: ALREADY_EXISTS, .. }) => Ok(()),
        made => made,
    }
}

/// Kafka's error code for a topic that another instance has just made.
const ALREADY_EXISTS: i16 = 36;

async fn check_changelog(admin: &Admin, config: &InstanceConfig, expected: usize) -> Result<(), InstanceError> {
    let changelog = config.changelog();
    let found = partitions(admin, &changelog).await?.unwrap_or(expected);
    if found == expected {
        return Ok(());
    }
    Err(InstanceError::PartitionsChanged { changelog, found, input: config.input.clone(), expected })
}
