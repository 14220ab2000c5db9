use std::collections::BTreeMap;
use std::io::Read;
use std::time::{Duration, Instant};

use groma_broker::{Broker, BrokerConfig};
use groma_client::{
    Admin, Assigned, ClientConfig, Consumer, ConsumerConfig, Event, NewTopic, Offset, OffsetSpec, Producer,
    ProducerConfig, TopicHandle, TopicPartition,
};
use groma_usecases::format::WindowStatistics;
use groma_usecases::household::{Reading, rows};
use groma_usecases::uc2::Reference;
use groma_wire::records::{FetchedBatch, Scratch};
use tokio::runtime::Runtime;

use crate::child::InstanceProcess;

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const PARTITIONS: usize = 4;
/// Far longer than anything takes even on a slow machine that is busy with other work.
const PATIENCE: Duration = Duration::from_secs(300);

/// A broker, an input topic that the test fills bit by bit, and the reference of what was sent.
pub(crate) struct Cluster {
    runtime: Runtime,
    broker: Broker,
    admin: Admin,
    producer: Producer,
    input: TopicHandle,
    pub(crate) group: String,
    pub(crate) reference: Reference,
    pub(crate) sent: Vec<Reading>,
}

pub(crate) type Results = BTreeMap<(String, i64), WindowStatistics>;

/// The first `count` readings of a month of a real household, in order of time.
pub(crate) fn household(count: usize) -> Vec<Reading> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/household_2007-02.csv.gz");
    let file = std::fs::File::open(path).expect("the sample is committed");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("the sample is gzip");
    rows(&text).map(|reading| reading.expect("well formed")).take(count).collect()
}

impl Cluster {
    pub(crate) fn start(group: &str) -> Self {
        let config = BrokerConfig::ephemeral()
            .with("group.min.session.timeout.ms", "100")
            .and_then(|config| config.with("group.initial.rebalance.delay.ms", "0"))
            .expect("settings of the broker");
        let broker = Broker::start(config).expect("a broker on a free port");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let client = ClientConfig::new(&broker.bootstrap());
        let (admin, producer, input) = runtime.block_on(async {
            let admin = Admin::connect(&client).await.expect("the broker answers");
            let topic = NewTopic::new("input", PARTITIONS as u32).with_config("retention.ms", "-1");
            admin.create_topics(&[topic]).await.expect("a new topic");
            let producer = Producer::connect(&client, ProducerConfig::default()).await.expect("the broker answers");
            let input = producer.topic("input").await.expect("the topic is there");
            (admin, producer, input)
        });
        let reference = Reference::new(HOUR, 0);
        Self { runtime, broker, admin, producer, input, group: group.to_owned(), reference, sent: Vec::new() }
    }

    pub(crate) fn bootstrap(&self) -> String {
        self.broker.bootstrap()
    }

    pub(crate) fn instance(&self, use_case: &str, settings: &[&str]) -> InstanceProcess {
        let quick = ["commit=100ms", "heartbeat.interval=100ms", "session.timeout=1s", "window=1h"];
        InstanceProcess::spawn(use_case, &self.bootstrap(), &self.group, &[&quick, settings].concat())
    }

    /// Sends readings, each sensor to a partition of its own, and waits until they are acknowledged.
    pub(crate) fn send(&mut self, readings: &[Reading]) {
        self.runtime.block_on(async {
            let mut value = Vec::new();
            for reading in readings {
                value.clear();
                reading.as_record().encode(&mut value);
                let index = partition(reading);
                let (key, time) = (reading.identifier.as_bytes(), reading.timestamp.0);
                let slot = self.input.partitions()[index];
                self.producer.send(slot, time, Some(key), Some(&value)).await.expect("room");
                self.reference.add(index as i32, &reading.identifier, time, reading.value_in_w);
            }
            self.producer.flush().await.expect("acknowledged");
        });
        self.sent.extend_from_slice(readings);
    }

    /// The sum of the group's committed offsets.
    pub(crate) fn committed(&self) -> i64 {
        let committed = self.runtime.block_on(self.admin.committed(&self.group)).expect("the broker answers");
        committed.iter().filter(|(partition, _)| partition.topic == "input").map(|(_, offset)| offset.0).sum()
    }

    /// Waits until everything sent is committed; `meanwhile` is called again and again.
    pub(crate) fn wait_until_done(&self, mut meanwhile: impl FnMut()) {
        let all = self.sent.len() as i64;
        wait_until("the group has committed everything", || {
            meanwhile();
            self.committed() == all
        });
    }

    /// The members that hold tasks, by the number of their tasks.
    pub(crate) fn shares(&self) -> Vec<usize> {
        let group = self.runtime.block_on(self.admin.describe_group(&self.group)).expect("the broker answers");
        assert!(group.members.is_empty() || group.protocol_type == "consumer");
        group.members.iter().map(|member| member.assignment.len()).collect()
    }

    /// Every value of a topic, partition by partition.
    pub(crate) fn values(&self, topic: &str) -> Vec<Vec<u8>> {
        let all: Vec<TopicPartition> =
            (0..PARTITIONS as i32).map(|partition| TopicPartition::new(topic, partition)).collect();
        let client = ClientConfig::new(&self.bootstrap());
        self.runtime.block_on(async {
            let ends = self.admin.list_offsets(OffsetSpec::Latest, &all).await.expect("the topic is there");
            let mut left: BTreeMap<TopicPartition, Offset> = ends
                .into_iter()
                .filter_map(|end| Some((end.partition, end.offset.filter(|offset| offset.0 > 0)?)))
                .collect();
            let mut consumer =
                Consumer::<Assigned>::connect(&client, ConsumerConfig::default()).await.expect("the broker answers");
            let from: Vec<_> = left.keys().map(|partition| (partition.clone(), Some(Offset(0)))).collect();
            consumer.assign(&from);
            let mut values = Vec::new();
            while !left.is_empty() {
                if let Event::Records(mut fetched) = consumer.next().await {
                    while let Some(batch) =
                        FetchedBatch::split_off(&mut fetched.batches, &mut Scratch::default()).expect("valid")
                    {
                        let records = batch.records().map(|record| record.expect("valid"));
                        values.extend(records.filter_map(|record| record.value.map(<[u8]>::to_vec)));
                    }
                    if left.get(&fetched.partition).is_some_and(|end| fetched.next >= *end) {
                        left.remove(&fetched.partition);
                    }
                }
            }
            values
        })
    }

    /// The last result of each sensor and window.
    pub(crate) fn results(&self) -> Results {
        let decoded = self.values("output").into_iter().map(|value| WindowStatistics::decode(&value).expect("ours"));
        decoded.map(|result| ((result.identifier.clone(), result.window.start.0), result)).collect()
    }

    pub(crate) fn assert_results_equal_the_reference(&self) {
        let (found, expected) = (self.results(), self.reference.results());
        let keys = |results: &Results| results.keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&found), keys(&expected));
        for (key, result) in &expected {
            assert!(found[key].agrees_with(result), "{:?} should be {result:?}", found[key]);
        }
    }
}

/// Each of the four sensors has its own partition.
fn partition(reading: &Reading) -> usize {
    match reading.identifier.as_str() {
        "sub_meter_1" => 1,
        "sub_meter_2" => 2,
        "sub_meter_3" => 3,
        _ => 0,
    }
}

/// Asks again and again until `condition` holds.
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "not in {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
