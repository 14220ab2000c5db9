use std::collections::BTreeMap;

use groma_client::{Assigned, Consumer, ConsumerConfig, Event, Fetched, Offset, Reset, Timestamp, TopicPartition};

use crate::place::{Place, everywhere};

pub(crate) async fn reader(place: &Place, topic: &str, partitions: i32) -> (Consumer<Assigned>, Vec<TopicPartition>) {
    let consumer = Consumer::connect(&place.cluster, ConsumerConfig::default()).await.expect("a consumer");
    let all: Vec<TopicPartition> = (0..partitions).map(|number| TopicPartition::new(topic, number)).collect();
    consumer.assign(&all.iter().map(|name| (name.clone(), None)).collect::<Vec<_>>());
    (consumer, all)
}

/// The next records, whatever else is told before.
pub(crate) async fn fetch<Mode>(consumer: &mut Consumer<Mode>) -> Fetched {
    loop {
        match consumer.next().await {
            Event::Records(fetched) => return fetched,
            Event::Error(error) => panic!("{error}"),
            _ => {}
        }
    }
}

pub(crate) fn values(fetched: &Fetched) -> Vec<Vec<u8>> {
    let (mut records, mut values) = (fetched.records(), Vec::new());
    while let Some(record) = records.next().expect("whole") {
        values.push(record.value.unwrap_or_default().to_vec());
    }
    values
}

/// The values of each partition, once there are `count` together.
pub(crate) async fn read_all(place: &Place, topic: &str, partitions: i32, count: usize) -> BTreeMap<i32, Vec<Vec<u8>>> {
    let (mut consumer, _) = reader(place, topic, partitions).await;
    let mut read: BTreeMap<i32, Vec<Vec<u8>>> = BTreeMap::new();
    while read.values().map(Vec::len).sum::<usize>() < count {
        let fetched = fetch(&mut consumer).await;
        read.entry(fetched.partition.partition.0).or_default().extend(values(&fetched));
    }
    read
}

#[test]
fn positions_lag_seek_and_pause() {
    everywhere(|place: Place| async move {
        let topic = place.topic(2).await;
        place.fill(&topic, 1_000).await;
        let (mut consumer, all) = reader(&place, &topic, 2).await;
        consumer.pause(&all[1..]);
        let mut read = 0;
        while read < 500 {
            let fetched = fetch(&mut consumer).await;
            assert_eq!(fetched.partition, all[0], "the other one is paused");
            read += values(&fetched).len();
        }
        assert_eq!(consumer.position(&all[0]), Some(Offset(500)));
        assert_eq!((consumer.high_watermark(&all[0]), consumer.lag(&all[0])), (Some(Offset(500)), Some(0)));
        consumer.seek(&all[0], Offset(499)).expect("assigned");
        let last = fetch(&mut consumer).await;
        assert_eq!((values(&last), last.next), (vec![998_u64.to_be_bytes().to_vec()], Offset(500)));
        consumer.resume(&all);
        assert_eq!(fetch(&mut consumer).await.partition, all[1]);
        assert!(consumer.seek(&TopicPartition::new(&topic, 7), Offset(0)).is_err());
        assert_eq!(consumer.assignment(), all);
    });
}

#[test]
fn a_position_inside_a_batch_skips_what_is_before_it() {
    everywhere(|place: Place| async move {
        let topic = place.topic(1).await;
        let (producer, handle) = place.producer(&topic, groma_client::ProducerConfig::default()).await;
        for number in 0..100_u64 {
            producer.send(handle.partitions()[0], 1, None, Some(&number.to_be_bytes())).await.expect("taken");
        }
        producer.flush().await.expect("acknowledged");
        let mut consumer = Consumer::connect(&place.cluster, ConsumerConfig::default()).await.expect("a consumer");
        consumer.assign(&[(TopicPartition::new(&topic, 0), Some(Offset(42)))]);
        let fetched = fetch(&mut consumer).await;
        assert_eq!(values(&fetched)[0], 42_u64.to_be_bytes());
        assert_eq!(fetched.from, Offset(42));
    });
}

#[test]
fn the_latest_position_is_behind_what_is_there() {
    everywhere(|place: Place| async move {
        let topic = place.topic(1).await;
        place.fill(&topic, 10).await;
        let config = ConsumerConfig { reset: Reset::Latest, ..ConsumerConfig::default() };
        let mut consumer = Consumer::connect(&place.cluster, config).await.expect("a consumer");
        let partition = TopicPartition::new(&topic, 0);
        consumer.assign(&[(partition.clone(), None)]);
        while consumer.position(&partition).is_none() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        place.fill(&topic, 1).await;
        assert_eq!(fetch(&mut consumer).await.from, Offset(10));
        let found = consumer.offsets_at(Timestamp(0), std::slice::from_ref(&partition)).await.expect("found");
        assert_eq!(found, [(partition, Some(Offset(0)))]);
    });
}

#[test]
fn no_position_and_no_policy_is_an_error_that_says_so() {
    everywhere(|place: Place| async move {
        let topic = place.topic(1).await;
        let config = ConsumerConfig { reset: Reset::Fail, ..ConsumerConfig::default() };
        let mut consumer = Consumer::connect(&place.cluster, config).await.expect("a consumer");
        consumer.assign(&[(TopicPartition::new(&topic, 0), Some(Offset(99)))]);
        let event = consumer.next().await;
        let Event::Error(error) = event else { panic!("{event:?}") };
        assert!(error.to_string().contains("99"), "{error}");
    });
}
