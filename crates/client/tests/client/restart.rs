//! Our broker goes away and comes back at the same address, with the same data. No other test listens at that address,
//! so nobody takes its port meanwhile.

use std::path::Path;

use groma_broker::{Broker, BrokerConfig};
use groma_client::{
    Admin, ClientConfig, Consumer, ConsumerConfig, Event, GroupConfig, NewTopic, Producer, Span, TopicPartition,
};

use crate::consume::values;
use crate::place::{fresh, quick, run};

fn broker(listen: &str, data: &Path) -> Broker {
    let config = BrokerConfig { listen: listen.to_owned(), data: Some(data.to_owned()), ..BrokerConfig::ephemeral() };
    Broker::start(config).expect("a broker")
}

#[test]
fn producer_and_member_live_through_a_restart_of_the_broker() {
    let data = std::env::temp_dir().join(fresh("groma-client-restart"));
    run(async {
        let first = broker("127.0.0.2:0", &data);
        let address = first.address().to_string();
        let cluster = ClientConfig::new(&address);
        let admin = Admin::connect(&cluster).await.expect("an admin client");
        admin.create_topics(&[NewTopic::new("t", 2)]).await.expect("a topic");
        let producer = Producer::connect(&cluster, quick()).await.expect("a producer");
        let topic = producer.topic("t").await.expect("known");
        let group = GroupConfig {
            session_timeout: Span::from_secs(60),
            heartbeat_interval: Span::from_millis(200),
            ..GroupConfig::new("g").with_manual_commit()
        };
        let config = ConsumerConfig::default();
        let mut consumer = Consumer::subscribe(&cluster, config, group, &["t"]).await.expect("a member");

        let mut read = Vec::new();
        send(&producer, &topic, 0..200).await;
        producer.flush().await.expect("acknowledged");
        take(&mut consumer, &mut read, 200).await;
        first.stop();
        send(&producer, &topic, 200..400).await;
        let second = broker(&address, &data);
        producer.flush().await.expect("acknowledged after all");
        take(&mut consumer, &mut read, 400).await;
        read.sort_unstable();
        assert_eq!(read, (0..400).collect::<Vec<u64>>(), "each record once");
        while consumer.commit_positions().await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let committed = consumer.committed(&[TopicPartition::new("t", 1)]).await.expect("asked");
        assert_eq!(committed[0].1.map(|offset| offset.0), Some(200));
        second.stop();
    });
    let _ = std::fs::remove_dir_all(&data);
}

async fn send(producer: &Producer, topic: &groma_client::TopicHandle, numbers: std::ops::Range<u64>) {
    for (number, partition) in numbers.zip(topic.partitions().iter().cycle()) {
        producer.send(*partition, 1, None, Some(&number.to_be_bytes())).await.expect("taken");
    }
}

async fn take(consumer: &mut Consumer, read: &mut Vec<u64>, count: usize) {
    while read.len() < count {
        match consumer.next().await {
            Event::Records(fetched) => {
                let numbers = values(&fetched).into_iter().map(|v| u64::from_be_bytes(v.try_into().expect("8 bytes")));
                read.extend(numbers);
            }
            Event::Error(error) => panic!("{error}"),
            _ => {}
        }
    }
}
