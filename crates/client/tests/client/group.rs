use std::collections::BTreeSet;

use groma_broker::{Broker, BrokerConfig};
use groma_client::{
    ClientError, Consumer, ConsumerConfig, Event, GroupConfig, Offset, Span, Strategy, Subscribed, TopicPartition,
};

use crate::consume::values;
use crate::place::{Place, everywhere, fresh, run};

fn config(group: &str, strategy: Strategy) -> GroupConfig {
    GroupConfig {
        session_timeout: Span::from_secs(60),
        heartbeat_interval: Span::from_millis(300),
        ..GroupConfig::new(group).with_manual_commit().with_strategies([strategy])
    }
}

async fn member(place: &Place, group: GroupConfig, topic: &str) -> Consumer<Subscribed> {
    Consumer::subscribe(&place.cluster, ConsumerConfig::default(), group, &[topic]).await.expect("a member")
}

/// What one member holds, by what it was told alone.
#[derive(Default)]
struct Book {
    held: BTreeSet<TopicPartition>,
    revoked: usize,
    stable: usize,
    records: Vec<Vec<u8>>,
}

impl Book {
    fn note(&mut self, event: Event) {
        match event {
            Event::Assigned(all) => all.into_iter().for_each(|p| assert!(self.held.insert(p), "given twice")),
            Event::Revoked(revoked) => {
                self.revoked += revoked.partitions().len();
                revoked.partitions().iter().for_each(|p| assert!(self.held.remove(p), "taken twice"));
                revoked.done();
            }
            Event::Lost(all) => all.iter().for_each(|p| assert!(self.held.remove(p), "taken twice")),
            Event::Records(fetched) => {
                assert!(self.held.contains(&fetched.partition), "records of what is not held");
                self.records.extend(values(&fetched));
            }
            Event::Stable(_) => self.stable += 1,
            Event::Rebalancing | Event::Step(_) => {}
            Event::Error(error) => panic!("{error}"),
        }
    }

    async fn until(&mut self, consumer: &mut Consumer, mut done: impl FnMut(&Self) -> bool) {
        while !done(self) {
            let event = consumer.next().await;
            self.note(event);
        }
    }
}

#[test]
fn two_members_share_a_topic_and_only_what_moves_is_told() {
    everywhere(|place: Place| async move {
        let (topic, group) = (place.topic(4).await, fresh("g"));
        let mut first = member(&place, config(&group, Strategy::CooperativeSticky), &topic).await;
        let mut one = Book::default();
        one.until(&mut first, |book| book.held.len() == 4 && book.stable > 0).await;
        let mut second = member(&place, config(&group, Strategy::CooperativeSticky), &topic).await;
        let mut two = Book::default();
        while (one.held.len(), two.held.len()) != (2, 2) {
            tokio::select! {
                event = first.next() => one.note(event),
                event = second.next() => two.note(event),
            }
        }
        assert_eq!((one.revoked, two.revoked), (2, 0));
        assert!(one.held.is_disjoint(&two.held));
        let admin = place.admin().await;
        let described = admin.describe_group(&group).await.expect("described");
        assert_eq!((described.protocol.as_str(), described.members.len()), ("cooperative-sticky", 2));
        let assigned: BTreeSet<TopicPartition> = described.members.iter().flat_map(|m| m.assignment.clone()).collect();
        assert_eq!(assigned, one.held.union(&two.held).cloned().collect());
        assert!(admin.list_groups().await.expect("listed").iter().any(|g| g.group == group));
        second.close().await.expect("left");
        one.until(&mut first, |book| book.held.len() == 4).await;
        first.close().await.expect("left");
        admin.delete_groups(&[&group]).await.expect("deleted");
    });
}

#[test]
fn racks_of_members_and_brokers_reach_whoever_asks() {
    let mut broker = BrokerConfig::ephemeral();
    broker.set("broker.rack", "r-broker").expect("a setting");
    let broker = Broker::start(broker).expect("a broker");
    let place = Place::new(&broker.bootstrap(), Some(broker));
    run(async move {
        let (topic, group) = (place.topic(3).await, fresh("g"));
        let mut all = Vec::new();
        for rack in ["a", "b", "c"] {
            let rack = Some(rack.to_owned());
            let config = GroupConfig { rack, ..config(&group, Strategy::CooperativeSticky) };
            all.push(member(&place, config, &topic).await);
        }
        let mut books = [Book::default(), Book::default(), Book::default()];
        let [first, second, third] = &mut all[..] else { unreachable!("three members") };
        while books.iter().any(|book| book.held.len() != 1) {
            tokio::select! {
                event = first.next() => books[0].note(event),
                event = second.next() => books[1].note(event),
                event = third.next() => books[2].note(event),
            }
        }
        let admin = place.admin().await;
        let described = admin.describe_group(&group).await.expect("described");
        let racks: BTreeSet<Option<&str>> = described.members.iter().map(|m| m.rack.as_deref()).collect();
        assert_eq!(racks, BTreeSet::from([Some("a"), Some("b"), Some("c")]));
        let cluster = admin.describe_cluster().await.expect("described");
        assert_eq!(cluster.racks, [(1, "r-broker".to_owned())]);
    });
}

