use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use groma_client::{Consumer, Producer, ProducerConfig};
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::config::Reporting;
use crate::delivery::Delivery;
use crate::meter;
use crate::reporter::Reporter;
use crate::runner::{Runner, Tools};
use crate::{InstanceConfig, InstanceError, Notice, topics};

/// One member of the group that runs a use case.
#[derive(Debug)]
pub enum Instance {}

/// What an instance did until it was asked to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Records that its tasks have read, those of the tasks' earlier owners included.
    pub records: u64,
    /// Of these, late ones.
    pub late: u64,
    /// Of these, ones left out as unusable.
    pub rejected: u64,
    /// Flushes completed.
    pub flushes: u64,
}

impl Instance {
    /// Runs an instance until `stop` is done: then its tasks are flushed and the group is left, which takes 4 s at most.
    ///
    /// Everything runs on the current task of a tokio runtime, for which a current-thread one is best.
    ///
    /// # Errors
    /// What keeps the instance from going on; what was flushed before is kept.
    pub async fn run(
        config: InstanceConfig,
        stop: impl Future<Output = ()>,
        notify: impl FnMut(Notice),
    ) -> Result<Summary, InstanceError> {
        config.check()?;
        let bootstrap = config.client.bootstrap.join(",");
        let (tell, told) = oneshot::channel::<()>();
        let overdue = async {
            stop.await;
            drop(tell);
            sleep(FAREWELL).await;
        };
        tokio::select! {
            ended = live(config, told, notify) => ended.map_err(|error| error.at(&bootstrap)),
            () = overdue => Err(InstanceError::Unfinished { bootstrap, seconds: FAREWELL.as_secs() }),
        }
    }
}

/// Runs until the sender of `stop` is gone.
async fn live(
    config: InstanceConfig,
    mut stop: oneshot::Receiver<()>,
    notify: impl FnMut(Notice),
) -> Result<Summary, InstanceError> {
    let tools = tokio::select! {
        biased;
        _ = &mut stop => return Ok(Summary::default()),
        tools = connect(&config) => tools?,
    };
    let stop = async { drop(stop.await) };
    Runner::new(config, tools, notify).run(stop).await
}

async fn connect(config: &InstanceConfig) -> Result<Tools, InstanceError> {
    meter::touch(config.pretouch_bytes);
    topics::prepare(config).await?;
    let producer = Arc::new(Producer::connect(&config.client, ProducerConfig::default()).await?);
    let delivery = Delivery::open(producer.clone(), config).await?;
    let reporter = match &config.progress {
        Reporting::To(topic) => Some(Reporter::open(producer.clone(), topic, &config.group).await?),
        Reporting::Off => None,
    };
    let input = [config.input.as_str()];
    let consumer = Consumer::subscribe(&config.client, config.fetching(), config.membership(), &input).await?;
    Ok(Tools { producer, consumer, delivery, reporter })
}

/// How long the last flush and leaving the group may take: long enough for a Kafka that answers.
const FAREWELL: Duration = Duration::from_secs(4);
