//! A member of a group that tells in JSON lines what happens to it, and commits after each batch:
//! `member --bootstrap HOST:PORT --group G --topic T --assignor NAME`; SIGTERM makes it leave.

#[path = "support/options.rs"]
mod options;

use std::error::Error;

use groma_client::{Consumer, Event, Fetched, Properties, Subscribed, TopicPartition};
use tokio::signal::unix::{SignalKind, signal};

type Outcome = Result<(), Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let mut options = options::options()?;
    let mut take = |name: &str| options.remove(name).ok_or_else(|| format!("--{name} is missing"));
    let (bootstrap, group, topic) = (take("bootstrap")?, take("group")?, take("topic")?);
    let properties = properties(&bootstrap, &group, &take("assignor")?)?;
    let membership = properties.group.ok_or("the group has no name")?;
    let mut consumer =
        Consumer::subscribe(&properties.client, properties.consumer, membership, &[topic.as_str()]).await?;
    let mut stop = signal(SignalKind::terminate())?;
    loop {
        tokio::select! {
            _ = stop.recv() => break,
            event = consumer.next() => take_in(&consumer, event).await?,
        }
    }
    consumer.close().await?;
    println!("{{\"event\":\"left\"}}");
    Ok(())
}

fn properties(bootstrap: &str, group: &str, assignor: &str) -> Result<Properties, Box<dyn Error>> {
    let mut properties = Properties::new(bootstrap);
    for (key, value) in [
        ("group.id", group),
        ("partition.assignment.strategy", assignor),
        ("session.timeout.ms", "6000"),
        ("heartbeat.interval.ms", "500"),
        ("auto.offset.reset", "earliest"),
        ("enable.auto.commit", "false"),
        ("metadata.max.age.ms", "2000"),
    ] {
        properties.set(key, value)?;
    }
    Ok(properties)
}

async fn take_in(consumer: &Consumer<Subscribed>, event: Event) -> Outcome {
    match event {
        Event::Assigned(partitions) => tell_partitions("assigned", &partitions),
        Event::Revoked(revoked) => {
            tell_partitions("revoked", revoked.partitions());
            revoked.done();
        }
        Event::Lost(partitions) => tell_partitions("lost", &partitions),
        Event::Records(fetched) => {
            tell_records(&fetched)?;
            if let Err(error) = consumer.commit(&[(fetched.partition, fetched.next)]).await {
                tell("commit_failed", &error.to_string());
            }
        }
        Event::Rebalancing | Event::Stable(_) | Event::Step(_) => {}
        Event::Error(error) => tell("error", &error.to_string()),
    }
    Ok(())
}

fn tell(event: &str, reason: &str) {
    println!("{{\"event\":{event:?},\"reason\":{reason:?}}}");
}

fn tell_partitions(event: &str, partitions: &[TopicPartition]) {
    let numbers: Vec<_> = partitions.iter().map(|held| held.partition.0).collect();
    println!("{{\"event\":{event:?},\"partitions\":{numbers:?}}}");
}

fn tell_records(fetched: &Fetched) -> Outcome {
    let (mut offsets, mut values) = (Vec::new(), Vec::new());
    let mut records = fetched.records();
    while let Some(record) = records.next()? {
        offsets.push(record.offset.0);
        values.push(String::from_utf8_lossy(record.value.unwrap_or_default()).into_owned());
    }
    let partition = fetched.partition.partition.0;
    println!("{{\"event\":\"records\",\"partition\":{partition},\"offsets\":{offsets:?},\"values\":{values:?}}}");
    Ok(())
}
