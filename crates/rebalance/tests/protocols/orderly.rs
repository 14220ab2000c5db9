//! A member that keeps what it has is given back its own list, if that is as it would be written.

use std::collections::BTreeMap;

use groma_model::MemberId;
use groma_rebalance::embedded::consumer::{Candidate, Strategy, Subscription, share_out};

/// What one member of topics T and U is given if it claims this: topics and numbers as they are written.
fn given_for(claims: &[(&str, &[i32])]) -> Vec<(String, Vec<i32>)> {
    let mut bytes = vec![0, 1, 0, 0, 0, 2, 0, 1, b'T', 0, 1, b'U', 0xff, 0xff, 0xff, 0xff];
    bytes.extend((claims.len() as i32).to_be_bytes());
    for (topic, numbers) in claims {
        bytes.extend((topic.len() as i16).to_be_bytes());
        bytes.extend(topic.as_bytes());
        bytes.extend((numbers.len() as i32).to_be_bytes());
        numbers.iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    }
    let subscription = Subscription::decode(&bytes.into()).expect("a report");
    let candidate = Candidate { member: MemberId::from("1"), instance: None, subscription };
    let catalog = BTreeMap::from([("T".to_owned(), 1), ("U".to_owned(), 2)]).into();
    let given = share_out(&Strategy::cooperative_sticky(), &[candidate], &catalog).remove(0);
    given.partitions.by_topic().map(|(topic, numbers)| (topic.to_owned(), numbers.collect())).collect()
}

#[test]
fn what_a_member_keeps_is_in_order_whatever_it_claimed_it_in() {
    let whole = [("T".to_owned(), vec![0]), ("U".to_owned(), vec![0, 1])];
    let claims: [&[(&str, &[i32])]; 9] = [
        &[("T", &[0]), ("U", &[0, 1])],
        &[("U", &[0, 1]), ("T", &[0])],
        &[("T", &[0]), ("U", &[1, 0])],
        &[("T", &[0]), ("U", &[0]), ("U", &[1])],
        &[("T", &[0]), ("U", &[0, 1, 1])],
        &[("T", &[0, 1]), ("U", &[0, 1])],
        &[("T", &[0]), ("U", &[0, 1]), ("V", &[0])],
        &[("T", &[0]), ("T", &[]), ("U", &[0, 1])],
        &[("T", &[-1, 0]), ("U", &[0, 1, 2])],
    ];
    for claims in claims {
        assert_eq!(given_for(claims), whole, "{claims:?}");
    }
}
