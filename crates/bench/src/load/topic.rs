use std::path::PathBuf;

use groma_client::{Admin, NewTopic, Properties};

use super::errors::kafka;
use crate::BenchError;

/// How to reach `bootstrap`, with the settings of `client_config`.
pub(crate) fn properties(bootstrap: &str, client_config: Option<&PathBuf>) -> Result<Properties, BenchError> {
    match client_config {
        None => Ok(Properties::new(bootstrap)),
        Some(path) => Properties::from_file(path, Some(bootstrap)).map_err(|e| BenchError::Usage(e.to_string())),
    }
}

/// Makes an input topic whose records are never deleted for being old: replayed records carry old times, and Kafka's
/// retention goes by record time, so that under the default of 7 days they vanish silently.
pub(crate) async fn create_input(admin: &Admin, topic: &str, partitions: u32) -> Result<(), groma_client::ClientError> {
    let topic = NewTopic::new(topic, partitions).with_config("retention.ms", "-1").with_config("retention.bytes", "-1");
    admin.create_topics(&[topic]).await
}

/// Makes the topic unless it is there; with the number of its partitions.
pub(super) async fn ensure(properties: &Properties, topic: &str, partitions: u32) -> Result<u32, BenchError> {
    let bootstrap = properties.client.bootstrap.join(",");
    let wrong = kafka(&bootstrap);
    let admin = Admin::connect(&properties.client).await.map_err(&wrong)?;
    let topics = admin.list_topics().await.map_err(&wrong)?;
    match topics.iter().find(|t| t.name == topic) {
        Some(found) => Ok(u32::try_from(found.partitions.len()).unwrap_or(u32::MAX)),
        None => {
            create_input(&admin, topic, partitions).await.map_err(&wrong)?;
            Ok(partitions)
        }
    }
}