#[test]
fn every_strategy_shares_out_everything() {
    everywhere(|place: Place| async move {
        for strategy in [Strategy::Range, Strategy::RoundRobin, Strategy::Sticky, Strategy::CooperativeSticky] {
            let (topic, group) = (place.topic(5).await, fresh("g"));
            let mut first = member(&place, config(&group, strategy), &topic).await;
            let mut second = member(&place, config(&group, strategy), &topic).await;
            let (mut one, mut two) = (Book::default(), Book::default());
            while one.held.len() + two.held.len() != 5 || one.held.is_empty() || two.held.is_empty() {
                tokio::select! {
                    event = first.next() => one.note(event),
                    event = second.next() => two.note(event),
                }
            }
            assert!(one.held.is_disjoint(&two.held), "{strategy:?}");
            assert_eq!(one.held.len().abs_diff(two.held.len()), 1, "{strategy:?}");
        }
    });
}

#[test]
fn what_was_committed_is_not_read_again() {
    everywhere(|place: Place| async move {
        let (topic, group) = (place.topic(2).await, fresh("g"));
        place.fill(&topic, 1_000).await;
        let mut first = member(&place, config(&group, Strategy::CooperativeSticky), &topic).await;
        let mut book = Book::default();
        book.until(&mut first, |book| book.records.len() == 1_000).await;
        first.commit_positions().await.expect("committed");
        let partition = TopicPartition::new(&topic, 0);
        let committed = first.committed(std::slice::from_ref(&partition)).await.expect("asked");
        assert_eq!(committed, [(partition.clone(), Some(Offset(500)))]);
        first.close().await.expect("left");
        place.fill(&topic, 10).await;
        let mut second = member(&place, config(&group, Strategy::CooperativeSticky), &topic).await;
        let mut book = Book::default();
        book.until(&mut second, |book| book.records.len() >= 10).await;
        assert_eq!(book.records.len(), 10);
        assert!(second.generation().is_some() && second.member_id().is_some());
        let stranger = second.commit(&[(TopicPartition::new("other", 0), Offset(1))]).await;
        assert!(matches!(stranger, Err(ClientError::NotAssigned { .. })), "{stranger:?}");
    });
}

#[test]
fn records_of_partitions_that_a_topic_gets_later_are_read() {
    everywhere(|place: Place| async move {
        let mut place = place;
        place.cluster.metadata_max_age = Span::from_millis(200);
        for strategy in [Strategy::Range, Strategy::CooperativeSticky] {
            let topic = place.topic(1).await;
            let mut consumer = member(&place, config(&fresh("g"), strategy), &topic).await;
            let mut book = Book::default();
            book.until(&mut consumer, |book| book.held.len() == 1).await;
            let admin = place.admin().await;
            admin.create_partitions(&topic, 3).await.expect("raised");
            while admin.describe_topics(&[&topic]).await.expect("there")[0].partitions.len() < 3 {}
            let (producer, handle) = place.producer(&topic, crate::place::quick()).await;
            producer.send(handle.partitions()[2], 1_000, None, Some(b"new")).await.expect("taken");
            producer.flush().await.expect("acknowledged");
            book.until(&mut consumer, |book| !book.records.is_empty()).await;
            assert_eq!((book.held.len(), book.records), (3, vec![b"new".to_vec()]), "{strategy:?}");
        }
    });
}

