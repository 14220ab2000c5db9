//! Where a test runs, and for how long at most.

use std::future::Future;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use groma_broker::{Broker, BrokerConfig};
use groma_client::{Admin, ClientConfig, NewTopic, Producer, ProducerConfig, Span, TopicHandle};

/// Far longer than anything takes even on a slow machine that is busy with other work.
const LIMIT: Duration = Duration::from_secs(300);

/// A broker of our own, or somebody else's.
pub(crate) struct Place {
    pub(crate) cluster: ClientConfig,
    pub(crate) name: String,
    _broker: Option<Broker>,
}

/// Runs a test at every place there is, each on a runtime of its own.
pub(crate) fn everywhere<F>(test: fn(Place) -> F)
where
    F: Future<Output = ()>,
{
    let broker = Broker::start(BrokerConfig::ephemeral()).expect("a broker");
    run(test(Place::new(&broker.bootstrap(), Some(broker))));
    if let Ok(bootstrap) = std::env::var("GROMA_REAL_KAFKA") {
        run(test(Place::new(&bootstrap, None)));
    }
}

/// Runs a future to its end, within [`LIMIT`].
pub(crate) fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { tokio::time::timeout(LIMIT, test).await.expect("it hangs") });
}

/// A name nobody else uses.
pub(crate) fn fresh(what: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{what}-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Place {
    pub(crate) fn new(bootstrap: &str, broker: Option<Broker>) -> Self {
        Self { cluster: ClientConfig::new(bootstrap), name: fresh("t"), _broker: broker }
    }

    pub(crate) fn bootstrap(&self) -> String {
        self.cluster.bootstrap.join(",")
    }

    pub(crate) async fn admin(&self) -> Admin {
        Admin::connect(&self.cluster).await.expect("an admin client")
    }

    /// A topic of this place's own.
    pub(crate) async fn topic(&self, partitions: u32) -> String {
        let topic = fresh(&self.name);
        self.admin().await.create_topics(&[NewTopic::new(&topic, partitions)]).await.expect("a topic");
        topic
    }

    pub(crate) async fn producer(&self, topic: &str, config: ProducerConfig) -> (Producer, TopicHandle) {
        let producer = Producer::connect(&self.cluster, config).await.expect("a producer");
        let handle = producer.topic(topic).await.expect("a known topic");
        (producer, handle)
    }

    /// The numbers up to `count`, spread over the topic's partitions in turn.
    pub(crate) async fn fill(&self, topic: &str, count: u64) {
        let (producer, handle) = self.producer(topic, quick()).await;
        for (number, partition) in (0..count).zip(handle.partitions().iter().cycle()) {
            producer.send(*partition, 1_000, None, Some(&number.to_be_bytes())).await.expect("taken");
        }
        producer.flush().await.expect("acknowledged");
    }
}

pub(crate) fn quick() -> ProducerConfig {
    ProducerConfig { linger: Span::ZERO, ..ProducerConfig::default() }
}
