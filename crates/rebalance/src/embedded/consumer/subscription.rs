use std::collections::BTreeSet;

use bytes::{BufMut, Bytes};
use groma_model::Generation;

use super::bytes::{put_nullable_bytes, put_string};
use super::raw::{RawReport, WHAT};
use super::trail::RawTrail;
use super::{Memory, Partitions, Topics};
use crate::embedded::EmbeddedError;

/// A member's report: what it asks for and what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Subscription {
    /// Topics asked for.
    pub topics: Topics,
    /// What only the assignor understands.
    pub user_data: Option<Bytes>,
    /// Partitions held (version 1, KIP-429).
    pub owned: Partitions,
    /// The generation in which that was confirmed (version 2, KIP-792).
    pub generation: Option<Generation>,
    /// Where the member runs (version 3, KIP-881).
    pub rack: Option<String>,
}

impl Subscription {
    /// The newest layout known here.
    pub const VERSION: i16 = 3;

    /// Whether this is the report of a member of our make under a cooperative protocol: its user data carries what it
    /// can and remembers, behind a mark.
    pub fn is_of_our_make(&self) -> bool {
        RawReport::of(self).trail(Memory::Owned).and_then(RawTrail::read).is_some()
    }

    /// Reads any version; what a newer one appends is ignored.
    ///
    /// # Errors
    /// The bytes are no subscription.
    pub fn decode(payload: &Bytes) -> Result<Self, EmbeddedError> {
        let raw = RawReport::read(payload, None)?;
        Ok(Self {
            topics: Topics::checked(payload.slice_ref(raw.topics), WHAT)?,
            user_data: raw.user_data.map(|data| payload.slice_ref(data)),
            owned: Partitions::checked(payload.slice_ref(raw.owned), WHAT)?,
            generation: raw.generation,
            rack: raw.rack.map(str::to_owned),
        })
    }

    /// As [`Self::decode`], for one who reads thousands of reports, most of which name the same topics: equal lists of
    /// topics become one, kept in `known`.
    ///
    /// # Errors
    /// The bytes are no subscription.
    pub fn decode_among(payload: &Bytes, known: &mut BTreeSet<Topics>) -> Result<Self, EmbeddedError> {
        let mut read = Self::decode(payload)?;
        match known.get(&read.topics) {
            Some(same) => read.topics = same.clone(),
            None => drop(known.insert(read.topics.clone())),
        }
        Ok(read)
    }

    /// Writes the given version; equal reports give equal bytes (KAFKA-12898).
    pub fn encode(&self, version: i16) -> Bytes {
        let mut out = Vec::with_capacity(64);
        out.put_i16(version);
        self.topics.write(&mut out);
        put_nullable_bytes(&mut out, self.user_data.as_ref());
        if version >= 1 {
            self.owned.write(&mut out);
        }
        if version >= 2 {
            out.put_i32(self.generation.map_or(-1, |g| g.0));
        }
        if version >= 3 {
            match &self.rack {
                None => out.put_i16(-1),
                Some(rack) => put_string(&mut out, rack),
            }
        }
        out.into()
    }
}