#[test]
fn a_timer_commits_what_was_processed_and_leaving_the_rest() {
    everywhere(|place: Place| async move {
        let (topic, group) = (place.topic(1).await, fresh("g"));
        place.fill(&topic, 100).await;
        let auto = GroupConfig {
            commit: groma_client::Commit::Auto(Span::from_millis(50)),
            ..config(&group, Strategy::CooperativeSticky)
        };
        let mut consumer = member(&place, auto, &topic).await;
        let mut book = Book::default();
        book.until(&mut consumer, |book| book.records.len() == 100).await;
        consumer.close().await.expect("left");
        let committed = place.admin().await.committed(&group).await.expect("asked");
        assert_eq!(committed, [(TopicPartition::new(&topic, 0), Offset(100))]);
    });
}

/// A member on a thread of its own, which ends without a word when what is returned is dropped.
fn apart(place: &Place, group: GroupConfig, topic: &str) -> tokio::sync::oneshot::Sender<()> {
    let (end, ended) = tokio::sync::oneshot::channel();
    let (cluster, topic) = (place.cluster.clone(), topic.to_owned());
    let live = async move {
        let member = Consumer::subscribe(&cluster, ConsumerConfig::default(), group, &[topic.as_str()]).await;
        let mut member = member.expect("subscribed");
        loop {
            member.next().await;
        }
    };
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            tokio::select! {
                () = live => {}
                _ = ended => {}
            }
        });
    });
    end
}

#[test]
fn a_member_that_vanishes_is_replaced_after_its_session() {
    everywhere(|place: Place| async move {
        let (topic, group) = (place.topic(3).await, fresh("g"));
        let brief =
            || GroupConfig { session_timeout: Span::from_secs(6), ..config(&group, Strategy::CooperativeSticky) };
        let leader = apart(&place, brief(), &topic);
        let mut second = member(&place, brief(), &topic).await;
        let mut book = Book::default();
        book.until(&mut second, |book| (1..3).contains(&book.held.len())).await;
        drop(leader);
        book.until(&mut second, |book| book.held.len() == 3).await;
    });
}

#[test]
fn a_member_that_is_dropped_leaves_long_before_its_session_ends() {
    everywhere(|place: Place| async move {
        let (topic, group) = (place.topic(3).await, fresh("g"));
        let patient = || GroupConfig { session_timeout: Span::from_secs(300), ..config(&group, Strategy::Range) };
        let mut first = member(&place, patient(), &topic).await;
        let mut book = Book::default();
        book.until(&mut first, |book| book.held.len() == 3).await;
        drop(first);
        let mut second = member(&place, patient(), &topic).await;
        let mut book = Book::default();
        book.until(&mut second, |book| book.held.len() == 3).await;
    });
}

#[test]
fn a_revocation_that_is_dropped_counts_as_done() {
    everywhere(|place: Place| async move {
        let (topic, group) = (place.topic(2).await, fresh("g"));
        let mut first = member(&place, config(&group, Strategy::Range), &topic).await;
        let mut one = Book::default();
        one.until(&mut first, |book| book.held.len() == 2).await;
        let mut second = member(&place, config(&group, Strategy::Range), &topic).await;
        let mut two = Book::default();
        let mut dropped = 0;
        while (one.held.len(), two.held.len()) != (1, 1) {
            tokio::select! {
                event = first.next() => match event {
                    Event::Revoked(revoked) => {
                        revoked.partitions().iter().for_each(|p| assert!(one.held.remove(p), "taken twice"));
                        dropped += 1;
                        drop(revoked);
                    }
                    Event::Lost(lost) => panic!("{lost:?} was not given up in time"),
                    event => one.note(event),
                },
                event = second.next() => two.note(event),
            }
        }
        assert!(dropped > 0 && one.held.is_disjoint(&two.held));
    });
}

#[test]
fn contradictions_in_the_settings_are_named() {
    everywhere(|place: Place| async move {
        let slow = GroupConfig { heartbeat_interval: Span::from_secs(60), ..GroupConfig::new("g") };
        let busy = GroupConfig { heartbeat_interval: Span::ZERO, ..GroupConfig::new("g") };
        let hasty = GroupConfig { rebalance_timeout: Span::ZERO, ..GroupConfig::new("g") };
        for (group, says) in [
            (slow, "heartbeat.interval.ms cannot be 60000ms: it must be shorter than the session timeout"),
            (busy, "heartbeat.interval.ms cannot be 0ms: give at least a millisecond"),
            (hasty, "max.poll.interval.ms cannot be 0ms: give at least a millisecond"),
        ] {
            let refused = Consumer::subscribe(&place.cluster, ConsumerConfig::default(), group, &["t"]).await;
            assert_eq!(refused.err().map(|error| error.to_string()).as_deref(), Some(says));
        }
    });
}
