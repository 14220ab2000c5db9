//! What the tests of all messages share: their list, their schema, made-up bytes.

use std::ops::RangeInclusive;

use bytes::Bytes;
use groma_wire::{Data, Message, Reader, WireError, Writer};

mod made_up;
mod random;
mod registry;
mod schema;

pub(crate) use made_up::MadeUp;
pub(crate) use random::Random;
pub(crate) use registry::registry;
pub(crate) use schema::{Definition, Field, definitions};

/// A message with what a test can do to it without knowing its type.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) versions: RangeInclusive<i16>,
    /// Reads all of the bytes and drops the value.
    pub(crate) decode: fn(Bytes, i16) -> Result<(), WireError>,
    /// Reads all of the bytes and writes the value again.
    pub(crate) recode: fn(Bytes, i16) -> Result<Bytes, WireError>,
    /// Reads both and compares the values.
    pub(crate) same: fn(Bytes, Bytes, i16) -> Result<bool, WireError>,
}

pub(crate) fn message<M: Message + PartialEq>() -> Entry {
    fn open<M: Message>(bytes: Bytes, version: i16) -> Result<M, WireError> {
        let mut r = Reader::new(bytes);
        let value = M::decode(&mut r, version)?;
        r.finish().map(|()| value)
    }
    Entry {
        name: M::NAME,
        versions: M::VERSIONS,
        decode: |bytes, version| open::<M>(bytes, version).map(|_| ()),
        recode: |bytes, version| {
            let mut w = Writer::new();
            open::<M>(bytes, version)?.encode(&mut w, version)?;
            w.into_bytes()
        },
        same: |left, right, version| Ok(open::<M>(left, version)? == open::<M>(right, version)?),
    }
}

pub(crate) fn data<D: Data + PartialEq>() -> Entry {
    fn open<D: Data>(bytes: Bytes, version: i16) -> Result<D, WireError> {
        let mut r = Reader::new(bytes);
        let value = D::decode(&mut r, version)?;
        r.finish().map(|()| value)
    }
    Entry {
        name: D::NAME,
        versions: D::VERSIONS,
        decode: |bytes, version| open::<D>(bytes, version).map(|_| ()),
        recode: |bytes, version| {
            let mut w = Writer::new();
            open::<D>(bytes, version)?.encode(&mut w, version)?;
            w.into_bytes()
        },
        same: |left, right, version| Ok(open::<D>(left, version)? == open::<D>(right, version)?),
    }
}

/// Calls `visit` for each message at each version, with made-up valid bytes, `rounds` times.
///
/// `GROMA_WIRE_ROUNDS` in the environment sets the number of rounds, for long runs by hand.
pub(crate) fn for_each_sample(rounds: u64, mut visit: impl FnMut(&Entry, i16, Bytes)) {
    let rounds = std::env::var("GROMA_WIRE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(rounds);
    let schema = definitions();
    for entry in registry() {
        let definition = schema.iter().find(|definition| definition.name == entry.name).expect("it is in the schema");
        for version in entry.versions.clone() {
            for round in 0..rounds {
                let mut made_up = MadeUp::new(definition, version, round);
                visit(&entry, version, made_up.bytes());
            }
        }
    }
}
