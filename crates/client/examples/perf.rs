//! How many 100-byte records a second this client produces and consumes:
//! `perf --bootstrap HOST:PORT [--records N] [--partitions N] [--size BYTES] [--compression CODEC]`.
//!
//! Public per-record send, idempotent, acks all; then the same records are read back, each looked at. One line each.

#[path = "support/options.rs"]
mod options;

use std::error::Error;
use std::time::Instant;

use groma_client::{
    Admin, Assigned, ClientConfig, Consumer, Event, NewTopic, Offset, Producer, Properties, TopicPartition,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut options = options::options()?;
    let mut number = |name: &str, default: u64| match options.remove(name) {
        Some(text) => text.parse::<u64>().map_err(|_| format!("--{name} {text} is not a number")),
        None => Ok(default),
    };
    let (records, partitions) = (number("records", 10_000_000)?, number("partitions", 3)?);
    let value = vec![b'x'; usize::try_from(number("size", 100)?)?];
    let bootstrap = options.remove("bootstrap").ok_or("--bootstrap is missing")?;
    let mut properties = Properties::new(&bootstrap);
    if let Some(codec) = options.remove("compression") {
        properties.set("compression.type", &codec)?;
    }
    let topic = format!("perf-{}", std::process::id());
    let admin = Admin::connect(&properties.client).await?;
    admin.create_topics(&[NewTopic::new(&topic, u32::try_from(partitions)?)]).await?;
    produce(&properties, &topic, records, &value).await?;
    consume(&properties, &topic, records, i32::try_from(partitions)?).await?;
    admin.delete_topics(&[&topic]).await?;
    Ok(())
}

async fn produce(properties: &Properties, topic: &str, records: u64, value: &[u8]) -> Result<(), Box<dyn Error>> {
    let producer = Producer::connect(&properties.client, properties.producer.clone()).await?;
    let handle = producer.topic(topic).await?;
    let begun = Instant::now();
    for (_, partition) in (0..records).zip(handle.partitions().iter().cycle()) {
        producer.send(*partition, 1_700_000_000_000, None, Some(value)).await?;
    }
    producer.flush().await?;
    report("produce", records, begun);
    Ok(())
}

async fn consume(properties: &Properties, topic: &str, records: u64, partitions: i32) -> Result<(), Box<dyn Error>> {
    let cluster: &ClientConfig = &properties.client;
    let mut consumer = Consumer::<Assigned>::connect(cluster, properties.consumer.clone()).await?;
    let all: Vec<_> = (0..partitions).map(|p| (TopicPartition::new(topic, p), Some(Offset(0)))).collect();
    let begun = Instant::now();
    consumer.assign(&all);
    let (mut count, mut bytes) = (0, 0);
    while count < records {
        match consumer.next().await {
            Event::Records(fetched) => {
                let mut reader = fetched.records();
                while let Some(record) = reader.next()? {
                    count += 1;
                    bytes += record.value.map_or(0, <[u8]>::len);
                }
            }
            Event::Error(error) => return Err(error.into()),
            _ => {}
        }
    }
    report("consume", records, begun);
    eprintln!("{bytes} bytes of values");
    Ok(())
}

fn report(what: &str, records: u64, begun: Instant) {
    let seconds = begun.elapsed().as_secs_f64();
    println!("{what}: {:.2} million records/s ({records} in {seconds:.2} s)", records as f64 / seconds / 1e6);
}
