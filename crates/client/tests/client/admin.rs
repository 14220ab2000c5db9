use groma_client::{ClientError, NewTopic, Offset, OffsetSpec, Timestamp, TopicPartition};

use crate::place::{Place, everywhere, fresh};

fn refusal(error: Result<(), ClientError>) -> String {
    match error {
        Err(ClientError::Refused { code, .. }) => code,
        other => format!("{other:?}"),
    }
}

#[test]
fn topics_are_made_described_listed_and_deleted() {
    everywhere(|place: Place| async move {
        let (admin, name) = (place.admin().await, fresh("topics"));
        let topic = NewTopic::new(&name, 3).with_config("retention.ms", "123456");
        admin.create_topics(std::slice::from_ref(&topic)).await.expect("made");
        let described = admin.describe_topics(&[&name]).await.expect("there");
        assert_eq!(described[0].partitions.len(), 3);
        assert!(described[0].id.is_some() && !described[0].internal);
        assert!(described[0].partitions.iter().all(|p| p.leader.is_some()));
        assert!(admin.list_topics().await.expect("listed").iter().any(|t| t.name == name));
        let configs = admin.topic_configs(&name).await.expect("configs");
        let retention = configs.iter().find(|c| c.key == "retention.ms").expect("listed");
        assert_eq!((retention.value.as_deref(), retention.default), (Some("123456"), false));
        assert_eq!(refusal(admin.create_topics(&[topic]).await), "TOPIC_ALREADY_EXISTS");
        admin.create_partitions(&name, 5).await.expect("raised");
        admin.delete_topics(&[&name]).await.expect("deleted");
        let gone = ClientError::UnknownTopic { topic: name.clone() };
        assert_eq!(admin.delete_topics(&[&name]).await, Err(gone.clone()));
        assert_eq!(admin.describe_topics(&[&name]).await, Err(gone.clone()));
        assert_eq!(gone.to_string(), format!("topic {name} does not exist"));
    });
}

#[test]
fn a_topic_that_cannot_be_is_refused_with_kafkas_name_of_the_error() {
    everywhere(|place: Place| async move {
        let admin = place.admin().await;
        assert_eq!(refusal(admin.create_topics(&[NewTopic::new("no/such name", 1)]).await), "INVALID_TOPIC_EXCEPTION");
        let lonely = NewTopic { replicas: Some(7), ..NewTopic::new(fresh("replicas"), 1) };
        assert_eq!(refusal(admin.create_topics(&[lonely]).await), "INVALID_REPLICATION_FACTOR");
    });
}

#[test]
fn the_cluster_says_who_it_is() {
    everywhere(|place: Place| async move {
        let admin = place.admin().await;
        let cluster = admin.describe_cluster().await.expect("described");
        assert_eq!(cluster.brokers.len(), 1);
        assert!(!cluster.id.is_empty());
        let configs = admin.broker_configs(cluster.brokers[0].0).await.expect("configs");
        assert!(!configs.is_empty());
    });
}

#[test]
fn offsets_are_found_at_both_ends_and_by_time() {
    everywhere(|place: Place| async move {
        let (admin, topic) = (place.admin().await, place.topic(2).await);
        let (producer, handle) = place.producer(&topic, crate::place::quick()).await;
        for time in [100, 200, 300] {
            producer.send(handle.partitions()[1], time, None, Some(b"x")).await.expect("taken");
            producer.flush().await.expect("acknowledged");
        }
        let both = [TopicPartition::new(&topic, 1), TopicPartition::new(&topic, 0)];
        for (spec, expected) in [
            (OffsetSpec::Earliest, [Some(0), Some(0)]),
            (OffsetSpec::Latest, [Some(3), Some(0)]),
            (OffsetSpec::At(Timestamp(150)), [Some(1), None]),
            (OffsetSpec::At(Timestamp(301)), [None, None]),
        ] {
            let found = admin.list_offsets(spec, &both).await.expect("listed");
            let offsets: Vec<_> = found.iter().map(|f| f.offset).collect();
            assert_eq!(offsets, expected.map(|o| o.map(Offset)), "{spec:?}");
            assert_eq!(found[0].partition, both[0]);
        }
        let stranger = [TopicPartition::new(&topic, 9)];
        assert!(admin.list_offsets(OffsetSpec::Latest, &stranger).await.is_err());
    });
}

#[test]
fn a_group_nobody_knows_is_dead() {
    everywhere(|place: Place| async move {
        let admin = place.admin().await;
        let group = admin.describe_group(&fresh("nobody")).await.expect("described");
        assert_eq!((group.state.as_str(), group.members.len()), ("Dead", 0));
        assert!(admin.committed(&fresh("nobody")).await.expect("none").is_empty());
    });
}
