use groma_client::{Acks, ClientError, Compression, Delivery, Offset, Producer, ProducerConfig, Progress};

use crate::consume::read_all;
use crate::place::{Place, everywhere, quick};

#[test]
fn records_come_back_as_they_were_in_every_compression() {
    everywhere(|place: Place| async move {
        for compression in
            [Compression::None, Compression::Gzip, Compression::Snappy, Compression::Lz4, Compression::Zstd]
        {
            let topic = place.topic(2).await;
            let config = ProducerConfig { compression, ..ProducerConfig::default() };
            let (producer, handle) = place.producer(&topic, config).await;
            for number in 0..3_000_u64 {
                let text = format!("{number} {}", "x".repeat(100));
                producer.send(handle.partitions()[0], 5, Some(b"k"), Some(text.as_bytes())).await.expect("taken");
            }
            producer.flush().await.expect("acknowledged");
            let read = read_all(&place, &topic, 2, 3_000).await;
            let numbers: Vec<u64> = read[&0].iter().map(|v| first_number(v)).collect();
            assert_eq!(numbers, (0..3_000).collect::<Vec<_>>(), "{compression:?}");
        }
    });
}

fn first_number(value: &[u8]) -> u64 {
    let text = std::str::from_utf8(value).expect("text");
    text.split(' ').next().and_then(|n| n.parse().ok()).expect("a number")
}

#[test]
fn each_record_has_an_offset_and_a_partition_a_watermark() {
    everywhere(|place: Place| async move {
        let topic = place.topic(1).await;
        let (producer, handle) = place.producer(&topic, quick()).await;
        let partition = handle.partitions()[0];
        for number in 0..5 {
            let ticket = producer.send(partition, 1, None, Some(b"v")).await.expect("taken");
            let delivered = producer.delivered(ticket).await.expect("acknowledged");
            assert_eq!((ticket.number, delivered.offset), (number, Some(Offset(number as i64))));
        }
        let progress = Progress { appended: 5, settled: 5, failed: 0 };
        assert_eq!(producer.progress(partition), progress);
        assert_eq!(producer.settled_beyond(partition, 4).await, progress);
    });
}

#[test]
fn null_keys_and_values_stay_null() {
    everywhere(|place: Place| async move {
        let topic = place.topic(1).await;
        let (producer, handle) = place.producer(&topic, quick()).await;
        producer.send(handle.partitions()[0], 1, Some(b"gone"), None).await.expect("taken");
        producer.send(handle.partitions()[0], 2, None, Some(b"")).await.expect("taken");
        producer.flush().await.expect("acknowledged");
        let (mut consumer, _) = crate::consume::reader(&place, &topic, 1).await;
        let fetched = crate::consume::fetch(&mut consumer).await;
        let mut records = fetched.records();
        let first = records.next().expect("whole").expect("a record");
        assert_eq!((first.key, first.value, first.timestamp_ms), (Some(&b"gone"[..]), None, 1));
    });
}

#[test]
fn keys_choose_partitions_and_keyless_records_fill_batches() {
    everywhere(|place: Place| async move {
        let topic = place.topic(3).await;
        let config = ProducerConfig { batch_bytes: 1_000, ..ProducerConfig::default() };
        let (producer, handle) = place.producer(&topic, config).await;
        for number in 0..300_u32 {
            producer.send_keyed(&handle, 1, b"foobar", &number.to_be_bytes()).await.expect("taken");
        }
        let keyed = producer.send_keyed(&handle, 1, b"foobar", b"last").await.expect("taken");
        assert_eq!(keyed.partition, handle.partitions()[((-790_332_482_i32 & i32::MAX) % 3) as usize]);
        for _ in 0..300 {
            producer.send_keyless(&handle, 1, &[0; 50]).await.expect("taken");
        }
        producer.flush().await.expect("acknowledged");
        let counts: Vec<u64> = handle.partitions().iter().map(|p| producer.progress(*p).settled).collect();
        assert_eq!(counts.iter().sum::<u64>(), 601);
        assert!(counts.iter().all(|count| *count >= 80), "{counts:?}");
    });
}

#[test]
fn the_buffer_makes_the_application_wait_and_loses_nothing() {
    everywhere(|place: Place| async move {
        let topic = place.topic(1).await;
        let config = ProducerConfig { buffer_bytes: 20_000, batch_bytes: 5_000, ..ProducerConfig::default() };
        let (producer, handle) = place.producer(&topic, config).await;
        for _ in 0..5_000 {
            producer.send(handle.partitions()[0], 1, None, Some(&[1; 100])).await.expect("taken");
        }
        producer.flush().await.expect("acknowledged");
        assert_eq!(producer.progress(handle.partitions()[0]).settled, 5_000);
    });
}

#[test]
fn weaker_acks_work_too() {
    everywhere(|place: Place| async move {
        for acks in [Acks::None, Acks::Leader, Acks::All] {
            let topic = place.topic(1).await;
            let config = ProducerConfig { acks, delivery: Delivery::AtLeastOnce, ..quick() };
            let (producer, handle) = place.producer(&topic, config).await;
            let ticket = producer.send(handle.partitions()[0], 1, None, Some(b"v")).await.expect("taken");
            let delivered = producer.delivered(ticket).await.expect("settled");
            assert_eq!(delivered.offset.is_some(), acks != Acks::None);
            assert_eq!(read_all(&place, &topic, 1, 1).await[&0].len(), 1);
        }
    });
}

#[test]
fn what_cannot_be_sent_is_refused_at_once() {
    everywhere(|place: Place| async move {
        let topic = place.topic(1).await;
        let (producer, handle) = place.producer(&topic, quick()).await;
        let huge = vec![0; 2 << 20];
        let refused = producer.send(handle.partitions()[0], 1, None, Some(&huge)).await;
        assert!(matches!(refused, Err(ClientError::RecordTooLarge { .. })), "{refused:?}");
        let refused = producer.send_batch(handle.partitions()[0], b"no batch".as_slice().into()).await;
        assert!(matches!(refused, Err(ClientError::Records { .. })), "{refused:?}");
        let weak = ProducerConfig { acks: Acks::Leader, ..ProducerConfig::default() };
        let error = Producer::connect(&place.cluster, weak).await.expect_err("contradiction");
        assert_eq!(error.to_string(), "acks cannot be leader: an idempotent producer needs acks=all");
    });
}
