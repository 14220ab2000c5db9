//! The bytes of the proposal's Subscription and Assignment, and of custom reports.

use bytes::Bytes;
use groma_model::{Span, TopicPartition};
use groma_rebalance::embedded::consumer::{Partitions, Topics};
use groma_rebalance::embedded::proposed::{Assignment, Subscription};
use proptest::prelude::*;

fn partitions(list: &[(&str, i32)]) -> Partitions {
    let list: Vec<TopicPartition> = list.iter().map(|(topic, number)| TopicPartition::new(*topic, *number)).collect();
    list.iter().collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_subscription_has_the_proposals_layout() {
    let subscription = Subscription {
        topics: ["T", "U"].into_iter().collect(),
        assignor_data: Some(Bytes::from_static(&[0, 0, 0, 7])),
        assigned: partitions(&[("T", 1), ("T", 4)]),
    };
    let expected = [
        "0001", // Version
        "00000002", "0001", "54", "0001", "55", // SubscribeTopics: T, U
        "00000004", "00000007", // PartitionAssignorData
        "00000001", "0001", "54", // AssignedTopicPartitions: T
        "00000002", "00000001", "00000004", // 1, 4
    ];
    assert_eq!(hex(&subscription.encode()), expected.concat());
    assert_eq!(Subscription::decode(&subscription.encode()), Ok(subscription));
}

#[test]
fn an_assignment_has_the_proposals_layout() {
    let assignment = Assignment {
        assigned: partitions(&[("T", 1)]),
        revoked: partitions(&[("T", 4), ("U", 0)]),
        timeout: Some(Span::from_millis(300_000)),
        note: None,
    };
    let designs_one = [
        "00000001", "0001", "54", "00000001", "00000001", // AssignedTopicPartitions: T 1
        "00000002", "0001", "54", "00000001", "00000004", // RevokeTopicPartitions: T 4
        "0001", "55", "00000001", "00000000", // U 0
    ]
    .concat();
    assert_eq!(hex(&assignment.encode(1)), format!("0001{designs_one}"));
    assert_eq!(hex(&assignment.encode(2)), format!("0002{designs_one}000493e0"), "ScheduledRebalanceTimeout in ms");
    assert_eq!(hex(&assignment.encode(3)), format!("0003{designs_one}000493e0ffffffff"));
    assert_eq!(Assignment::decode(&assignment.encode(2)), Ok(assignment.clone()));
    let timeless = Assignment { timeout: None, ..assignment.clone() };
    assert_eq!(Assignment::decode(&assignment.encode(1)), Ok(timeless));
    let nearly = Assignment { timeout: Some(Span(1)), ..Assignment::default() };
    assert!(hex(&nearly.encode(2)).ends_with("00000001"), "what is left stays left");
}

fn lists() -> impl Strategy<Value = Partitions> {
    proptest::collection::btree_set(("[a-c]{0,3}", 0_i32..9), 0..6)
        .prop_map(|set| {
            set.iter().map(|(topic, number)| TopicPartition::new(topic.as_str(), *number)).collect::<Vec<_>>()
        })
        .prop_map(|list| list.iter().collect())
}

fn blobs() -> impl Strategy<Value = Option<Bytes>> {
    proptest::option::of(proptest::collection::vec(any::<u8>(), 0..20).prop_map(Bytes::from))
}

prop_compose! {
    fn subscriptions()(
        topics in proptest::collection::btree_set("[a-zä]{0,4}", 0..5),
        assignor_data in blobs(),
        assigned in lists(),
    ) -> Subscription {
        Subscription { topics: topics.iter().collect::<Topics>(), assignor_data, assigned }
    }
}

prop_compose! {
    fn assignments()(assigned in lists(), revoked in lists(), millis in 0_u64..3, note in blobs()) -> Assignment {
        let timeout = (millis > 0).then(|| Span::from_millis(millis));
        Assignment { assigned, revoked, timeout, note }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(subscription in subscriptions(), assignment in assignments(), more in blobs()) {
        prop_assert_eq!(Subscription::decode(&subscription.encode()), Ok(subscription.clone()));
        prop_assert_eq!(Assignment::decode(&assignment.encode(Assignment::VERSION)), Ok(assignment.clone()));
        let appended = [&assignment.encode(Assignment::VERSION)[..], &more.unwrap_or_default()].concat();
        prop_assert_eq!(Assignment::decode(&appended.into()), Ok(assignment));
    }

    #[test]
    fn what_is_cut_is_an_error(subscription in subscriptions(), assignment in assignments()) {
        let whole = subscription.encode();
        for end in 0..whole.len() {
            let cut = Subscription::decode(&whole.slice(..end));
            prop_assert!(cut.is_err() || cut.is_ok_and(|read| read.assigned.is_empty()));
        }
        let whole = assignment.encode(Assignment::VERSION);
        for end in 1..whole.len() {
            prop_assert!(Assignment::decode(&whole.slice(..end)).is_err());
        }
    }

    #[test]
    fn random_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let bytes = Bytes::from(bytes);
        let _ = Subscription::decode(&bytes);
        if let Ok(read) = Assignment::decode(&bytes) {
            prop_assert!(read.assigned.len() + read.revoked.len() <= bytes.len());
        }
    }
}
