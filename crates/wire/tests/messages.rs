//! Properties of every message at every version, on bytes made up from the schema.

mod support;

use allocation_counter::measure;
use bytes::Bytes;
use groma_wire::messages::ListGroupsResponse;
use groma_wire::{Message, Reader};
use support::{Entry, Random, definitions, for_each_sample, registry};

#[test]
fn what_is_read_is_written_again_byte_for_byte() {
    for_each_sample(40, |entry, version, bytes| {
        assert_eq!((entry.recode)(bytes.clone(), version), Ok(bytes.clone()), "{} {version}", entry.name);
        assert_eq!((entry.same)(bytes.clone(), bytes, version), Ok(true));
    });
}

#[test]
fn other_bytes_are_another_value() {
    let mut last: Option<(&str, i16, Bytes)> = None;
    for_each_sample(10, |entry, version, bytes| {
        if let Some((name, before, old)) =
            last.take().filter(|(name, before, _)| (*name, *before) == (entry.name, version))
        {
            assert_eq!((entry.same)(old.clone(), bytes.clone(), version), Ok(old == bytes), "{name} {before}");
        }
        last = Some((entry.name, version, bytes));
    });
}

#[test]
fn a_part_of_a_message_is_an_error() {
    for_each_sample(2, |entry, version, bytes| {
        let step = 1 + bytes.len() / 1500;
        for length in (0..bytes.len()).step_by(step) {
            let outcome = (entry.decode)(bytes.slice(..length), version);
            assert!(outcome.is_err(), "{} {version}: {length} of {} bytes", entry.name, bytes.len());
        }
    });
}

#[test]
fn bytes_after_a_message_are_an_error() {
    for_each_sample(2, |entry, version, bytes| {
        let longer = Bytes::from([&bytes[..], &[0]].concat());
        assert!((entry.decode)(longer, version).is_err(), "{} {version}", entry.name);
    });
}

#[test]
fn unknown_tagged_fields_are_passed_over() {
    let mut seen = 0;
    let schema = definitions();
    for_each_sample(3, |entry, version, bytes| {
        let definition = schema.iter().find(|definition| definition.name == entry.name).expect("in the schema");
        if !definition.flexible.contains(&version) || definition.fields.iter().any(|field| field.tag.is_some()) {
            return;
        }
        let (count, body) = bytes.split_last().expect("the count of tags at least");
        assert_eq!(*count, 0);
        let with_unknown = Bytes::from([body, &[2, 0x87, 0x68, 3, 1, 2, 3, 0x88, 0x68, 0]].concat());
        assert_eq!((entry.recode)(with_unknown, version), Ok(bytes), "{} {version}", entry.name);
        seen += 1;
    });
    assert!(seen > 100);
}

#[test]
fn versions_outside_of_the_range_are_refused() {
    for entry in registry() {
        for version in [entry.versions.start() - 1, entry.versions.end() + 1] {
            assert!((entry.decode)(Bytes::from(vec![0; 200]), version).is_err(), "{} {version}", entry.name);
        }
    }
}

#[test]
fn random_bytes_neither_panic_nor_exhaust_memory() {
    let mut random = Random::new(7);
    for_each_sample(20, |entry, version, _| {
        let length = random.below(64) + if random.once(4) { 500 } else { 0 };
        survives(entry, version, Bytes::from(random.bytes(length)));
    });
}

#[test]
fn damaged_messages_neither_panic_nor_exhaust_memory() {
    let mut random = Random::new(8);
    for_each_sample(40, |entry, version, bytes| {
        let mut damaged = bytes.to_vec();
        for _ in 0..random.below(4).min(damaged.len()) {
            let (at, value) = (random.below(damaged.len()), random.next());
            damaged[at] = match value % 4 {
                0 => 0xff,
                1 => 0x7f,
                2 => 0,
                _ => (value >> 8) as u8,
            };
        }
        survives(entry, version, Bytes::from(damaged));
    });
}

#[test]
fn lengths_that_lie_cost_nothing() {
    for_each_sample(2, |entry, version, bytes| {
        for lie in [&[0x7f, 0xff, 0xff, 0xff][..], &[0xff, 0xff, 0xff, 0xff, 0x07], &[0xff, 0xff, 0x03], &[0x7f, 0xff]]
        {
            for at in 0..bytes.len().saturating_sub(lie.len()).min(400) {
                let mut damaged = bytes.to_vec();
                damaged[at..at + lie.len()].copy_from_slice(lie);
                survives(entry, version, Bytes::from(damaged));
            }
        }
    });
}

#[test]
fn a_count_is_believed_only_as_far_as_its_items_are_there() {
    let claim = [&[0; 6][..], &[0xc0, 0x65], &vec![0xff; 65_000]].concat();
    let input = Bytes::from(claim);
    let used = measure(|| {
        let mut r = Reader::new(input.clone());
        assert!(ListGroupsResponse::decode(&mut r, 5).is_err());
        assert_eq!(r.position(), 13);
    });
    assert!(used.bytes_max > 0 && used.bytes_max < 70_000, "{used:?}");
}

/// Reading may fail, but takes no more memory than the input justifies; what can be read has one canonical form.
fn survives(entry: &Entry, version: i16, bytes: Bytes) {
    let input = bytes.clone();
    let mut readable = false;
    let used = measure(|| readable = (entry.decode)(input, version).is_ok());
    let limit = 1024 + 64 * bytes.len() as u64;
    assert!(used.bytes_max <= limit, "{} {version}: {} bytes for {bytes:?}", entry.name, used.bytes_max);
    if readable {
        let canonical = (entry.recode)(bytes, version).expect("what can be read can be written");
        assert_eq!((entry.recode)(canonical.clone(), version), Ok(canonical), "{} {version}", entry.name);
    }
}
