//! Records through client and broker: `produce`, `consume`, and what they cost the broker.

use super::Figure;
use super::bed::Bed;
use super::measure::Measured;
use crate::exit::Failure;
use groma_client::{
    Assigned, Consumer, ConsumerConfig, Event, Offset, Producer, ProducerConfig, TopicHandle, TopicPartition,
};
use std::time::{Duration, Instant};

const TOPIC: &str = "speed";
const PARTITIONS: u32 = 3;
const VALUE: [u8; 100] = [7; 100];
const REPETITIONS: usize = 3;
const REPETITION: Duration = Duration::from_millis(1500);
/// Records sent between two looks at the clock.
const STRETCH: u64 = 1000;
/// Records on the topic for `consume`.
const STOCK: u64 = 3_000_000;

/// `produce` and `produce-broker-cpu` in one run.
pub(super) async fn produce() -> Result<[Figure; 2], Failure> {
    let bed = Bed::start().await?;
    let (mut rates, mut costs) = (Vec::new(), Vec::new());
    for turn in 0..=REPETITIONS {
        bed.topic(TOPIC, PARTITIONS).await?;
        let (rate, cost) = produce_for(&bed, REPETITION).await?;
        if turn > 0 {
            rates.push(rate);
            costs.push(cost);
        }
        bed.drop_topic(TOPIC).await?;
    }
    bed.close().await;
    Ok([Figure::median("produce", "records/s", rates), Figure::median("produce-broker-cpu", "ns/record", costs)])
}

/// `consume` and `consume-broker-cpu` in one run.
pub(super) async fn consume() -> Result<[Figure; 2], Failure> {
    let bed = Bed::start().await?;
    bed.topic(TOPIC, PARTITIONS).await?;
    let producer = Producer::connect(&bed.cluster, ProducerConfig::default()).await?;
    let topic = producer.topic(TOPIC).await?;
    let mut sent = 0;
    while sent < STOCK {
        sent = send_stretch(&producer, &topic, sent).await?;
    }
    producer.flush().await?;
    let config = ConsumerConfig { partition_max_bytes: 1 << 20, ..ConsumerConfig::default() };
    let mut consumer = Consumer::<Assigned>::connect(&bed.cluster, config).await?;
    let (mut rates, mut costs) = (Vec::new(), Vec::new());
    for turn in 0..=REPETITIONS {
        let (rate, cost) = consume_for(&bed, &mut consumer, REPETITION).await?;
        if turn > 0 {
            rates.push(rate);
            costs.push(cost);
        }
    }
    bed.close().await;
    Ok([Figure::median("consume", "records/s", rates), Figure::median("consume-broker-cpu", "ns/record", costs)])
}

async fn produce_for(bed: &Bed, time: Duration) -> Result<(Measured, Measured), Failure> {
    let producer = Producer::connect(&bed.cluster, ProducerConfig::default()).await?;
    let topic = producer.topic(TOPIC).await?;
    let clock = Clock::start(bed);
    let mut sent = 0;
    while clock.start.elapsed() < time {
        sent = send_stretch(&producer, &topic, sent).await?;
    }
    producer.flush().await?;
    Ok(clock.stop(bed, sent))
}

async fn send_stretch(producer: &Producer, topic: &TopicHandle, sent: u64) -> Result<u64, Failure> {
    let partitions = topic.partitions();
    for number in sent..sent + STRETCH {
        let to = partitions[(number % partitions.len() as u64) as usize];
        producer.send(to, 1_700_000_000_000, None, Some(&VALUE)).await?;
    }
    tokio::task::yield_now().await;
    Ok(sent + STRETCH)
}

async fn consume_for(
    bed: &Bed,
    consumer: &mut Consumer<Assigned>,
    time: Duration,
) -> Result<(Measured, Measured), Failure> {
    let clock = Clock::start(bed);
    let mut read = 0;
    while clock.start.elapsed() < time {
        read += consume_stock(consumer).await?;
    }
    Ok(clock.stop(bed, read))
}

async fn consume_stock(consumer: &mut Consumer<Assigned>) -> Result<u64, Failure> {
    let from_start: Vec<_> =
        (0..PARTITIONS).map(|partition| (TopicPartition::new(TOPIC, partition as i32), Some(Offset(0)))).collect();
    consumer.assign(&from_start);
    let mut read = 0;
    while read < STOCK {
        match consumer.next().await {
            Event::Records(fetched) => {
                let mut records = fetched.records();
                while let Some(record) = records.next()? {
                    std::hint::black_box(record.value);
                    read += 1;
                }
            }
            Event::Error(error) => return Err(error.into()),
            _ => {}
        }
    }
    consumer.assign(&[]);
    Ok(read)
}

/// The wall clock and the broker's processor clock, started together.
struct Clock {
    start: Instant,
    cpu_ns: u64,
}

impl Clock {
    fn start(bed: &Bed) -> Self {
        Self { start: Instant::now(), cpu_ns: bed.broker_cpu_ns() }
    }

    /// Records a second, and ns of the broker a record.
    fn stop(&self, bed: &Bed, records: u64) -> (Measured, Measured) {
        let took = self.start.elapsed();
        let cpu_ns = bed.broker_cpu_ns() - self.cpu_ns;
        let rate = records as f64 / took.as_secs_f64();
        (Measured { value: rate, took }, Measured { value: cpu_ns as f64 / records as f64, took })
    }
}
