use std::future::Future;

use groma_client::{Consumer, Producer, ProducerConfig};

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
    /// Runs an instance until `stop` is done: then its tasks are flushed and the group is left.
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
        meter::touch(config.pretouch_bytes);
        topics::prepare(&config).await?;
        let producer = Producer::connect(&config.client, ProducerConfig::default()).await?;
        let producer = std::sync::Arc::new(producer);
        let delivery = Delivery::open(producer.clone(), &config).await?;
        let reporter = match &config.progress {
            Reporting::To(topic) => Some(Reporter::open(producer.clone(), topic, &config.group).await?),
            Reporting::Off => None,
        };
        let input = config.input.clone();
        let consumer =
            Consumer::subscribe(&config.client, config.fetching(), config.membership(), &[input.as_str()]).await?;
        Runner::new(config, Tools { producer, consumer, delivery, reporter }, notify).run(stop).await
    }

    /// Runs an instance on a runtime of its own until SIGTERM or Ctrl-C.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn foreground(config: InstanceConfig, notify: impl FnMut(Notice)) -> Result<Summary, InstanceError> {
        let system = |what| move |cause| InstanceError::System { what, cause };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(system("starting the runtime"))?.block_on(async {
            use tokio::signal::unix::{SignalKind, signal};
            let mut terminate = signal(SignalKind::terminate()).map_err(system("waiting for signals"))?;
            let mut interrupt = signal(SignalKind::interrupt()).map_err(system("waiting for signals"))?;
            let stop = async move {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            };
            Self::run(config, stop, notify).await
        })
    }
}
