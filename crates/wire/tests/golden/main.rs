//! Bytes that Kafka's own generated classes wrote (`fixtures/Golden.java` says how), read and written again.

mod cluster;
mod data;
mod group;
mod offsets;
mod stored;

#[expect(dead_code, reason = "these tests use a part of it")]
#[path = "../support/mod.rs"]
mod support;

use std::fmt;

use bytes::Bytes;
use groma_model::TopicId;
use groma_wire::{Data, Message, Reader, Records, WireError, Writer};
use support::registry;

/// The topic id that the fixtures use.
const ID: TopicId = TopicId([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

#[test]
fn every_version_of_every_message_is_read_and_written_as_by_kafka() {
    let golden = lines(include_str!("../fixtures/random.txt"));
    for entry in registry() {
        for version in entry.versions.clone() {
            let bytes = find(&golden, entry.name, version);
            assert_eq!((entry.recode)(bytes.clone(), version), Ok(bytes), "{} {version}", entry.name);
        }
    }
    let expected: usize = registry().iter().map(|entry| entry.versions.clone().count()).sum();
    assert_eq!(golden.len(), expected);
}

/// Checks that the value made for each version is written as Kafka writes it, and read back.
///
/// `expected` gives the value as read: without the fields that the version does not carry.
fn check<M: Message + PartialEq + fmt::Debug>(sent: impl Fn(i16) -> M, expected: impl Fn(i16, M) -> M) {
    let golden = lines(include_str!("../fixtures/named.txt"));
    for version in M::VERSIONS {
        let (value, bytes) = (sent(version), find(&golden, M::NAME, version));
        let mut w = Writer::new();
        value.encode(&mut w, version).expect("the version carries it");
        assert_eq!(w.into_bytes(), Ok(bytes.clone()), "{} {version}", M::NAME);
        let mut r = Reader::new(bytes);
        assert_eq!(M::decode(&mut r, version), Ok(expected(version, value)), "{} {version}", M::NAME);
        assert_eq!(r.finish(), Ok(()));
    }
}

/// As [`check`], for what is not a request or response.
fn check_data<D: Data + PartialEq + fmt::Debug>(value: &D, expected: impl Fn(i16) -> D) {
    let golden = lines(include_str!("../fixtures/named.txt"));
    for version in D::VERSIONS {
        let bytes = find(&golden, D::NAME, version);
        let mut w = Writer::new();
        value.encode(&mut w, version).expect("the version carries it");
        assert_eq!(w.into_bytes(), Ok(bytes.clone()), "{} {version}", D::NAME);
        assert_eq!(decode_data(bytes, version), Ok(expected(version)), "{} {version}", D::NAME);
    }
}

fn decode_data<D: Data>(bytes: Bytes, version: i16) -> Result<D, WireError> {
    let mut r = Reader::new(bytes);
    let value = D::decode(&mut r, version)?;
    r.finish().map(|()| value)
}

fn lines(text: &'static str) -> Vec<(&'static str, i16, Bytes)> {
    let parse = |line: &'static str| {
        let mut words = line.split(' ');
        let (name, version) = (words.next()?, words.next()?.parse().ok()?);
        Some((name, version, unhex(words.next()?)))
    };
    text.lines().filter(|line| !line.starts_with('#')).map(|line| parse(line).expect("name, version, hex")).collect()
}

fn find(golden: &[(&str, i16, Bytes)], name: &str, version: i16) -> Bytes {
    let found = golden.iter().find(|line| (line.0, line.1) == (name, version));
    found.unwrap_or_else(|| panic!("no fixture of {name} {version}")).2.clone()
}

fn unhex(text: &str) -> Bytes {
    let digits: Vec<u8> = text.bytes().map(|digit| (digit as char).to_digit(16).expect("hex") as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

fn text(value: &str) -> Option<String> {
    Some(value.to_owned())
}

fn batch() -> Option<Records> {
    Some(Records::Bytes(Bytes::from_static(b"batch")))
}
