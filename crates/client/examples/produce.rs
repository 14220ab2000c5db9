//! Produces the numbers 0 to N-1 as text, keyed by themselves, and says how many were acknowledged:
//! `produce --bootstrap HOST:PORT --topic T --count N [--compression none|gzip|snappy|lz4|zstd]`.

#[path = "support/options.rs"]
mod options;

use std::error::Error;
use std::time::{SystemTime, UNIX_EPOCH};

use groma_client::{Producer, Properties};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut options = options::options()?;
    let mut take = |name: &str| options.remove(name).ok_or_else(|| format!("--{name} is missing"));
    let (bootstrap, topic, count) = (take("bootstrap")?, take("topic")?, take("count")?.parse::<u64>()?);
    let mut properties = Properties::new(&bootstrap);
    if let Ok(codec) = take("compression") {
        properties.set("compression.type", &codec)?;
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    let producer = Producer::connect(&properties.client, properties.producer).await?;
    let handle = producer.topic(&topic).await?;
    for number in 0..count {
        let text = number.to_string();
        producer.send_keyed(&handle, i64::try_from(now)?, text.as_bytes(), text.as_bytes()).await?;
    }
    producer.flush().await?;
    let settled = handle.partitions().iter().map(|p| producer.progress(*p));
    let acknowledged: u64 = settled.map(|progress| progress.settled - progress.failed).sum();
    println!("{{\"event\":\"produced\",\"acknowledged\":{acknowledged}}}");
    Ok(())
}
