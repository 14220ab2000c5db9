//! `uc2`: the whole engine, one instance over a broker in a process of its own.

use super::Figure;
use super::bed::{Bed, stop};
use super::measure::Measured;
use crate::exit::Failure;
use groma_client::{
    Admin, Assigned, Consumer, ConsumerConfig, Event, Offset, Producer, ProducerConfig, Timestamp, TopicHandle,
    TopicPartition,
};
use groma_usecases::load::Sensors;
use groma_usecases::progress::Progress;
use std::ffi::OsString;
use std::time::{Duration, Instant};

const INPUT: &str = "input";
const PARTITIONS: u32 = 4;
const SENSORS: u32 = 10_000;
/// Event time between two records of a sensor.
const PERIOD_MS: i64 = 1000;
/// Rounds of all sensors on the input topic: 20 million records, more than three commits at the bar.
const ROUNDS: i64 = 2000;
const START_MS: i64 = 1_700_000_000_000;
const REPETITIONS: usize = 3;
/// How long one run may take.
const LIMIT: Duration = Duration::from_secs(90);

/// Records per CPU-second of the instance process over the last two thirds of each run.
pub(super) async fn uc2() -> Result<Figure, Failure> {
    let bed = Bed::start().await?;
    bed.topic(INPUT, PARTITIONS).await?;
    fill(&bed).await?;
    let mut measured = Vec::new();
    for turn in 0..REPETITIONS {
        measured.push(run(&bed, turn).await?);
    }
    bed.close().await;
    Ok(Figure::median("uc2", "records/CPU-s", measured))
}

async fn fill(bed: &Bed) -> Result<(), Failure> {
    let producer = Producer::connect(&bed.cluster, ProducerConfig::default()).await?;
    let topic = producer.topic(INPUT).await?;
    let sensors = Sensors::new(SENSORS);
    for round in 0..ROUNDS {
        send_round(&producer, &topic, sensors, Timestamp(START_MS + round * PERIOD_MS)).await?;
    }
    Ok(producer.flush().await?)
}

async fn send_round(producer: &Producer, topic: &TopicHandle, sensors: Sensors, at: Timestamp) -> Result<(), Failure> {
    let mut value = Vec::with_capacity(64);
    for sensor in 0..SENSORS {
        value.clear();
        let key = sensors.reading(sensor, at, &mut value);
        let to = topic.partitions()[(sensor % PARTITIONS) as usize];
        producer.send(to, at.0, Some(key.as_bytes()), Some(&value)).await?;
    }
    tokio::task::yield_now().await;
    Ok(())
}

async fn run(bed: &Bed, turn: usize) -> Result<Measured, Failure> {
    let group = format!("speed-{turn}");
    let (output, progress) = (format!("output-{turn}"), format!("progress-{turn}"));
    bed.topic(&output, PARTITIONS).await?;
    bed.topic(&progress, 1).await?;
    let mut words: Vec<OsString> =
        ["instance", "uc2", "--bootstrap", &bed.cluster.bootstrap[0], "--group", &group].map(OsString::from).to_vec();
    for setting in [
        format!("input={INPUT}"),
        format!("output={output}"),
        format!("progress={progress}"),
        "window=60s".to_owned(),
        "commit=5s".to_owned(),
    ] {
        words.extend(["--set".into(), setting.into()]);
    }
    let start = Instant::now();
    let instance = bed.child("instance", &words).await?;
    let per_cpu_second = watch(bed, &progress, &group).await?;
    stop(instance).await;
    bed.drop_topic(&output).await?;
    Ok(Measured { value: per_cpu_second, took: start.elapsed() })
}

/// Follows the progress of the instance until the whole input is flushed and committed, so that the cost of flushing
/// counts however fast the records were read.
async fn watch(bed: &Bed, progress: &str, group: &str) -> Result<f64, Failure> {
    let admin = Admin::connect(&bed.cluster).await?;
    let mut consumer = Consumer::<Assigned>::connect(&bed.cluster, ConsumerConfig::default()).await?;
    consumer.assign(&[(TopicPartition::new(progress, 0), Some(Offset(0)))]);
    let total = ROUNDS as u64 * u64::from(SENSORS);
    let deadline = tokio::time::Instant::now() + LIMIT;
    let mut third = None;
    loop {
        let event = tokio::time::timeout_at(deadline, consumer.next()).await.map_err(|_| {
            Failure::new(format!("the instance did not handle {total} records within {} s", LIMIT.as_secs()))
        })?;
        let Event::Records(fetched) = event else { continue };
        let mut records = fetched.records();
        while let Some(record) = records.next()? {
            let Ok(now) = Progress::decode(record.value.unwrap_or_default()) else { continue };
            let done: u64 = now.tasks.iter().map(|task| task.position.max(0) as u64).sum();
            if done >= total / 3 && third.is_none() {
                third = Some((done, now.cpu_ns));
            }
            if let Some((from, cpu_ns)) = third
                && done >= total
                && committed(&admin, group).await? >= total
            {
                return Ok((done - from) as f64 * 1e9 / now.cpu_ns.saturating_sub(cpu_ns).max(1) as f64);
            }
        }
    }
}

async fn committed(admin: &Admin, group: &str) -> Result<u64, Failure> {
    let offsets = admin.committed(group).await?;
    Ok(offsets.iter().map(|(_, offset)| u64::try_from(offset.0).unwrap_or(0)).sum())
}
